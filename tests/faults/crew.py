"""The faults of all scenarios, divided among workers, each a fork that has compiled everything."""

import json
import os
import random
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from faulty import Scenario

MEMORY = [*range(0, 4096, 256), *range(4096, 65_536, 4096), *range(65_536, 400_000, 65_536)]
"""KiB beyond what the process has when its command begins."""
Task = tuple[str, str, int, int]
"""The scenario, what happens, at which write or with how many KiB, and how many more kills."""


def tasks_of(scenarios: dict[str, Scenario], kills: int, step: int) -> list[Task]:
    """Return what is tried: all writes in turn, every STEP-th; then kills until there are many."""
    tasks: list[Task] = []
    for name, scenario in scenarios.items():
        numbers = range(1, scenario.writes + 1, step)
        # Some of the later kills come too late: the command has ended.
        more = 2 * kills // (len(scenarios) * len(numbers))
        tasks += [(name, "full", number, 0) for number in numbers]
        tasks += [(name, "kill", number, max(1, min(9, more))) for number in numbers]
        tasks += [(name, "starve", kib, 0) for kib in MEMORY[::step]]
    random.Random("order").shuffle(tasks)
    return tasks


def divided(
    scenarios: dict[str, Scenario],
    tasks: list[Task],
    workers: int,
    until: float,
    folder: Path,
) -> Iterator[dict[str, dict]]:
    """Let workers do the tasks; yield now and then what was done and went wrong, by scenario."""
    paths = [folder / f"{worker}.json" for worker in range(workers)]
    children = {
        _fork(scenarios, tasks[worker::workers], until, path) for worker, path in enumerate(paths)
    }
    while children:
        for _ in range(100):
            ended, status = os.waitpid(-1, os.WNOHANG) if children else (0, 0)
            children.discard(ended)
            if ended and os.waitstatus_to_exitcode(status) != 0:
                raise RuntimeError("a worker ended before its tasks")
            if not children:
                break
            time.sleep(0.1)
        yield _together(scenarios, paths)


def _together(scenarios: dict[str, Scenario], paths: list[Path]) -> dict[str, dict]:
    found: dict[str, dict] = {}
    for name, scenario in scenarios.items():
        found[name] = {"writes": scenario.writes, "cells": scenario.cells, **scenario.done}
        found[name]["problems"] = []
    for path in filter(Path.exists, paths):
        for name, (done, problems) in json.loads(path.read_text()).items():
            for what, number in done.items():
                found[name][what] += number
            found[name]["problems"] += problems
    return found


def _fork(scenarios: dict[str, Scenario], tasks: list[Task], until: float, path: Path) -> int:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _work(scenarios, tasks, until, path)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    return child


def _work(scenarios: dict[str, Scenario], tasks: list[Task], until: float, path: Path) -> None:
    for name, what, number, more in tasks:
        scenario = scenarios[name]
        if time.monotonic() > until:
            scenario.done["left"] += 1
        else:
            _try(scenario, what, number, more)
        said = {each.name: (each.done, each.problems) for each in scenarios.values()}
        new = path.with_suffix(".new")
        new.write_text(json.dumps(said))
        new.replace(path)


def _try(scenario: Scenario, what: str, number: int, more: int) -> None:
    try:
        if what == "full":
            scenario.fill_at(number)
        elif what == "kill":
            scenario.kill_at(number, more)
        else:
            scenario.starve_at(number)
    except Exception as error:
        scenario.problems.append(f"{scenario.name}: {what} {number}: {error!r}")
