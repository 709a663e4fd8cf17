"""Bars: what they show when a task has ended."""

import io

from rich.console import Console

from seedfolio.report.progress import TerminalProgress


def shown(total, done, *, fails=False):
    """Return the last line of a task that ends after `done` games."""
    written = io.StringIO()
    progress = TerminalProgress(Console(file=written, width=100))
    progress.begin("auto", total)
    try:
        progress.advance(done)
        if fails:
            raise KeyboardInterrupt
    except KeyboardInterrupt:
        progress.end()
    else:
        progress.end()
    return written.getvalue().splitlines()[-1]


def test_a_learner_that_needs_fewer_games_is_done():
    line = shown(2000, 1773)
    assert "1,773/1,773 games" in line
    assert "taken" in line
    assert "/s" in line


def test_what_is_complete_anyway():
    assert "2,000/2,000 games" in shown(2000, 2000)


def test_what_was_interrupted_stays_as_far_as_it_came():
    line = shown(2000, 1773, fails=True)
    assert "1,773/2,000 games" in line
    assert "taken" not in line


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
