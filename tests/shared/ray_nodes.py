"""Real Ray clusters on this machine: each node is a raylet of its own, as `ray start` makes it."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from waiting import PATIENCE, wait_until

QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_enable_worker_prestart": "0",
    "RAY_prestart_worker_first_driver": "0",
    # A node whose raylet is killed is soon known to be gone; a busy one has as long as ever.
    "RAY_health_check_period_ms": "500",
    # Ray's 15 would stop workers for as long as anything else keeps the cores busy.
    "RAY_worker_niceness": "0",
}
"""The environment of every node and driver, besides the token."""
TOKEN = secrets.token_hex(16)
"""One for all clusters of this process: Ray reads it once."""
_PORTS = ("dashboard-agent-grpc", "runtime-env-agent", "metrics-export", "dashboard-agent-listen")
_MARK = "SEEDFOLIO_TEST_CLUSTER"
"""An environment variable by which the processes of a cluster are found."""
_FEW_HELPERS = ("--disable-usage-stats", "--include-log-monitor=false")
"""Each helper that Ray starts beside a raylet is a Python process that takes a second or more."""
_TRIES = 10
"""Ray gives up where a machine is too busy for its own limits."""


def started(process):
    """Return when a process began, in ticks of the clock; much later, if it has ended."""
    after_name = read(Path(f"/proc/{process}/stat")).rpartition(b")")[2].split()
    return int(after_name[19]) if after_name else sys.maxsize


class RayNodes:
    """A cluster whose nodes are started and killed one by one; `close` leaves no process."""

    def __init__(self):
        # A short path: those of Ray's sockets are limited.
        self.folder = Path(tempfile.mkdtemp(prefix="sf-ray-", dir="/tmp"))
        self.environ = {**os.environ, **QUIET, "RAY_AUTH_TOKEN": TOKEN, _MARK: self.folder.name}
        self.environ.pop("RAY_ADDRESS", None)
        # Workers use what the tests have compiled: numba keeps it beside the source.
        self.environ["NUMBA_CACHE_DIR"] = ""
        self.address = ""
        self._nodes = {}

    def start(self, name, cores=1, *more, **environ):
        for _ in range(_TRIES):
            if self._start(name, cores, *more, **environ):
                return
        said = (self.folder / f"{name}.out").read_text()
        raise AssertionError(f"node {name} does not start: {said}")

    def _start(self, name, cores, *more, **environ):
        ports = free_ports(len(_PORTS) + 1)
        words = ["start", "--block", f"--node-name={name}", f"--num-cpus={cores}", *more]
        # With ports given, a node does not wait for its helpers to find some.
        words += [f"--{what}-port={port}" for what, port in zip(_PORTS, ports, strict=False)]
        words += [*_FEW_HELPERS, "--object-store-memory=100000000"]
        if not self._nodes:
            self.address = f"127.0.0.1:{ports[-1]}"
            words += ["--head", f"--port={ports[-1]}", "--include-dashboard=false"]
            words += [f"--temp-dir={self.folder}", "--no-monitor"]
        else:
            words += [f"--address={self.address}"]
        with (self.folder / f"{name}.out").open("w") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "ray.scripts.scripts", *words],
                env={**self.environ, **environ},
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None:
            if "runtime started" in (self.folder / f"{name}.out").read_text():
                self._nodes[name] = process
                return True
            assert time.monotonic() < deadline, f"node {name} does not start"
            time.sleep(0.05)
        self._end_session(process)
        return False

    def raylet(self, name):
        # A child that is about to run another program looks like its parent for a moment.
        marks = f"--node-name={name}", "raylet/raylet"
        found = [each for each in self.own() if all(mark in command(each) for mark in marks)]
        return min((int(each.name) for each in found), key=started)

    def workers(self):
        marks = ("ray::IDLE", "ray::play_block")
        return [int(each.name) for each in self.own() if command(each).startswith(marks)]

    def own(self):
        """Return all processes of this cluster, and what they started."""
        mark = f"{_MARK}={self.folder.name}".encode()
        return [each for each in processes() if mark in read(each / "environ").split(b"\0")]

    def kill(self, name):
        os.kill(self.raylet(name), signal.SIGKILL)

    def keep_only(self, name):
        """End all other nodes, and wait until no worker is left."""
        for each in [each for each in self._nodes if each != name]:
            self._end_session(self._nodes.pop(each))
        wait_until(lambda: not self.workers(), "all workers have ended")

    def close(self):
        for process in self._nodes.values():
            self._end_session(process)
        for each in self.own():
            end(int(each.name))
        wait_until(lambda: not self.own(), "Ray has ended")
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    @staticmethod
    def _end_session(process):
        process.kill()
        process.wait()
        for each in processes():
            if session(each) == process.pid:
                end(int(each.name))


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def processes():
    return list(Path("/proc").glob("[0-9]*"))


def read(path):
    try:
        return path.read_bytes()
    except OSError:  # it has ended, or is somebody else's
        return b""


def command(process):
    return read(process / "cmdline").replace(b"\0", b" ").decode(errors="replace")


def session(process):
    after_name = read(process / "stat").rpartition(b")")[2].split()
    return int(after_name[3]) if after_name else 0


def end(process):
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
