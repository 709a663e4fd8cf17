"""The papers' experiments, made again: each table a file, with the paper's numbers as data."""

from __future__ import annotations

from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.reproduce.batoo_go import BATOO
from seedfolio.reproduce.engine_experiment import EngineExperiment
from seedfolio.reproduce.experiment import Experiment
from seedfolio.reproduce.gametestbed import GAMETESTBED
from seedfolio.reproduce.go9 import GO9
from seedfolio.reproduce.moves import MOVES
from seedfolio.reproduce.phantom_go import PHANTOM_GO
from seedfolio.reproduce.table3 import TABLE3
from seedfolio.reproduce.transfer import TRANSFER
from seedfolio.reproduce.variants import VARIANTS

EXPERIMENTS: dict[str, Experiment] = {
    "table3": TABLE3,
    "phantom-go": PHANTOM_GO,
    "gametestbed": GAMETESTBED,
}
"""With games and players that are built in."""

ENGINE_EXPERIMENTS: dict[str, EngineExperiment] = {
    "transfer": TRANSFER,
    "variants": VARIANTS,
    "go9": GO9,
    "batoo": BATOO,
    "moves": MOVES,
}
"""With GNU Go."""


def find_experiment(name: str) -> Experiment | EngineExperiment:
    """Return the experiment of that name; SpecificationError if there is none."""
    known: dict[str, Experiment | EngineExperiment] = {**EXPERIMENTS, **ENGINE_EXPERIMENTS}
    if name not in known:
        hint = did_you_mean(name, known)
        raise SpecificationError(f"unknown experiment {name!r}; {hint}there are {', '.join(known)}")
    return known[name]
