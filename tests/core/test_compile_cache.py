"""The disk cache of compiled code, in processes of their own: used again, and never stale."""

import importlib
import runpy
import sys
from pathlib import Path

import pytest
from case_files import programs
from workshop import COUNTS, Workshop

from seedfolio.core.compiler import fingerprint, overloaded
from seedfolio.games import load_game

# An entry whose value depends on everything that a compiled function can refer to. Neither this
# file nor the entry changes in these tests: only what it reaches does.
PROBE = f"from entry import answer as function\n{COUNTS}"
ENTRY, RULES, HELPERS, OPAQUE = programs(__file__)

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


@pytest.fixture
def workshop(tmp_path):
    shop = Workshop(tmp_path)
    shop.write(entry=ENTRY, **REACHED)
    return shop


def fingerprint_of(folder):
    before = {*sys.modules}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        return fingerprint(importlib.import_module("rules").rule)
    finally:
        sys.path.remove(str(folder))
        for name in {*sys.modules} - before:
            del sys.modules[name]


def test_each_edit_is_another_fingerprint(workshop, monkeypatch):
    # Two edits within a second leave the same time on the file, and so stale bytecode.
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    found = [fingerprint_of(workshop.folder)]
    assert fingerprint_of(workshop.folder) == found[0]
    for file, old, new, _ in EDITS.values():
        workshop.edit(file, old, new)
        found.append(fingerprint_of(workshop.folder))
    assert None not in found
    assert len({*found}) == len(EDITS) + 1


@pytest.mark.slow
def test_another_process_compiles_again_only_after_an_edit(workshop):
    assert workshop.run(PROBE) == ([VALUE, 0, 1], "")
    assert len(workshop.kept()) == 1
    for file, old, new, _ in EDITS.values():
        workshop.edit(file, old, new)
    changed = VALUE + sum(edit[-1] for edit in EDITS.values())
    assert workshop.run(PROBE) == ([changed, 0, 1], "")
    workshop.write(**REACHED)
    assert workshop.run(PROBE) == ([VALUE, 1, 0], "")
    assert len(workshop.kept()) == 2


# Nothing tells what a ufunc does: its printed form is its name.
@pytest.mark.slow
def test_what_cannot_be_told_apart_is_not_cached(workshop):
    workshop.write(rules=OPAQUE)
    assert workshop.run(PROBE) == ([6, 0, 1], "")
    assert workshop.kept() == []


def test_fingerprints_differ_for_a_copied_file_and_need_an_import(workshop):
    game = (Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py").read_text()
    workshop.write(one=game, other=game)
    paths = [workshop.folder / f"{name}.py" for name in ("one", "other")]
    found = [fingerprint(load_game(str(path)).rules.moves) for path in paths]
    assert None not in found
    assert found[0] != found[1]
    path = str(workshop.folder / "helpers.py")
    assert fingerprint(runpy.run_path(path, run_name="a_name_of_no_module")["deep"]) is None


BOARDS = ["domineering:7x7", "domineering:7x6", "domineering:6x7", "atari-go:5x5"]
FINGERPRINTS = f"""
import json
from seedfolio.core.compiler import fingerprint
from seedfolio.games import load_game
print(json.dumps([fingerprint(load_game(text).rules.moves) for text in {BOARDS}]))
"""


def test_fingerprints_are_the_same_in_every_process(workshop):
    rules = [load_game(text).rules for text in BOARDS]
    here = [fingerprint(each.moves) for each in rules]
    assert None not in here
    assert len({*here}) == len(BOARDS)
    assert fingerprint(rules[0].moves) != fingerprint(rules[0].play)
    assert workshop.run(FINGERPRINTS) == (here, "")


def test_a_changed_overload_is_another_entry():
    """Compiled code gets an overload's code, not the function's own."""

    def dealt(wants):
        return wants

    def once(wants):
        return lambda wants: wants

    def twice(wants):
        return lambda wants: 2 * wants

    found = {fingerprint(dealt)}
    for generator in (once, twice):
        overloaded(dealt)(generator)
        found.add(fingerprint(dealt))
    assert len(found) == 3
    assert None not in found
