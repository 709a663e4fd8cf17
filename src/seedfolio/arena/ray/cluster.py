"""Reaching a Ray cluster: connecting, its nodes, and tasks that run on them.

Whatever is wrong is one sentence within half a minute. Ray itself may wait for minutes, print pages
or end the process, so another process tries the connection first.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

from seedfolio.arena.ray.worker import make_task
from seedfolio.core.isolated import isolated
from seedfolio.errors import ClusterError

_SECONDS = 26.0
"""How long all of it may take: a cluster answers, lets us in, and a node of it answers."""
_REACH_SECONDS, _FIND_SECONDS = 4.0, 8.0
"""How long one machine has to answer, and all that its name may mean, the name itself included."""
_INIT: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
_TRY = """
import json, os, sys
try:
    import ray
    ray.init(address=sys.argv[1], logging_level="ERROR", log_to_driver=False)
    said = ""
except BaseException as error:
    chain = [error]
    while chain[-1].__cause__ is not None:
        chain.append(chain[-1].__cause__)
    said = "\\n".join(f"{type(each).__name__}: {each}" for each in chain)
print("\\n" + json.dumps(said), flush=True)
os._exit(0)  # nothing that Ray prints comes after that
"""
_START = "start one with: ray start --head"
_NODE = "ray.io/node-id"
"""The label that Ray gives each node."""
_FOR_GPUS = {"env_vars": {"SEEDFOLIO_GPU": "1"}}


@dataclass(frozen=True)
class Node:
    """A node that may play."""

    id: str
    name: str
    cores: int
    gpus: int = 0
    memory: float = float("inf")
    """In bytes, as Ray counts it."""

    def at_once(self, memory: int) -> int:
        """Return how many games with this need of memory Ray plays at once on its cores."""
        return self.cores if memory == 0 else min(self.cores, int(self.memory / memory))


class RayCluster:
    """A connection to a cluster."""

    def __init__(self, address: str | None = None) -> None:
        self.deadline = time.monotonic() + _SECONDS
        """When a user should know what is wrong, on the clock of `time.monotonic`."""
        if find_spec("ray") is None:  # much faster than an import
            raise ClusterError(
                "the arena ray needs the extra ray of Seedfolio: pip install 'seedfolio[ray]'"
            )
        # Ray looks at these when it is loaded, so that is later.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".*")  # no pages among our lines
        _use_token()
        self._own = not ("ray" in sys.modules and sys.modules["ray"].is_initialized())
        if self._own:
            self._connect(address, self.deadline)
        import ray

        self._task = ray.remote(make_task())

    @staticmethod
    def _connect(address: str | None, deadline: float) -> None:
        found = address or os.environ.get("RAY_ADDRESS") or "auto"
        if found != "auto":
            _reach(found)
        _try(found, deadline - time.monotonic())
        import ray

        with suppress(ImportError, AttributeError):  # somebody may have loaded it before the token
            import_module("ray._raylet").Config.initialize("")
        with _signals_kept():
            try:
                ray.init(address=found, job_config=_job(), **_INIT)
            except Exception as error:
                raise ClusterError(
                    _in_one_line(found, f"{type(error).__name__}: {error}")
                ) from None

    @property
    def authenticated(self) -> bool:
        """Whether this process shows the cluster a token."""
        return os.environ.get("RAY_AUTH_MODE", "").lower() == "token"

    def nodes(self) -> list[Node]:
        """Return the nodes that are alive and have cores; ClusterError if the head is gone.

        Ray would wait for the head, maybe for ever.
        """
        import ray

        _reach(ray.get_runtime_context().gcs_address)
        return [_node(each) for each in ray.nodes() if each["Alive"] and _cores(each) >= 1]

    def submit(
        self,
        arguments: tuple[Any, ...],
        *,
        only: str | None = None,
        without: Iterable[str] = (),
        memory: int = 0,
        gpu: bool = False,
    ) -> Any:
        """Let Ray run the task of `worker`; return the reference for its answer.

        It takes a core, a GPU, or nothing on the node `only`; it runs on none of `without`. Ray
        runs it again, up to twice, if its worker or node is lost.
        """
        options: dict[str, Any] = {"num_cpus": 1, "memory": memory, "max_retries": 2}
        if without:
            options["label_selector"] = {_NODE: f"!in({','.join(without)})"}
        if only is not None:
            options |= {"num_cpus": 0, "label_selector": {_NODE: only}}
        if gpu:
            # With workers of their own, few processes take memory of the GPU.
            options |= {"num_cpus": 0, "num_gpus": 1, "runtime_env": _FOR_GPUS}
        return self._task.options(**options).remote(*arguments)

    def close(self) -> None:
        """Leave the cluster."""
        import ray

        if self._own:
            with _signals_kept():
                ray.shutdown()


def _job() -> Any:
    """Return a job whose workers import nothing from our current folder, as Ray's own would."""
    from ray.job_config import JobConfig

    class Apart(JobConfig):  # type: ignore[misc]  # Ray may not be installed
        def _runtime_env_has_working_dir(self) -> bool:
            return True  # Ray adds the folder where this is False, and asks nowhere else

    return Apart()


def _node(found: dict[str, Any]) -> Node:
    resources = found["Resources"]
    name = found.get("NodeName") or ""
    if not name or name == found["NodeManagerAddress"]:
        # Several nodes may be on one machine.
        name = f"{found['NodeManagerHostname']} ({found['NodeID'][:6]})"
    return Node(
        id=found["NodeID"],
        name=f"node {name}",
        cores=_cores(found),
        gpus=int(resources.get("GPU", 0)),
        memory=float(resources.get("memory", "inf")),
    )


def _cores(found: dict[str, Any]) -> int:
    return int(found["Resources"].get("CPU", 0))


def _use_token() -> None:
    """Show the user's token, if there is one; Ray does so only for clusters on this machine."""
    named = ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")
    default = os.path.expanduser("~/.ray/auth_token")  # noqa: PTH111 - without a home it stays
    if "RAY_AUTH_MODE" not in os.environ and (
        any(name in os.environ for name in named) or os.path.isfile(default)  # noqa: PTH113
    ):
        os.environ["RAY_AUTH_MODE"] = "token"


def _reach(address: str) -> None:
    """Raise ClusterError if nothing listens at an address."""
    host, _, port = address.rpartition(":")
    if address.startswith("ray://"):
        raise ClusterError(
            f"{address}: Ray's client is not supported; run this on a node of the cluster, with "
            "`address` HOST:6379"
        )
    if not host or not port.isdecimal():
        raise ClusterError(f"`address` must be HOST:PORT, such as 10.0.0.1:6379, not {address!r}")
    answer: Future[None] = Future()
    knock = threading.Thread(target=_knock, args=(host.strip("[]"), int(port), answer), daemon=True)
    knock.start()  # nothing else can limit how long a name takes
    try:
        answer.result(_FIND_SECONDS)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "timed out"
        raise ClusterError(f"no Ray cluster answers at {address} ({reason}); {_START}") from None


def _knock(host: str, port: int, answer: Future[None]) -> None:
    """Say whether something listens there."""
    try:
        socket.create_connection((host, port), timeout=_REACH_SECONDS).close()
    except Exception as error:
        answer.set_exception(error)
    else:
        answer.set_result(None)


def _try(address: str, seconds: float) -> None:
    """Raise ClusterError if another process cannot connect."""
    try:
        tried = subprocess.run(
            isolated(_TRY, address),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"RAY_NUM_REDIS_GET_RETRIES": "5", **os.environ},  # as it does not help to insist
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ClusterError(
            f"no Ray cluster answers at {address} within {seconds:.0f} s; {_START}"
        ) from None
    lines = tried.stdout.decode(errors="replace").splitlines()
    problem = f"Ray ended with code {tried.returncode}"
    if tried.returncode == 0 and lines:
        problem = json.loads(lines[-1])
    if problem:
        raise ClusterError(_in_one_line(address, problem))


def _in_one_line(address: str, said: str) -> str:
    """Return the sentence for what Ray said on connecting."""
    where = "on this machine" if address == "auto" else f"at {address}"
    if "AuthenticationError" in said or "InvalidAuthToken" in said or "Unauthenticated" in said:
        return (
            f"the Ray cluster {where} refuses our token: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN"
            " as on its nodes"
        )
    if "Version mismatch" in said:
        lines = " ".join(said.split()).partition("The cluster was started with: ")[2]
        theirs, _, ours = lines.partition(" This process on ")
        _, _, ours = ours.partition(" was started with: ")
        return (
            f"the Ray cluster {where} has {_versions(theirs)}, and this process has "
            f"{_versions(ours)}; install the same versions"
        )
    if address == "auto" and "find" in said and "running" in said:
        return f"no Ray cluster runs on this machine; {_START}, or give `address`"
    return f"cannot connect to the Ray cluster {where}: {' '.join(said.split())[:300]}"


def _versions(text: str) -> str:
    words = text.split()
    found = dict(pairwise(words))
    return f"Ray {found.get('Ray:', '?')} and Python {found.get('Python:', '?')}"


@contextmanager
def _signals_kept() -> Iterator[None]:
    """Keep our answer to SIGTERM, which Ray replaces."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        with suppress(TypeError):  # it was set by other than Python code
            signal.signal(signal.SIGTERM, ours)
