"""Fuzz everything that reads what others wrote: python tests/fuzz --minutes 60

Each input is drawn from its target and number. What goes wrong is written to tests/fuzz/found, and
belongs into tests/fuzz/corpus once it is corrected, where every run of the tests tries it.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

os.environ["XDG_STATE_HOME"] = tempfile.mkdtemp(prefix="seedfolio-state-")
# Threads of a library do not survive a fork.
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

from targets import TARGETS
from workers import MOST_KIB, Campaign

FOUND = Path(__file__).parent / "found"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0, help="end after this time")
    parser.add_argument("--inputs", type=int, default=1_200_000, help="how many, of all targets")
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--target", action="append", choices=sorted(TARGETS))
    asked = parser.parse_args()
    names = asked.target or list(TARGETS)
    began = time.monotonic()
    for name in names:
        TARGETS[name].warm()
    whole = sum(TARGETS[name].share for name in names)
    wanted = {name: round(asked.inputs * TARGETS[name].share / whole) for name in names}
    print(f"compiled in {time.monotonic() - began:.0f} seconds", flush=True)
    campaign = Campaign(wanted, asked.workers, asked.first, FOUND)
    campaign.run(began + 60 * asked.minutes)
    found = campaign.summary() | {"seconds": round(time.monotonic() - began)}
    shutil.rmtree(os.environ["XDG_STATE_HOME"], ignore_errors=True)
    print(json.dumps(found, indent=2))
    tried_all = found["inputs"] == sum(wanted.values())
    if not tried_all:
        print(f"not all inputs were tried in {asked.minutes:g} minutes")
    too_much = found["most_memory_gib"] * 2**20 > MOST_KIB
    return 1 if found["faults"] or too_much or not tried_all else 0


if __name__ == "__main__":
    sys.exit(main())
