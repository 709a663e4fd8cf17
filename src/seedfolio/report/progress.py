"""Progress on a terminal: how far, how fast, how long still."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bar
from rich.text import Text


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show games a second, over the whole task once it is done."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} games/s" if speed else "", style="dim")


class TerminalProgress:
    """A bar for each task, on standard error so that standard output stays clean."""

    def __init__(self, console: Console) -> None:
        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            _Speed(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=console,
            speed_estimate_period=30,
        )
        self._task: TaskID | None = None

    def begin(self, task: str, total: int) -> None:
        """Start on a task of `total` games."""
        self._bar.start()
        self._task = self._bar.add_task(task, total=total)

    def advance(self, cells: int) -> None:
        """Note that `cells` more are done and safe."""
        if self._task is not None:
            self._bar.advance(self._task, cells)

    def end(self) -> None:
        """Finish the task, whether or not it was completed."""
        self._task = None
        self._bar.stop()
