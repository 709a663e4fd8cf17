"""What the papers' experiments have in common: games to boost, and numbers to put beside ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seedfolio.arena import Arena, Progress
from seedfolio.boosting.boost import FIXED_SEED, MIXTURE, Boost, Request, boost
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.players import load_player
from seedfolio.programs.load import load_program
from seedfolio.report.table import Row, percent

Numbers = Sequence[float | None]
"""Success in percent for each of CRITERIA, None where the paper has none."""

_NOTHING = "-"


@dataclass(frozen=True)
class Experiment:
    """A table of a paper, as data, and what it takes to make it again."""

    table: str
    """Its name in a sentence: `Table 3`."""
    paper: Mapping[str, Mapping[str, Numbers]]
    """By game and method."""
    methods: tuple[str, ...]
    """Learners in the order of our table; one that does not exist here has the paper's row."""
    learners: tuple[str, ...]
    """Those of the methods that exist here and learn from the matrix."""
    k: int
    kt: int | None
    """None: as many as K."""
    opponents: int = 100
    player: str | None = None
    """None: the game's own."""
    choosing: tuple[str, ...] = ()
    """Learners that choose their games."""
    cells: int = 0
    """How many cells each of these may choose: games, or where luck plays a part, of so many."""

    def sizes(self, k: int | None, kt: int | None, opponents: int | None) -> tuple[int, int, int]:
        """Return K, Kt and the number of opponents: those given, else those of the experiment."""
        if k is None:
            k = self.k
        if kt is None:
            kt = min(k, self.kt or k)
        return k, kt, self.opponents if opponents is None else opponents

    def run(
        self,
        folder: Path,
        games: Sequence[str],
        player: str | None,
        sizes: tuple[int, int, int],
        arena: Arena,
        progress: Progress | None,
        announce: Callable[[str], None],
    ) -> list[Result]:
        """Boost every game with `sizes` of K, Kt and opponents, each in a study in `folder`."""
        for game in games:
            if game not in self.paper:
                known = ", ".join(self.paper)
                raise SpecificationError(f"{game!r} is not in {self.table}; it has {known}")
        k, kt, opponents = sizes
        # What cannot be is refused before anything is written.
        Request(k=k, kt=kt, opponents=opponents, learners=self.learners).check()
        if player is not None:
            load_player(player)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StudyError(f"cannot make the folder {folder}: {error.strerror}") from error
        results = []
        for number, game in enumerate(games, 1):
            announce(f"{game} ({number} of {len(games)})")
            run = partial(
                boost,
                game,
                player or self.player,
                k=k,
                kt=kt,
                opponents=opponents,
                study=folder / f"{game.replace(':', '-')}.study",
                arena=arena,
                progress=progress,
            )
            rows: tuple[Row, ...] = ()
            if self.choosing:
                budget = self.cells * load_program(game, player or self.player).repeats
                rows = run(learners=self.choosing, budget=budget).rows
            # The matrices come last: what they gave is what the study keeps as its outcome.
            outcome = run(learners=self.learners)
            results.append(Result(game, outcome, rows))
        return results

    def markdown(self, results: Sequence[Result]) -> str:
        """Return the table in Markdown, ours beside the paper's."""
        exact = any(row.best_response is not None for each in results for row in each.outcome.rows)
        columns = [f"K'={opponents}" for opponents in CRITERIA] + ["best response"] * exact
        lines = [["game", "method", "", *columns], ["---"] * 3 + ["---:"] * len(columns)]
        for result in results:
            name = result.game.replace(":", " ")
            for method, whose, numbers in self._lines(result):
                lines.append([name, method, whose, *numbers[: len(columns)]])
                name = ""
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)

    def _lines(self, result: Result) -> Iterator[tuple[str, str, list[str]]]:
        """Yield (method, whose, numbers as printed), the best response last."""
        rows = {row.name: row for row in (*result.chosen, *result.outcome.rows)}
        paper = self.paper[result.game]
        for name in (FIXED_SEED, MIXTURE, *self.methods):
            if name in paper:
                printed = [_NOTHING if each is None else f"{each:.1f}" for each in paper[name]]
                yield name, "paper", [*printed, _NOTHING]
            if name not in rows:
                yield name, "ours", [_NOTHING] * (len(CRITERIA) + 1)
                continue
            exact = rows[name].best_response
            last = _NOTHING if exact is None else f"{100 * exact:.1f}"
            yield name, "ours", [*(percent(each) for each in rows[name].estimates), last]


@dataclass(frozen=True)
class Result:
    """One game of an experiment, boosted."""

    game: str
    outcome: Boost
    chosen: tuple[Row, ...] = ()
    """The rows of learners that chose their games."""


def draw_curves(experiment: Experiment, results: Sequence[Result], folder: Path) -> list[Path]:
    """Draw success against K for every game, an SVG file each; return the files.

    Where the experiment is square, K seeds learn from K opponents.
    """
    from seedfolio.report.study_plots import draw_k_curves
    from seedfolio.study.store import Study

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SpecificationError(f"cannot make the folder {folder}: {error.strerror}") from error
    paths = []
    for result in results:
        asked = result.outcome.request
        paths.append(folder / f"{result.game.replace(':', '-')}-k.svg")
        with Study.read(result.outcome.study) as study:
            draw_k_curves(
                study,
                result.outcome.title,
                asked.k,
                asked.kt,
                asked.opponents,
                experiment.learners,
                paths[-1],
                luck=result.outcome.luck,
                square=experiment.kt is None,
            )
    return paths
