"""The texts of all learners: their canonical names, and what they say of numbers out of range."""

import pytest

from seedfolio.errors import SpecificationError
from seedfolio.learning.exploration import MOST_ARMS
from seedfolio.learning.registry import LEARNERS, find_learner

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

REFUSED = [
    ("auto:exploiters", (-1, 257), "1 to 256, or 0 for a guard against 16 and for books, not {}"),
    ("auto:arms", (-1, MOST_ARMS + 1), "auto: arms must be 0 to 1048576, not {}"),
    ("auto:book", (-2,), "auto: book must be 0 or more games, not {}"),
    (
        "sparse-nash:alpha",
        (0.0, 1.01, float("nan")),
        "sparse-nash needs alpha above 0 and at most 1, not {}; try alpha=0.75",
    ),
    ("nash:ratio", (0.0, 1.01), "a matrix needs a ratio Kt / K above 0 and at most 1, not {}"),
    (
        "regret-matching:iterations",
        (0, 1000001),
        "regret-matching needs 1 to 1000000 iterations, not {}; try iterations=400",
    ),
    (
        "exploiter:opponents",
        (0, 1001),
        "exploiter needs 1 to 1000 opponents, not {}; try opponents=4",
    ),
    ("top:n", (-1, 0), "top needs n of 1 or more, not {}; try n=16"),
    ("halving:keep", (0, MOST_ARMS + 1), "halving: keep must be 1 to 1048576, not {}"),
    (
        "halving:keep=4,arms",
        (-1, 3, MOST_ARMS + 1),
        "halving: arms must be 0, or keep=4 to 1048576, not {}",
    ),
    (
        "halving-brackets:keep",
        (0, MOST_ARMS + 1),
        "halving-brackets: keep must be 1 to 1048576, not {}",
    ),
    ("ucb-widening:c", (0, MOST_ARMS + 1), "ucb-widening: c must be 1 to 1048576, not {}"),
    ("ucb-widening:pulls", (0, MOST_ARMS + 1), "ucb-widening: pulls must be 1 to 1048576, not {}"),
    (
        "ucb-widening:explore",
        (-0.1, 1000.1),
        "ucb-widening: explore must be 0 to 1000, not {}; try 0.05",
    ),
    (
        "ucb-widening:each",
        (-1, MOST_ARMS + 1),
        "ucb-widening: each must be 0 to 1048576, not {}; try 0 or 8",
    ),
    ("exp3:k", (0, MOST_ARMS + 1), "exp3: k must be 1 to 1048576, not {}"),
    ("exp3:gamma", (0.0, 1.01), "exp3: gamma must be above 0 and at most 1, not {}; try 0.3"),
    ("exp3:rate", (0.0, 1000.1), "exp3: rate must be above 0 and at most 1000, not {}; try 1.5"),
    ("exp3:batch", (-1,), "exp3: batch must be 0 or more, not {}; 0 chooses it"),
    ("exp3:power", (-0.1, 1.01), "exp3: power must be 0 to 1, not {}; try 0 or 0.7"),
    ("exp3-widening:c", (1, MOST_ARMS + 1), "exp3-widening: c must be 2 to 1048576, not {}"),
    ("exp3-widening:g", (0.0, 1.0), "exp3-widening: g must be between 0 and 1, not {}; try 0.5"),
    ("exp3-widening:most", (1, MOST_ARMS + 1), "exp3-widening: most must be 2 to 1048576, not {}"),
    ("exp3-widening:batch", (-1,), "exp3-widening: batch must be 0 or more, not {}; 0 chooses it"),
    (
        "double-oracle:gap",
        (0.0, 1.0),
        "double-oracle needs a gap between 0 and 1, not {}; try gap=0.001",
    ),
    (
        "double-oracle:arms",
        (-1, 32769),
        "double-oracle needs 1 to 32768 arms, or 0 to choose, not {}; leave arms out",
    ),
    ("gk:eps", (0.0009, 1.01), "gk needs eps of 0.001 to 1, not {}; try eps=0.1"),
    ("gk:arms", (-1, 32769), "gk needs 1 to 32768 arms, or 0 to choose, not {}; leave arms out"),
    ("book:books", (-1, 17), "book: books must be 1 to 16, or 0 for as many as pay, not {}"),
    ("book:exploiters", (0, 1001), "book: exploiters must be 1 to 1000, not {}"),
    ("book:behind", (-1, 2), "book: behind must be 0 or 1, not {}"),
    ("book:moves", (-1, 17), "book: moves must be 1 to 16, or 0 for as many as pay, not {}"),
]


@pytest.mark.parametrize("text", USUAL)
def test_usual_parameters_are_not_in_the_name(text: str) -> None:
    assert find_learner(text).name == text.partition(":")[0]


def test_every_learner_has_its_usual_parameters_here() -> None:
    known = {
        ":".join(filter(None, [name, ",".join(f"{k}={v}" for k, v in entry.parameters.items())]))
        for name, entry in LEARNERS.items()
    }
    assert known == set(USUAL)


@pytest.mark.parametrize("text", CANONICAL)
def test_the_name_has_the_other_parameters_in_their_order(text: str) -> None:
    name, _, given = text.partition(":")
    turned = f"{name}:{','.join(reversed(given.split(',')))}"
    assert find_learner(text).name == find_learner(turned).name == text


@pytest.mark.parametrize(("parameter", "values", "message"), REFUSED)
def test_numbers_out_of_range_are_refused(
    parameter: str, values: tuple[float, ...], message: str
) -> None:
    for value in values:
        with pytest.raises(SpecificationError) as refusal:
            find_learner(f"{parameter}={value}")
        assert str(refusal.value).endswith(message.format(value))
