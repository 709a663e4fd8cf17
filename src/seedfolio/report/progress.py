"""Progress in a terminal and in a notebook: games done, speed, time left."""

from __future__ import annotations

import sys
from html import escape
from importlib import import_module
from time import monotonic
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task, TaskID, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from seedfolio.arena import Progress, Silent

_NAME, _BAR = 24, 12
"""The width of a task's name and of its bar, where there is room."""
_LEAST_NAME, _LEAST_BAR = 12, 4
_ALL = "whole job"
_OFTEN = 0.25
"""Seconds between two pictures in a notebook."""


def chosen_progress(progress: Progress | bool | None) -> Progress:
    """Return what receives the progress of a job.

    None: bars in a terminal and in a notebook, else nothing. True: bars. False: nothing.
    """
    if isinstance(progress, bool) or progress is None:
        if in_notebook():
            return Silent() if progress is False else NotebookProgress()
        console = Console(stderr=True)
        shown = console.is_terminal if progress is None else progress
        return TerminalProgress(console) if shown else Silent()
    return progress


def in_notebook() -> bool:
    """Tell whether this is the kernel of a notebook."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return any(kind.__name__ == "ZMQInteractiveShell" for kind in type(shell).__mro__)


class _Games(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show how many games are done."""
        return Text(f"{_games(task.completed, task.total or 0)} games")


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Show games per second; once the task is done, the average over the whole task."""
        speed = task.speed
        if task.finished and task.finished_time:
            speed = task.completed / task.finished_time
        return Text(_speed(speed) if speed else "", style="dim")


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
        self._whole, self._done = 0, 0

    def expect(self, total: int, text: str) -> None:
        """Say what the whole job is; it has a bar below each task."""
        self._whole, self._done = total, 0
        self._console.print(Text(text))

    def begin(self, task: str, total: int) -> None:
        """Start on a task of `total` games."""
        # The line is longest at the end. Where that is too long, the bar is shorter, then the name.
        others = len(f"  {_games(total, total)} games 100,000/s 0:00:00 taken")
        room = self._console.width - others
        bar = max(_LEAST_BAR, min(_BAR, room - _NAME))
        letters = max(_LEAST_NAME, min(_NAME, room - bar))
        name = task if len(task) <= letters else f"{task[: letters - 1]}…"
        self._bar = Bar(
            TextColumn("{task.description}{task.fields[who]}", markup=False),
            BarColumn(bar_width=bar),
            _Games(),
            _Speed(),
            _Time(),
            console=self._console,
            speed_estimate_period=30,
        )
        self._bar.start()
        self._task = self._bar.add_task(f"{name:<{letters}}", total=total, who=self._who)
        if self._whole:
            whole = max(self._whole, self._done + total)
            self._bar.add_task(f"{_ALL:<{letters}}", total=whole, completed=self._done, who="")

    def advance(self, cells: int) -> None:
        """Note that `cells` more are done and saved."""
        self._done += cells
        if self._bar is not None:
            for task in self._bar.task_ids:
                self._bar.advance(task, cells)

    def end(self) -> None:
        """Finish the task, complete or not.

        A task that ends without an error is complete, even if it needed fewer games than planned.
        """
        if self._bar is not None:
            task, *whole = self._bar.tasks
            if sys.exception() is None:
                self._bar.update(self._task, total=task.completed)
            for each in whole:  # the next task shows it again
                self._bar.remove_task(each.id)
            self._bar.stop()
            self._bar = None

    def at_work(self, who: str) -> None:
        """Show who plays: the nodes, cores and GPUs of a cluster."""
        self._who = f"\n{who}" if who else ""  # below the task, as a line is full without it
        if self._bar is not None:
            self._bar.update(self._task, who=self._who)


class NotebookProgress:
    """A bar for each task, below the cell of a notebook."""

    def __init__(self) -> None:
        self._handle: Any = None
        self._task, self._total, self._done = "", 0, 0
        self._who = ""
        self._whole, self._before = 0, 0
        self._began = self._drawn = 0.0

    def expect(self, total: int, text: str) -> None:
        """Say what the whole job is; each task shows how far it is."""
        self._whole, self._before = total, 0
        show = import_module("IPython.display")
        show.display(show.HTML(f"<progress value='0' max='1'></progress> {escape(text)}"))

    def begin(self, task: str, total: int) -> None:
        """Start on a task of `total` games."""
        self._task, self._total, self._done = task, total, 0
        self._began = self._drawn = monotonic()
        show = import_module("IPython.display")
        self._handle = show.display(show.HTML(self._html()), display_id=True)

    def advance(self, cells: int) -> None:
        """Note that `cells` more are done and saved."""
        self._done += cells
        if monotonic() - self._drawn >= _OFTEN:
            self._draw()

    def end(self) -> None:
        """Finish the task, complete or not."""
        if self._handle is not None:
            if sys.exception() is None:
                self._total = self._done
            self._draw()
            self._before += self._done
            self._handle = None

    def at_work(self, who: str) -> None:
        """Show who plays: the nodes, cores and GPUs of a cluster."""
        self._who = who
        if self._handle is not None:
            self._draw()

    def _draw(self) -> None:
        self._drawn = monotonic()
        self._handle.update(import_module("IPython.display").HTML(self._html()))

    def _html(self) -> str:
        seconds = monotonic() - self._began
        speed = self._done / seconds if seconds else 0.0
        left = (self._total - self._done) / speed if speed else None
        time = f"{_clock(left)} left" if self._done < self._total else f"{_clock(seconds)} taken"
        games = f"{_games(self._done, self._total)} games"
        done = self._before + self._done
        whole = max(self._whole, self._before + self._total)
        games += f" ({_ALL}: {_games(done, whole)})" if self._whole else ""
        return (
            f"<progress value='{self._done}' max='{max(1, self._total)}'></progress> "
            f"{escape(self._task)}: {games}, {_speed(speed)}, {time} {escape(self._who)}"
        )


def _games(done: float, total: float) -> str:
    return f"{done:,.0f}/{total:,.0f}"


def _speed(speed: float) -> str:
    return f"{speed / 1e6:,.0f}M/s" if speed >= 1e6 else f"{speed:,.0f}/s"


def _clock(seconds: float | None) -> str:
    if seconds is None:
        return "-:--"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
