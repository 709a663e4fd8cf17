"""The wheel: what is in it, and that it works outside of the clone."""

import re
import subprocess
import tomllib
import zipfile
from email.parser import Parser

import pytest
from case_files import programs
from installing import ROOT, build_wheel, install, lend_packages, new_environment, run

from seedfolio import __version__

pytestmark = pytest.mark.slow  # what builds a wheel comes with `make test-all`
SMALL = ["--k", "4", "--kt", "4", "--opponents", "17", "--threads", "1", "--quiet"]
BOOST = ["boost", "nim", "-p", "table", "-l", "best-seed", *SMALL]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_it_has_every_file_of_the_package_and_one_version(wheel):
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/seedfolio"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    there = {name for name in names.stdout.splitlines() if (ROOT / name).exists()}
    with zipfile.ZipFile(wheel) as file:
        packed = {name for name in file.namelist() if ".dist-info/" not in name}
        (name,) = (each for each in file.namelist() if each.endswith("/METADATA"))
        metadata = Parser().parsestr(file.read(name).decode())
    assert {f"src/{name}" for name in packed} == there
    assert "seedfolio/py.typed" in packed
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"-{__version__}-py3-none-any" in wheel.name
    assert metadata["Version"] == __version__
    assert metadata["Requires-Python"] == project["requires-python"]
    assert {*metadata.get_all("Provides-Extra")} == {*project["optional-dependencies"]}
    written = re.compile(rf"""["']{re.escape(__version__)}["']""")
    files = [ROOT / "pyproject.toml", *(ROOT / "src").rglob("*.py")]
    found = [file.name for file in files if written.search(file.read_text("utf-8"))]
    assert found == ["version.py"]


# What else must be in the wheel: the files of `new`, and the templates and scripts of the page.
(REST,) = programs(__file__)

NAMES = "from importlib.metadata import distributions; print(*(d.name for d in distributions()))"


def test_a_source_tree_works_uninstalled_and_the_wheel_without_the_tree(wheel, tmp_path):
    python = new_environment(tmp_path / "environment")
    lend_packages(python)
    # There is no metadata of a source tree, which a run once missed at its very end.
    source = {"PYTHONPATH": str(ROOT / "src")}
    assert "seedfolio" not in run(python, "-c", NAMES, cwd=tmp_path).split()
    run(python, "-m", "seedfolio", *BOOST, "--study", "a.study", cwd=tmp_path, **source)
    assert (tmp_path / "a-best-seed.json").is_file()
    install(wheel, python)
    command = python.with_name("seedfolio")
    assert run(command, "--version", cwd=tmp_path) == f"seedfolio {__version__}\n"
    assert "best-seed" in run(command, *BOOST, cwd=tmp_path)
    run(python, "-c", REST, cwd=tmp_path)
