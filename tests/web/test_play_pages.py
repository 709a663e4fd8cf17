"""Playing by forms alone, as a browser without scripts does."""

import json
import re
import shutil
import threading
from html import unescape
from pathlib import Path
from types import SimpleNamespace

import pytest
from web_client import SMALL, Guest, make_app

from seedfolio import load_game
from seedfolio.games import BUILT_IN
from seedfolio.opponents.seat import CompiledSeat
from seedfolio.web.ahead import programs_ahead
from seedfolio.web.catalogue import game_cards
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.pages.play import choice_of_form


def finish(guest, address):
    played = []
    while moves := guest.moves(page := guest.settle(address)):
        played.append(moves[0])
        assert guest.play(address, played[-1]).status_code == 303
    return page, played


def test_dice_and_refusals_are_told_as_they_happen(guest):
    page, _ = finish(guest, guest.begin(name="pig"))
    assert re.search(r"Chance: [1-6]\.", page)
    page, _ = finish(guest, guest.begin(name="phantom-tic-tac-toe"))
    tries = iter(range(20))
    while "refused: " not in page and next(tries) < 20:
        page, _ = finish(guest, guest.begin(name="phantom-tic-tac-toe", colour="second"))
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
    entry = library.portfolio(file).book.first[0].entries[0]
    page = guest.text(f"{guest.begin('boosted', file.id)}/hint")
    said = f"<strong>{entry.move}</strong>: {100 * entry.success:.1f}% in {entry.games:,} games"
    assert (entry.line, said in page) == ("", True)


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


@pytest.mark.parametrize(("colour", "side"), [("first", "vertical"), ("second", "horizontal")])
def test_a_whole_game_of_dominoes(app, guest, colour, side):
    address = guest.begin(options="4x4", effort="5", colour=colour)
    page, played = finish(guest, address)
    assert re.search("You win|The program wins", page)
    record = json.loads(guest.get(f"{address}/record.json").text)
    assert [each["move"] for each in record["moves"] if each["by"] == side] == played
    assert record["half_points"] in (0, 2)
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
    address = guest.begin(options="4x4", effort="5")
    for move, told in (("z9", "is not a move"), ("b2c2", "not legal"), ("", "Type a move")):
        answer = guest.play(address, move)
        assert answer.status_code == 400
        assert told in answer.text
        assert re.search(r'class="problem">[^<]*\.</p>', answer.text)
        told = guest.post(f"{address}/move", htmx=True, move=move, at="0")
        assert told.headers["hx-retarget"] == "#problem"
    answer = guest.post(f"{address}/move", htmx=True, move="b2b3", at="0")  # gets the table alone
    assert answer.text.lstrip().startswith('<div id="table"')
    assert 'id="news"' in answer.text
    assert "You play b2b3." in guest.settle(address)
    thought = re.findall(
        r"</strong>: played by (\d) of 8, (\d+) simulations, \d+%", guest.text(f"{address}/hint")
    )
    assert len(thought) == 3
    seeds, visits = (sum(map(int, each)) for each in zip(*thought, strict=True))
    assert seeds <= 8 < visits <= 8 * 5
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
    guest.play(address, "b2b3")
    guest.settle(address)
    guest.post(f"{address}/resign")
    assert "You resigned." in guest.text(address)
    assert guest.post(f"{address}/move", move="b2b3", at="0").status_code == 400
    assert json.loads(guest.text(f"{address}/record.json"))["result"] == "you resigned"
    assert guest.get(f"{address}/hint").status_code == 400
    history = [each["move"] for each in json.loads(guest.text(f"{address}/record.json"))["moves"]]
    assert f"1 of {len(history)}: You play" in guest.text(f"{address}?ply=1")
    earlier = guest.post(f"{address}/again", ply="1").headers["location"]
    assert re.findall(r"plays? (\w+)\.</li>", guest.settle(earlier))[:1] == history[:1]
    assert guest.post(f"{address}/again", ply="999").status_code == 400
    for sides, colour in (({"sides": "swap"}, "horizontal"), ({}, "horizontal")):
        address = guest.post(f"{address}/again", **sides).headers["location"]
        assert f"You are {colour}." in guest.settle(address)


def test_a_hint_is_for_the_moves_that_were_played(app, guest):
    """Another game of equal length, after moves were taken back, has none yet."""
    address = guest.begin(options="4x4", effort="5")
    guest.play(address, "b2b3")
    guest.settle(address)
    assert "<h2>Hint</h2>" in guest.text(f"{address}/hint")
    guest.post(f"{address}/undo")
    guest.play(address, "c2c3")
    assert "<h2>Hint</h2>" not in guest.settle(address)


def test_a_seat_is_taken_where_there_are_several(app):
    fields = {"kind": "original", "name": "rolit", "options": "6x6,players=3"}
    visit = SimpleNamespace(site=app.state.site, text_fields=fields)
    assert choice_of_form(visit).name == "rolit:6x6,players=3,seat=1"


def test_the_first_page_offers_three_games_and_all_are_described(app, guest):
    page = guest.text("/")
    assert page.count('action="/games"') == 3
    assert "wins " in page  # how strong the boosted one is
    assert [guest.text("/play").count(f'href="/play/{name}"') for name in BUILT_IN] == [1] * 18
    cards = {card.name: card for card in game_cards()}
    for name, card in cards.items():
        page = guest.text(f"/play/{name}")
        assert card.rules in unescape(page)
        assert card.picture or card.tiles
        for _, options in card.boards:
            assert load_game(f"{name}:{options}").rules.seats == 2 or "seat=1" in options
    hidden = guest.text("/play?kind=hidden")
    assert (hidden.count('href="/play/phantom-go"'), hidden.count('href="/play/hex"')) == (1, 0)
    assert guest.get("/play/none").status_code == 404


def test_programs_are_compiled_ahead_and_a_wait_tells_how_long(tmp_path):
    go_on, app = threading.Event(), make_app(tmp_path)
    site, guest = app.state.site, Guest(app)
    usual, load = programs_ahead(site), site.opponents._original
    site.opponents._kinds[ORIGINAL] = lambda choice: go_on.wait() and load(choice)
    address = guest.post("/games", **SMALL).headers["location"]
    assert "s of about 4" in guest.text(address)
    assert programs_ahead(site) == [*usual, OpponentChoice(ORIGINAL, "domineering:4x4", "", 5)]
    go_on.set()
    assert "about" not in guest.settle(address)
    site.close()


def test_opponents_that_no_visitor_may_name(guest):
    for name in ("/etc/passwd", "../mine.py", "domineering.py:4x4", "x.json"):
        for kind, status in (("original", 400), ("own", 404), ("boosted", 404)):
            assert guest.post("/games", kind=kind, name=name).status_code == status
    for form, told in (({"options": "4x4/../../etc"}, ""), ({"effort": "10001"}, "1 to 10,000")):
        answer = guest.post("/games", kind="original", name="domineering", **form)
        assert answer.status_code == 400
        assert told in answer.text
