"""Trees whose states are any words: equal high bits, and the largest ones."""

import numpy as np
import pytest
from small_tree import DEEP, LEFT, RIGHT, ROOT, rows_from, some_games

from seedfolio.learning.book.tree import tree_of
from seedfolio.players.books.table import NO_STATE

USUAL = (ROOT, LEFT, RIGHT, DEEP)


def renamed(games, names):
    """Return the games with other states."""
    new = dict(zip(USUAL, names, strict=True)) | {NO_STATE: NO_STATE}
    return [(arm, new[state], move, new[last], *rest) for arm, state, move, last, *rest in games]


@pytest.mark.parametrize(
    "names",
    [
        (0, 1, 2, 3),
        (2**64 - 5, 2**64 - 4, 2**64 - 3, 2**64 - 2),
        (2**63, 2**63 - 1, 2**63 + 1, 0),
        (3 << 40, (3 << 40) + 1, 2**64 - 2, 1),
    ],
)
def test_a_tree_does_not_depend_on_what_its_states_are_called(names):
    games = some_games()
    usual, other = tree_of(rows_from(games)), tree_of(rows_from(renamed(games, names)))
    assert other.states.tolist() == sorted(names)
    for old, new in zip(USUAL, names, strict=True):
        node, same = usual.states.tolist().index(old), other.states.tolist().index(new)
        mine = slice(usual.first[node], usual.first[node + 1])
        theirs = slice(other.first[same], other.first[same + 1])
        for name in ("moves", "games", "points", "natural_games", "natural_points", "arms"):
            assert getattr(usual, name)[mine].tolist() == getattr(other, name)[theirs].tolist()
        assert usual.depths[node] == other.depths[same]
        above, there = usual.parents[node], other.parents[same]
        assert (above < 0) == (there < 0)
        if above >= 0:
            place = USUAL.index(int(usual.states[usual.nodes[above]]))
            assert other.states[other.nodes[there]] == names[place]
            assert usual.moves[above] == other.moves[there]


def test_a_state_that_is_not_there_is_noticed():
    games = [game for game in some_games() if game[1] not in (ROOT, LEFT)]
    with pytest.raises(ValueError, match="do not form a tree"):
        tree_of(rows_from(games))
    assert len(tree_of(rows_from([]))) == 0
    assert tree_of(rows_from([])).first.dtype == np.int64
