"""Building the wheel, and virtual environments to install it in."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from waiting import PATIENCE

ROOT = Path(__file__).parents[2]
INPUTS = ("pyproject.toml", "README.md", "LICENSE", "src")


def run(*command, cwd, **environment):
    """Run a command outside of the clone, without what could lead it back; return its output."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**inherited, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def build_wheel(folder):
    copy = folder / "copy"
    copy.mkdir()
    for name in INPUTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    run(sys.executable, "-m", "pip", "wheel", *options, "--wheel-dir", folder, copy, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def new_environment(folder, python=sys.executable):
    run(python, "-m", "venv", "--without-pip", folder, cwd=folder.parent)
    return folder / "bin/python"


def install(wheel, python):
    options = ("--no-deps", "--no-index", "--no-compile", "--quiet")
    pip = (sys.executable, "-m", "pip", "--python", python)
    run(*pip, "install", *options, wheel, cwd=wheel.parent)


def lend_packages(python):
    """Let an environment use the packages of this one, all but Seedfolio and its metadata."""
    (own,) = (python.parents[1] / "lib").glob("python*/site-packages")
    for path in Path(sysconfig.get_path("purelib")).iterdir():
        if (
            "seedfolio" not in path.name
            and path.suffix != ".pth"
            and not (own / path.name).exists()
        ):
            (own / path.name).symlink_to(path)
