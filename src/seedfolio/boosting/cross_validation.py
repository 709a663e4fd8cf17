"""Cross-validation of learners on the matrix of any study, or of any file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from seedfolio.analysis.cross_validation import (
    EXPLOITER,
    Matrix,
    judge_by_left_out,
    play_each_other,
)
from seedfolio.arena import Progress
from seedfolio.boosting.request import check_numbers, learner_names
from seedfolio.boosting.results import Results, study_of
from seedfolio.boosting.saved import saved_matrices, saved_title
from seedfolio.boosting.session import read_study
from seedfolio.core.display import Displayed
from seedfolio.core.randomness import mix_int
from seedfolio.core.table import Table
from seedfolio.errors import SpecificationError
from seedfolio.learning.matrix import MatrixLearner
from seedfolio.learning.registry import matrix_learner
from seedfolio.learning.solvers.equilibrium import one_thread
from seedfolio.matrices.files import is_matrix_name, read_payoffs
from seedfolio.matrices.payoffs import Payoffs
from seedfolio.report.cross_validation import OverDraws, curve_records, curve_table, plot_curve
from seedfolio.report.progress import chosen_progress
from seedfolio.study.arms import TrainingArms, has_opponents, training_scores
from seedfolio.study.store import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VALIDATED = ("best-seed", "nash", "best-half", "uniform")
"""The learners unless others are named."""
MOST_REDRAWS = 1_000_000
_ORIGINAL = "original"
_POINTS = 8
"""Numbers of arms to learn from, unless they are given."""


@dataclass(frozen=True, repr=False)
class CrossValidation(Displayed):
    """The success of learners on arms that they did not learn from, by how many they did.

    >>> from seedfolio import boost, cross_validate
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> boosted = boost(*program, k=8, kt=8, opponents=17, study="a.study")
    >>> found = cross_validate("a.study", sizes=[4], redraws=20)
    >>> found
    <CrossValidation domineering 4x4, uct:simulations=5: 4 learners, 20 draws from 8 arms>
    >>> found.success[4, "nash", "exploiter"].estimate.mean <= 1
    True
    """

    title: str
    arms: int
    """How many arms of each colour the matrix has; of the colour with fewer, where they differ."""
    redraws: int
    opponents: tuple[str, ...]
    """The original and the exploiter; or the learners and the exploiter of each."""
    success: Mapping[tuple[int, str, str], OverDraws]
    """By the number of arms learnt from, the learner and its opponent."""
    shape: tuple[int, ...] = ()
    """How many arms each colour has, where that differs."""

    @property
    def caption(self) -> str:
        """What the numbers mean, in one paragraph."""
        arms = " and ".join(map(str, self.shape or [self.arms]))
        if self.opponents[0] == _ORIGINAL:
            meeting = (
                f"K of {arms} arms of each colour are learnt from and the others judge: "
                "original draws them equally often, the exploiter plays the best of them all "
                "against what was learnt"
            )
        else:
            meeting = (
                f"each side learns from K of {arms} arms of each colour, and from none that "
                "the other learns from; the exploiter plays the best of K arms against what was "
                "learnt"
            )
        return (
            f"Mean of both colours: {meeting}. ± is one standard error over {self.redraws:,} draws "
            "from the same matrix, in brackets the standard deviation of a draw; another matrix "
            "may differ by more."
        )

    def table(self) -> Table:
        """Return the table."""
        return curve_table(self.title, self.opponents, self.success, self.caption)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Return a figure of success against K; with a path, write it to a .png or .svg file."""
        target = None if path is None else Path(path)
        return plot_curve(target, self.title, self.opponents, self.success)

    def _summary(self) -> str:
        learners = len({learner for _, learner, _ in self.success})
        draws = f"{self.redraws:,} draws from {self.arms} arms"
        return f"{self.title}: {learners} learners, {draws}"

    def _parts(self) -> list[Table | str]:
        return [self.table()]

    def _records(self) -> list[dict[str, Any]]:
        return curve_records(self.success)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data, in fractions of 1."""
        return {
            "title": self.title,
            "arms": self.arms,
            "redraws": self.redraws,
            "success": curve_records(self.success),
        }


def cross_validate(
    study: str | Path | Study | Results | Payoffs,
    *,
    sizes: Sequence[int] = (),
    redraws: int = 1000,
    learners: str | Callable[..., Any] | Sequence[str] = VALIDATED,
    each_other: bool = False,
    key: int = 0,
    progress: Progress | bool | None = None,
) -> CrossValidation:
    """Learn from K arms of a study's matrix, again and again, and meet the arms left out.

    With `each_other` every learner has arms that the others did not learn from, so K is at most
    half of them. No game is played.

    Args:
        study: A study file, or a matrix as `learn` takes it in a file.
        sizes: Number of arms of each colour to learn from, or several (default: eight, up to three
            quarters of all).
        redraws: Draws of the arms to learn from.
        learners: As in `boost`.
        each_other: Let learners meet each other, with separate arms to learn from.
        key: Draws the arms.
        progress: As in `boost`.

    >>> from seedfolio import boost, cross_validate
    >>> program = "domineering:4x4", "uct:simulations=5"
    >>> boosted = boost(*program, k=8, kt=8, opponents=17, study="a.study")
    >>> found = cross_validate("a.study", sizes=[2, 4], redraws=20, each_other=True)
    >>> round(found.success[4, "nash", "nash"].estimate.mean, 3)
    0.5
    """
    named = _checked(learners, redraws, key)
    if isinstance(study, Payoffs) or (isinstance(study, str | Path) and is_matrix_name(study)):
        given = study if isinstance(study, Payoffs) else read_payoffs(Path(study))
        title, matrix = given.title, Matrix(given.success, 1)
    else:
        with read_study(study_of(study)) as opened:
            title, matrix = saved_title(opened), _square(opened)
    asked = _sizes(sizes, len(matrix), each_other)
    drawn = _Draws(asked, redraws, key, chosen_progress(progress))
    return _validated(title, matrix, named, drawn, each_other=each_other)


def validate_matrix(
    title: str,
    matrix: Matrix,
    *,
    redraws: int,
    each_other: bool = False,
    progress: Progress | bool | None = None,
) -> CrossValidation:
    """Cross-validate the usual learners on a matrix, as `cross_validate` does on a study's."""
    named = _checked(VALIDATED, redraws, 0)
    drawn = _Draws(_sizes((), len(matrix), each_other), redraws, 0, chosen_progress(progress))
    return _validated(title, matrix, named, drawn, each_other=each_other)


@dataclass(frozen=True)
class _Draws:
    sizes: Sequence[int]
    redraws: int
    key: int
    progress: Progress


def _checked(
    learners: str | Callable[..., Any] | Sequence[str], redraws: int, key: int
) -> dict[str, MatrixLearner]:
    """Return the learners by name; SpecificationError if they or the numbers are wrong."""
    check_numbers(redraws=redraws, key=key)
    if not 1 <= redraws <= MOST_REDRAWS:
        raise SpecificationError(f"`redraws` must be 1 to {MOST_REDRAWS:,}, not {redraws:,}")
    return {name: matrix_learner(name) for name in learner_names(learners)}


def _validated(
    title: str,
    matrix: Matrix,
    named: Mapping[str, MatrixLearner],
    drawn: _Draws,
    *,
    each_other: bool = False,
) -> CrossValidation:
    keys = [mix_int(mix_int(drawn.key) + draw) >> 1 for draw in range(drawn.redraws)]
    shown = drawn.progress
    shown.begin("cross-validation", len(drawn.sizes) * drawn.redraws)
    success: dict[tuple[int, str, str], OverDraws] = {}
    try:
        with one_thread():
            for size in drawn.sizes:
                judged = _judge(matrix, named, size, keys, each_other=each_other, progress=shown)
                for (ours, theirs), found in judged:
                    success[size, ours, theirs] = OverDraws.of(found)
    finally:
        shown.end()
    opponents = (*named, EXPLOITER) if each_other else (_ORIGINAL, EXPLOITER)
    sizes = matrix.points.shape
    shape = () if sizes[0] == sizes[1] else sizes
    return CrossValidation(title, len(matrix), drawn.redraws, opponents, success, shape)


def _judge(
    matrix: Matrix,
    learners: Mapping[str, MatrixLearner],
    size: int,
    keys: Sequence[int],
    *,
    each_other: bool,
    progress: Progress,
) -> list[tuple[tuple[str, str], np.ndarray[Any, np.dtype[np.float64]]]]:
    def done() -> None:
        progress.advance(1)

    if each_other:
        return list(play_each_other(matrix, learners, size, keys, done).items())
    judged = judge_by_left_out(matrix, learners, size, keys, done)
    return [
        ((name, opponent), found)
        for name, each in judged.items()
        for opponent, found in (
            (_ORIGINAL, each.against_original),
            (EXPLOITER, each.against_exploiter),
        )
    ]


def _square(study: Study) -> Matrix:
    """Return the results of the arms that have met each other: Kt of each colour."""
    asked = saved_matrices(study)
    if has_opponents(study):
        raise SpecificationError(
            f"{study.path} has [[opponents]]: arms are left out of a program's games with itself"
        )
    first, _ = training_scores(study, TrainingArms(0, asked.k), asked.kt)
    return Matrix(first[: asked.kt], study.full)


def _sizes(given: Sequence[int], arms: int, each_other: bool) -> list[int]:
    most = arms // 2 if each_other else arms - 1
    if most < 1:
        raise SpecificationError(
            f"cross-validation needs 2 or more arms of each colour that met each other, not {arms};"
            " boost with a larger `kt`"
        )
    if not given:
        largest = most if each_other else max(1, 3 * arms // 4)
        return sorted({max(1, round(largest * part / _POINTS)) for part in range(1, _POINTS + 1)})
    for size in given:
        check_numbers(sizes=size)
        if not 1 <= size <= most:
            raise SpecificationError(
                f"`sizes` must be 1 to {most} where {arms} arms have met each other, not {size}"
            )
    return sorted(set(given))
