"""Plots: real files, the same bytes for the same data, and errors that say what to do."""

import os
import struct
import subprocess
import sys
from math import nan
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest

from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import CRITERIA, Estimate
from seedfolio.report.plots.study import (
    KCurve,
    SeedCurve,
    plot_seed_success,
    plot_success_against_k,
)


def coins(*shape: int) -> "np.typing.NDArray[np.float64]":
    return (np.random.default_rng(1).random(shape) < 0.5).astype(np.float64)


SEEDS = [
    SeedCurve("Domineering 5x5", (coins(30, 20), coins(30, 25)), (coins(30, 9), coins(30, 9))),
    SeedCurve("Breakthrough 6x6", (coins(12, 20), coins(12, 20))),
]
KS = [
    KCurve(
        learner,
        ks,
        [[Estimate(0.6 - 0.02 * n, error) for n in range(len(CRITERIA))] for _ in ks],
    )
    for learner, ks, error in [
        ("nash", [8, 16, 32], 0.01),
        ("best seed", [64], nan),
        *((f"learner {number}", [2**k for k in range(12)], 0.02) for number in range(3)),
    ]
]


def assert_picture(path: Path) -> None:
    data = path.read_bytes()
    if path.suffix == ".png":
        assert data.startswith(b"\x89PNG\r\n\x1a\n")
        assert data.endswith(b"IEND\xaeB`\x82")
        width, height = struct.unpack(">II", data[16:24])
        assert width > 500
        assert height > 300
    else:
        assert ElementTree.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("ending", ["png", "svg"])
@pytest.mark.parametrize("number", [1, 2])
def test_seed_plot(tmp_path: Path, ending: str, number: int) -> None:
    path = tmp_path / f"seeds.{ending}"
    plot_seed_success(path, SEEDS[:number])
    assert_picture(path)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("ending", ["png", "svg"])
@pytest.mark.parametrize("number", [1, 3, 4, 5])
def test_k_plot(tmp_path: Path, ending: str, number: int) -> None:
    path = tmp_path / f"k.{ending}"
    plot_success_against_k(path, "Domineering 7x7", KS[:number])
    assert_picture(path)


def test_what_is_written_on_them(tmp_path: Path) -> None:
    """matplotlib notes the text beside the outlines of its letters."""
    path = tmp_path / "plot.svg"
    plot_seed_success(path, SEEDS)
    text = path.read_text()
    for words in (
        "Domineering 5x5",
        "Breakthrough 6x6",
        "30 seeds, 20 opponents, standard error",
        "as measured in learning",
        "unseen opponents",
        "success in %",
    ):
        assert words in text
    assert text.count("as measured in learning") == 1
    plot_success_against_k(path, "Domineering 7x7", KS)
    text = path.read_text()
    for words in ("Domineering 7x7", "nash", "best seed", "success in %", "K'=1 ", "K'=16"):
        assert words in text
    assert text.count("K'=16") == 1


def test_without_unseen_results_the_legend_does_not_name_them(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    plot_seed_success(path, SEEDS[1:])
    assert "unseen" not in path.read_text()


@pytest.mark.slow
def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    """Whatever matplotlib is set to, and in another process."""
    once, again, elsewhere = (tmp_path / f"{name}.svg" for name in ("once", "again", "elsewhere"))
    plot_success_against_k(once, "title", KS[:2])
    with matplotlib.rc_context({"font.size": 20, "svg.hashsalt": None}):
        plot_success_against_k(again, "title", KS[:2])
        assert matplotlib.rcParams["font.size"] == 20
    program = (
        "import sys; from pathlib import Path; import seedfolio.report.plots.study as plots;"
        "assert 'matplotlib' not in sys.modules, 'matplotlib is loaded before it is needed';"
        "sys.path.insert(0, sys.argv[1]); from test_plots import KS;"
        "plots.plot_success_against_k(Path(sys.argv[2]), 'title', KS[:2])"
    )
    subprocess.run(
        [sys.executable, "-c", program, str(Path(__file__).parent), str(elsewhere)],
        check=True,
        env={**os.environ, "PYTHONHASHSEED": "12345"},
    )
    assert once.read_bytes() == again.read_bytes() == elsewhere.read_bytes()


@pytest.mark.parametrize("name", ["plot.pdf", "plot", "plot.png.txt"])
def test_other_endings_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(SpecificationError, match=r"end its name with \.png or \.svg"):
        plot_seed_success(tmp_path / name, SEEDS)
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SpecificationError, match=r"plot\.png.* does not exist") as caught:
        plot_seed_success(tmp_path / "missing" / "plot.png", SEEDS)
    assert "\n" not in str(caught.value)


def test_what_was_there_stays_if_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "plot.svg").mkdir()
    with pytest.raises(SpecificationError, match=r"plot\.svg"):
        plot_seed_success(tmp_path / "plot.svg", SEEDS)
    assert [file.name for file in tmp_path.iterdir()] == ["plot.svg"]


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SpecificationError) as caught:
        plot_seed_success(tmp_path / "plot.png", SEEDS)
    assert str(caught.value) == "plots need matplotlib: pip install 'seedfolio[plot]'"


def test_curves_that_do_not_fit_together() -> None:
    with pytest.raises(ValueError, match="x: the same number of seeds"):
        SeedCurve("x", (coins(3, 4), coins(2, 4)))
    with pytest.raises(ValueError, match="nash: expected as many estimates for each K"):
        KCurve("nash", [1, 2], KS[0].estimates)
    with pytest.raises(ValueError, match="nash: expected as many estimates for each K"):
        KCurve("nash", [1, 2], [[Estimate(0.5, 0.1)], [Estimate(0.5, 0.1)] * 2])
