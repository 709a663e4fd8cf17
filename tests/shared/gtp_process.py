"""Engines as processes, and a referee who lets two of them play a game."""

import os
import selectors
import subprocess
import time

from waiting import PATIENCE

COLOURS = ("b", "w")


class EngineProcess:
    def __init__(self, *command, cwd):
        self.process = subprocess.Popen(
            command, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        self._pending = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                pipe.close()

    def send(self, data):
        self.process.stdin.write(data)

    def read_line(self):
        deadline = time.monotonic() + PATIENCE
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._pending:
                assert selector.select(deadline - time.monotonic()), "no answer in time"
                data = os.read(self.process.stdout.fileno(), 65536)
                assert data, f"the engine has gone: {self._pending!r}"
                self._pending += data
        line, _, self._pending = self._pending.partition(b"\n")
        return line.decode().rstrip("\r")


class UciProcess(EngineProcess):
    def ask(self, command, answer):
        """Send a command; return what follows `answer` in the line that begins with it."""
        self.send(f"{command}\n".encode())
        while not (line := self.read_line()).startswith(answer):
            assert not line.startswith("info string error"), line
        return line.removeprefix(answer).strip()


class GtpProcess(EngineProcess):
    def read(self):
        lines = []
        while line := self.read_line():
            lines.append(line)
        return "\n".join(lines)

    def ask(self, command):
        """The answer to a command that must not fail."""
        self.send(f"{command}\n".encode())
        answer = self.read()
        assert answer.startswith("="), f"{command}: {answer}"
        return answer[1:].strip()


def referee(engines, size, komi, longest):
    """Let Black, the first, and White play until both pass; each must accept all moves."""
    for engine in engines:
        for command in (f"boardsize {size}", f"komi {komi}", "clear_board"):
            engine.ask(command)
    moves = []
    while [move.lower() for move in moves[-2:]] != ["pass", "pass"] and len(moves) < longest:
        colour = len(moves) % 2
        move = engines[colour].ask(f"genmove {COLOURS[colour]}")
        engines[1 - colour].ask(f"play {COLOURS[colour]} {move}")
        moves.append(move)
    return moves
