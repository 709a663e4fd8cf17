"""The disk cache of compiled code, in processes of their own: used again, and never stale."""

from __future__ import annotations

import importlib
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from seedfolio.core.compiler import fingerprint, overloaded
from seedfolio.games import load_game

# An entry whose value depends on everything that a compiled function can refer to. Neither this
# file nor the entry changes in these tests: only what it reaches does.
PROBE = """
import json
import entry
function = entry.answer
value = function(1)
hits, misses = (sum(c.values()) for c in (function.stats.cache_hits, function.stats.cache_misses))
print(json.dumps([int(value), hits, misses, function.__qualname__]))
"""
ENTRY = """
from seedfolio.core.compiler import compiled_entry
import rules

rule = None

def template(x):
    return rule(x)

answer = compiled_entry(template, {"rule": rules.rule})
"""
RULES = """
import numpy as np
from enum import IntEnum
from typing import NamedTuple
from seedfolio.core.compiler import compiled
import helpers
import package
from helpers import imported

CONSTANT = 10

class Cell(IntEnum):
    EMPTY = 0
    STONE = 10**8

class Pair(NamedTuple):
    left: int
    right: int
TABLE = np.array([100, 200])

def make(captured):
    @compiled
    def inner(x, default=1000):
        return captured + default + CONSTANT + TABLE[x - 1] + imported(x)
    return inner

inner = make(10000)

@compiled
def classes(x):
    return Cell.STONE + helpers.Kind.A.value + helpers.magic(x) + Pair(0, x * 10**11).right

@compiled
def two_constants(x):
    return x * 4 + 56

@compiled
def rule(x):
    known = inner(x) + helpers.by_module(x) + package.numbers.LIMIT + x
    return known + classes(x) + two_constants(x) * 10**12
"""
HELPERS = """
from enum import Enum
from numba import types
from numba.extending import intrinsic
from seedfolio.core.compiler import compiled

class Kind(Enum):
    A = 10**9

@intrinsic
def magic(context, word):
    def generate(context, builder, signature, arguments):
        return arguments[0].type(10**10)
    return types.int64(types.int64), generate

@compiled
def deep(x):
    return x * 100000

@compiled
def imported(x):
    return deep(x)

@compiled
def by_module(x):
    return x * 1000000
"""
NUMBERS = "LIMIT = 10000000"
REACHED = {
    "rules": RULES,
    "helpers": HELPERS,
    "package/__init__": "from package import numbers",
    "package/numbers": NUMBERS,
}
VALUE = 60_111_111_111_111
EDITS = {
    "a global constant": ("rules", "CONSTANT = 10\n", "CONSTANT = 20\n", 10),
    "an array": ("rules", "[100, 200]", "[300, 200]", 200),
    "a default": ("rules", "default=1000", "default=2000", 1000),
    "a captured value": ("rules", "make(10000)", "make(20000)", 10000),
    "a function two imports away": ("helpers", "x * 100000\n", "x * 200000\n", 100000),
    "a function of a module": ("helpers", "x * 1000000\n", "x * 2000000\n", 1000000),
    "a constant of a module in a package": ("package/numbers", "LIMIT = 1", "LIMIT = 2", 10000000),
    "an enumeration": ("rules", "STONE = 10**8", "STONE = 2 * 10**8", 10**8),
    "an enumeration of a module": ("helpers", "A = 10**9", "A = 2 * 10**9", 10**9),
    "an intrinsic of a module": ("helpers", "type(10**10)", "type(2 * 10**10)", 10**10),
    "the fields of a tuple": (
        "rules",
        "left: int\n    right: int",
        "right: int\n    left: int",
        -(10**11),
    ),
    "constants that read the same in a row": ("rules", "x * 4 + 56", "x * 45 + 6", -9 * 10**12),
}


class Workshop:
    """A folder with files to edit and a cache of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0

    def write(self, **files: str) -> None:
        for name, text in files.items():
            path = self.folder / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)

    def edit(self, name: str, old: str, new: str) -> None:
        path = self.folder / f"{name}.py"
        text = path.read_text()
        assert text.count(old) == 1
        path.write_text(text.replace(old, new))

    def run(self, code: str) -> Any:
        """Run `code` in a new process; return what it prints, read as JSON."""
        self.runs += 1
        environment = {
            **os.environ,
            "NUMBA_CACHE_DIR": str(self.folder / "cache"),
            "PYTHONHASHSEED": str(self.runs),
            # Two edits within a second leave the same time on the file, and so stale bytecode.
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        command = [sys.executable, "-c", code]
        result = subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout)

    def cached(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("cache/*/*.nbc"))


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    shop = Workshop(tmp_path)
    shop.write(entry=ENTRY, **REACHED)
    return shop


def fingerprint_of(folder: Path) -> str | None:
    """The fingerprint of the rule in a folder, whose modules are not kept."""
    before = {*sys.modules}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        return fingerprint(importlib.import_module("rules").rule)
    finally:
        sys.path.remove(str(folder))
        for name in {*sys.modules} - before:
            del sys.modules[name]


def test_each_edit_is_another_fingerprint(
    workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two edits within a second leave the same time on the file, and so stale bytecode.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = [fingerprint_of(workshop.folder)]
    assert fingerprint_of(workshop.folder) == found[0]
    for file, old, new, _ in EDITS.values():
        workshop.edit(file, old, new)
        found.append(fingerprint_of(workshop.folder))
    assert None not in found
    assert len({*found}) == len(EDITS) + 1


def test_another_process_compiles_again_only_after_an_edit(workshop: Workshop) -> None:
    *result, name = workshop.run(PROBE)
    assert result == [VALUE, 0, 1]
    files = workshop.cached()
    assert len(files) == 1
    for file, old, new, _ in EDITS.values():
        workshop.edit(file, old, new)
    assert workshop.run(PROBE)[:3] == [VALUE + sum(edit[-1] for edit in EDITS.values()), 0, 1]
    # Back to the beginning: what was compiled then is still there.
    workshop.write(**REACHED)
    assert workshop.run(PROBE) == [VALUE, 1, 0, name]
    assert len(workshop.cached()) == 2


# What a ufunc does cannot be read off it: its printed form is its name.
OPAQUE = """
from numba import vectorize
from seedfolio.core.compiler import compiled

@vectorize
def raised(x):
    return x + 5

@compiled
def rule(x):
    return raised(x)
"""


@pytest.mark.slow
def test_what_cannot_be_told_apart_is_not_cached(workshop: Workshop) -> None:
    workshop.write(rules=OPAQUE)
    assert workshop.run(PROBE) == [6, 0, 1, "template"]
    assert workshop.cached() == []
    workshop.edit("rules", "x + 5", "x + 6")
    assert workshop.run(PROBE)[0] == 7


STEPS = """
from seedfolio.core.compiler import compiled

@compiled
def longest():
    return 2
"""


def test_fingerprints_differ_for_a_copied_file(workshop: Workshop) -> None:
    game = (Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py").read_text()
    workshop.write(one=game, other=game)
    paths = [workshop.folder / f"{name}.py" for name in ("one", "other")]
    found = [fingerprint(load_game(str(path)).rules.moves) for path in paths]
    assert None not in found
    assert found[0] != found[1]


def test_no_fingerprint_for_a_module_that_cannot_be_imported(workshop: Workshop) -> None:
    workshop.write(lone=STEPS)
    found = runpy.run_path(str(workshop.folder / "lone.py"), run_name="a_name_of_no_module")
    assert fingerprint(found["longest"]) is None


BOARDS = ["domineering:7x7", "domineering:7x6", "domineering:6x7", "atari-go:5x5"]
FINGERPRINTS = f"""
import json
from seedfolio.core.compiler import fingerprint
from seedfolio.games import load_game
print(json.dumps([fingerprint(load_game(text).rules.moves) for text in {BOARDS}]))
"""


def test_fingerprints_are_the_same_in_every_process(workshop: Workshop) -> None:
    rules = [load_game(text).rules for text in BOARDS]
    here = [fingerprint(each.moves) for each in rules]
    assert None not in here
    assert len({*here}) == len(BOARDS)
    assert fingerprint(rules[0].moves) != fingerprint(rules[0].play)
    assert workshop.run(FINGERPRINTS) == here


def test_a_changed_overload_is_another_entry() -> None:
    """Compiled code gets an overload's code, not the function's own."""

    def dealt(wants: Any) -> Any:
        return wants

    def once(wants: Any) -> Any:
        return lambda wants: wants

    def twice(wants: Any) -> Any:
        return lambda wants: 2 * wants

    found = {fingerprint(dealt)}
    for generator in (once, twice):
        overloaded(dealt)(generator)
        found.add(fingerprint(dealt))
    assert len(found) == 3
    assert None not in found
