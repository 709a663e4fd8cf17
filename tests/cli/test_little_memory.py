"""Little memory: one line and exit code 2, and the study is intact."""

import resource

import pytest
from waiting import ran

from seedfolio.__main__ import LEAST_MEMORY

SMALL = ["-p", "uct:simulations=5", "--k", "12", "--kt", "6", "--opponents", "17", "--quiet"]
COMMAND = ["boost", "domineering:4x4", *SMALL, "-l", "best-seed", "--threads", "1"]


def limited(size, *words, cwd):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (size, size))

    return ran("-m", "seedfolio", *words, cwd=cwd, preexec_fn=limit)


@pytest.mark.parametrize("size", [200 * 2**20, LEAST_MEMORY - 1])
def test_too_little_to_begin(size, tmp_path):
    done = limited(size, *COMMAND, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: this process may have")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_the_least_is_enough_for_a_small_study(tmp_path):
    done = limited(LEAST_MEMORY, *COMMAND, "--study", "a.study", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
