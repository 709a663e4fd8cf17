"""The largest rectangle of the papers: 9,000 arms a colour against 900 of the other."""

import sys

import pytest
from case_files import programs
from waiting import ran

(LARGE,) = programs(__file__)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to tell the peak of memory")
def test_fifteen_million_cells(tmp_path):
    path = tmp_path / "a.study"
    done = ran("-c", LARGE, path)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_size < 30_000_000
    assert int(done.stdout.split()[1]) < 1024**2  # kibibytes
