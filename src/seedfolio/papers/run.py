"""Running an experiment of the papers by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from seedfolio.arena import Arena, Progress, Run, no_note
from seedfolio.arena.choice import is_cluster, open_arena
from seedfolio.boosting.repetitions import check_repetitions
from seedfolio.boosting.request import learner_names
from seedfolio.errors import SpecificationError, did_you_mean
from seedfolio.papers.batoo_go import BATOO
from seedfolio.papers.experiment import Experiment, Outcome, Setting, refuse_options
from seedfolio.papers.gametestbed import GAMETESTBED
from seedfolio.papers.go_seeds import GO_SEEDS
from seedfolio.papers.moves import MOVES
from seedfolio.papers.phantom_go import PHANTOM_GO
from seedfolio.papers.scaling import SCALING
from seedfolio.papers.seed_square import CHESS, HAVANNAH
from seedfolio.papers.table3 import TABLE3
from seedfolio.papers.transfer import TRANSFER
from seedfolio.papers.ucb_go import GO9, GO19
from seedfolio.papers.variants import VARIANTS
from seedfolio.report.progress import chosen_progress

EXPERIMENTS: dict[str, Experiment] = {
    "table3": TABLE3,
    "phantom-go": PHANTOM_GO,
    "gametestbed": GAMETESTBED,
    "chess": CHESS,
    "havannah": HAVANNAH,
    "scaling": SCALING,
    "transfer": TRANSFER,
    "variants": VARIANTS,
    "go9": GO9,
    "go19": GO19,
    "go-seeds": GO_SEEDS,
    "batoo": BATOO,
    "moves": MOVES,
}
"""The first six with built-in games, the others with GNU Go."""


def reproduce(
    experiment: str,
    *,
    k: int | None = None,
    kt: int | None = None,
    opponents: int | None = None,
    boards: str | Sequence[str] = (),
    player: str | None = None,
    repetitions: int = 1,
    learners: str | Callable[..., Any] | Sequence[str] = (),
    numbers: Mapping[str, int] | None = None,
    paper: bool = False,
    folder: str | Path | None = None,
    arena: str | Arena = "auto",
    threads: int | None = None,
    address: str | None = None,
    progress: Progress | bool | None = None,
    note: Callable[[str], None] = no_note,
) -> Outcome:
    """Reproduce a table of the papers; the same call continues after an interruption.

    The first six experiments, with built-in games, take `boards`, `arena` and `address`, the first
    five also `player`. The first three also take `kt` and `repetitions`. chess and havannah take
    the number `redraws`; scaling takes `repetitions`, and the numbers `games` and `simulations`.
    The others, with GNU Go, take other `numbers` by name, and `paper`.

    Args:
        experiment: table3, phantom-go, gametestbed, chess, havannah or scaling; with GNU Go:
            transfer, variants, go9, go19, go-seeds, batoo or moves.
        k: Number of seeds of each colour to learn about (default: the experiment's).
        kt: Number of opponent seeds that each of them plays (default: the experiment's).
        opponents: Number of unseen seeds of each colour to evaluate with (default: 100 or more; of
            chess and havannah none).
        boards: Only this game or board, or several (default: all).
        player: A player for all games (default: the experiment's).
        repetitions: Learn so often, each time with other seeds: ± is then over all learnings.
        learners: Another learner that takes a matrix, beside the paper's, or several, such as
            my_learner.py. For the first three experiments.
        numbers: Another number of the experiment, such as redraws=200 of chess and havannah, or
            several (default: the experiment's).
        paper: With GNU Go: as large as in the paper.
        folder: Where the studies are kept (default: studies/EXPERIMENT).
        arena: As in `boost`.
        threads: As in `boost`.
        address: As in `boost`.
        progress: As in `boost`.
        note: Receives lines for people.

    >>> from seedfolio import reproduce
    >>> sizes = {"k": 4, "kt": 4, "opponents": 17, "boards": ["domineering:5x5"]}
    >>> outcome = reproduce("table3", player="uct:simulations=5", folder="papers", **sizes)
    >>> print(outcome.markdown().splitlines()[0])
    | game | method |  | K'=1 | K'=2 | K'=4 | K'=8 | K'=16 |
    """
    found = find_experiment(experiment)
    boards = (boards,) if isinstance(boards, str) else boards
    chosen = arena if arena != "auto" else None
    check_repetitions(repetitions)
    again = repetitions if repetitions > 1 else None
    given: dict[str, object] = {
        "kt": kt,
        "boards": boards,
        "player": player,
        "arena": chosen,
        "repetitions": again,
    }
    more = learner_names(learners)
    given |= {"learners": more, "numbers": numbers, "paper": paper}
    refuse_options(experiment, found, given)
    named = {"k": k, "kt": kt, "opponents": opponents}
    sizes = {name: number for name, number in named.items() if number is not None}
    home = Path("studies") / (found.shared or experiment) if folder is None else Path(folder)
    run = Run(arena, threads, address, chosen_progress(progress), note)
    shared: AbstractContextManager[str | Arena] = nullcontext(arena)
    if is_cluster(run):
        shared = open_arena(run)
    with shared as opened:  # all boards play on one cluster
        setting = Setting(
            folder=home,
            numbers=found.sizes({**sizes, **(numbers or {})}, paper),
            boards=boards,
            player=player,
            run=replace(run, arena=opened, address=None),
            repetitions=repetitions,
            learners=more,
        )
        return found.run(setting)


def list_experiments() -> list[dict[str, Any]]:
    """Return the experiments that `reproduce` takes, with numbers, the paper's, and times.

    >>> from seedfolio import list_experiments
    >>> [each["name"] for each in list_experiments()][:3]
    ['table3', 'phantom-go', 'gametestbed']
    >>> list_experiments()[0]["usual"]
    {'kt': 200, 'k': 1000, 'opponents': 100}
    """
    return [
        {
            "name": name,
            "makes": each.makes(),
            "takes": each.takes,
            "usual": each.sizes({}, False),
            "paper": each.sizes({}, True) if "paper" in each.options else {},
            "options": sorted(each.options),
        }
        for name, each in EXPERIMENTS.items()
    ]


def find_experiment(name: str) -> Experiment:
    """Return the experiment of that name; SpecificationError if there is none."""
    if name not in EXPERIMENTS:
        hint = did_you_mean(name, EXPERIMENTS)
        known = ", ".join(EXPERIMENTS)
        raise SpecificationError(f"unknown experiment {name!r}; {hint}there are {known}")
    return EXPERIMENTS[name]
