"""The pictures of a study. Drawing takes long, so that threads of programs draw, once each."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from seedfolio.boosting.look import show
from seedfolio.boosting.saved import requests_of
from seedfolio.errors import SeedfolioError, StudyError
from seedfolio.report.plots.matrix import MOST, matrix_png
from seedfolio.study.arms import TrainingArms
from seedfolio.study.store import Study
from seedfolio.web.guard import PageError
from seedfolio.web.library import LibraryFile
from seedfolio.web.site import Site
from seedfolio.web.study_state import is_running

_drawing = threading.Lock()
"""matplotlib draws one figure at a time."""
_MOST_KEPT = 64


def _seeds(file: LibraryFile) -> bytes:
    return _drawn(file, lambda path: show(file.path, plot_seeds=path))


def _curves(file: LibraryFile) -> bytes:
    return _drawn(file, lambda path: show(file.path, plot_k=path))


def _matrix(file: LibraryFile) -> bytes:
    with Study.read(file.path) as study:
        requests = requests_of(study)
        whole = [each for each in requests if each.budget is None]
        if not whole:
            raise StudyError("there is no matrix: the learners chose their games")
        k, kt = whole[-1].k, whole[-1].kt
        seeds = TrainingArms(0, min(k, MOST)).seeds()
        return matrix_png(study.results(seeds, seeds[: min(kt, MOST)]), study.full)


PICTURES: dict[str, tuple[str, str, Callable[[LibraryFile], bytes]]] = {
    "seeds": ("image/svg+xml", "How much seeds differ: sorted success, luck, unseen", _seeds),
    "curves": ("image/svg+xml", "Success on unseen opponents by the number of seeds K", _curves),
    "matrix": ("image/png", "Results: dark where the first player wins", _matrix),
}
"""By name: the type of the picture, what it shows, and what draws it."""


def picture(site: Site, file: LibraryFile, name: str) -> bytes | str | None:
    """Return a picture that was drawn, or why there is none; None if it is not drawn yet.

    While the study runs, one that was drawn before is good enough.
    """
    running = is_running(file)
    found: bytes | str | None = site.library.remembered(name, file, older=running)
    return found


def draw(site: Site, visitor: str, file: LibraryFile, name: str) -> Future[None]:
    """Let a picture be drawn; PageError if too much was asked for."""
    if name not in PICTURES:
        raise PageError(404, "There is no such picture.")

    def work() -> None:
        site.library.remember(name, file, lambda: _result(PICTURES[name][2], file), _MOST_KEPT)

    return site.queue.ask(f"{name} {file.id}", visitor, work)


def _result(make: Callable[[LibraryFile], bytes], file: LibraryFile) -> bytes | str:
    try:
        return make(file)
    except SeedfolioError as error:
        return file.problem(error).replace(f"{file.path.name} has", "This study has")


def _drawn(file: LibraryFile, plot: Callable[[Path], object]) -> bytes:
    with _drawing, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "plot.svg"
        plot(path)
        return path.read_bytes()
