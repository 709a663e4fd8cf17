"""Kill commands at each of their writes, and fill their disk there: python tests/faults

After each the same command runs again, and must end as if nothing had happened. --kills N: until
there have been N of them in all. Without LD_PRELOAD this builds its library and starts itself.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from forked import FULL, KILL, compiler, forked, started_with_faults

_WARNING = "warning: compiled code is not kept"


class Faults:
    """The faults of one scenario."""

    def __init__(self, name: str, folder: Path) -> None:
        from scenarios import SCENARIOS, files_of, prepare

        self.name, self.words, self.home = name, SCENARIOS[name], folder / name
        self.files_of, self.prepare = files_of, prepare
        self.problems: list[str] = []
        self.kills = self.full = 0
        self._warm()
        straight = self._folder("straight")
        ended = forked(self.words, straight)
        assert ended.code == 0, ended
        self.expected, self.table = files_of(straight), ended.out
        self.writes = ended.writes

    def _warm(self) -> None:
        """Compile here what forks need: run the command in this very process."""
        import io
        from contextlib import redirect_stderr, redirect_stdout

        from seedfolio.cli import run

        folder, before = self._folder("warm"), Path.cwd()
        os.chdir(folder)
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                code = run(list(self.words))
        finally:
            os.chdir(before)
        assert code == 0, self.name

    def _folder(self, name: str) -> Path:
        folder = self.home / name
        shutil.rmtree(folder, ignore_errors=True)
        self.prepare(self.name, folder)
        return folder

    def kill_at(self, number: int) -> None:
        """Kill the command at a write, then once more at another, and let it end."""
        folder = self._folder("broken")
        for each in (number, 1 + number // 2):
            ended = forked(self.words, folder, each, KILL)
            if ended.code not in (-9, 0):
                self.problems.append(f"{self.name}: killed at write {each}: {ended}")
            self.kills += ended.code == -9
        self._end(folder, f"killed at write {number}")

    def fill_at(self, number: int) -> None:
        """Fill the disk at a write; then there is space again."""
        folder = self._folder("full")
        ended = forked(self.words, folder, number, FULL)
        self.full += 1
        lines = [line for line in ended.err.splitlines() if not line.startswith(_WARNING)]
        refused = ended.code == 2 and len(lines) == 1 and lines[0].startswith("error: ")
        if not refused and (ended.code != 0 or lines):
            self.problems.append(f"{self.name}: full at write {number}: {ended}")
        self._end(folder, f"full at write {number}")

    def _end(self, folder: Path, what: str) -> None:
        ended = forked(self.words, folder)
        if ended.code != 0 or ended.out != self.table:
            self.problems.append(f"{self.name}: after {what}: {ended}")
        elif (found := self.files_of(folder)) != self.expected:
            names = found.keys() | self.expected.keys()
            other = [each for each in names if found.get(each) != self.expected.get(each)]
            self.problems.append(f"{self.name}: after {what}: other files {sorted(other)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=0, help="as many in all; 0: a few of each")
    parser.add_argument("--step", type=int, default=1, help="every STEP-th write only")
    parser.add_argument("--scenario", action="append")
    asked = parser.parse_args()
    if "SEEDFOLIO_FAULTS" not in os.environ:
        if compiler() is None:
            print("a C compiler is needed: apt-get install gcc")
            return 2
        with tempfile.TemporaryDirectory() as folder:
            done = started_with_faults([str(Path(__file__).parent), *sys.argv[1:]], Path(folder))
        print(done.stdout, done.stderr, sep="", end="")
        return done.returncode
    with tempfile.TemporaryDirectory() as folder:
        return run_all(asked, Path(folder))


def run_all(asked: argparse.Namespace, folder: Path) -> int:
    names = asked.scenario or ["matrix", "book", "compare", "reproduce", "engine"]
    began = time.monotonic()
    problems: list[str] = []
    kills = full = 0
    for place, name in enumerate(names):
        faults = Faults(name, folder)
        wanted = asked.kills * (place + 1) // len(names)
        for number in range(1, faults.writes + 1, asked.step):
            faults.fill_at(number)
            faults.kill_at(number)
        number = 0
        while kills + faults.kills < wanted:
            number = number % faults.writes + 1
            faults.kill_at(number)
        kills, full = kills + faults.kills, full + faults.full
        problems += faults.problems
        print(
            f"{name:<10} {faults.writes:>4} writes, {faults.kills:>4} kills, {faults.full:>4} full "
            f"disks, {len(faults.problems)} problems",
            flush=True,
        )
    for problem in problems[:20]:
        print(problem[:2000])
    minutes = (time.monotonic() - began) / 60
    print(f"{kills:,} kills, {full:,} full disks, {len(problems)} problems, {minutes:.1f} minutes")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
