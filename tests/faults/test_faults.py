"""A few of the kills and full disks of `make faults`."""

import os
from pathlib import Path

import pytest
from forked import compiler, started_with_faults


def need_compiler():
    if compiler() is None:
        why = "no C compiler: apt-get install gcc"
        pytest.fail(why) if os.environ.get("CI") == "true" else pytest.skip(why)


@pytest.mark.long
@pytest.mark.parametrize(
    ("scenario", "step"),
    [("matrix", "9"), ("book", "13"), ("compare", "9"), ("reproduce", "7"), ("engine", "7")],
)
def test_kills_and_full_disks_leave_the_same_files(scenario, step, tmp_path):
    need_compiler()
    words = [str(Path(__file__).parent), "--scenario", scenario, "--step", step, "--workers", "1"]
    done = started_with_faults(words, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 problems" in done.stdout
