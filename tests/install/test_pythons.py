"""The real thing: each Python installs the wheel with all extras and boosts a program.

It downloads gigabytes (Ray, CUDA) and takes minutes for each Python.
"""

import shutil
import subprocess
from pathlib import Path

import pytest
from installing import build_wheel, new_environment, run
from needed import missing

pytestmark = pytest.mark.long
PYTHONS = ("3.11", "3.12", "3.13")
EXTRAS = "plot,gpu,web,ray"
IMPORTS = (
    "import matplotlib, numba_cuda, ray, uvicorn; from seedfolio import create_app; create_app('.')"
)


def interpreter(version):
    found = [
        shutil.which(f"python{version}"),
        *Path.home().glob(f".pyenv/versions/{version}.*/bin/python"),
    ]
    for python in filter(None, found):
        asked = [str(python), "-c", "import sys, venv; print('%d.%d' % sys.version_info[:2])"]
        done = subprocess.run(asked, capture_output=True, encoding="utf-8", check=False)
        if done.stdout.strip() == version:  # a shim of pyenv may lead nowhere
            return python
    return None


@pytest.mark.parametrize("version", PYTHONS)
def test_a_python_installs_and_boosts(version, tmp_path):
    python = interpreter(version)
    if python is None:
        missing(f"there is no Python {version}: install it, with pyenv for example")
    (tmp_path / "dist").mkdir()
    wheel = build_wheel(tmp_path / "dist")
    own = new_environment(tmp_path / "environment", python)
    run(own, "-m", "ensurepip", cwd=tmp_path)
    run(own, "-m", "pip", "install", "--quiet", f"{wheel}[{EXTRAS}]", cwd=tmp_path)
    command = own.with_name("seedfolio")
    table = run(command, "boost", "domineering:5x5", "--k", "200", "--kt", "50", "-q", cwd=tmp_path)
    assert "book               32+45    87.1±1.1" in table  # docs/tutorial.md: the same everywhere
    at_default_size = run(command, "boost", "domineering:5x5", "--study", "a.study", cwd=tmp_path)
    assert "Against strangers: use book" in at_default_size
    run(own, "-c", IMPORTS, cwd=tmp_path)
    (study,) = tmp_path.glob("studies/*.study")
    run(command, "show", study, "--plot-seeds", "seeds.svg", cwd=tmp_path)
    assert (tmp_path / "seeds.svg").exists()
