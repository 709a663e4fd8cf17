"""The wheel: what is in it, and that it works outside of the clone."""

import re
import subprocess
import tomllib
import zipfile
from email.parser import Parser

import pytest
from installing import ROOT, build_wheel, install, lend_packages, new_environment, run

from seedfolio import __version__

pytestmark = pytest.mark.slow  # what builds a wheel comes with `make test-all`
SMALL = ["--k", "4", "--kt", "4", "--opponents", "17", "--threads", "1", "--quiet"]
BOOST = ["boost", "nim", "-p", "table", "-l", "best-seed", *SMALL]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def test_it_has_every_file_of_the_package_and_nothing_else(wheel):
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "src/seedfolio"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True, encoding="utf-8")
    there = {name for name in names.stdout.splitlines() if (ROOT / name).exists()}
    with zipfile.ZipFile(wheel) as file:
        packed = {name for name in file.namelist() if ".dist-info/" not in name}
    assert {f"src/{name}" for name in packed} == there
    assert "seedfolio/py.typed" in packed


def test_its_version_and_extras(wheel):
    with zipfile.ZipFile(wheel) as file:
        (name,) = (each for each in file.namelist() if each.endswith("/METADATA"))
        metadata = Parser().parsestr(file.read(name).decode())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"-{__version__}-py3-none-any" in wheel.name
    assert metadata["Version"] == __version__
    assert metadata["Requires-Python"] == project["requires-python"]
    assert {*metadata.get_all("Provides-Extra")} == {*project["optional-dependencies"]}


def test_the_version_is_written_in_one_place():
    """Beside the text of the changelog and the citation, which other tests compare."""
    written = re.compile(rf"""["']{re.escape(__version__)}["']""")
    files = [ROOT / "pyproject.toml", *(ROOT / "src").rglob("*.py")]
    assert [file.name for file in files if written.search(file.read_text("utf-8"))] == [
        "version.py"
    ]


# What else must be in the wheel: the files of `new`, and the templates and scripts of the page.
REST = """
import sys
from pathlib import Path
from starlette.testclient import TestClient
import seedfolio

assert Path(seedfolio.__file__).is_relative_to(sys.prefix)
seedfolio.new_game("own.py")
(file,) = Path("studies").glob("*-best-seed.json")
assert seedfolio.load_portfolio(file).provenance.seedfolio == seedfolio.__version__
client = TestClient(seedfolio.create_app("studies"), base_url="http://127.0.0.1")
for path in ("/", "/play", "/static/seedfolio.css", "/static/htmx.min.js"):
    assert client.get(path).status_code == 200, path
"""


def test_it_works_outside_of_the_clone(wheel, tmp_path):
    python = new_environment(tmp_path / "environment")
    install(wheel, python)
    lend_packages(python)
    command = python.with_name("seedfolio")
    assert run(command, "--version", cwd=tmp_path) == f"seedfolio {__version__}\n"
    assert "best-seed" in run(command, *BOOST, cwd=tmp_path)
    run(python, "-c", REST, cwd=tmp_path)


def test_a_source_tree_works_without_being_installed(tmp_path):
    """There is no metadata then, which a run once missed at its very end."""
    python = new_environment(tmp_path / "environment")
    lend_packages(python)
    source = {"PYTHONPATH": str(ROOT / "src")}
    names = (
        "from importlib.metadata import distributions; print(*(d.name for d in distributions()))"
    )
    assert "seedfolio" not in run(python, "-c", names, cwd=tmp_path).split()
    bare = (python, "-m", "seedfolio")
    assert run(*bare, "--version", cwd=tmp_path, **source) == f"seedfolio {__version__}\n"
    run(*bare, *BOOST, cwd=tmp_path, **source)
    assert list(tmp_path.glob("studies/*.json"))
