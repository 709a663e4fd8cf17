"""Books in flat arrays: what is put in is found, and drawn as often as it should be."""

import numpy as np
import pytest

from seedfolio.players.books.table import (
    NO_STATE,
    Instructions,
    choice,
    drawn_book,
    find,
    goes_on,
    pack,
)


def random_states(count, key=1):
    return np.unique(np.random.default_rng(key).integers(0, 2**64, count, np.uint64))


def place_of(words, colour, number=0):
    return int(words[1 + colour]) + 1 + 3 * number


@pytest.mark.parametrize("count", [0, 1, 2, 3, 100, 5000])
def test_every_state_is_found_and_no_other(count):
    states = random_states(count)
    if count > 2:
        # The root's own hash, neighbours, and many states for the same slot.
        few = np.array([0, 1, NO_STATE - 1], np.uint64)
        states = np.unique(np.concatenate([states, few, few << np.uint64(20)]))
    book = Instructions.of(states, np.arange(len(states)) % 1000)
    words = pack([[], [(1.0, book)]], symmetric=True)
    place = place_of(words, 1)
    for k, state in enumerate(states[:300]):
        value = np.uint64(find(state, place, words))
        assert goes_on(value)
        assert choice(value, state, np.uint64(5), place, words) == k % 1000 + 1
    for state in random_states(100, key=2):
        assert find(state, place, words) == 0


def test_books_are_drawn_by_their_weights():
    three = [(weight, Instructions.none()) for weight in (0.5, 0.2, 0.3)]
    words = pack([three, []], symmetric=True)
    drawn = [drawn_book(np.uint64(arm), 0, words) for arm in range(10_000)]
    shares = [drawn.count(place_of(words, 0, number)) / 10_000 for number in range(3)]
    assert shares == pytest.approx([0.5, 0.2, 0.3], abs=0.02)


def test_choices_are_drawn_as_often_as_they_are_named():
    states = np.array([7, 8, 9], np.uint64)
    book = Instructions(
        states=states,
        moves=np.array([0, 40, 6]),
        goes_on=np.array([True, True, False]),
        counts=np.array([2, 0, 4]),
        listed=np.array([2, 0, 3]),
        choices=np.array([3, 11, -1, 5, 5]),
    )
    words = pack([[(1.0, book)], []], symmetric=True)
    place = place_of(words, 0)
    found = [np.uint64(find(state, place, words)) for state in states]
    assert [bool(goes_on(value)) for value in found] == [True, True, False]
    drawn = [
        [choice(value, state, np.uint64(arm), place, words) - 1 for arm in range(4000)]
        for state, value in zip(states, found, strict=True)
    ]
    assert drawn[0].count(3) + drawn[0].count(11) == 4000
    assert drawn[0].count(3) == pytest.approx(2000, abs=150)
    assert set(drawn[1]) == {40}
    assert [drawn[2].count(move) for move in (-1, 5, 6)] == pytest.approx(
        [1000, 2000, 1000], abs=150
    )
    # An arm draws at each state anew.
    assert len({(a, c) for a, c in zip(drawn[0], drawn[2], strict=True)}) == 6


def test_of_several_moves_of_a_state_one_is_drawn():
    states = np.array([5, 3, 5, 9], np.uint64)
    words = pack([[(1.0, Instructions.of(states, np.array([8, 1, 6, 2])))], []], symmetric=True)
    place = place_of(words, 0)
    for state, moves in ((3, {1}), (5, {6, 8}), (9, {2})):
        value = np.uint64(find(np.uint64(state), place, words))
        assert goes_on(value)
        drawn = [
            choice(value, np.uint64(state), np.uint64(arm), place, words) - 1 for arm in range(999)
        ]
        assert set(drawn) == moves
        for move in moves:
            assert drawn.count(move) == pytest.approx(999 / len(moves), abs=80)


def test_a_move_stands_at_a_state_once():
    with pytest.raises(ValueError, match="same move twice"):
        Instructions.of(np.array([5, 5], np.uint64), np.zeros(2, np.int64))
