"""What is hidden stays hidden: the page of a colour is the same, byte for byte, whatever it is."""

import random

import pytest
from web_client import Guest

from seedfolio.games import BUILT_IN, load_game
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.pages.play import PAGE
from seedfolio.web.site import Visit
from seedfolio.web.sittings import PLAY

GAMES = ["phantom-tic-tac-toe", "phantom-go:5x5", "morra", "batoo:5x5", "phantom-four"]
DEALT = ["kuhn-poker", "leduc-poker", "liars-dice"]


def random_history(game, draw):
    history, prefixes = [], [()]
    while moves := game.position(history).moves:
        history.append(draw.choice(moves))
        prefixes.append(tuple(history))
    return draw.choice(prefixes[:-1])


def twin(game, history, colour, draw):
    """Return another game that `colour`, with the same moves, cannot tell from this, or None."""
    target = game.information(history, colour).events
    own = [m for k, m in enumerate(history) if game.position(history[:k]).mover == colour]
    mover, other = game.position(history).mover, []

    def fits(line):
        noticed = game.information(line, colour).events
        return noticed == target[: len(noticed)] and game.position(line).moves

    while True:
        now, seen = game.position(other), game.information(other, colour).events
        if len(seen) == len(target) and not own and now.mover == mover:
            return tuple(other)
        if now.mover == colour:
            candidates, own = [move for move in own[:1] if move in now.moves], own[1:]
        else:
            candidates = draw.sample(now.moves, len(now.moves))
        if not (fitting := [move for move in candidates if fits([*other, move])][:1]):
            return None
        other += fitting


def pairs(game, number, draw):
    found = 0
    while found < number:
        history, colour = random_history(game, draw), draw.randrange(2)
        other = twin(game, history, colour, draw)
        if other is not None and other != history:
            found += 1
            yield colour, history, other


def check(app, text, number):
    game, guest, draw = load_game(text), Guest(app), random.Random(2026)
    site, choice = app.state.site, OpponentChoice(ORIGINAL, load_game(text).text)
    opponent = site.opponents.load(choice)
    guest.get("/")
    visitor = site.visitors.of_cookie(guest.client.cookies["seedfolio"]).id
    stored = [site.played.begin(visitor, choice, colour) for colour in (0, 1)]
    different, count = 0, {True: 0, False: 0}
    for colour, history, other in pairs(game, number, draw):
        identifier, pages = stored[colour].id, []
        boards = [game.position(each).cells.tolist() for each in (history, other)]
        different += boards[0] != boards[1]
        mine = game.position(history).mover == colour
        for each in (history, other):
            put(site, identifier, each)
            if mine:
                answer = guest.get(f"/games/{identifier}")
                assert answer.status_code == 200
                pages.append((answer.content, answer.headers.multi_items()))
            else:  # the page, and the table alone, without letting the program move
                pages.append([shown.body for shown in meanwhile(site, guest, identifier)])
        assert pages[0] == pages[1], (text, colour, history, other)
        count[mine] += 1
    assert opponent.plays is None
    assert different > number / 4
    # In Morra only the second player to choose moves without knowing something.
    assert min(count.values()) > number / 10 or text == "morra"


def meanwhile(site, guest, identifier):
    visitor = site.visitors.of_cookie(guest.client.cookies["seedfolio"])
    sitting = site.sittings.find(visitor.id, PLAY, identifier)
    for fragment, show in ((False, PAGE.page), (True, PAGE.fragment)):
        shown = show(Visit(site, visitor, {"id": identifier}, {}, {}, fragment), sitting)
        assert "The program thinks" in shown.body.decode()
        yield shown


def put(site, identifier, history):
    with site.file.transaction() as connection:
        moves = " ".join(map(str, history))
        connection.execute("UPDATE game SET moves=? WHERE name=?", (moves, identifier))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        (GAMES[0], 60),
        *(pytest.param(text, 60, marks=pytest.mark.slow) for text in GAMES[1:3]),
        *(pytest.param(text, 60, marks=pytest.mark.long) for text in DEALT),
        *(pytest.param(text, 2_000, marks=pytest.mark.long) for text in GAMES),
    ],
)
def test_a_colour_gets_the_same_page_whatever_it_cannot_see(app, text, number):
    check(app, text, number)


def test_all_games_with_secrets_are_here():
    hidden = {name for name in BUILT_IN if load_game(name).rules.hides}
    assert hidden == {text.partition(":")[0] for text in [*GAMES, *DEALT]}
