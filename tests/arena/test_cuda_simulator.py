"""The CUDA arena in numba's simulator: the same results and moves as the CPU's."""

from pathlib import Path

from cuda_cases import need_numba_cuda
from sparing import levels
from waiting import ran

need_numba_cuda()

SCRIPT = Path(__file__).with_name("simulated.py")


def simulated(*words, **options):
    done = ran(*words, environ={"NUMBA_ENABLE_CUDASIM": "1"}, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


SMALL_NIM = "nim:first=1,second=2,third=2,fourth=1"


@levels(
    "words",
    [""],  # picking bits
    slow=["morra table:noise=50"],  # chance in both
    long=[
        *(f"{SMALL_NIM} {player}" for player in ("flat:playouts=3", "uct:simulations=3")),
        *(f"nim table:noise=0 {form}" for form in ("", "book", "known")),
    ],
)
def test_the_simulator_plays_as_the_cpu_does(words):
    assert simulated(str(SCRIPT), *words.split()) == "identical\n"
