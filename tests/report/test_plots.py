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


def coins(*shape):
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


def assert_picture(path):
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
def test_plots_are_pictures(tmp_path, ending):
    seeds, ks = tmp_path / f"seeds.{ending}", tmp_path / f"k.{ending}"
    for number in (1, 2):
        plot_seed_success(seeds, SEEDS[:number])
        assert_picture(seeds)
    for number in (1, 4, 5):
        plot_success_against_k(ks, "Domineering 7x7", KS[:number])
        assert_picture(ks)
    assert sorted(tmp_path.iterdir()) == sorted([seeds, ks])


def test_places_and_programs_that_lack(tmp_path, monkeypatch):
    (tmp_path / "folder.svg").mkdir()
    for name, said in [
        ("plot.pdf", r"end its name with \.png or \.svg"),
        ("plot.png.txt", r"end its name with \.png or \.svg"),
        ("missing/plot.png", r"plot\.png.* does not exist"),
        ("folder.svg", r"folder\.svg"),
    ]:
        with pytest.raises(SpecificationError, match=said) as caught:
            plot_seed_success(tmp_path / name, SEEDS)
        assert "\n" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["folder.svg"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SpecificationError, match=r"pip install 'seedfolio\[plot\]'"):
        plot_seed_success(tmp_path / "plot.png", SEEDS)


def test_what_is_written_on_them(tmp_path):
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
    plot_seed_success(path, SEEDS[1:])
    assert "unseen" not in path.read_text()  # where there are no such results


@pytest.mark.slow
def test_the_same_data_gives_the_same_bytes(tmp_path):
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


def test_curves_that_do_not_fit_together():
    with pytest.raises(ValueError, match="x: the same number of seeds"):
        SeedCurve("x", (coins(3, 4), coins(2, 4)))
    with pytest.raises(ValueError, match="nash: expected as many estimates for each K"):
        KCurve("nash", [1, 2], KS[0].estimates)
    with pytest.raises(ValueError, match="nash: expected as many estimates for each K"):
        KCurve("nash", [1, 2], [[Estimate(0.5, 0.1)], [Estimate(0.5, 0.1)] * 2])
