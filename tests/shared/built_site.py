"""The site of the documentation, built once for all tests."""

import os
from pathlib import Path

from filelock import FileLock
from waiting import ran

ROOT = Path(__file__).parents[2]


def build_site(target):
    quiet = {"NO_MKDOCS_2_WARNING": "1"}  # Material's word on its future
    words = ["-m", "mkdocs", "build", "--strict", "--site-dir", target]
    done = ran(*words, cwd=ROOT, environ=quiet)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr


def built_site(tmp_path_factory):
    """Return the folder of the site; of several processes of tests, the first one builds it."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = folder / "site"
    with FileLock(folder / "site.lock"):
        if not (folder / "site-is-built").exists():
            build_site(site)
            (folder / "site-is-built").touch()
    return site
