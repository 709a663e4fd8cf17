"""Progress on a terminal: games done, speed, time left."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show games per second; once the task is done, the average over the whole task."""
        speed = task.speed
        if task.finished and task.finished_time:
            speed = task.completed / task.finished_time
        return Text(f"{speed:,.0f}/s" if speed else "", style="dim")


class _Time(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show the time left; once the task is done, the time it took."""
        if task.finished:
            return Text(f"{_clock(task.finished_time)} taken", style="dim")
        return Text(f"{_clock(task.time_remaining)} left")


class TerminalProgress:
    """A bar for each task, on standard error so that standard output stays clean."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar: Bar | None = None
        self._task = TaskID(0)
        self._who = ""

    def begin(self, task: str, total: int) -> None:
        """Start on a task of `total` games."""
        self._bar = Bar(
            TextColumn("{task.description:<24}{task.fields[who]}"),
            BarColumn(bar_width=12),
            TextColumn("{task.completed:,.0f}/{task.total:,.0f} games"),
            _Speed(),
            _Time(),
            console=self._console,
            speed_estimate_period=30,
        )
        self._bar.start()
        self._task = self._bar.add_task(task, total=total, who=self._who)

    def advance(self, cells: int) -> None:
        """Note that `cells` more are done and saved."""
        if self._bar is not None:
            self._bar.advance(self._task, cells)

    def end(self) -> None:
        """Finish the task, complete or not.

        A task that ends without an error is complete, even if it needed fewer games than planned.
        """
        if self._bar is not None:
            if sys.exception() is None:
                (task,) = self._bar.tasks
                self._bar.update(self._task, total=task.completed)
            self._bar.stop()
            self._bar = None

    def at_work(self, who: str) -> None:
        """Show who plays: the nodes, cores and GPUs of a cluster."""
        self._who = f"\n{who}" if who else ""  # below the task, as a line is full without it
        if self._bar is not None:
            self._bar.update(self._task, who=self._who)


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "-:--"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
