"""Signals: one line, no traceback, whatever comes when."""

import os
import signal
import subprocess
import sys

import pytest
from waiting import PATIENCE, end_command, finish, start_and_stop

PROGRAM = ["domineering:5x5", "-p", "uct:simulations=100"]
SHORT = ["boost", *PROGRAM, "--k", "20", "--kt", "10", "--opponents", "17", "-l", "best-seed"]

AT_IMPORT = """
import os, sys

class Finder:
    def find_spec(self, name, path, target=None):
        if name == os.environ["INTERRUPT_AT"]:
            os.kill(os.getpid(), 2)

sys.meta_path.insert(0, Finder())
sys.modules.pop("signal", None)
"""


@pytest.mark.parametrize(
    "module", ["signal", "shlex", "seedfolio.version", "seedfolio.cli", "typer"]
)
def test_an_interrupt_in_the_first_moments(module, tmp_path):
    """Before `main` answers it, the process ends by the signal; after, with a line."""
    (tmp_path / "sitecustomize.py").write_text(AT_IMPORT)
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "seedfolio", "boost", "nim"],
        env={**os.environ, "PYTHONPATH": paths, "INTERRUPT_AT": module},
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert done.returncode in (130, -signal.SIGINT), done
    assert done.stdout == ""
    assert done.stderr == "" or done.stderr.startswith("interrupted")
    assert done.stderr.count("\n") <= 1


def test_sighup_is_sigterm(tmp_path):
    code, err = end_command([*SHORT, "--quiet"], tmp_path, signal.SIGHUP)
    assert code == 143
    assert err.startswith("terminated; every finished block of games is kept. Go on with: ")
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "a.study-lock").exists()


def test_a_second_interrupt_ends_it_at_once(tmp_path):
    words = [*SHORT, "--quiet", "--study", "a.study", "--threads", "1"]
    process = start_and_stop(words, tmp_path)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGCONT)
    process.send_signal(signal.SIGINT)
    code, _, err = finish(process)
    assert code == 130
    assert "Traceback" not in err
    assert err.startswith("interrupted; every finished block")
    assert len(err.strip().splitlines()) == 1


TWICE = """
import os, signal, sys
sys.argv = ["seedfolio", "boost", "nim"]
import seedfolio.cli

def run(arguments):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()
    finally:
        os.kill(os.getpid(), signal.SIGINT)  # while files are closed
        signal.pause()

seedfolio.cli.run = run
from seedfolio.__main__ import main
sys.exit(main())
"""


def test_a_second_interrupt_while_the_first_is_answered():
    done = subprocess.run(
        [sys.executable, "-c", TWICE],
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr.startswith("interrupted; every finished block")
    assert done.stderr.count("\n") == 1
