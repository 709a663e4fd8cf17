"""Commands in processes of their own: waiting for events in them, and ending them there.

No test waits for a guessed time. PATIENCE is a bound for failing alone: no machine that works,
however busy, should reach it.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 500
"""Seconds after which a test fails that waits for something."""
RUNNER = Path(__file__).with_name("ended_at_event.py")
PIPES = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}


def wait_until(happened, what):
    deadline = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < deadline, f"{what}: not after {PATIENCE} seconds"
        time.sleep(0.02)


def ran(*words, environ=None, **options):
    options |= {"env": {**os.environ, **(environ or {})}, "encoding": "utf-8", **PIPES}
    words = [sys.executable, *map(str, words)]
    return subprocess.run(words, timeout=PATIENCE, check=False, **options)


def start_command(arguments, folder, *event):
    """Start `seedfolio` or a script; an event is such as "after", "record", "3", "SIGKILL"."""
    words = [str(RUNNER), *event, "--"] if event else ["-m", "seedfolio"]
    options = {"cwd": folder, "encoding": "utf-8", "preexec_fn": _answer_interrupts, **PIPES}
    return subprocess.Popen([sys.executable, *words, *arguments], **options)


def _answer_interrupts():
    # A shell ignores SIGINT for what it starts in the background, nohup SIGHUP: so would the
    # command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def finish(process):
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return process.returncode, out, err


def killed(arguments, folder, *event):
    code, out, err = finish(start_command(arguments, folder, *event, "SIGKILL"))
    assert code == -signal.SIGKILL, (event, code, out, err)


def start_and_stop(arguments, folder):
    """Start a command, which stands still once it has put games into its study, until SIGCONT."""
    process = start_command(arguments, folder, "after", "record", "2", "SIGSTOP")
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            process.returncode = os.waitstatus_to_exitcode(status)
            raise AssertionError(f"no game was played: {process.communicate()}")
    except BaseException:
        process.kill()
        raise
    return process


def end_command(arguments, folder, sent):
    """Send a signal to a command that plays into `a.study`; return its code and stderr."""
    process = start_and_stop([*arguments, "--study", "a.study", "--threads", "1"], folder)
    process.send_signal(sent)
    process.send_signal(signal.SIGCONT)
    code, _, errors = finish(process)
    return code, errors
