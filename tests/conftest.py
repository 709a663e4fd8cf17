"""For all tests: a list of trust of their own, and where the time goes."""

import os
import tempfile
from collections import Counter

import pytest

os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="seedfolio-state-")

# Seconds of work for each folder under `make test`, on two idle cores and compiled from nothing.
# Nothing fails above them, as a machine may be slow or busy; the summary marks the folder.
BUDGET = {
    "arena": 60,
    "boosting": 60,
    "cli": 60,
    "docs": 60,
    "engines": 60,
    "games": 90,
    "learning": 40,
    "players": 60,
    "web": 60,
}
OTHER = 30
"""The budget of each folder that has none."""
_spent: Counter[str] = Counter()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    folder = report.nodeid.split("/")
    _spent[folder[1] if len(folder) > 2 else "."] += report.duration


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not _spent or hasattr(config, "workerinput"):
        return
    terminalreporter.section("seconds of work by folder")
    for folder, spent in _spent.most_common():
        budget = BUDGET.get(folder, OTHER)
        over = f"  above its {budget}" if spent > budget else ""
        terminalreporter.line(f"{spent:8.1f}  {folder}{over}")
