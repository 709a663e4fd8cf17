"""A new Python finds our package and what it needs, and nothing in the current folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import seedfolio
from seedfolio.core.isolated import isolated

PLANTED = "import os\nos.write(2, b'planted\\n')\nos._exit(9)\n"
CODE = "import subprocess, numpy, seedfolio; print(seedfolio.__file__, sys.argv[1:])"


@pytest.fixture
def planted(tmp_path, monkeypatch):
    for name in ("subprocess", "numpy", "seedfolio"):
        (tmp_path / f"{name}.py").write_text(PLANTED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(command, **environ):
    found = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, **environ}
    )
    return found.stdout.strip()


@pytest.mark.parametrize("path", [None, ".", "FOLDER"])
def test_nothing_of_the_current_folder_runs(path, planted, monkeypatch):
    environ = {} if path is None else {"PYTHONPATH": path.replace("FOLDER", str(planted))}
    assert said(isolated(CODE, "a", "b c"), **environ) == f"{seedfolio.__file__} ['a', 'b c']"
    for folder in ("", ".", str(planted)):  # as with python -m, and in an interpreter
        monkeypatch.syspath_prepend(folder)
    assert said(isolated(CODE)) == f"{seedfolio.__file__} []"


def test_a_package_that_only_pythonpath_names(planted, tmp_path):
    """Neither our package nor numpy is installed for the Python that starts the other one."""
    home = Path(seedfolio.__file__).parents[1]
    libraries = [each for each in sys.path if each.endswith("site-packages")]
    code = f"from seedfolio.core.isolated import isolated; print(*isolated({CODE!r}), sep='\\0')"
    bare = [sys._base_executable, "-S", "-P", "-c", code]  # type: ignore[attr-defined]
    command = said(bare, PYTHONPATH=os.pathsep.join([str(home), *libraries])).split("\0")
    assert said(command) == f"{seedfolio.__file__} []"


def test_from_a_folder_that_is_gone(tmp_path, monkeypatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert said(isolated(CODE)) == f"{seedfolio.__file__} []"
