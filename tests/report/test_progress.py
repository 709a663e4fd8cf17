"""Bars: what they show when a task has ended."""

import io

import pytest
from rich.console import Console

from seedfolio.report.progress import TerminalProgress


@pytest.mark.parametrize(
    ("done", "fails", "words"),
    [
        (1773, False, ["1,773/1,773 games", "taken", "/s"]),  # it needed fewer games
        (2000, False, ["2,000/2,000 games", "taken"]),
        (1773, True, ["1,773/2,000 games"]),
    ],
)
def test_the_last_line_of_a_task(done, fails, words):
    written = io.StringIO()
    progress = TerminalProgress(Console(file=written, width=100))
    progress.begin("auto", 2000)
    try:
        progress.advance(done)
        if fails:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        progress.end()
    else:
        progress.end()
    line = written.getvalue().splitlines()[-1]
    assert all(each in line for each in words)
    assert ("taken" in line) is not fails


def test_who_is_at_work_is_shown_below_the_task():
    written = io.StringIO()
    progress = TerminalProgress(Console(file=written, width=80))
    progress.at_work("2 nodes, 16 cores")
    progress.begin("seeds against each other", 90_000)
    progress.at_work("3 nodes, 24 cores, 1 GPU")
    progress.advance(90_000)
    progress.end()
    first, second = written.getvalue().splitlines()
    assert "90,000/90,000 games" in first
    assert first.rstrip().endswith("taken")
    assert second.strip() == "3 nodes, 24 cores, 1 GPU"
