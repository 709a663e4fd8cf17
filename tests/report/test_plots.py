"""Plots: real files, the same bytes for the same data, and errors that say what to do."""

import re
import struct
import sys
from math import hypot, nan, sqrt
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pytest

from seedfolio.errors import SpecificationError
from seedfolio.evaluation.exploiters import CRITERIA, Estimate
from seedfolio.report.plots import study as plots
from seedfolio.report.plots.figures import values_in


def coins(*shape):
    return (np.random.default_rng(1).random(shape) < 0.5).astype(np.float64)


SEEDS = [
    plots.SeedCurve("Domineering 5x5", (coins(30, 20), coins(30, 5)), (coins(30, 9), coins(30, 9))),
    plots.SeedCurve("Breakthrough 6x6", (coins(12, 20), coins(12, 20))),
]
KS = [
    plots.KCurve(
        learner, ks, [[Estimate(0.6 - 0.02 * n, error) for n in range(len(CRITERIA))] for _ in ks]
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


def test_plots_are_pictures(tmp_path):
    seeds, ks = tmp_path / "seeds.png", tmp_path / "k.svg"
    for number in (1, 2):
        plots.plot_seed_success(seeds, SEEDS[:number])
        assert_picture(seeds)
    for number in (1, 5):
        plots.plot_success_against_k(ks, "Domineering 7x7", KS[:number])
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
            plots.plot_seed_success(tmp_path / name, SEEDS)
        assert "\n" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["folder.svg"]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(SpecificationError, match=r"pip install 'seedfolio\[plot\]'"):
        plots.plot_seed_success(tmp_path / "plot.png", SEEDS)


def test_what_is_written_on_them(tmp_path):
    """matplotlib notes the text beside the outlines of its letters."""
    path = tmp_path / "plot.svg"
    plots.plot_seed_success(path, SEEDS)
    text = path.read_text()
    named = "Domineering 5x5", "Breakthrough 6x6", "unseen opponents", "success in %"
    for words in (*named, "30 seeds, 20 opponents, standard error"):
        assert words in text
    assert text.count("as measured in learning") == 1
    plots.plot_success_against_k(path, "Domineering 7x7", KS)
    text = path.read_text()
    for words in ("Domineering 7x7", "nash", "best seed", "success in %", "K'=1 ", "K'=16"):
        assert words in text
    assert len(re.findall("K'=16(?!:)", text)) == 1
    shown = [value for _, _, value in values_in(text)]  # under the mouse, as browsers do
    marked = [(k, row) for curve in KS for k, row in zip(curve.ks, curve.estimates, strict=True)]
    assert sorted(shown) == sorted(
        f"K={k}, K'={2**column}: {each.text}%"
        for k, row in marked
        for column, each in enumerate(row)
    )
    plots.plot_seed_success(path, SEEDS[1:])
    assert "unseen" not in path.read_text()  # where there are no such results


def test_the_same_data_gives_the_same_bytes(tmp_path):
    """Whatever matplotlib is set to."""
    once, again = tmp_path / "a.svg", tmp_path / "b.svg"
    plots.plot_success_against_k(once, "title", KS[:2])
    with matplotlib.rc_context({"font.size": 20, "svg.hashsalt": None}):
        plots.plot_success_against_k(again, "title", KS[:2])
        assert matplotlib.rcParams["font.size"] == 20
    assert once.read_bytes() == again.read_bytes()


def test_curves_that_do_not_fit_together():
    with pytest.raises(ValueError, match="x: the same number of seeds"):
        plots.SeedCurve("x", (coins(3, 4), coins(2, 4)))
    for estimates in (KS[0].estimates, [[Estimate(0.5, 0.1)], [Estimate(0.5, 0.1)] * 2]):
        with pytest.raises(ValueError, match="nash: expected as many estimates for each K"):
            plots.KCurve("nash", [1, 2], estimates)


def uneven_opponents(seed, seeds=30, opponents=40):
    generator = np.random.default_rng(seed)
    chances = generator.beta(0.5, 0.5, opponents)
    return (generator.random((2, seeds, opponents)) < chances).mean(axis=0)


def test_ranks_pair_the_worst_of_both_colours():
    first = np.array([[1.0, 1.0], [0.0, 0.0], [0.5, 0.0]])
    second = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.5], [1.0, 1.0, 1.0]])
    assert plots.sorted_success((first, second)).tolist() == [0, (0.25 + 0.5) / 2, 1]


def test_equal_seeds_are_what_shuffling_each_opponents_results_gives():
    training = (uneven_opponents(1), uneven_opponents(2))
    generator = np.random.default_rng(3)
    shuffled = ([generator.permuted(each, axis=0) for each in training] for _ in range(800))
    curves = np.array([plots.sorted_success((first, second)) for first, second in shuffled])
    luck = plots.equal_seeds(training)
    # Shuffling keeps every opponent's total, which widens the curve by about 1 / (2 * seeds).
    spread = curves.std(axis=0).max()
    assert np.abs(luck.mean - curves.mean(axis=0)).max() < 0.3 * spread
    assert np.abs(luck.low - np.quantile(curves, 0.025, axis=0)).max() < spread
    assert np.abs(luck.high - np.quantile(curves, 0.975, axis=0)).max() < spread
    assert np.all((luck.low <= luck.mean) & (luck.mean <= luck.high))
    assert np.all(np.diff(luck.mean) >= 0)
    assert plots.equal_seeds(training).mean.tolist() == luck.mean.tolist()
    with pytest.raises(ValueError, match="whole half points of 2"):
        plots.equal_seeds((np.array([[0.3]]), np.array([[1.0]])))


def test_measurement_error_of_coins_and_of_shuffled_results():
    colour = np.tile([0.0, 1.0, 0.5, 1.0], (10, 1))  # opponents that always do the same
    luck = plots.equal_seeds((colour, colour))
    assert luck.low.tolist() == luck.mean.tolist() == luck.high.tolist() == [0.625] * 10
    assert plots.measurement_error((colour, colour)) == 0
    coins = np.array([[0.0] * 100, [1.0] * 100])
    assert plots.measurement_error((coins, coins)) == pytest.approx(sqrt(0.25 / 100 / 2))
    training = (uneven_opponents(5, seeds=2000), uneven_opponents(6, seeds=2000))
    generator = np.random.default_rng(7)
    first, second = (generator.permuted(each, axis=0).mean(axis=1) for each in training)
    assert plots.measurement_error(training) == pytest.approx(
        np.std((first + second) / 2), rel=0.05
    )


def test_unseen_success_keeps_the_order_of_training():
    training = (
        np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.5]]),
        np.array([[0.0], [0.0], [1.0], [1.0]]),
    )
    unseen = (
        np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]),
        np.array([[0.5, 0.5], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]),
    )
    groups = plots.unseen_success(training, unseen, groups=2)
    assert [group.rank for group in groups] == [1.5, 3.5]
    # First player, worst two: seeds 1 and 3, opponents' means 1, .5, 0. Second: seeds 0 and 1.
    assert groups[0].success.mean == pytest.approx((0.5 + 0.25) / 2)
    assert groups[0].success.error == pytest.approx(hypot(0.5 / sqrt(3), 0.25) / 2)  # .25, .25, 1
    assert groups[1].success.mean == pytest.approx((1 / 6 + 0.75) / 2)
    each = plots.unseen_success(training, unseen, groups=20)
    assert [group.rank for group in each] == [1, 2, 3, 4]
    first = [2 / 3, 1 / 3, 1 / 3, 0]
    second = [0.5, 0, 0.5, 1]
    assert [g.success.mean for g in each] == pytest.approx(np.add(first, second) / 2)
