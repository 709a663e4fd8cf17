"""What a player cannot see cannot change its move: games that are alike to a colour."""

import random

from sparing import levels
from walking import random_history

from seedfolio.games import BUILT_IN, load_game
from seedfolio.players import PLAYERS, load_player
from seedfolio.players.program import Program

SMALL = {"batoo": "batoo:5x5", "phantom-go": "phantom-go:5x5", "phantom-four": "phantom-four:4x4"}
"""Games that take long on the board that is theirs."""
HIDING = [SMALL.get(name, name) for name in BUILT_IN if load_game(name).rules.hides]
HIDING.append("phantom-go:5x5,announce=0")
FEW = {"flat": "flat:playouts=60", "table": "table:noise=50"}
"""The players in a form that is quick, and that uses all they are given."""
GAMES = 30
PAIRS = 60


HIDDEN_PLAYERS = [FEW.get(p, p) for p in PLAYERS if p not in ("uct", "rave", "alphabeta")]


def events(game, history, colour):
    return game.information(history, colour).events


def unseen_plies(game, history, colour):
    """The plies at which another move would have been the same to `colour`."""

    def is_unseen(ply):
        before, move = history[:ply], history[ply]
        noticed = events(game, [*before, move], colour)
        others = (m for m in game.position(before).moves if m != move)
        return any(events(game, [*before, m], colour) == noticed for m in others)

    return [ply for ply in range(len(history)) if is_unseen(ply)]


def indistinguishable(game, history, colour, draw):
    """Yield beginnings of `history` and of another game that `colour`, to move, sees alike."""
    unseen = unseen_plies(game, history, colour)
    if not unseen:
        return
    since = draw.choice(unseen)
    twin = history[:since]
    for ply, move in enumerate(history[since:], start=since):
        before = history[:ply]
        position, image = game.position(before), game.position(twin)
        if twin != before and position.mover == colour:
            assert image.mover == colour
            yield before, list(twin)
        noticed = events(game, history[: ply + 1], colour)
        tried = [move] if position.mover == colour else list(image.moves)
        draw.shuffle(tried)
        alike = (m for m in tried if m in image.moves)
        found = next((m for m in alike if events(game, [*twin, m], colour) == noticed), None)
        if found is None:
            return  # the answer to an own move, or what is left to the other, differs
        twin.append(found)


def pairs_of(game):
    """Yield (number of the game, colour, one history, another that is the same to it)."""
    for number in range(GAMES):
        draw, history = random.Random(number), random_history(game, number)
        for colour in (0, 1) * 3:
            found = list(indistinguishable(game, history, colour, draw))
            for one, other in draw.sample(found, min(len(found), 3)):
                yield number, colour, one, other


@levels("name", ["phantom-tic-tac-toe"], long=[n for n in HIDING if n != "phantom-tic-tac-toe"])
def test_changing_what_it_cannot_see_cannot_change_its_move(name):
    game = load_game(name)
    programs = [Program(game, load_player(player)) for player in HIDDEN_PLAYERS]
    assert len(programs) >= 2
    pairs, after_refusals, choices = 0, 0, set()
    for number, colour, one, other in pairs_of(game):
        pairs += 1
        after_refusals += game.position(one).refused
        mine, same = (game.information(each, colour) for each in (one, other))
        assert (mine.history, mine.events) == (same.history, same.events)
        assert (mine.cells == same.cells).all()
        assert game.draw(one, colour) == game.draw(other, colour)
        assert game.position(one).moves == game.position(other).moves
        for program in programs:
            chosen = program.choose(one, number, luck=number)
            assert program.choose(other, number, luck=number) == chosen
            choices.add(chosen)
    assert pairs >= PAIRS
    assert len(choices) > 1
    if game.rules.refused is not None:
        assert after_refusals > 0
