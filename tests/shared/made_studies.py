"""Studies that are made once for all tests: a folder that all processes of tests share.

The session fixture `made` is this folder: read it, but never write to it. The fixture
`made_copy` is a copy in `tmp_path`, for tests that boost on or change files.

>>> made.study                 # the path of small.study: K = Kt = 20, 17 opponents
>>> made.boosted()             # what `boost` returned for it
>>> made.portfolio("nash")     # a file: book, best-seed, best-half, nash, sparse-nash, halving
>>> made.boosted("turned")     # best-half under symmetries, K = 12
>>> made.boosted("tree")       # book and halving, 20,000 games each, without a matrix
"""

import hashlib
import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from seedfolio import Study, boost
from seedfolio.boosting.results import saved_boost

GAME, PLAYER = PROGRAM = "domineering:4x4", "uct:simulations=5"
SMALL = {"k": 20, "opponents": 17}
LEARNERS = ["book", "best-seed", "best-half", "nash", "sparse-nash", "halving"]
STUDIES = {
    "small": SMALL | {"learners": LEARNERS},
    "turned": SMALL | {"k": 12, "learners": "best-half", "symmetries": True},
    "tree": SMALL | {"learners": ["book", "halving"], "budget": 20_000},
}


@dataclass(frozen=True)
class MadeStudies:
    folder: Path

    @property
    def study(self):
        return self.folder / "small.study"

    def portfolio(self, learner, study="small"):
        found = self.folder / f"{study}-{learner}.json"
        assert found.is_file(), sorted(self.folder.iterdir())
        return found

    def boosted(self, study="small"):
        with Study.read(self.folder / f"{study}.study") as opened:
            return saved_boost(opened)

    def copy(self, folder):
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)
        return MadeStudies(folder)

    def digests(self):
        """Return what the files hold, to find a test that changes them."""
        files = sorted(self.folder.glob("*.study")) + sorted(self.folder.glob("*.json"))
        return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def made_studies(tmp_path_factory):
    """Return the folder; of several processes of tests, the first one makes it."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    made = MadeStudies(base / "made-studies")
    with FileLock(base / "made-studies.lock"):
        if not made.folder.exists():
            draft = base / "made-studies-draft"
            shutil.rmtree(draft, ignore_errors=True)
            draft.mkdir()
            for name, asked in STUDIES.items():
                boost(*PROGRAM, **asked, study=draft / f"{name}.study").save_portfolios()
            draft.rename(made.folder)
    return made


COLUMNS = ["depth", "since", "move", "games", "success", "original"]


def made_book(made, folder, source="chess", **sides):
    """Write a portfolio with other books: for each colour, of each its weight and rows."""
    content = json.loads(made.portfolio("book").read_text())
    content["game"]["source"] = source
    for side, books in sides.items():
        plain = [(weight, [[*row, 0.5, 0.5] for row in rows]) for weight, rows in books]
        content["book"][side] = [
            {"kind": "moves", "weight": weight, "columns": COLUMNS, "rows": rows}
            for weight, rows in plain
        ]
    path = folder / "changed.json"
    path.write_text(json.dumps(content))
    return path
