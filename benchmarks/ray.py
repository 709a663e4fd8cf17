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
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.noise import judge, median_interval
from seedfolio.arena.ray.arena import RayArena
from seedfolio.arena.ray.cluster import Node
from seedfolio.arena.ray.driver import Crew, Job
from seedfolio.arena.ray.handshake import versions
from seedfolio.arena.ray.package import ProgramParcel
from seedfolio.arena.ray.players import Done, Order
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
SIMULATED = (10, 100, 300, 1000)
SLEEPERS = 2
"""Actors that simulate all nodes: their games only sleep."""


@contextmanager
def local_cluster(cores: list[int]) -> Iterator[str]:
    """Start a raylet for each number of cores on this machine; yield the address."""
    folder = tempfile.mkdtemp(prefix="bench-ray-")
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": TOKEN}
    os.environ.update({**token, "RAY_USAGE_STATS_ENABLED": "0"})
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
        while len([each for each in nodes.crew.members if each.knows]) < cores:
            rate(nodes, program, 500)
        speed = rate(threads, program, int(2 * rate(threads, program, 1000)))
        number = int(speed * ROUND_SECONDS)
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
    """Simulates many nodes: what it plays only sleeps."""

    def __init__(self) -> None:
        self._nodes: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def hello(self) -> dict[str, str]:
        return versions()

    async def prepare(self, parcel: Any) -> str:
        return "sample"

    async def play(self, number: int, order: Order, cells: tuple[Any, Any], node: str) -> Done:
        seconds = len(cells[0]) * order.repeats / 1000
        async with self._nodes[node]:  # a node plays one block after the other
            await asyncio.sleep(seconds)
        return Done(np.zeros(len(cells[0]), np.uint8), seconds)

    async def drop(self, last: int) -> None: ...


class SimulatedNodes:
    """Nodes that share a few actors."""

    def __init__(self, count: int, actors: list[Any]) -> None:
        self._all = [Node(str(number), f"simulated {number}", 2) for number in range(count)]
        self._actors = actors

    def nodes(self) -> list[Node]:
        return self._all

    def start(self, node: Node, gpu: bool, cores: int) -> Any:
        return self._actors[int(node.id) % len(self._actors)]


def simulation() -> bool:
    """Let more and more simulated nodes sleep, until the driver is busy all the time."""
    import ray

    program = load_built_in(*FAST)
    parcel = ProgramParcel.of(program)
    print("\nsimulated nodes, whose games only sleep: each is done with a block every 2 s")
    print("  nodes   blocks/s   of ideal   driver busy")
    with local_cluster([SLEEPERS]) as address, RayArena(address):
        actors = [
            ray.remote(Sleeper).options(num_cpus=0, max_concurrency=20_000).remote()
            for _ in range(SLEEPERS)
        ]
        for count in SIMULATED:
            crew = Crew(SimulatedNodes(count, actors))
            # A cell sleeps for 20 ms: 100 of them are two seconds.
            order = Order(parcel.key, repeats=20)
            job = Job(parcel, order, "sample", more=lambda member: (member.node.id,))
            number = count * 100 * 8
            seen, done = [], 0
            for piece, _ in crew.play(job, *cells(number)):
                done += len(piece)
                seen.append((done, time.perf_counter(), time.process_time()))
            # Without the beginning, where blocks grow, and the end, where they shrink.
            middle = [each for each in seen if 0.3 * number < each[0] < 0.8 * number]
            (before, wall, cpu), (after, *ended) = middle[0], middle[-1]
            seconds, busy = ended[0] - wall, ended[1] - cpu
            blocks, ideal = (after - before) / 100 / seconds, count / 2
            shown = f"{blocks:10,.0f} {blocks / ideal:10.0%} {busy / seconds:12.0%}"
            print(f"{count:7,} {shown}")
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
