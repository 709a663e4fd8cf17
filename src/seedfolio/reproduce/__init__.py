"""The papers' experiments, made again: each table a file, with the paper's numbers as data."""

from __future__ import annotations

from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.reproduce.experiment import Experiment
from seedfolio.reproduce.gametestbed import GAMETESTBED
from seedfolio.reproduce.phantom_go import PHANTOM_GO
from seedfolio.reproduce.table3 import TABLE3

EXPERIMENTS: dict[str, Experiment] = {
    "table3": TABLE3,
    "phantom-go": PHANTOM_GO,
    "gametestbed": GAMETESTBED,
}


def find_experiment(name: str) -> Experiment:
    """Return the experiment of that name; SpecificationError if there is none."""
    if name not in EXPERIMENTS:
        hint = did_you_mean(name, EXPERIMENTS)
        raise SpecificationError(
            f"unknown experiment {name!r}; {hint}there are {', '.join(EXPERIMENTS)}"
        )
    return EXPERIMENTS[name]
