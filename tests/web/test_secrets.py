"""What is hidden stays hidden: the page of a colour is the same, byte for byte, whatever it is."""

import random

import pytest
from web_client import Guest

from seedfolio.games import load_game
from seedfolio.web.opponents import ORIGINAL, OpponentChoice
from seedfolio.web.pages.play import PAGE
from seedfolio.web.site import Visit
from seedfolio.web.sittings import PLAY

GAMES = ["phantom-go:5x5", "phantom-tic-tac-toe", "batoo:5x5", "morra"]
DEALT = ["phantom-four", "kuhn-poker", "leduc-poker", "liars-dice"]
"""Each takes as long to compile."""


def random_history(game, draw):
    """Return a game up to a random moment at which it is not over."""
    history, prefixes = [], [()]
    while moves := game.position(history).moves:
        history.append(draw.choice(moves))
        prefixes.append(tuple(history))
    return draw.choice(prefixes[:-1])


def twin(game, history, colour, draw):
    """Return another game that `colour` cannot tell from a game; None if none was found.

    The colour plays the same moves; the other plays any that look the same.
    """
    target = game.information(history, colour).events
    own = [m for k, m in enumerate(history) if game.position(history[:k]).mover == colour]
    end = game.position(history)
    other = []
    while True:
        now = game.position(other)
        seen = game.information(other, colour).events
        done = len(seen) == len(target) and not own
        if done and now.moves and now.mover == end.mover:
            return tuple(other)
        if not now.moves:
            return None
        if now.mover == colour:
            if not own:
                return None
            candidates = [own.pop(0)]
        else:
            candidates = list(now.moves)
        draw.shuffle(candidates)
        for move in candidates:
            if move not in now.moves:
                continue
            noticed = game.information([*other, move], colour).events
            if noticed == target[: len(noticed)] and game.position([*other, move]).moves:
                other.append(move)
                break
        else:
            return None


def pairs(game, number, draw):
    """Yield games that a colour cannot tell apart, as (colour, history, other history)."""
    found = 0
    while found < number:
        history, colour = random_history(game, draw), draw.randrange(2)
        other = twin(game, history, colour, draw)
        if other is not None and other != history:
            found += 1
            yield colour, history, other


def check(app, text, number):
    """Compare the pages of `number` pairs of positions."""
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
        if game.position(history).mover == colour:
            for each in (history, other):
                put(site, identifier, each)
                answer = guest.get(f"/games/{identifier}")
                assert answer.status_code == 200
                pages.append((answer.content, answer.headers.multi_items()))
        else:  # the program is to move: the page, and the table alone, without letting it move
            for each in (history, other):
                put(site, identifier, each)
                pages.append([shown.body for shown in meanwhile(site, guest, identifier)])
        assert pages[0] == pages[1], (text, colour, history, other)
        count[game.position(history).mover == colour] += 1
    assert opponent.plays is None
    assert different > number / 4
    # In Morra only the second player to choose moves without knowing something.
    assert min(count.values()) > number / 10 or text == "morra"


def meanwhile(site, guest, identifier):
    """Yield what the server sends of a game while the program thinks."""
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
        *(pytest.param(text, 60, marks=pytest.mark.slow) for text in GAMES),
        *(pytest.param(text, 60, marks=pytest.mark.long) for text in DEALT),
        *(pytest.param(text, 2_000, marks=pytest.mark.long) for text in [*GAMES, "phantom-four"]),
    ],
)
def test_a_colour_gets_the_same_page_whatever_it_cannot_see(app, text, number):
    check(app, text, number)


def test_all_games_with_secrets_are_here():
    from seedfolio.games import BUILT_IN

    hidden = {name for name in BUILT_IN if load_game(name).rules.hides}
    assert hidden == {text.partition(":")[0] for text in [*GAMES, *DEALT]}
