"""For all tests: a list of trust of their own, and where the time goes."""

import gc
import os
import tempfile
from collections import Counter

import pytest

import seedfolio  # noqa: F401  # before numba, which keeps what it finds in the environment

os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="seedfolio-state-")

# Compiling makes many small objects: looking for cycles less often saves some of the time.
gc.set_threshold(10_000, 10, 10)

# Seconds of work for each folder under `make test` and `make test-all`, on two idle cores and
# compiled from nothing. Nothing fails above them, as a machine may be slow or busy; the summary
# marks the folder.
BUDGET = {
    "arena": (60, 300),
    "cli": (45, 110),
    "docs": (60, 260),
    "engines": (50, 300),
    "games": (90, 260),
    "matches": (40, 110),
    "players": (60, 270),
    "web": (30, 200),
}
OTHER = (50, 100)
"""The budget of each folder that has none."""
_spent: Counter[str] = Counter()


@pytest.fixture(scope="session")
def made(tmp_path_factory):
    """A folder of small studies and portfolios, to read; see tests/shared/made_studies.py."""
    from made_studies import made_studies  # tests that need none do not import all of Seedfolio

    studies = made_studies(tmp_path_factory)
    before = studies.digests()
    yield studies
    assert studies.digests() == before, "a test has changed what all tests read"


@pytest.fixture
def made_copy(made, tmp_path):
    return made.copy(tmp_path / "made")


def pytest_runtest_logreport(report):
    folder = report.nodeid.split("/")
    _spent[folder[1] if len(folder) > 2 else "."] += report.duration


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    if not _spent or hasattr(config, "workerinput"):
        return
    terminalreporter.section("seconds of work by folder")
    all_of_it = "not slow" not in config.option.markexpr
    for folder, spent in _spent.most_common():
        budget = BUDGET.get(folder, OTHER)[all_of_it]
        over = f"  above its {budget}" if spent > budget else ""
        terminalreporter.line(f"{spent:8.1f}  {folder}{over}")
