"""Counter-based randomness against the published splitmix64 and Python's integers."""

import re
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

import seedfolio.players
from seedfolio.core.randomness import (
    GOLDEN,
    below,
    fold,
    mix,
    mix_int,
    move_key,
    simulation_key,
    word,
)
from seedfolio.players.seated import seed_of_profile

WORD = 1 << 64
WORDS = st.integers(0, WORD - 1)

# The first outputs of the reference implementation (Vigna, splitmix64.c) for two seeds.
PUBLISHED = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC),
    1234567: (6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431),
}


@pytest.mark.parametrize("seed", PUBLISHED)
def test_mix_is_the_published_splitmix64(seed):
    for step, output in enumerate(PUBLISHED[seed], 1):
        state = (seed + step * int(GOLDEN)) % WORD
        assert mix_int(state) == output
        assert int(mix(np.uint64(state))) == output


@settings(deadline=None)  # the first example compiles
@given(WORDS)
def test_mix_of_an_integer_is_the_compiled_one(word):
    assert mix_int(word) == int(mix(np.uint64(word)))
    assert mix_int(word + WORD) == mix_int(word)


@settings(deadline=None)  # the first example compiles
@given(WORDS, st.integers(0, 10_000), st.integers(1, 10_000))
def test_below_is_the_upper_half_scaled(key, step, bound):
    half = mix_int(key + (step + 1) * int(GOLDEN)) >> 32
    assert below(np.uint64(key), step, bound) == half * bound >> 32


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 64, 100])
def test_below_is_uniform_along_keys_and_along_steps(bound):
    draws = [
        lambda k: below(np.uint64(mix_int(k)), 3, bound),
        lambda k: below(np.uint64(12345), k, bound),
        # Neighbouring seeds, as the arms of a study are.
        lambda k: below(np.uint64(move_key(k, 0, 0)), 0, bound),
        lambda k: below(np.uint64(simulation_key(np.uint64(12345), k)), 0, bound),
    ]
    for draw in draws:
        counts = np.bincount([draw(k) for k in range(200 * bound)], minlength=bound)
        assert len(counts) == bound
        if bound > 1:
            assert chisquare(counts).pvalue > 1e-4


def test_keys_differ_and_no_number_is_used_for_two_things():
    keys = [int(move_key(s, c, p)) for s, c, p in product(range(50), range(2), range(50))]
    assert len(set(keys)) == len(keys)
    simulations = {int(simulation_key(np.uint64(keys[0]), k)) for k in range(5000)}
    assert len(simulations) == 5000
    assert not simulations & set(keys)
    # A simulation's key is a number under the move's key; seat 2 has the keys of seat 0 later.
    key = np.uint64(move_key(5, 2, 3))
    assert key == move_key(5, 0, 4)
    assert simulation_key(key, 7) == word(key, 7)
    players = [each.read_text() for each in Path(seedfolio.players.__path__[0]).glob("*.py")]
    searches = [text for text in players if "simulation_key(key" in text]
    assert len(searches) >= 3
    assert not any(re.search(r"(below|word)\(key\b", text) for text in searches)
    own = [move_key(seed, 0, ply) for seed, ply in product(range(20), range(40))]
    others = [
        move_key(seed_of_profile(np.uint64(profile), seat), seat, ply)
        for profile, seat, ply in product(range(20), range(1, 6), range(40))
    ]
    assert len({*map(int, own), *map(int, others)}) == len(own) + len(others)


def test_history_depends_on_the_order_of_events():
    def history(*events):
        value = np.uint64(0)
        for event in events:
            value = np.uint64(fold(value, event))
        return int(value)

    histories = [history(*events) for events in product(range(8), repeat=4)]
    assert len(set(histories)) == len(histories)
    # Zero is an event like any other.
    assert len({history(), history(0), history(0, 0)}) == 3
