"""Playing by forms alone, as a browser without scripts does."""

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from web_client import Guest, make_app

from seedfolio import load_game
from seedfolio.engines.program import load_engine_program
from seedfolio.engines.protocols.process import find_program
from seedfolio.games import BUILT_IN
from seedfolio.opponents.seat import CompiledSeat


def finish(guest, address, choose=lambda moves: moves[0]):
    """Play a game to its end; return the last page and the moves."""
    played = []
    while moves := guest.moves(page := guest.settle(address)):
        played.append(choose(moves))
        assert guest.play(address, played[-1]).status_code == 303
    return page, played


@pytest.mark.parametrize("colour", ["first", "second"])
def test_a_whole_game_of_dominoes(guest, colour):
    address = guest.begin(options="4x4", effort="5", colour=colour)
    page, played = finish(guest, address)
    assert played
    assert re.search("You win|The program wins", page)
    assert "It played seed" in page
    record = json.loads(guest.get(f"{address}/record.json").text)
    own = [each["move"] for each in record["moves"] if each["by"] == own_side(colour)]
    assert own == played
    assert record["half_points"] in (0, 2)


def own_side(colour):
    return "vertical" if colour == "first" else "horizontal"


def test_the_arm_told_is_the_arm_that_played(app, guest):
    address = guest.begin(options="4x4", effort="5")
    finish(guest, address)
    site = app.state.site
    (sitting,) = site.sittings.of(guest_id(site, guest), "play")
    view = site.tables.look(sitting)
    stored, now = view.game, view.now
    assert view.ended
    assert isinstance(now.arm, CompiledSeat)
    for ply, move in enumerate(stored.history):
        if now.game.position(stored.history[:ply]).mover == 1:
            assert now.arm.choose(stored.history[:ply]) == move
    assert now.arm.name in guest.text(address)


def guest_id(site, guest):
    return site.visitors.of_cookie(guest.client.cookies["seedfolio"]).id


def test_dice_and_refusals_are_told_as_they_happen(guest):
    page, _ = finish(guest, guest.begin(name="pig"), lambda moves: moves[0])
    assert re.search(r"Chance: [1-6]\.", page)
    address = guest.begin(name="phantom-tic-tac-toe")
    page, _ = finish(guest, address)
    for _ in range(20):
        if "refused: " in page:
            break
        address = guest.begin(name="phantom-tic-tac-toe", colour="second")
        page, _ = finish(guest, address)
    assert re.search(r"refused: [abc][123]; try another\.", page)
    assert "The program plays" not in page


def test_undo_takes_back_the_last_move(guest):
    address = guest.begin(options="4x4", effort="5")
    guest.play(address, "b2b3")
    assert "You play b2b3." in guest.settle(address)
    assert guest.post(f"{address}/undo").status_code == 303
    page = guest.settle(address)
    assert "b2b3" in guest.moves(page)
    assert "You play" not in page
    assert "You have no move to take back." in guest.post(f"{address}/undo").text


def test_nothing_hidden_is_taken_back(guest):
    address = guest.begin(name="phantom-tic-tac-toe")
    guest.play(address, "a1")
    assert "Undo" not in guest.settle(address)
    assert guest.post(f"{address}/undo").status_code == 400


def test_a_game_that_was_given_up_is_over(guest):
    address = guest.begin(options="4x4", effort="5")
    assert guest.get(f"{address}/record.json").status_code == 409  # it would tell secrets
    guest.post(f"{address}/resign")
    assert "You resigned." in guest.text(address)
    assert guest.post(f"{address}/move", move="b2b3", at="0").status_code == 400
    assert json.loads(guest.text(f"{address}/record.json"))["result"] == "you resigned"


def test_another_game_with_sides_swapped(guest):
    address = guest.begin(options="4x4", effort="5")
    assert "You are vertical." in guest.text(address)
    other = guest.post(f"{address}/again", sides="swap").headers["location"]
    assert other != address
    assert "You are horizontal." in guest.settle(other)
    same = guest.post(f"{other}/again").headers["location"]
    assert "You are horizontal." in guest.settle(same)


def test_a_boosted_program_tells_where_its_book_ended(app, guest):
    library = app.state.site.library
    (file,) = [each for each in library.files("portfolio") if each.name == "small-book"]
    page, _ = finish(guest, guest.begin("boosted", file.id, colour="second"))
    assert re.search("came from the book|had no move", page)


def test_a_portfolio_that_was_learnt_anew_is_loaded_anew(boosted, tmp_path):
    shutil.copy(boosted / "small-nash.json", tmp_path / "a.json")
    app = make_app(tmp_path)
    guest = Guest(app)
    (file,) = app.state.site.library.files("portfolio")
    old = guest.begin("boosted", file.id)
    assert "(nash)" in guest.text(old)
    shutil.copy(boosted / "small-best-seed.json", tmp_path / "a.json")
    assert "(best-seed)" in guest.text(guest.begin("boosted", file.id))
    assert "(nash)" in guest.text(old)
    app.state.site.close()


@pytest.mark.slow
def test_a_game_of_ones_own(app, guest, boosted):
    example = Path(__file__).parents[2] / "docs/examples/three_in_a_row.py"
    shutil.copy(example, boosted)
    (file,) = app.state.site.library.files("game")
    assert "which you have not run on this machine" in guest.text(guest.begin("own", file.id))
    load_game(file.path)
    page, _ = finish(guest, guest.begin("own", file.id))
    assert re.search("You win|The program wins|A draw", page)
    address = guest.begin("own", file.id, options="size=x")
    assert "The program stopped" in guest.text(address)


def test_a_move_from_one_cell_to_another_takes_two_clicks(guest):
    address = guest.begin(name="breakthrough", options="5x5", effort="5")
    page = guest.text(address)
    assert not guest.moves(page)
    (begins, *_) = re.findall(r"\?from=([a-z]\d)", page)
    moves = guest.moves(guest.text(f"{address}?from={begins}"))
    assert moves
    assert all(move.startswith(begins) for move in moves)
    assert guest.play(address, moves[0]).status_code == 303


def test_wrong_moves_are_answered_in_a_line(guest):
    address = guest.begin(options="4x4", effort="5")
    for move, told in (("z9", "is not a move"), ("b2c2", "not legal"), ("", "Type a move")):
        answer = guest.play(address, move)
        assert answer.status_code == 400
        assert told in answer.text
    guest.play(address, "b2b3")
    guest.settle(address)
    late = guest.post(f"{address}/move", move="a1a2", at="0")
    assert late.status_code == 409
    assert "meanwhile" in late.text


def test_a_game_is_for_its_visitor_alone(app, guest):
    address = guest.begin(options="4x4", effort="5")
    other = Guest(app)
    assert other.get(address).status_code == 404
    assert other.post(f"{address}/move", move="b2b3", at="0").status_code == 404
    assert other.get(f"{address}/record.json").status_code == 404


def test_htmx_gets_the_table_alone(guest):
    address = guest.begin(options="4x4", effort="5")
    answer = guest.post(f"{address}/move", htmx=True, move="b2b3", at="0")
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div id="table"')
    assert 'id="news"' in answer.text
    refused = guest.post(f"{address}/move", htmx=True, move="zz", at="2")
    assert refused.headers["hx-retarget"] == "#problem"


def test_no_file_of_the_machine_can_be_named(guest):
    for name in ("/etc/passwd", "../mine.py", "mine.py", "domineering.py:4x4", "x.json"):
        assert guest.post("/games", kind="original", name=name).status_code == 400
        assert guest.post("/games", kind="own", name=name).status_code == 404
        assert guest.post("/games", kind="boosted", name=name).status_code == 404
    answer = guest.post("/games", kind="original", name="domineering", options="4x4/../../etc")
    assert answer.status_code == 400


def test_the_program_thinks_no_more_than_allowed(guest):
    answer = guest.post("/games", kind="original", name="domineering", effort="10001")
    assert answer.status_code == 400
    assert "1 to 10,000" in answer.text


@pytest.mark.slow
def test_an_external_engine(app, guest, boosted):
    if not Path(find_program("gnugo", Path())).is_file():
        assert os.environ.get("CI") != "true"
        pytest.skip("gnugo is not installed: apt-get install gnugo")
    (boosted / "gnugo.toml").write_text(GNU_GO)
    (file,) = app.state.site.library.files("engine")
    refused = guest.begin("external", file.id, options="")
    assert "which you have not run on this machine" in guest.text(refused)
    assert load_engine_program(file.path).engine_identity
    assert 'value="external"' in guest.text("/play")
    address = guest.begin("external", file.id, options="")
    guest.play(address, "C3")
    assert "The program plays" in guest.settle(address)
    guest.play(address, "A1")
    guest.settle(address)
    guest.post(f"{address}/resign")
    assert "It played seed" in guest.text(address)
    assert guest.text(f"{address}/record.sgf").startswith("(;FF[4]")


GNU_GO = """
[game]
name = "go"
board = 5
komi = 6.5
[player]
protocol = "gtp"
command = "gnugo --mode gtp --quiet --level 1 --chinese-rules"
setup = ["set_random_seed {seed}"]
"""


@pytest.mark.slow
def test_a_hexagonal_board_has_a_button_for_each_cell_and_rows_of_one_width(guest):
    address = guest.begin(name="hex", options="3x3", effort="5")
    page = guest.settle(address)
    (form,) = re.findall(r'<form class="cells columns-8 hexagonal".*?</form>', page, re.S)
    assert form.count("<button") == 9
    # Three rows of three cells and two half cells, between the tips of the outer rows.
    assert (form.count('class="gap"'), form.count('class="tips"')) == (6, 2)
    _, played = finish(guest, address)
    assert played[0] == "a1"


@pytest.mark.long
@pytest.mark.parametrize("name", BUILT_IN)
def test_any_built_in_game_can_be_played(guest, name):
    small = {"chess": "", "nim": "", "pig": "", "morra": "", "havannah": "base=4", "hex": "3x3"}
    small |= {"phantom-tic-tac-toe": "", "phantom-four": "", "domineering": "4x4"}
    dealt = ("kuhn-poker", "leduc-poker", "liars-dice")
    small |= {"rolit": "4x4", **dict.fromkeys(dealt, "")}
    thinks = "" if name in ("nim", "pig", "morra", *dealt) else "5"
    address = guest.begin(name=name, options=small.get(name, "5x5"), effort=thinks)
    for _ in range(6):
        page = guest.settle(address)
        pieces = re.findall(r"\?from=([a-z]\d)", page)
        moves = guest.moves(guest.text(f"{address}?from={pieces[0]}") if pieces else page)
        if not moves:
            break
        assert guest.play(address, moves[0]).status_code == 303
    if 'p class="turn over' not in page:
        guest.post(f"{address}/resign")
    record = json.loads(guest.text(f"{address}/record.json"))
    assert record["game"].partition(":")[0] == name
    assert record["moves"]
