"""Learners: from results, or the right to ask for results, to a distribution over arms.

A *matrix* learner is given all results of a matrix at once. An *asking* learner chooses the games
it wants. Any matrix learner can ask as well: for a matrix that grows until its games are spent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Literal

from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.learning.best_half import BestHalf
from seedfolio.learning.best_seed import BestSeed
from seedfolio.learning.exploiter_objective import ExploiterObjective
from seedfolio.learning.learner import Certificate, Learner, Learnt
from seedfolio.learning.nash import Nash
from seedfolio.learning.regret_matching import RegretMatching
from seedfolio.learning.sparse_nash import SparseNash
from seedfolio.learning.top import Top
from seedfolio.learning.uniform import Uniform

if TYPE_CHECKING:
    from seedfolio.learning.exploration import AskingLearner

__all__ = [
    "LEARNERS",
    "AskingEntry",
    "BestHalf",
    "BestSeed",
    "BookEntry",
    "Certificate",
    "ExploiterObjective",
    "Learner",
    "Learnt",
    "MatrixEntry",
    "Nash",
    "RegretMatching",
    "SparseNash",
    "Top",
    "Uniform",
    "book_parameters",
    "chooses_games",
    "parse_asking_learner",
    "parse_learner",
]

Number = int | float


@dataclass(frozen=True)
class MatrixEntry:
    """A matrix learner that can be asked for by name."""

    make: Callable[..., Learner]
    summary: str
    kind: Literal["matrix"] = "matrix"

    @property
    def parameters(self) -> dict[str, Number]:
        """Its parameters, all numbers, with what they are unless given."""
        return _defaults(self.make)


@dataclass(frozen=True)
class AskingEntry:
    """An asking learner that can be asked for by name. It is loaded when it is needed."""

    place: str
    """Its module in this package, and its class there."""
    summary: str
    kind: Literal["asking"] = "asking"

    @property
    def make(self) -> Callable[..., AskingLearner]:
        """The class. Loading it loads the compiler."""
        module, _, name = self.place.partition(".")
        make: Callable[..., AskingLearner] = getattr(import_module(f"{__name__}.{module}"), name)
        return make

    @property
    def parameters(self) -> dict[str, Number]:
        """Its parameters, all numbers, with what they are unless given."""
        return _defaults(self.make)


@dataclass(frozen=True)
class BookEntry:
    """The learner of books, which `boost` and `compare` know: its result is no set of weights."""

    summary: str
    parameters: dict[str, Number]
    kind: Literal["book"] = "book"


def _defaults(make: Callable[..., object]) -> dict[str, Number]:
    return {name: each.default for name, each in signature(make).parameters.items()}


LEARNERS: dict[str, MatrixEntry | AskingEntry | BookEntry] = {
    "auto": AskingEntry(
        "auto.Auto", "the strongest for so many games: seeds, with 30,000 or more a book"
    ),
    "nash": MatrixEntry(Nash, "the equilibrium of the matrix: hard to exploit"),
    "sparse-nash": MatrixEntry(SparseNash, "its largest weights only (alpha, default 0.75)"),
    "regret-matching": MatrixEntry(
        RegretMatching, "nearly the equilibrium, of very large matrices"
    ),
    "exploiter": MatrixEntry(
        ExploiterObjective, "the best against an exploiter who tries 4 opponents"
    ),
    "best-seed": MatrixEntry(BestSeed, "the one arm with the best mean: strong if unexpected"),
    "top": MatrixEntry(Top, "the 16 arms with the best means, equally often"),
    "best-half": MatrixEntry(BestHalf, "every arm above the median, equally often"),
    "uniform": MatrixEntry(Uniform, "every arm equally often: the original program"),
    "halving": AskingEntry(
        "halving.Halving", "the best of thousands of arms, in few games for each"
    ),
    "halving-brackets": AskingEntry(
        "brackets.HalvingBrackets", "the same where the end may come at any time"
    ),
    "ucb-widening": AskingEntry(
        "ucb_widening.UcbWidening", "the best of ever more arms, by upper confidence bounds"
    ),
    "exp3": AskingEntry("exp3.Exp3", "both players learn from the same games, of 400 arms a side"),
    "exp3-widening": AskingEntry(
        "exp3_widening.Exp3Widening", "the same with ever more arms, and the worst dropped"
    ),
    "double-oracle": AskingEntry(
        "double_oracle.DoubleOracle", "the equilibrium, of which only what matters is played"
    ),
    "gk": AskingEntry(
        "grigoriadis_khachiyan.GrigoriadisKhachiyan",
        "nearly the equilibrium, from some rows and columns",
    ),
    "book": BookEntry("a seed for every state where one was learnt: a book", {"books": 1}),
}


def parse_learner(text: str) -> Learner:
    """Return the matrix learner that `text` names, as in "nash" or "sparse-nash:alpha=0.5"."""
    name, entry, given = _find(text)
    if entry.kind != "matrix":
        others = ", ".join(name for name, entry in LEARNERS.items() if entry.kind == "matrix")
        raise SpecificationError(
            f"learner {name} chooses its own games and cannot learn from a matrix; those that can "
            f"are {others}"
        )
    return entry.make(**_numbers(name, given, entry.parameters))


def parse_asking_learner(text: str) -> AskingLearner:
    """Return the learner that `text` names, as one that asks for its games.

    A matrix learner then takes one more parameter, the ratio Kt / K of its matrix, 1 unless given:
    "nash:ratio=0.1".
    """
    from seedfolio.learning.matrix import GrowingMatrix  # loads the compiler

    name, entry, given = _find(text)
    if entry.kind == "asking":
        return entry.make(**_numbers(name, given, entry.parameters))
    if entry.kind == "book":
        raise SpecificationError(f"learner {name} is not for this; use it with seedfolio boost")
    numbers = _numbers(name, given, {**entry.parameters, "ratio": 1.0})
    ratio = numbers.pop("ratio", 1.0)
    return GrowingMatrix(entry.make(**numbers), ratio)


def chooses_games(text: str) -> bool:
    """Tell whether the learner that `text` names always chooses its own games."""
    return _find(text)[1].kind != "matrix"


def book_parameters(text: str) -> dict[str, Number] | None:
    """Return the parameters given to the learner of books; None if `text` names another one."""
    name, entry, given = _find(text)
    return _numbers(name, given, entry.parameters) if entry.kind == "book" else None


def _find(text: str) -> tuple[str, MatrixEntry | AskingEntry | BookEntry, str]:
    """Return name and entry of a learner, and the text of its parameters."""
    name, _, given = text.strip().partition(":")
    entry = LEARNERS.get(name)
    if entry is None:
        hint = did_you_mean(name, LEARNERS)
        raise SpecificationError(
            f"unknown learner {name!r}; {hint}the learners are {', '.join(LEARNERS)}"
        )
    return name, entry, given


def _numbers(name: str, given: str, known: dict[str, Number]) -> dict[str, Number]:
    """Return the parameters in `given`; those that are whole numbers in `known` must be so."""
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
