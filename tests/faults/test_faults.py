"""A few of the kills and full disks of `python tests/faults`, in every run of the tests."""

import os
from pathlib import Path

import pytest
from forked import compiler, started_with_faults


def need_compiler():
    if compiler() is None:
        why = "no C compiler: apt-get install gcc"
        pytest.fail(why) if os.environ.get("CI") == "true" else pytest.skip(why)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scenario", "step"),
    [("matrix", "9"), ("book", "13"), pytest.param("compare", "9", marks=pytest.mark.long)]
    + [pytest.param(name, "7", marks=pytest.mark.long) for name in ("reproduce", "engine")],
)
def test_kills_and_full_disks_leave_the_same_files(scenario, step, tmp_path):
    need_compiler()
    words = [str(Path(__file__).parent), "--scenario", scenario, "--step", step]
    done = started_with_faults(words, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 problems" in done.stdout
