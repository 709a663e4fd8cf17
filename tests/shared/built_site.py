"""The site of the documentation, built once for all tests."""

import os
import subprocess
import sys
from pathlib import Path

from filelock import FileLock
from waiting import PATIENCE

ROOT = Path(__file__).parents[2]


def build_site(target: Path) -> None:
    """Build the site with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(target)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},  # Material's word on its future
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr, done.stderr


def built_site(tmp_path_factory) -> Path:
    """Return the folder of the site; of several processes of tests, the first one builds it."""
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    site = folder / "site"
    with FileLock(folder / "site.lock"):
        if not (folder / "site-is-built").exists():
            build_site(site)
            (folder / "site-is-built").touch()
    return site
