"""All learners by name. A learner is loaded when it is needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import Any

from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.learning.learner import Learner
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner

Number = int | float
_RATIO = "ratio"


@dataclass(frozen=True)
class Entry:
    """A learner that users name in a text."""

    place: str
    """Its module in `seedfolio`, and its class there."""
    summary: str

    @property
    def make(self) -> Callable[..., Learner]:
        """The class."""
        module, _, name = self.place.rpartition(".")
        make: Callable[..., Learner] = getattr(import_module(f"seedfolio.{module}"), name)
        return make

    @property
    def parameters(self) -> dict[str, Number]:
        """Its parameters, all numbers, with their defaults."""
        return {name: each.default for name, each in signature(self.make).parameters.items()}

    @property
    def takes_matrix(self) -> bool:
        """Whether it can learn from a whole matrix."""
        make: Any = self.make
        return issubclass(make, MatrixLearner)


LEARNERS = {
    "auto": Entry(
        "learning.auto.Auto",
        "the strongest for its number of games: seeds, or from 5,000 on a book",
    ),
    "nash": Entry("learning.nash.Nash", "the equilibrium of the matrix: hard to exploit"),
    "sparse-nash": Entry(
        "learning.nash.SparseNash", "its largest weights only (alpha, default 0.75)"
    ),
    "regret-matching": Entry(
        "learning.regret_matching.RegretMatching", "nearly the equilibrium, of very large matrices"
    ),
    "exploiter": Entry(
        "learning.exploiter_objective.ExploiterObjective",
        "the best against an exploiter who tries 4 opponents",
    ),
    "best-seed": Entry(
        "learning.by_mean.BestSeed", "the one arm with the best mean: strong if unexpected"
    ),
    "top": Entry("learning.by_mean.Top", "the 16 arms with the best means, equally often"),
    "best-half": Entry("learning.by_mean.BestHalf", "every arm above the median, equally often"),
    "uniform": Entry("learning.by_mean.Uniform", "every arm equally often: the original program"),
    "halving": Entry(
        "learning.halving.Halving", "the best of thousands of arms, in few games for each"
    ),
    "halving-brackets": Entry(
        "learning.halving.HalvingBrackets", "the same where the end may come at any time"
    ),
    "ucb-widening": Entry(
        "learning.ucb_widening.UcbWidening",
        "the best of ever more arms, by upper confidence bounds",
    ),
    "exp3": Entry(
        "learning.exp3.Exp3", "both players learn from the same games, of 400 arms a side"
    ),
    "exp3-widening": Entry(
        "learning.exp3.Exp3Widening", "the same with ever more arms, and the worst dropped"
    ),
    "double-oracle": Entry(
        "learning.double_oracle.DoubleOracle",
        "the equilibrium, of which only what matters is played",
    ),
    "gk": Entry(
        "learning.grigoriadis_khachiyan.GrigoriadisKhachiyan",
        "nearly the equilibrium, from some rows and columns",
    ),
    "book": Entry(
        "learning.book.learner.BookLearner", "a move for every state where one was learnt: a book"
    ),
}


def find_learner(text: str) -> Learner:
    """Return the learner that `text` names, as in "nash" or "sparse-nash:alpha=0.5".

    A matrix learner takes one more parameter, the ratio Kt / K of its matrix where it chooses its
    games, 1 unless given: "nash:ratio=0.1".
    """
    name, _, given = text.strip().partition(":")
    entry = LEARNERS.get(name)
    if entry is None:
        hint = did_you_mean(name, LEARNERS)
        raise SpecificationError(
            f"unknown learner {name!r}; {hint}the learners are {', '.join(LEARNERS)}"
        )
    known = entry.parameters
    numbers = _numbers(name, given, {**known, _RATIO: 1.0} if entry.takes_matrix else known)
    ratio = numbers.pop(_RATIO, 1.0)
    learner = entry.make(**numbers)
    if isinstance(learner, MatrixLearner) and ratio != 1:
        return GrowingMatrix(learner, ratio)
    return learner


def matrix_learner(text: str) -> MatrixLearner:
    """Return the learner that `text` names; SpecificationError if it takes no whole matrix."""
    learner = find_learner(text)
    if not isinstance(learner, MatrixLearner):
        others = ", ".join(name for name, entry in LEARNERS.items() if entry.takes_matrix)
        raise SpecificationError(
            f"learner {text} does not learn from a whole matrix; these do: {others}"
        )
    return learner


def _numbers(name: str, given: str, known: dict[str, Number]) -> dict[str, Number]:
    """Return the parameters in `given`; those with a whole default in `known` must be whole."""
    numbers: dict[str, Number] = {}
    for part in filter(None, given.split(",")):
        key, _, value = part.partition("=")
        if key not in known:
            raise SpecificationError(
                f"learner {name} has no parameter {key!r}; its parameters are: "
                f"{', '.join(known) or 'none'}"
            )
        whole = isinstance(known[key], int)
        try:
            numbers[key] = int(value) if whole else float(value)
        except ValueError:
            raise SpecificationError(
                f"parameter {key} of learner {name} must be a {'whole ' if whole else ''}number, "
                f"not {value!r}"
            ) from None
    return numbers
