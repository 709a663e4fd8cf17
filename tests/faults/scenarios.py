"""Small commands of every kind that keeps files, and what they leave."""

import json
import shutil
import sqlite3
import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / each) for each in ("shared", "engines")]

from studies import contents

from seedfolio.learning.book.checkpoint import read_arrays

_SMALL = ["domineering:4x4", "-p", "uct:simulations=5", "--opponents", "17", "--threads", "1"]
_IN = ["--study", "a.study", "--quiet"]
_FEW = ["--k", "4", "--kt", "2", "--opponents", "17", "-l", "best-seed", "--threads", "1"]
SCENARIOS = {
    "matrix": ["boost", *_SMALL, "--k", "12", "--kt", "6", "-l", "best-seed", "-l", "nash", *_IN],
    "book": ["boost", *_SMALL, "--k", "8", "-l", "book", "--budget", "3000", *_IN],
    "compare": ["compare", *_SMALL, "-b", "400", "-l", "best-seed", "-l", "halving", *_IN],
    "reproduce": [
        *("reproduce", "table3", "--board", "domineering:5x5", "-p", "uct:simulations=5"),
        *("--k", "8", "--kt", "4", "--opponents", "17", "--folder", "studies", "--quiet"),
    ],
    "engine": [
        *("boost", "engine.toml", "--k", "2", "--kt", "2", "--opponents", "17", "-l", "best-seed"),
        *_IN,
    ],
    "code": ["boost", "nim", "-p", "table", *_FEW, *_IN],
}
CODE = "code"
"""The scenario that compiles: its code is kept in its folder, and no other process has it."""
_PASSING = ("-lock", "-wal", "-shm")
"""Ends of the names of files that exist while a command runs, and after it is killed."""


def prepare(name, folder):
    folder.mkdir(parents=True, exist_ok=True)
    if name == CODE:
        (folder / "code").mkdir()
    if name == "engine":
        from external import seeded_text

        (folder / "engine.toml").write_text(seeded_text("nobody", bad="-1"))


def files_of(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if not path.is_file() or name.endswith(_PASSING) or path.name.startswith(".seedfolio-"):
            continue
        if name.startswith("code/"):
            continue  # compiled code is not the same, byte for byte, in two processes
        if path.suffix == ".study":
            cells, others = contents(path)
            others["evaluation"] = [_without_clock(*row) for row in others["evaluation"]]
            found[name] = (cells, others)
        elif path.suffix == ".npz":
            # numpy puts the time into the file.
            found[name] = {key: each.tolist() for key, each in read_arrays(path).items()}
        else:
            found[name] = path.read_bytes()
    return found


def _without_clock(name, text, checksum):
    """Return an evaluation of a study without how long an engine's moves took."""
    data = json.loads(text)
    if name == "check":
        data["seconds"] = None
    return name, data


def cells_in(folder):
    copy = folder.with_name(f"{folder.name}-copy")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("code", "*-shm", "*-lock"))
    cells = 0
    for path in copy.rglob("*.study"):
        connection = sqlite3.connect(path)
        try:
            found = connection.execute("SELECT sum(length(results)) FROM run").fetchone()[0]
            cells += found or 0
        except sqlite3.Error:
            pass  # killed before its tables were made
        finally:
            connection.close()
    shutil.rmtree(copy)
    return cells
