"""Arms of external engines: numbers to seeds and options, training apart from unseen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seedfolio.engines.specification.arms import Arms, hashed_seed, parse_seeds
from seedfolio.errors import SpecificationError
from seedfolio.study.arms import TrainingArms, UnseenArms

ENDLESS = Arms(parse_seeds("0..", hashed=True), {})
FLAGS = ("--cosmic-gnugo", "--nofusekidb", "--mirror", "--large-scale", "--without-break-in")
VARIANTS = Arms(None, {flag: [False, True] for flag in FLAGS})


def values(arms, count, kind):
    return [tuple(arms.arm(int(n)).values.items()) for n in kind(0, count).seeds()]


def test_hashed_seeds_are_31_bits_never_0_and_never_twice():
    seeds = [hashed_seed(number) for number in range(200_000)]
    assert seeds[:4] == [152782197, 305564395, 1463612860, 548326168]  # of all studies so far
    assert len({*seeds}) == 200_000
    assert min(seeds) > 0
    assert max(seeds) < 2**31
    assert sum(seeds) / len(seeds) == pytest.approx(2**30, rel=0.01)


@given(st.integers(0, 2**31 - 2), st.integers(0, 2**31 - 2))
def test_different_numbers_have_different_seeds(one, other):
    assert (hashed_seed(one) == hashed_seed(other)) == (one == other)


@pytest.mark.parametrize("hashed", [True, False])
def test_without_end_training_and_unseen_never_meet(hashed):
    arms = Arms(parse_seeds("1..", hashed), {})
    training, unseen = values(arms, 1000, TrainingArms), values(arms, 1000, UnseenArms)
    assert len({*training, *unseen}) == 2000
    if not hashed:
        assert training[:3] == [(("seed", 1),), (("seed", 2),), (("seed", 3),)]


def test_a_range_is_learnt_from_as_a_whole():
    arms = Arms(parse_seeds("1..32", hashed=False), {})
    assert (arms.training, arms.unseen) == (32, 32)
    assert values(arms, 32, TrainingArms) == [(("seed", n),) for n in range(1, 33)]
    assert values(arms, 32, UnseenArms) == values(arms, 32, TrainingArms)
    with pytest.raises(SpecificationError, match="training arm 32 does not exist: there are 32"):
        arms.arm(32)
    with pytest.raises(SpecificationError, match="unseen arm 32 does not exist"):
        arms.arm(2**32 + 32)
    assert ENDLESS.some(3) == arms.some(3) == [0, 1, 2]
    assert len({arms.arm(number).values["seed"] for number in arms.some(50)}) == 32
    many = Arms(parse_seeds("1..500000000", hashed=False), {})  # takes no memory
    assert many.arm(499_999_999).values == {"seed": 500_000_000}
    with pytest.raises(ValueError, match="1 arms are too few: evaluation needs 2"):
        Arms(parse_seeds("7..7", hashed=True), {})


def test_the_32_variants_of_gnu_go_are_shuffled_and_all_learnt_from():
    assert (VARIANTS.training, VARIANTS.unseen) == (32, 32)
    training, unseen = values(VARIANTS, 32, TrainingArms), values(VARIANTS, 32, UnseenArms)
    assert len(set(training)) == 32
    assert training == unseen
    for flag in FLAGS:  # each is on and off among the first few
        assert {dict(setting)[flag] for setting in training[:16]} == {True, False}


def test_seeds_and_options_together_have_no_end():
    arms = Arms(ENDLESS.seeds, VARIANTS.grid)
    found = [arms.arm(number).values for number in range(200)]
    assert len({each["seed"] for each in found}) == 200
    assert len({tuple(each[flag] for flag in FLAGS) for each in found}) == 32


@pytest.mark.parametrize("text", ["", "1-5", "..5", "5..1", "0..2000000000", "a..b", "-1..5"])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(ValueError, match="seeds"):
        parse_seeds(text, hashed=True)
