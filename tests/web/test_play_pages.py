"""Playing by forms alone, as a browser without scripts does."""

import json
import re
import shutil
from pathlib import Path

import pytest
from web_client import Guest, make_app

from seedfolio import load_game
from seedfolio.games import BUILT_IN
from seedfolio.opponents.seat import CompiledSeat


def finish(guest, address, choose=lambda moves: moves[0]):
    """Play a game to its end; return the last page and the moves."""
    played = []
    while moves := guest.moves(page := guest.settle(address)):
        played.append(choose(moves))
        assert guest.play(address, played[-1]).status_code == 303
    return page, played


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
    assert "Undo" not in page
    address = guest.begin(name="phantom-tic-tac-toe")
    assert guest.post(f"{address}/undo").status_code == 400  # nothing hidden is taken back


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


@pytest.mark.slow  # compiles another game
def test_a_move_from_one_cell_to_another_takes_two_clicks(guest):
    address = guest.begin(name="chess", options="fen=7k/P7/8/8/8/8/1R6/6K1 w - - 0 1", effort="5")
    page = guest.text(address)
    assert not guest.moves(page)
    (begins, *_) = re.findall(r"\?from=([a-z]\d)", page)
    moves = guest.moves(guest.text(f"{address}?from={begins}"))
    assert moves
    assert all(move.startswith(begins) for move in moves)
    assert guest.play(address, moves[0]).status_code == 303


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


@pytest.mark.parametrize(("colour", "side"), [("first", "vertical"), ("second", "horizontal")])
def test_a_whole_game_of_dominoes(app, guest, colour, side):
    address = guest.begin(options="4x4", effort="5", colour=colour)
    page, played = finish(guest, address)
    assert re.search("You win|The program wins", page)
    record = json.loads(guest.get(f"{address}/record.json").text)
    assert [each["move"] for each in record["moves"] if each["by"] == side] == played
    assert record["half_points"] in (0, 2)
    # The arm told is the arm that played.
    site = app.state.site
    visitor = site.visitors.of_cookie(guest.client.cookies["seedfolio"]).id
    (sitting,) = site.sittings.of(visitor, "play")
    view = site.tables.look(sitting)
    now, history = view.now, view.game.history
    assert view.ended
    assert isinstance(now.arm, CompiledSeat)
    for ply, move in enumerate(history):
        if now.game.position(history[:ply]).mover == (colour == "first"):
            assert now.arm.choose(history[:ply]) == move
    assert f"It played {now.arm.name}" in page


def test_the_course_of_a_game(app, guest):
    """Wrong moves, undo, a visitor who is not the one, another window, giving up."""
    address = guest.begin(options="4x4", effort="5")
    for move, told in (("z9", "is not a move"), ("b2c2", "not legal"), ("", "Type a move")):
        answer = guest.play(address, move)
        assert answer.status_code == 400
        assert told in answer.text
    assert guest.play(address, "b2b3").status_code == 303
    assert "You play b2b3." in guest.settle(address)
    late = guest.post(f"{address}/move", move="a1a2", at="0")
    assert (late.status_code, "meanwhile" in late.text) == (409, True)
    assert guest.post(f"{address}/undo").status_code == 303
    page = guest.settle(address)
    assert "b2b3" in guest.moves(page)
    assert "You play" not in page
    assert "You have no move to take back." in guest.post(f"{address}/undo").text
    other = Guest(app)
    assert other.post(f"{address}/move", move="b2b3", at="0").status_code == 404
    for path in (address, f"{address}/record.json"):
        assert other.get(path).status_code == 404
    assert guest.get(f"{address}/record.json").status_code == 409  # it would tell secrets
    guest.post(f"{address}/resign")
    assert "You resigned." in guest.text(address)
    assert guest.post(f"{address}/move", move="b2b3", at="0").status_code == 400
    assert json.loads(guest.text(f"{address}/record.json"))["result"] == "you resigned"
    for sides, colour in (({"sides": "swap"}, "horizontal"), ({}, "horizontal")):
        address = guest.post(f"{address}/again", **sides).headers["location"]
        assert f"You are {colour}." in guest.settle(address)


def test_htmx_gets_the_table_alone(guest):
    address = guest.begin(options="4x4", effort="5")
    answer = guest.post(f"{address}/move", htmx=True, move="b2b3", at="0")
    assert answer.status_code == 200
    assert answer.text.lstrip().startswith('<div id="table"')
    assert 'id="news"' in answer.text
    refused = guest.post(f"{address}/move", htmx=True, move="zz", at="2")
    assert refused.headers["hx-retarget"] == "#problem"


def test_opponents_that_no_visitor_may_name(guest):
    for name in ("/etc/passwd", "../mine.py", "domineering.py:4x4", "x.json"):
        for kind, status in (("original", 400), ("own", 404), ("boosted", 404)):
            assert guest.post("/games", kind=kind, name=name).status_code == status
    for form, told in (({"options": "4x4/../../etc"}, ""), ({"effort": "10001"}, "1 to 10,000")):
        answer = guest.post("/games", kind="original", name="domineering", **form)
        assert answer.status_code == 400
        assert told in answer.text
