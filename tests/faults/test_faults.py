"""A few of the kills and full disks of `make faults`."""

from pathlib import Path

import pytest
from forked import compiler, started_with_faults
from needed import missing


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "step"),
    [("matrix", "9"), ("book", "13"), ("compare", "9"), ("reproduce", "7"), ("engine", "7")],
)
def test_kills_and_full_disks_leave_the_same_files(scenario, step, tmp_path):
    if compiler() is None:
        missing("no C compiler: apt-get install gcc")
    words = [str(Path(__file__).parent), "--scenario", scenario, "--step", step, "--workers", "1"]
    done = started_with_faults(words, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 problems" in done.stdout
