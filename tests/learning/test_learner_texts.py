"""The texts of all learners: their canonical names, and what they say of numbers out of range."""

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import MOST_ARMS
from seedfolio.learning.registry import LEARNERS, find_learner, matrix_learner

USUAL = [
    "auto:exploiters=0,arms=0,book=-1",
    "nash",
    "sparse-nash:alpha=0.75",
    "regret-matching:iterations=400",
    "exploiter:opponents=4",
    "best-seed",
    "top:n=16",
    "best-half",
    "uniform",
    "halving:keep=1,arms=0",
    "halving-brackets:keep=1",
    "ucb-widening:c=100,pulls=40,explore=0.05,each=0",
    "exp3:k=400,gamma=0.3,rate=1.5,batch=0,power=0.0",
    "exp3-widening:c=20,g=0.5,most=100,gamma=0.3,rate=1.5,batch=0,power=0.0",
    "double-oracle:gap=0.001,arms=0",
    "gk:eps=0.1,arms=0",
    "book:books=0,exploiters=16,behind=0,moves=0",
]
CANONICAL = [
    "auto:exploiters=3,arms=5,book=0",
    "sparse-nash:alpha=0.5",
    "sparse-nash:alpha=1.0",
    "sparse-nash:alpha=1e-09,ratio=0.25",
    "regret-matching:iterations=1000000",
    "exploiter:opponents=1,ratio=0.5",
    "nash:ratio=0.1",
    "top:n=3",
    "halving:keep=3,arms=50",
    "halving:arms=50",
    "halving-brackets:keep=16",
    "ucb-widening:c=3,pulls=5,explore=0.2,each=8",
    "ucb-widening:explore=0.0",
    "exp3:k=1000,gamma=0.25,rate=1000.0,batch=3,power=0.7",
    "exp3:gamma=0.25,power=1.0",
    "exp3-widening:c=3,g=0.25,most=7,gamma=1.0,rate=2.0,batch=3,power=0.7",
    "double-oracle:gap=0.01,arms=50",
    "double-oracle:arms=50",
    "gk:eps=1.0,arms=50",
    "book:books=3,exploiters=4,behind=1,moves=2",
    "book:behind=1",
]

TOO_MANY = MOST_ARMS + 1
REFUSED = {
    "auto:exploiters": (-1, 257),
    "auto:arms": (-1, TOO_MANY),
    "auto:book": (-2,),
    "sparse-nash:alpha": (0.0, 1.01, float("nan")),
    "nash:ratio": (0.0, 1.01, float("nan")),
    "regret-matching:iterations": (0, 1000001),
    "exploiter:opponents": (0, 1001),
    "top:n": (-1, 0),
    "halving:keep": (0, TOO_MANY),
    "halving:keep=4,arms": (-1, 3, TOO_MANY),
    "halving-brackets:keep": (0, TOO_MANY),
    "ucb-widening:c": (0, TOO_MANY),
    "ucb-widening:pulls": (0, TOO_MANY),
    "ucb-widening:explore": (-0.1, 1000.1),
    "ucb-widening:each": (-1, TOO_MANY),
    "exp3:k": (0, TOO_MANY),
    "exp3:gamma": (0.0, 1.01, float("nan")),
    "exp3:rate": (0.0, 1000.1),
    "exp3:batch": (-1,),
    "exp3:power": (-0.1, 1.01),
    "exp3-widening:c": (1, TOO_MANY),
    "exp3-widening:g": (0.0, 1.0),
    "exp3-widening:most": (1, TOO_MANY),
    "exp3-widening:batch": (-1,),
    "double-oracle:gap": (0.0, 1.0),
    "double-oracle:arms": (-1, 32769),
    "gk:eps": (0.0009, 1.01),
    "gk:arms": (-1, 32769),
    "book:books": (-1, 17),
    "book:exploiters": (0, 1001),
    "book:behind": (-1, 2),
    "book:moves": (-1, 17),
}


@pytest.mark.parametrize("text", USUAL)
def test_usual_parameters_are_not_in_the_name(text):
    assert find_learner(text).name == text.partition(":")[0]


def test_every_learner_has_its_usual_parameters_here():
    known = {
        ":".join(filter(None, [name, ",".join(f"{k}={v}" for k, v in entry.parameters.items())]))
        for name, entry in LEARNERS.items()
    }
    assert known == set(USUAL)


@pytest.mark.parametrize("text", CANONICAL)
def test_the_name_has_the_other_parameters_in_their_order(text):
    name, _, given = text.partition(":")
    turned = f"{name}:{','.join(reversed(given.split(',')))}"
    assert find_learner(text).name == find_learner(turned).name == text


@pytest.mark.parametrize("parameter", REFUSED)
def test_numbers_out_of_range_are_refused(parameter):
    name, last = parameter.partition(":")[0], parameter.rpartition(":")[2].rpartition(",")[2]
    for value in REFUSED[parameter]:
        with pytest.raises(SpecificationError) as refusal:
            find_learner(f"{parameter}={value}")
        said = str(refusal.value)
        assert said.count(f"not {value}") == 1
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
