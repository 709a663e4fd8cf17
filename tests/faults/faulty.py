"""Scenarios with faults: whatever happens, the same command then ends as if nothing had."""

import io
import os
import random
import shutil
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import chdir, redirect_stderr, redirect_stdout
from multiprocessing import get_context

from forked import FULL, KILL, STARVE, forked
from scenarios import CODE, SCENARIOS, cells_in, files_of, prepare

_WARNING = "warning: compiled code is not kept"
_ABORTED = -6
"""LLVM ends the process where it gets no memory; nothing can answer that."""
FAULTS = ("kills", "full", "starved", "refused", "aborted", "left")
"""Kills; runs with a full disk and with little memory; of those, refused and aborted; not begun."""

MEMORY = [*range(0, 4096, 256), *range(4096, 65_536, 4096), *range(65_536, 400_000, 65_536)]
"""KiB beyond what the process has when its command begins."""
_scenarios = {}
"""Those of this process, before it forks."""


class Scenario:
    """One command, its outcome without faults, and the faults so far."""

    def __init__(self, name, folder):
        self.name, self.words, self.home = name, SCENARIOS[name], folder / name
        self.problems = []
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

    def _warm(self):
        """Compile here what forks need: run the command in this very process."""
        from seedfolio.cli import run

        said = io.StringIO()
        with chdir(self._folder("warm")), redirect_stdout(said), redirect_stderr(said):
            code = run(list(self.words))
        assert code == 0, (self.name, said.getvalue())

    def _folder(self, name):
        # Workers use the same scenario at once, each in a folder of its own.
        folder = self.home / f"{name}-{os.getpid()}"
        shutil.rmtree(folder, ignore_errors=True)
        prepare(self.name, folder)
        return folder

    def kill_at(self, number, more):
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

    def fill_at(self, number):
        self._break("full", number, FULL, f"a full disk at write {number}")

    def starve_at(self, kib):
        self._break("starved", kib, STARVE, f"{kib} KiB of memory")

    def _break(self, kind, number, action, what):
        folder = self._folder(kind)
        ended = forked(self.words, folder, number, action)
        self.done[kind] += 1
        if ended.code == _ABORTED and action == STARVE:
            self.done["aborted"] += 1
        else:
            self._judge(ended, what)
        self._end(folder, what)

    def _judge(self, ended, what):
        """The command ends with one line and code 2, or as if nothing had happened."""
        lines = [line for line in ended.err.splitlines() if not line.startswith(_WARNING)]
        refused = ended.code == 2 and len(lines) == 1 and lines[0].startswith("error: ")
        self.done["refused"] += refused
        if not refused and (ended.code != 0 or lines or ended.out != self.table):
            self.problems.append(f"{self.name}: {what}: {ended}")

    def _end(self, folder, what):
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


def tasks_of(scenarios, kills, step):
    """Return what is tried: all writes in turn, every STEP-th; then kills until there are many."""
    tasks = []
    for name, scenario in scenarios.items():
        numbers = range(1, scenario.writes + 1, step)
        # Some of the later kills come too late: the command has ended.
        more = 2 * kills // (len(scenarios) * len(numbers))
        tasks += [(name, "full", number, 0) for number in numbers]
        tasks += [(name, "kill", number, max(1, min(9, more))) for number in numbers]
        tasks += [(name, "starve", kib, 0) for kib in MEMORY[::step]]
    random.Random("order").shuffle(tasks)
    return tasks


def divided(scenarios, tasks, workers, until):
    _scenarios.update(scenarios)
    found = {
        name: {"writes": each.writes, **dict.fromkeys(FAULTS, 0), "problems": []}
        for name, each in scenarios.items()
    }
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        for future in as_completed([pool.submit(_try, task, until) for task in tasks]):
            name, done, problems = future.result()  # raises where a worker ended before its tasks
            for what, number in done.items():
                found[name][what] += number
            found[name]["problems"] += problems
    return found


def _try(task, until):
    name, what, number, more = task
    scenario = _scenarios[name]
    scenario.done, scenario.problems = dict.fromkeys(FAULTS, 0), []
    try:
        if time.monotonic() > until:
            scenario.done["left"] = 1
        elif what == "full":
            scenario.fill_at(number)
        elif what == "kill":
            scenario.kill_at(number, more)
        else:
            scenario.starve_at(number)
    except Exception as error:
        scenario.problems.append(f"{scenario.name}: {what} {number}: {error!r}")
    return name, scenario.done, scenario.problems
