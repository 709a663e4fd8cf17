"""Many workers at once, each a fork of one process that has compiled everything.

Worker w of W tries the inputs whose numbers leave w when divided by W, so a run tries the same
inputs on any machine. What a worker does stands in memory that all share: if an input ends it, or
it hangs where Python cannot interrupt it, the parent knows which input it was, notes the fault,
and forks another worker that goes on behind it.
"""

import json
import mmap
import os
import re
import resource
import shutil
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from campaign import drawn, fault_of
from judging import FOLDER, MOST_SECONDS, PREFIX
from targets import TARGETS

MOST_KIB = 2 * 2**20
FULL_KIB = 2**20
"""A worker with this much memory makes room for a new one."""
MOST_THREADS = 100
"""So does one with this many threads, which wait for a dialogue that has ended."""
TURN = 200
"""How many inputs of a target come before the next one's turn."""
PATIENCE = 2 * MOST_SECONDS
"""Seconds after which a worker hangs where it cannot be interrupted."""
EVERY = 10
"""Seconds between two reports."""
KEPT = 3
"""Inputs that are kept of each kind of fault, by each worker."""


def shared(shape: tuple[int, ...], kind: type) -> np.ndarray:
    """Return an array that forks share."""
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(mmap.mmap(-1, max(1, size)), kind)[: int(np.prod(shape))].reshape(shape)


class Campaign:
    """Inputs of some targets, tried by some workers until all are tried or the time is over."""

    def __init__(self, wanted: dict[str, int], workers: int, first: int, found: Path) -> None:
        self.names = list(wanted)
        self.wanted = wanted
        self.workers, self.first, self.found = workers, first, found
        shape = (workers, len(wanted))
        self.tried = shared(shape, np.int64)
        self.faults = shared(shape, np.int64)
        self.seconds = shared(shape, np.float64)
        self.slowest = shared(shape, np.float64)
        self.now = shared((workers, 3), np.float64)
        """Of each worker: the place of its target, or -1; the number; when it began."""
        self.now[:, 0] = -1
        self.memory = shared((workers,), np.int64)
        self.deaths = 0
        """Workers that an input ended, or that hung."""

    def run(self, until: float, say: Callable[[], None]) -> None:
        """Try all inputs; `say` is called now and then."""
        found = self.found
        found.mkdir(parents=True, exist_ok=True)
        (found / "faults.jsonl").touch()
        alive = {self._fork(worker, until): worker for worker in range(self.workers)}
        said = time.monotonic()
        try:
            while alive:
                self._watch(alive, until)
                time.sleep(0.02)
                if time.monotonic() > said + EVERY:
                    said = time.monotonic()
                    say()
        finally:
            for child in alive:
                os.kill(child, signal.SIGKILL)
            for path in FOLDER.glob(f"{PREFIX}*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _watch(self, alive: dict[int, int], until: float) -> None:
        ended, status, used = os.wait4(-1, os.WNOHANG)
        if ended in alive:
            worker = alive.pop(ended)
            self.memory[worker] = max(self.memory[worker], used.ru_maxrss)
            code = os.waitstatus_to_exitcode(status)
            if code != 0:
                self._died(worker, f"worker ended with {code}")
            if code != 0 or not self._done(worker, until):
                alive[self._fork(worker, until)] = worker
        for child, worker in alive.items():
            place, _, began = self.now[worker]
            if place >= 0 and time.monotonic() - began > PATIENCE:
                os.kill(child, signal.SIGKILL)  # its end is noted on the next round

    def _died(self, worker: int, why: str) -> None:
        place, number, began = self.now[worker]
        if place < 0:
            raise RuntimeError(f"{why}, outside any input")
        self.deaths += 1
        took = time.monotonic() - began
        why = f"hang of {took:.0f} s" if took > PATIENCE else why
        name = self.names[int(place)]
        self._note(worker, int(place), int(number), why)
        self.tried[worker, int(place)] += 1
        self.now[worker, 0] = -1
        print(f"{name} {int(number)}: {why}", flush=True)

    def _done(self, worker: int, until: float) -> bool:
        return time.monotonic() > until or all(
            self._number(worker, place) is None for place in range(len(self.names))
        )

    def _number(self, worker: int, place: int) -> int | None:
        """Return the number of a worker's next input of a target; None if there is none."""
        number = worker + self.workers * int(self.tried[worker, place])
        return None if number >= self.wanted[self.names[place]] else self.first + number

    def _fork(self, worker: int, until: float) -> int:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                code = self._work(worker, until)
            except BaseException:
                import traceback

                traceback.print_exc()
            finally:
                os._exit(code)
        return child

    def _work(self, worker: int, until: float) -> int:
        kept: dict[str, int] = {}
        place = 0
        while not self._done(worker, until):
            for _ in range(TURN):
                number = self._number(worker, place)
                if number is None or time.monotonic() > until:
                    break
                self._try(worker, place, number, kept)
                if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss > FULL_KIB:
                    return 0
            if threading.active_count() > MOST_THREADS:
                return 0
            place = (place + 1) % len(self.names)
        return 0

    def _try(self, worker: int, place: int, number: int, kept: dict[str, int]) -> None:
        name, began = self.names[place], time.monotonic()
        self.now[worker] = place, number, began
        content = drawn(name, number)
        fault = fault_of(TARGETS[name].judge, content)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        if memory > MOST_KIB:
            fault = fault or f"{memory / 2**20:.1f} GiB of memory"
        took = time.monotonic() - began
        if fault:
            kind = re.sub("[0-9]+", "0", fault[:60])
            kept[kind] = kept.get(kind, 0) + 1
            self._note(worker, place, number, fault, content if kept[kind] <= KEPT else None)
        self.tried[worker, place] += 1
        self.seconds[worker, place] += took
        self.slowest[worker, place] = max(self.slowest[worker, place], took)
        self.now[worker, 0] = -1

    def _note(
        self, worker: int, place: int, number: int, fault: str, content: bytes | None = None
    ) -> None:
        name = self.names[place]
        self.faults[worker, place] += 1
        line = json.dumps({"target": name, "number": number, "fault": fault})
        with (self.found / "faults.jsonl").open("a") as file:
            file.write(f"{line}\n")
        if content is not None:
            (self.found / f"{name.replace(' ', '-')}-{number}").write_bytes(content)

    def summary(self) -> dict[str, object]:
        """Return what was tried."""
        targets = {
            name: {
                "inputs": int(self.tried[:, place].sum()),
                "faults": int(self.faults[:, place].sum()),
                "slowest_seconds": round(float(self.slowest[:, place].max()), 3),
                "inputs_per_second_and_worker": round(
                    float(self.tried[:, place].sum() / max(1e-9, self.seconds[:, place].sum())), 1
                ),
            }
            for place, name in enumerate(self.names)
        }
        return {
            "inputs": int(self.tried.sum()),
            "faults": int(self.faults.sum()),
            "workers_ended_by_an_input": self.deaths,
            "most_memory_gib": round(float(self.memory.max()) / 2**20, 2),
            "targets": targets,
        }
