"""Copies of the tree with one small error each, and what tests say of them."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src", "seedfolio")
LONGEST = 3600.0
_FOLDERS = (".ci", "benchmarks", "docs", "experiments", "src", "tests", "website")
_FAILS, _NO_TESTS = (3, 4), 5
"""Exit codes of pytest: it failed itself, and there were no tests."""
_FAILED = re.compile(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Mutant:
    """One error: see mutants.txt."""

    name: str
    file: str
    before: str
    after: str
    tests: str

    @property
    def paths(self):
        return [f"tests/{each}" for each in self.tests.partition(" -k ")[0].split()]

    @property
    def only(self):
        return self.tests.partition(" -k ")[2]

    def problem(self, root):
        if not (root / PACKAGE / self.file).is_file():
            return f"{self.name}: there is no file {PACKAGE / self.file}"
        times = (root / PACKAGE / self.file).read_text().count(self.before)
        if times != 1:
            return f"{self.name}: `before` occurs {times} times in {PACKAGE / self.file}"
        return ""

    def missing(self, root):
        gone = (path for path in self.paths if not (root / path).exists())
        return [
            f"{self.name}: there is no {path}; name other tests in mutants.txt" for path in gone
        ]


def load_mutants():
    parts = re.split(r"\n\n+", Path(__file__).with_name("mutants.txt").read_text().strip())
    found = [_mutant(part.split("\n")) for part in parts if not part.startswith("#")]
    return {each.name: each for each in found}


def _mutant(lines):
    name, file, tests = lines[0].split(maxsplit=2)
    before, after = ("\n".join(x[2:] for x in lines if x.startswith(f"{sign} ")) for sign in "-+")
    return Mutant(name, file, before, after, tests)


@dataclass(frozen=True)
class Verdict:
    passed: bool
    failed: tuple[str, ...]
    """The tests that failed."""
    hung: bool
    empty: bool
    """Whether there were no tests."""
    seconds: float


@dataclass(frozen=True)
class Tree:
    """A copy of the project, in a folder that has nothing else of value."""

    folder: Path

    @property
    def path(self):
        return self.folder / "tree"

    @classmethod
    def copied(cls, root, folder):
        copy = cls(folder)
        copy.path.mkdir(parents=True)
        for each in root.iterdir():
            if each.name in _FOLDERS:
                shutil.copytree(each, copy.path / each.name, symlinks=True)
            elif each.name == ".venv":  # where tests find suites of others
                (copy.path / each.name).symlink_to(each)
            elif each.is_file():
                shutil.copy2(each, copy.path)
        return copy

    def mutated(self, mutant):
        """Return a tree with the error; all other files, compiled code too, are the same ones."""
        other = Tree(self.folder.with_name(mutant.name))
        shutil.copytree(self.path, other.path, symlinks=True, copy_function=os.link)
        source = other.path / PACKAGE / mutant.file
        text = source.read_text().replace(mutant.before, mutant.after)
        for old in (source, *(source.parent / "__pycache__").glob(f"{source.stem}.cpython-*.pyc")):
            old.unlink()
        source.write_text(text)
        return other

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def environment(self):
        # Compiled code is kept in the tree: so that copies have it.
        dropped = ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE")
        kept = {name: text for name, text in os.environ.items() if name not in dropped}
        others = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
        paths = (str(self.path / "src"), *map(os.path.abspath, others))
        return {**kept, "PYTHONPATH": os.pathsep.join(paths)}

    def is_imported(self):
        command = [sys.executable, "-c", "import seedfolio; print(seedfolio.__file__)"]
        done = subprocess.run(
            command, cwd=self.path, env=self.environment, capture_output=True, text=True
        )
        return Path(done.stdout.strip()).is_relative_to(self.path)

    def run(self, words, seconds=LONGEST):
        number = time.monotonic_ns()
        log, room = self.folder / f"{number}.log", self.folder / f"{number}"
        usual = ["-q", "-rfE", "-p", "no:cacheprovider", f"--basetemp={room}"]
        began, hung = time.monotonic(), False
        options = {"cwd": self.path, "env": self.environment, "start_new_session": True}
        with log.open("w") as said:
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", *usual, *words],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                **options,
            )
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                hung = True
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # what tests have left running, too
            code = process.wait()
        text = log.read_text(errors="replace")
        if code in _FAILS:
            raise RuntimeError(f"pytest {' '.join(words)}: exit code {code}\n{text[-3000:]}")
        failed = tuple(dict.fromkeys(_FAILED.findall(text)))
        passed, took = code in (0, _NO_TESTS), time.monotonic() - began
        return Verdict(passed, failed, hung, code == _NO_TESTS, took)
