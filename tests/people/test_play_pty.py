"""`seedfolio play` in a real terminal: its width, its colours, its keys."""

import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from waiting import PATIENCE, wait_until

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PLAYER = "uct:simulations=5,exploration=1.41421356237"
PROGRAM = ["domineering:4x4", "--player", PLAYER, "--key", "3"]


class Terminal:
    def __init__(self, *arguments, **environment):
        self.master, slave = pty.openpty()
        inherited = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "seedfolio", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=_take_terminal,
            env={**inherited, "TERM": "xterm-256color", "COLUMNS": "80", **environment},
        )
        os.close(slave)
        self.text = ""

    def until(self, end):
        begin = len(self.text)
        while end not in self.text[begin:]:
            if not select.select([self.master], [], [], PATIENCE)[0]:
                raise AssertionError(f"waited too long for {end!r} after {self.text!r}")
            try:
                read = os.read(self.master, 4096).decode()
            except OSError:  # the other side has gone
                break
            self.text += read
        return self.text[begin:].replace("\r\n", "\n")

    def type(self, keys):
        os.write(self.master, keys.encode())

    def wait_for_reading(self):
        """Wait until the command waits for a key: Python may lose a signal just before that."""
        call = Path(f"/proc/{self.process.pid}/syscall")  # its number, then its arguments
        reading = ["0", "0x0"], ["63", "0x0"]  # from standard input, on x86-64 and on ARM
        if call.exists():
            wait_until(lambda: call.read_text().split()[:2] in reading, "reading a key")

    def ended(self):
        rest = self.until("\0")
        return rest, self.process.wait(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.master)


def _take_terminal():
    """Make standard input the controlling terminal, so that Ctrl-C reaches the command."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored


def widest(text):
    return max(len(COLOUR.sub("", line)) for line in text.splitlines())


def test_a_game_in_colour():
    with Terminal("play", *PROGRAM) as terminal:
        opening = terminal.until("your move> ")
        assert "\x1b[" in opening
        assert widest(opening) <= 80  # the first line, which is longer, is wrapped
        plain = " ".join(COLOUR.sub("", opening).split())
        assert plain.startswith("domineering 4x4: you are vertical, uct:simulations=5,expl")
        terminal.type("help\r")
        assert widest(terminal.until("your move> ")) <= 80
        terminal.type("b3 b2\r")
        seen = terminal.until("your move> ")
        blue, red = "\x1b[1;34mV\x1b[0m", "\x1b[1;31mH\x1b[0m"
        assert seen.count(blue) == seen.count(red) == 2
        assert re.search(rf"\[{re.escape(red)} {re.escape(red)}\]", seen)  # the last move
        terminal.type("resign\r")
        said, code = terminal.ended()
        assert "You resign. The program wins." in said
        assert code == 0


@pytest.mark.parametrize("key", ["\x03", pytest.param("\x04", marks=pytest.mark.slow)])
def test_both_keys_end_a_game_alike(key):
    with Terminal("play", *PROGRAM, NO_COLOR="1") as terminal:
        opening = terminal.until("your move> ")
        assert "\x1b[" not in opening
        terminal.type("b2b3\r")
        terminal.until("your move> ")
        terminal.wait_for_reading()
        terminal.type(key)
        said, code = terminal.ended()
        assert "You left at move 3; the program played seed" in " ".join(said.split())
        assert "Traceback" not in said
        assert "interrupted" not in said
        assert code == 0
