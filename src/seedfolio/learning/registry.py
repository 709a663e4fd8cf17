"""All learners by name."""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.core.trust import Permit
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.learning.auto import Auto
from seedfolio.learning.book.learner import BookLearner
from seedfolio.learning.by_mean import BestHalf, BestSeed, Top, Uniform
from seedfolio.learning.double_oracle import DoubleOracle
from seedfolio.learning.exp3 import Exp3, Exp3Widening
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.learning.grigoriadis_khachiyan import GrigoriadisKhachiyan
from seedfolio.learning.halving import Halving, HalvingBrackets
from seedfolio.learning.learner import Learner, Number
from seedfolio.learning.matrix import GrowingMatrix, MatrixLearner
from seedfolio.learning.nash import Nash, SparseNash
from seedfolio.learning.own import find_own
from seedfolio.learning.regret_matching import RegretMatching
from seedfolio.learning.ucb_widening import UcbWidening

_RATIO = "ratio"


@dataclass(frozen=True)
class Entry:
    """A learner that users name in a text."""

    make: type[Learner]
    summary: str

    @property
    def parameters(self) -> dict[str, Number]:
        """Its parameters, all numbers, with their defaults."""
        return self.make.parameters()

    @property
    def takes_matrix(self) -> bool:
        """Whether it can learn from a whole matrix."""
        return issubclass(self.make, MatrixLearner)


_SUMMARIES: dict[type[Learner], str] = {
    Auto: "the strongest for the number of games: seeds below 5,000, then a book",
    Nash: "the equilibrium of the matrix: hard to exploit",
    SparseNash: "the equilibrium, of which only the largest weights stay",
    RegretMatching: "nearly the equilibrium of a very large matrix",
    ExploiterObjective: "the best mixture against an opponent who picks one of 4 arms",
    BestSeed: "the one arm with the best mean: strong if unexpected",
    Top: "the 16 arms with the best means, equally often",
    BestHalf: "every arm above the median, equally often",
    Uniform: "every arm equally often: the original program",
    Halving: "the best of thousands of arms, in few games for each",
    HalvingBrackets: "the best of thousands of arms, with no budget known beforehand",
    UcbWidening: "the best of ever more arms, by upper confidence bounds",
    Exp3: "nearly the equilibrium: a bandit for each player",
    Exp3Widening: "nearly the equilibrium: bandits over ever more arms",
    DoubleOracle: "the equilibrium of many arms, from the games that matter to it",
    GrigoriadisKhachiyan: "nearly the equilibrium, from randomly drawn rows and columns",
    BookLearner: "an opening book: a move for every state where it learnt one",
}
LEARNERS = {make.short: Entry(make, summary) for make, summary in _SUMMARIES.items()}


def find_learner(text: str, permit: Permit = Permit.USER) -> Learner:
    """Return the learner that `text` names, as in "nash" or "sparse-nash:alpha=0.5".

    Or a file of one's own in place of the name: `path/to/my_learner.py:temperature=0.2`. `permit`
    says who has named it.

    A matrix learner takes one more parameter, the ratio Kt / K of its matrix where it chooses its
    games, 1 unless given: "nash:ratio=0.1".
    """
    name, given = split_source(text.strip())
    entry = LEARNERS.get(name) or find_own(name, permit)
    if entry is None:
        hint = did_you_mean(name, LEARNERS)
        raise SpecificationError(
            f"unknown learner {name!r}; {hint}the learners are {', '.join(LEARNERS)}, or a file of "
            "yours that ends in .py"
        )
    known = entry.parameters
    numbers = _numbers(name, given, {**known, _RATIO: 1.0} if entry.takes_matrix else known)
    ratio = numbers.pop(_RATIO, 1.0)
    learner = entry.make(**numbers)
    if isinstance(learner, MatrixLearner) and ratio != 1:
        return GrowingMatrix(learner, ratio)
    return learner


def matrix_learner(text: str, permit: Permit = Permit.USER) -> MatrixLearner:
    """Return the learner that `text` names; SpecificationError if it takes no whole matrix."""
    learner = find_learner(text, permit)
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
