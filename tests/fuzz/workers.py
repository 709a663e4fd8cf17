"""Many workers at once, each a fork; the parent knows which input ended one, and starts another."""

import json
import os
import re
import resource
import shutil
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait

from judging import FOLDER, MOST_SECONDS, PREFIX
from targets import TARGETS, drawn, fault_of

MOST_KIB, FULL_KIB = 2 * 2**20, 2**20
"""The most memory of a worker, beside its parent's; with FULL_KIB it makes room for another."""
MOST_THREADS = 100
"""So does one with this many threads, which wait for a dialogue that has ended."""
TURN, KEPT = 200, 3
"""How many inputs of a target a worker tries, and how many are kept of each kind of fault."""
PATIENCE = 2 * MOST_SECONDS
"""Seconds after which a worker hangs where nothing can interrupt it."""
_FORKS = get_context("fork")


@dataclass
class Worker:
    name: str
    numbers: range
    """Those that it has not tried yet."""
    pipe: Connection = field(init=False)
    began: float | None = None
    """When it began the first of them; None: it has not."""

    def __post_init__(self):
        self.pipe, other = _FORKS.Pipe(duplex=False)
        self.process = _FORKS.Process(target=_work, args=(other, self.name, self.numbers))
        self.process.start()
        other.close()


def _work(pipe, name, numbers):
    inherited = _most_memory()
    for number in numbers:
        pipe.send(None)
        fault = fault_of(TARGETS[name].judge, drawn(name, number))
        memory = _most_memory() - inherited
        if memory > MOST_KIB:
            fault = fault or f"{memory / 2**20:.1f} GiB of memory"
        pipe.send((fault, memory))
        if memory > FULL_KIB or threading.active_count() > MOST_THREADS:
            return


def _most_memory():
    """Return the most KiB of this process so far; a fork counts what its parent had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


class Campaign:
    def __init__(self, wanted, workers, first, found):
        self.inputs, self.faults = Counter(dict.fromkeys(wanted, 0)), Counter()
        self.workers, self.found = workers, found
        self.memory = self.deaths = 0
        """The most KiB of a worker; workers that an input ended, or that hung."""
        self._kinds = Counter()
        turns = [
            (start, name, range(first + start, first + min(start + TURN, inputs)))
            for name, inputs in wanted.items()
            for start in range(0, inputs, TURN)
        ]
        # All targets in turn, the last first: a list gives from its end.
        self._waiting = [(name, numbers) for _, name, numbers in sorted(turns, reverse=True)]

    def run(self, until):
        self.found.mkdir(parents=True, exist_ok=True)
        (self.found / "faults.jsonl").touch()
        alive, processes = [], {os.getpid()}
        try:
            while alive or (self._waiting and time.monotonic() < until):
                while self._waiting and len(alive) < self.workers and time.monotonic() < until:
                    alive.append(Worker(*self._waiting.pop()))
                    processes.add(alive[-1].process.pid)
                ready = wait([worker.pipe for worker in alive], timeout=1)
                alive = [each for each in alive if each.pipe not in ready or self._heard(each)]
                for worker in alive:
                    if worker.began is not None and time.monotonic() - worker.began > PATIENCE:
                        worker.process.kill()  # its end is noted on the next round
        finally:
            for worker in alive:
                worker.process.kill()
            for path in FOLDER.glob(f"{PREFIX}*"):
                if int(path.name.removeprefix(PREFIX).partition("-")[0]) in processes:
                    shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)

    def _heard(self, worker):
        try:
            told = worker.pipe.recv()
        except EOFError:
            worker.process.join()
            if worker.began is not None:
                self.deaths += 1
                took = time.monotonic() - worker.began
                why = f"worker ended with {worker.process.exitcode} after {took:.0f} s"
                self._count(worker, why)
            elif worker.process.exitcode:
                raise RuntimeError("a worker ended outside any input") from None
            if worker.numbers:
                self._waiting.append((worker.name, worker.numbers))
            return False
        if told is None:
            worker.began = time.monotonic()
        else:
            fault, memory = told
            self.memory = max(self.memory, memory)
            self._count(worker, fault)
        return True

    def _count(self, worker, fault):
        number, worker.numbers, worker.began = worker.numbers[0], worker.numbers[1:], None
        self.inputs[worker.name] += 1
        if not fault:
            return
        self.faults[worker.name] += 1
        line = json.dumps({"target": worker.name, "number": number, "fault": fault})
        with (self.found / "faults.jsonl").open("a") as file:
            file.write(f"{line}\n")
        kind = re.sub("[0-9]+", "0", fault[:60])
        self._kinds[kind] += 1
        if self._kinds[kind] <= KEPT:
            path = self.found / f"{worker.name.replace(' ', '-')}-{number}"
            path.write_bytes(drawn(worker.name, number))

    def summary(self):
        return {
            "inputs": self.inputs.total(),
            "faults": self.faults.total(),
            "workers_ended_by_an_input": self.deaths,
            "most_memory_gib": round(self.memory / 2**20, 2),
            "targets": {name: [inputs, self.faults[name]] for name, inputs in self.inputs.items()},
        }
