"""The texts of all learners: their canonical names, and what they say of numbers out of range."""

from pathlib import Path

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import MOST_ARMS
from seedfolio.learning.registry import LEARNERS, find_learner, matrix_learner

USUAL, CANONICAL, REFUSED = (
    Path(__file__).with_name("learner_texts.txt").read_text(encoding="utf-8").split("\n\n")
)
"""Of those refused the last parameter has each of the numbers; MANY is one above the most arms."""


@pytest.mark.parametrize("text", USUAL.split())
def test_usual_parameters_are_not_in_the_name(text):
    assert find_learner(text).name == text.partition(":")[0]


def test_every_learner_has_its_usual_parameters_here():
    known = {
        ":".join(filter(None, [name, ",".join(f"{k}={v}" for k, v in entry.parameters.items())]))
        for name, entry in LEARNERS.items()
    }
    assert known == set(USUAL.split())


@pytest.mark.parametrize("text", CANONICAL.split())
def test_the_name_has_the_other_parameters_in_their_order(text):
    name, _, given = text.partition(":")
    turned = f"{name}:{','.join(reversed(given.split(',')))}"
    assert find_learner(text).name == find_learner(turned).name == text


@pytest.mark.parametrize("text", REFUSED.replace("MANY", str(MOST_ARMS + 1)).split())
def test_numbers_out_of_range_are_refused(text):
    parameter, _, numbers = text.rpartition("=")
    name, last = parameter.partition(":")[0], parameter.rpartition(":")[2].rpartition(",")[2]
    for number in numbers.split("|"):
        with pytest.raises(SpecificationError) as refusal:
            find_learner(f"{parameter}={number}")
        said = str(refusal.value)
        assert said.count(f"not {number}") == 1
        assert last in said
        assert name in said or last == "ratio"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("nahs", ["'nahs'", "did you mean nash?", "auto, nash, "]),
        ("", ["unknown learner ''", "auto, nash, "]),
        ("nash:alpha=1", ["nash", "'alpha'", "ratio"]),
        ("halving:ratio=0.5", ["'ratio'", "keep, arms"]),
        ("sparse-nash:alpha=half", ["alpha", "a number", "'half'"]),
        ("sparse-nash:alpha", ["alpha", "a number", "''"]),
        ("top:n=2.5", ["n of learner top", "whole number", "'2.5'"]),
        ("nash:ratio=0.5", ["nash:ratio=0.5", "whole matrix", "these do: nash, "]),
        ("book", ["book", "whole matrix"]),
    ],
)
def test_what_names_no_learner_of_a_matrix_is_refused_in_one_line(text, named):
    with pytest.raises(SpecificationError) as refusal:
        matrix_learner(text)
    assert all(words in str(refusal.value) for words in named)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", LEARNERS)
def test_texts_are_numbers_of_the_right_kind_and_a_short_summary(name):
    entry = LEARNERS[name]
    assert 0 < len(entry.summary) < 70
    assert not entry.summary.startswith(("its ", "the same "))  # as the one above
    assert not entry.takes_matrix or matrix_learner(name) == find_learner(name)
    for key, default in entry.parameters.items():
        assert type(getattr(find_learner(f"{name}:{key}={default!r}"), key)) is type(default)
