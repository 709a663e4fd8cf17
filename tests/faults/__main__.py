"""Kill commands at each of their writes, fill the disk there, and leave them little memory:

python tests/faults --kills 1000

After each the same command runs again, and must end as if nothing had happened. --kills N: until
there have been N of them in all. Without LD_PRELOAD this builds its library and starts itself.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from forked import BUILT, LOADED, compiler, started_with_faults

WHATS = ("kill", "full", "starve")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=0, help="at least as many; 0: one a write")
    parser.add_argument("--step", type=int, default=1, help="every STEP-th write only")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin nothing after this")
    parser.add_argument("--scenario", action="append")
    parser.add_argument("--what", action="append", choices=WHATS, help="only these faults")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if LOADED in os.environ:
            return run_all(asked, Path(folder))
        if compiler() is None and BUILT not in os.environ:
            print("a C compiler is needed: apt-get install gcc")
            return 2
        words = [str(Path(__file__).parent), *sys.argv[1:]]
        return started_with_faults(words, Path(folder), shown=True).returncode


def run_all(asked, folder):
    from faulty import Scenario, divided, tasks_of
    from scenarios import SCENARIOS

    began = time.monotonic()
    names = asked.scenario or list(SCENARIOS)
    scenarios = {name: Scenario(name, folder) for name in names}
    tasks = tasks_of(scenarios, asked.kills, asked.step)
    tasks = [task for task in tasks if asked.what is None or task[1] in asked.what]
    ready = time.monotonic() - began
    print(f"{len(tasks)} tasks; ready in {ready:.0f} seconds", flush=True)
    until = began + 60 * asked.minutes
    found = divided(scenarios, tasks, asked.workers, until)
    return report(found, asked, (time.monotonic() - began) / 60)


def report(found, asked, minutes):
    from faulty import FAULTS

    for name, each in found.items():
        print(
            f"{name:<10} {each['writes']:>4} writes, {each['kills']:>4} kills, {each['full']:>4} "
            f"full disks, {each['starved']:>4} with little memory ({each['aborted']} ended by "
            f"LLVM), {len(each['problems'])} problems"
        )
        for problem in each["problems"][:10]:
            print(f"  {problem[:1500]}")
    whole = {what: sum(each[what] for each in found.values()) for what in FAULTS}
    problems = sum(len(each["problems"]) for each in found.values())
    print(
        f"{whole['kills']:,} kills, {whole['full']:,} full disks, {whole['starved']:,} with little "
        f"memory, {problems} problems, {minutes:.1f} minutes"
    )
    if whole["left"]:
        print(f"{whole['left']} tasks were not begun in {asked.minutes:g} minutes")
    return 1 if problems or whole["left"] or whole["kills"] < asked.kills else 0


if __name__ == "__main__":
    sys.exit(main())
