"""What a cluster costs: games a second beside threads, the driver's memory, and its limit.

Run with `python -m benchmarks.ray`, with the extra `ray`; `python -m benchmarks` leaves it out. It
starts real raylets on this machine and ends them. `--part` measures one part alone.
"""

import argparse
import asyncio
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.noise import judge, median_interval
from seedfolio.arena import Block
from seedfolio.arena.ray.arena import RayArena
from seedfolio.arena.ray.blocks import Driver, Job
from seedfolio.arena.ray.cluster import Node, RayCluster
from seedfolio.arena.ray.package import ProgramParcel
from seedfolio.arena.ray.worker import Done, Order
from seedfolio.arena.threads import ThreadArena, available_cores
from seedfolio.programs.built_in import load_built_in
from seedfolio.study.session import Session
from seedfolio.study.store import Study

PROGRAM = "domineering:7x7", "uct:simulations=100"
FAST = "nim", "table"
ROUNDS, ROUND_SECONDS = 8, 16.0
"""Threads and nodes take turns, so that a busy machine is as busy for both."""
CELLS = 10_000_000
ALLOWED = 64
"""MiB by which the driver may grow: blocks on their way come to that, cells to much more."""
REQUIRED = 0.9
TOKEN = secrets.token_hex(16)
"""One for all clusters of this process: Ray reads it once."""
SIMULATED = (50, 100, 200, 1000)
CELLS_A_SECOND = 100
"""How fast a simulated core plays: its games only sleep."""


@contextmanager
def local_cluster(cores: list[int]) -> Iterator[str]:
    """Start a raylet for each number of cores on this machine; yield the address."""
    folder = tempfile.mkdtemp(prefix="bench-ray-")
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN}
    # Ray's niceness of 15 would compare priorities on a busy machine.
    os.environ.update({**token, "RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"})
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{found.getsockname()[1]}"
    processes = []
    try:
        for number, count in enumerate(cores):
            words = ["start", "--block", f"--num-cpus={count}", "--disable-usage-stats"]
            words += ["--object-store-memory=200000000"]
            if number == 0:
                words += ["--head", f"--port={address.rpartition(':')[2]}"]
                words += [f"--temp-dir={folder}", "--include-dashboard=false"]
            else:
                words += [f"--address={address}"]
            out = Path(folder) / f"node-{number}.out"
            with out.open("w") as file:
                processes.append(
                    subprocess.Popen(
                        [sys.executable, "-m", "ray.scripts.scripts", *words],
                        stdout=file,
                        stderr=file,
                    )
                )
            while "runtime started" not in out.read_text():
                if processes[-1].poll() is not None:
                    raise SystemExit(f"a node did not start: {out.read_text()[-500:]}")
                time.sleep(0.1)
        yield address
    finally:
        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
        for process in processes:
            process.wait()


def cells(number: int) -> tuple[Any, Any]:
    side = int(number**0.5) + 1
    rows, columns = np.divmod(np.arange(number, dtype=np.uint64), np.uint64(side))
    return rows, columns


def rate(arena: Any, program: Any, number: int) -> float:
    """Return the cells a second of one call, from its beginning to its end."""
    began = time.perf_counter()
    for _ in arena.play(program, *cells(number)):
        pass
    return number / (time.perf_counter() - began)


def efficiency() -> bool:
    """Compare nodes of one core each with as many threads, in turns."""
    cores = available_cores()
    program, threads = load_built_in(*PROGRAM), ThreadArena(cores)
    rate(threads, program, 200)  # compiles
    with local_cluster([1] * cores) as address, RayArena(address) as nodes:
        speed = rate(threads, program, int(2 * rate(threads, program, 1000)))
        number = int(speed * ROUND_SECONDS)
        rate(nodes, program, number // 4)  # all nodes compile
        print(f"\ngames of {1000 * cores / speed:.2f} ms on a core, {cores} nodes of one core each")
        ratios = []
        for _ in range(ROUNDS):
            pair = rate(threads, program, number), rate(nodes, program, number)
            ratios.append(pair[1] / pair[0])
            print(f"threads {pair[0]:8,.0f}/s   ray {pair[1]:8,.0f}/s   {ratios[-1]:.1%}")
    found = median_interval(ratios)
    verdict = judge(found, at_least=REQUIRED)
    print(f"efficiency (median of {ROUNDS}): {found.middle:.1%}, ", end="")
    print(f"95% interval {found.low:.1%} to {found.high:.1%}, required {REQUIRED:.0%}: {verdict}")
    return verdict != "missed"


def resident() -> int:
    """Return the memory of this process in MiB."""
    text = Path("/proc/self/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) // 1024


def memory() -> bool:
    """Play ten million cells into a study; the driver must not grow."""
    program = load_built_in(*FAST)
    side = int(CELLS**0.5) + 1
    seeds = np.arange(side, dtype=np.uint64)
    print(f"\n{CELLS:,} cells of {program.title}, into a study on disk")
    seen: list[int] = []

    class Watch:
        played = 0

        def begin(self, task: str, total: int) -> None: ...
        def end(self) -> None: ...
        def at_work(self, who: str) -> None: ...

        def advance(self, cells: int) -> None:
            self.played += cells
            if self.played >= next_mark[0]:
                seen.append(resident())
                print(f"{self.played:12,} cells  {seen[-1]:6,} MiB")
                next_mark[0] += CELLS // 10

    next_mark = [CELLS // 10]
    with (
        local_cluster([available_cores()]) as address,
        RayArena(address) as nodes,
        tempfile.TemporaryDirectory() as folder,
        Study.open(Path(folder) / "a.study", program.identity()) as study,
    ):
        began = time.perf_counter()
        Session(study, nodes, program, Watch()).results([(seeds, seeds)], "cells")
        print(f"{side * side / (time.perf_counter() - began):,.0f} cells/s")
    growth = max(seen) - seen[0]
    print(f"growth after the first millions: {growth} MiB, allowed {ALLOWED}")
    return growth <= ALLOWED


class Sleeper:
    """Simulates all cores of a cluster: what they play only sleeps."""

    def __init__(self, cores: int) -> None:
        self._cores = asyncio.Semaphore(cores)

    async def play(self, here: Any, order: Any, cells: tuple[Any, Any], *more: Any) -> Any:
        seconds = len(cells[0]) / CELLS_A_SECOND
        async with self._cores:
            await asyncio.sleep(seconds)
        return "node", Done((Block(*cells, np.zeros(len(cells[0]), np.uint8)),), seconds)


class SimulatedNode(RayCluster):
    """A cluster with one large node."""

    def __init__(self, cores: int) -> None:
        import ray

        kind = ray.remote(Sleeper).options(num_cpus=0, max_concurrency=20_000)
        self._cores, self._sleeper = cores, kind.remote(cores)

    def nodes(self) -> list[Node]:
        return [Node("node", "simulated", self._cores)]

    def submit(self, arguments: tuple[Any, ...], **options: Any) -> Any:
        return self._sleeper.play.remote(*arguments)


def simulation() -> bool:
    """Let more and more simulated cores sleep: how busy is the driver?"""
    parcel = ProgramParcel.of(load_built_in(*FAST))
    print("\nsimulated cores, whose games only sleep")
    print("  cores   blocks/s   seconds a block   of ideal   driver busy")
    with local_cluster([1]) as address, RayArena(address):
        for count in SIMULATED:
            driver = Driver(SimulatedNode(count))
            number = int(count * CELLS_A_SECOND * 12 * max(1, count / 200))
            seen = []
            for done in driver.play(Job(Order(parcel, "")), *cells(number)):
                (block,) = done.blocks
                seen.append((len(block.rows), time.perf_counter(), time.process_time()))
            # Without the beginning, where blocks grow, and the end, where they shrink.
            sums = np.cumsum([each[0] for each in seen])
            middle = [e for e, at in zip(seen, sums, strict=True) if 0.3 < at / number < 0.7]
            played, wall, cpu = (np.array(each) for each in zip(*middle, strict=True))
            seconds, busy = wall[-1] - wall[0], cpu[-1] - cpu[0]
            ideal = played[1:].sum() / CELLS_A_SECOND / count / seconds
            length = played.mean() / CELLS_A_SECOND
            shown = f"{len(middle) / seconds:10,.0f} {length:17.1f} {ideal:10.0%}"
            print(f"{count:7,} {shown} {busy / seconds:13.0%}")
    return True


PARTS = {"efficiency": efficiency, "memory": memory, "simulation": simulation}


def main() -> bool:
    """Measure all parts; tell whether what is required is met."""
    if find_spec("ray") is None:
        print("benchmarks.ray measures nothing here: Ray is not installed (pip install ray)")
        return True
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=PARTS)
    asked = parser.parse_args().part
    met = [part() for name, part in PARTS.items() if asked in (None, name)]
    return all(met)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
