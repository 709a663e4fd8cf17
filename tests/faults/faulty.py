"""One scenario with faults: whatever happens, the same command then ends as if nothing had."""

import io
import os
import random
import shutil
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path

from forked import FULL, KILL, STARVE, Ended, forked
from scenarios import CODE, SCENARIOS, cells_in, files_of, prepare

_WARNING = "warning: compiled code is not kept"
_ABORTED = -6
"""LLVM ends the process where it gets no memory; nothing can answer that."""
FAULTS = ("kills", "full", "starved", "refused", "aborted", "left")
"""Kills; runs with a full disk and with little memory; of those, refused and aborted; not begun."""


class Scenario:
    """One command, its outcome without faults, and the faults so far."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name, self.words, self.home = name, SCENARIOS[name], folder / name
        self.problems: list[str] = []
        self.done = dict.fromkeys(FAULTS, 0)
        if name != CODE:
            self._warm()
        straight = self._folder("straight")
        ended = forked(self.words, straight)
        assert ended.code == 0, ended
        self.expected, self.table = files_of(straight), ended.out
        self.writes = ended.writes
        self.cells = cells_in(straight)
        assert self.writes > 10, f"{name}: only {self.writes} writes are seen"
        assert self.cells == ended.cells, f"{name}: {ended.cells} recorded, {self.cells} there"

    def _warm(self) -> None:
        """Compile here what forks need: run the command in this very process."""
        from seedfolio.cli import run

        said = io.StringIO()
        with chdir(self._folder("warm")), redirect_stdout(said), redirect_stderr(said):
            code = run(list(self.words))
        assert code == 0, (self.name, said.getvalue())

    def _folder(self, name: str) -> Path:
        # Workers use the same scenario at once, each in a folder of its own.
        folder = self.home / f"{name}-{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        prepare(self.name, folder)
        return folder

    def kill_at(self, number: int, more: int) -> None:
        """Kill the command at a write, then, each time it goes on, once more; let it end."""
        folder = self._folder("broken")
        draw = random.Random(f"{self.name} {number} {more}")
        numbers = [number, *(draw.randint(1, 2 + self.writes // 6) for _ in range(more))]
        for each in numbers:
            ended = forked(self.words, folder, each, KILL)
            if ended.code not in (-9, 0):
                self.problems.append(f"{self.name}: killed at write {each}: {ended}")
            self.done["kills"] += ended.code == -9
        self._end(folder, f"kills at writes {numbers}")

    def fill_at(self, number: int) -> None:
        """Fill the disk at a write; then there is space again."""
        folder = self._folder("full")
        ended = forked(self.words, folder, number, FULL)
        self.done["full"] += 1
        self._judge(ended, f"full at write {number}")
        self._end(folder, f"a full disk at write {number}")

    def starve_at(self, kib: int) -> None:
        """Leave the command little memory; then there is more."""
        folder = self._folder("starved")
        ended = forked(self.words, folder, kib, STARVE)
        self.done["starved"] += 1
        if ended.code == _ABORTED:
            self.done["aborted"] += 1
        else:
            self._judge(ended, f"{kib} KiB of memory")
        self._end(folder, f"{kib} KiB of memory")

    def _judge(self, ended: Ended, what: str) -> None:
        """The command ends with one line and code 2, or as if nothing had happened."""
        lines = [line for line in ended.err.splitlines() if not line.startswith(_WARNING)]
        refused = ended.code == 2 and len(lines) == 1 and lines[0].startswith("error: ")
        self.done["refused"] += refused
        if not refused and (ended.code != 0 or lines or ended.out != self.table):
            self.problems.append(f"{self.name}: {what}: {ended}")

    def _end(self, folder: Path, what: str) -> None:
        kept = cells_in(folder)
        ended = forked(self.words, folder)
        if ended.code != 0 or ended.out != self.table:
            self.problems.append(f"{self.name}: after {what}: {ended}")
        elif kept + ended.cells != self.cells:
            how = f"{kept} kept and {ended.cells} recorded of {self.cells}"
            self.problems.append(f"{self.name}: after {what}: cells lost or played twice: {how}")
        elif (found := files_of(folder)) != self.expected:
            names = found.keys() | self.expected.keys()
            other = [each for each in names if found.get(each) != self.expected.get(each)]
            self.problems.append(f"{self.name}: after {what}: other files {sorted(other)}")
        shutil.rmtree(folder, ignore_errors=True)
