"""The CUDA arena in numba's simulator: the same results and moves as the CPU's."""

from pathlib import Path

import pytest
from cuda_cases import need_numba_cuda
from waiting import ran

need_numba_cuda()

SCRIPT = Path(__file__).with_name("simulated.py")


def simulated(*words, **options):
    done = ran(*words, environ={"NUMBA_ENABLE_CUDASIM": "1"}, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


LONG = pytest.mark.long


@pytest.mark.parametrize(
    "words",
    [
        pytest.param((), id="picking bits"),
        pytest.param(("morra", "table:noise=50"), marks=pytest.mark.slow),  # chance in both
        pytest.param(("nim", "table:noise=0"), marks=LONG),
        pytest.param(("nim:first=1,second=2,third=2,fourth=1", "flat:playouts=3"), marks=LONG),
        pytest.param(("nim:first=1,second=2,third=2,fourth=1", "uct:simulations=3"), marks=LONG),
        pytest.param(("nim", "table:noise=0", "book"), marks=LONG),
        pytest.param(("nim", "table:noise=0", "known"), marks=LONG),
    ],
)
def test_the_simulator_plays_as_the_cpu_does(words):
    assert simulated(str(SCRIPT), *words) == "identical\n"


@LONG
def test_the_command_boosts_alike_on_both_arenas(tmp_path):
    words = ["-m", "seedfolio", "boost", "nim", "--k", "5", "--kt", "3", "--opponents", "17"]
    words += ["--json", "--quiet"]
    cuda, threads = (
        simulated(*words, "--arena", arena, "--study", f"{arena}.study", cwd=tmp_path)
        .replace(f"{arena}.study", "")
        .replace(f"{arena}-", "")
        for arena in ("cuda", "threads")
    )
    assert cuda == threads
