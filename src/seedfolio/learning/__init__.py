"""Learners: from results to a distribution over arms."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.learning.best_half import BestHalf
from seedfolio.learning.best_seed import BestSeed
from seedfolio.learning.learner import Certificate, Learner, Learnt
from seedfolio.learning.nash import Nash
from seedfolio.learning.sparse_nash import SparseNash
from seedfolio.learning.uniform import Uniform

__all__ = [
    "LEARNERS",
    "BestHalf",
    "BestSeed",
    "Certificate",
    "Entry",
    "Learner",
    "Learnt",
    "Nash",
    "SparseNash",
    "Uniform",
    "parse_learner",
]


@dataclass(frozen=True)
class Entry:
    """A learner that can be asked for by name. All its parameters are numbers."""

    make: Callable[..., Learner]
    parameters: tuple[str, ...]
    summary: str


def _entry(kind: type[Uniform | BestSeed | BestHalf | Nash | SparseNash], summary: str) -> Entry:
    return Entry(kind, tuple(field.name for field in fields(kind)), summary)


LEARNERS: dict[str, Entry] = {
    "nash": _entry(Nash, "the equilibrium of the matrix: hard to exploit"),
    "sparse-nash": _entry(SparseNash, "its largest weights only (alpha, default 0.75)"),
    "best-seed": _entry(BestSeed, "the one arm with the best mean: strong if unexpected"),
    "best-half": _entry(BestHalf, "every arm above the median, equally often"),
    "uniform": _entry(Uniform, "every arm equally often: the original program"),
}


def parse_learner(text: str) -> Learner:
    """Return the learner that `text` names, as in "nash" or "sparse-nash:alpha=0.5"."""
    name, _, given = text.strip().partition(":")
    entry = LEARNERS.get(name)
    if entry is None:
        hint = did_you_mean(name, LEARNERS)
        raise SpecificationError(
            f"unknown learner {name!r}; {hint}the learners are {', '.join(LEARNERS)}"
        )
    parameters: dict[str, float] = {}
    for part in filter(None, given.split(",")):
        key, _, value = part.partition("=")
        if key not in entry.parameters:
            known = ", ".join(entry.parameters) or "none"
            raise SpecificationError(
                f"learner {name} has no parameter {key!r}; its parameters are: {known}"
            )
        try:
            parameters[key] = float(value)
        except ValueError:
            raise SpecificationError(
                f"parameter {key} of learner {name} must be a number, not {value!r}"
            ) from None
    return entry.make(**parameters)
