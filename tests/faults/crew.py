"""The faults of all scenarios, divided among workers, each a fork that has compiled everything."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from faulty import FAULTS, Scenario

MEMORY = [*range(0, 4096, 256), *range(4096, 65_536, 4096), *range(65_536, 400_000, 65_536)]
"""KiB beyond what the process has when its command begins."""
Task = tuple[str, str, int, int]
"""The scenario, what happens, at which write or with how many KiB, and how many more kills."""
_scenarios: dict[str, Scenario] = {}
"""Those of this process, before it forks."""


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
    scenarios: dict[str, Scenario], tasks: list[Task], workers: int, until: float
) -> Iterator[dict[str, dict]]:
    """Let workers do the tasks; yield what was done and went wrong so far, by scenario."""
    _scenarios.update(scenarios)
    found = {
        name: {"writes": each.writes, "cells": each.cells, **dict.fromkeys(FAULTS, 0)}
        for name, each in scenarios.items()
    }
    for each in found.values():
        each["problems"] = []
    with ProcessPoolExecutor(workers, get_context("fork")) as pool:
        for future in as_completed([pool.submit(_try, task, until) for task in tasks]):
            name, done, problems = future.result()  # raises where a worker ended before its tasks
            for what, number in done.items():
                found[name][what] += number
            found[name]["problems"] += problems
            yield found


def _try(task: Task, until: float) -> tuple[str, dict[str, int], list[str]]:
    """Do a task, in a worker; return what was done and went wrong."""
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
