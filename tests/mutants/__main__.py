"""Put small errors into copies of the tree, one at a time, and see whether tests find them:

python tests/mutants --all --jobs 4

The errors are in mutants.txt, each with the tests near it; tests that fail without an error are
left out and named. Each error meets the tests that `make test` runs, and if they pass, those that
`make test-all` adds. An error that hangs is ended and counts as found. The exit code is 1 if
`make test` finds less than 90% or `make test-all` less than 95%, and 2 if nothing can be said.
"""

import argparse
import os
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from mutated import LONGEST, ROOT, Mutant, Tree, load_mutants

FAST, SLOW = "not slow and not long", "slow and not long"
BY = {FAST: "make test", SLOW: "make test-all"}
LEAST = {FAST: 0.90, SLOW: 0.95}
Unit = tuple[str, str]
"""A file or folder of tests, and an expression for -k."""


@dataclass
class Campaign:
    mutants: list[Mutant]
    tree: Tree
    pool: ThreadPoolExecutor
    found: dict[str, str] = field(default_factory=dict)
    """By name: the selection of tests that has found it."""
    hung: list[str] = field(default_factory=list)
    failing: list[str] = field(default_factory=list)
    """Tests that fail without an error."""
    seconds: dict[tuple[Unit, str], float] = field(default_factory=dict)
    """What tests of a selection take without an error; missing: there are none."""

    def try_all(self, selection):
        left = [each for each in self.mutants if each.name not in self.found]
        self._measure(sorted({u for each in left for u in self._units(each)}), selection)
        tried = {}
        for each in left:
            if units := [u for u in self._units(each) if (u, selection) in self.seconds]:
                tried[self.pool.submit(self._tried, each, units, selection)] = each
        for done in as_completed(tried):
            self._note(tried[done], selection, done.result())

    def _units(self, mutant):
        return [(path, mutant.only) for path in mutant.paths if (self.tree.path / path).exists()]

    def _words(self, units, selection):
        only = units[0][1]
        chosen = ["-m", selection, *(("-k", only) if only else ())]
        return [*(p for p, _ in units), *chosen, *(f"--deselect={each}" for each in self.failing)]

    def _measure(self, units, selection):
        new = [unit for unit in units if (unit, selection) not in self.seconds]
        words = [self._words([unit], selection) for unit in new]
        for unit, verdict in zip(new, self.pool.map(self.tree.run, words), strict=True):
            if not verdict.empty:
                self.seconds[unit, selection] = verdict.seconds
            if not verdict.passed:
                self.failing += verdict.failed or [unit[0]]
                print(f"fails without an error: {' '.join(verdict.failed or unit)}", flush=True)

    def _tried(self, mutant, units, selection):
        tree = self.tree.mutated(mutant)
        try:
            most = 120 + 10 * sum(self.seconds[unit, selection] for unit in units)
            return tree.run(["-x", *self._words(units, selection)], min(most, LONGEST))
        finally:
            tree.remove()

    def _note(self, mutant, selection, verdict):
        how = "not found yet by" if verdict.passed else "found by"
        if not verdict.passed:
            self.found[mutant.name] = selection
        if verdict.hung:
            self.hung.append(mutant.name)
        where = "hangs" if verdict.hung else " ".join(verdict.failed[:1])
        said = f"{verdict.seconds:5.0f} s  {mutant.name}: {how} {BY[selection]}  {where}"
        print(said.rstrip(), flush=True)

    def report(self):
        count, enough = 0, True
        for selection in (FAST, SLOW):
            count += sum(each == selection for each in self.found.values())
            share = count / len(self.mutants)
            enough &= share >= LEAST[selection]
            print(f"{BY[selection]} finds {count} of {len(self.mutants)}: {100 * share:.1f}%")
        missed = [each.name for each in self.mutants if each.name not in self.found]
        for what, names in (
            ("hung", self.hung),
            ("not found by their own tests", missed),
            ("left out, as they fail without an error", self.failing),
        ):
            if names:
                print(f"{what}: {', '.join(names)}")
        return 0 if enough else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="an error of mutants.txt")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once")
    asked = parser.parse_args()
    known = load_mutants()
    if unknown := [name for name in asked.names if name not in known]:
        parser.error(f"there is no {', '.join(unknown)} in mutants.txt")
    if not asked.names and not asked.all:
        print("\n".join(f"{each.name}  {each.file}" for each in known.values()))
        return 0
    mutants = [each for each in known.values() if asked.all or each.name in asked.names]
    if problems := [problem for each in mutants if (problem := each.problem(ROOT))]:
        print("\n".join(problems))
        return 2
    for line in (line for each in mutants for line in each.missing(ROOT)):
        print(line, flush=True)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutants-", ignore_cleanup_errors=True) as folder:
        tree = Tree.copied(ROOT, Path(folder) / "unchanged")
        if not tree.is_imported():
            print("Python does not import the package of the copy")
            return 2
        with ThreadPoolExecutor(asked.jobs) as pool:
            campaign = Campaign(mutants, tree, pool)
            for selection in (FAST, SLOW):
                campaign.try_all(selection)
    code = campaign.report()
    print(f"{(time.monotonic() - began) / 60:.1f} minutes")
    return code


if __name__ == "__main__":
    sys.exit(main())
