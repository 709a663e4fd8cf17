"""The largest rectangle of the papers: 9,000 arms a colour against 900 of the other."""

import subprocess
import sys

import pytest

LARGE = """
import sys
from pathlib import Path
import numpy as np
from seedfolio.study.store import UNPLAYED, Study

ARMS, OPPONENTS, BLOCK = 9000, 900, 300
seeds = np.arange(ARMS, dtype=np.uint64)
matrix = np.random.default_rng(0).integers(0, 2, (ARMS, ARMS), dtype=np.uint8)
path = Path(sys.argv[1])
with Study.open(path, {"game": "domineering"}) as study:
    for top in range(0, ARMS, BLOCK):
        for left in range(0, ARMS, BLOCK):
            if top < OPPONENTS or left < OPPONENTS:
                cells = np.s_[top : top + BLOCK, left : left + BLOCK]
                rows, columns = np.meshgrid(seeds[cells[0]], seeds[cells[1]], indexing="ij")
                study.record(rows.ravel(), columns.ravel(), matrix[cells].ravel())
    assert study.count() == 2 * ARMS * OPPONENTS - OPPONENTS**2
with Study.read(path) as study:
    few = seeds[:OPPONENTS]
    assert np.array_equal(study.results(seeds, few), matrix[:, :OPPONENTS])
    assert np.array_equal(study.results(few, seeds), matrix[:OPPONENTS])
    assert (study.results(seeds[OPPONENTS:], seeds[OPPONENTS:]) == UNPLAYED).all()
# The peak of this program: ru_maxrss would count the process that it was forked from.
status = Path("/proc/self/status").read_text()
print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to tell the peak of memory")
def test_fifteen_million_cells(tmp_path):
    path = tmp_path / "a.study"
    run = subprocess.run(
        [sys.executable, "-c", LARGE, str(path)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert list(tmp_path.iterdir()) == [path]
    assert path.stat().st_size < 30_000_000
    assert int(run.stdout) < 1024**2  # kibibytes
