"""Fuzz everything that reads what others wrote: python tests/fuzz --minutes 60

Each input is drawn from its target and number. What goes wrong is written to tests/fuzz/found, and
belongs into tests/fuzz/corpus once it is corrected, where every run of the tests tries it.
"""

import argparse
import faulthandler
import resource
import sys
import time
from pathlib import Path

from campaign import Tally, try_inputs
from targets import MOST_SECONDS, TARGETS

FOUND = Path(__file__).parent / "found"
MOST_KIB = 2 * 2**20
_TURN = 5.0
"""Seconds that a target has before the next one's turn."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--inputs", type=int, default=10**6, help="end after this many inputs")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--target", action="append", choices=sorted(TARGETS))
    asked = parser.parse_args()
    names = asked.target or sorted(TARGETS)
    tallies = {name: Tally() for name in names}
    end = time.monotonic() + 60 * asked.minutes

    def total() -> int:
        return sum(each.inputs for each in tallies.values())

    while time.monotonic() < end and total() < asked.inputs:
        for name in names:
            tally = tallies[name]

            def keep(number: int, content: bytes, name: str = name) -> None:
                FOUND.mkdir(exist_ok=True)
                (FOUND / f"{name.replace(' ', '-')}-{number}").write_bytes(content)

            first = asked.first + tally.inputs
            numbers = range(first, first + asked.inputs - total())
            faulthandler.dump_traceback_later(_TURN + 20 * MOST_SECONDS, exit=True)
            now = try_inputs(name, numbers, min(end, time.monotonic() + _TURN), keep)
            tally.inputs += now.inputs
            tally.seconds += now.seconds
            tally.slowest = max(tally.slowest, now.slowest)
            tally.faults += now.faults
            for fault in now.faults:
                print(fault, flush=True)
    faulthandler.cancel_dump_traceback_later()
    return report(tallies)


def report(tallies: dict[str, Tally]) -> int:
    for name, tally in tallies.items():
        print(
            f"{name:<12} {tally.inputs:>9,} inputs, slowest {tally.slowest:.2f} s, "
            f"{len(tally.faults)} faults"
        )
    inputs = sum(each.inputs for each in tallies.values())
    faults = sum(len(each.faults) for each in tallies.values())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(f"{inputs:,} inputs, {faults} faults, at most {memory / 2**20:.2f} GiB of memory")
    return 1 if faults or memory > MOST_KIB else 0


if __name__ == "__main__":
    sys.exit(main())
