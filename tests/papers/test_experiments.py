"""The papers' experiments: their numbers as printed, and small runs of each."""

import json
import re
from configparser import ConfigParser
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from seedfolio import SpecificationError, Study, ThreadArena, load_game, load_player, show
from seedfolio.arena import Run
from seedfolio.cli import run
from seedfolio.evaluation.luck import Luck
from seedfolio.evaluation.unseen import arm_success
from seedfolio.learning.registry import find_learner, matrix_learner
from seedfolio.papers import batoo_go, go_seeds, moves, transfer, ucb_go, variants
from seedfolio.papers.board_experiment import BoardExperiment, BoardOutcome
from seedfolio.papers.experiment import Setting, as_printed
from seedfolio.papers.run import EXPERIMENTS, find_experiment, list_experiments
from seedfolio.papers.seed_square import CHESS, HAVANNAH
from seedfolio.report.plots import study as study_plots
from seedfolio.report.table import FIXED_SEED, MIXTURE
from seedfolio.study.arms import TrainingArms, UnseenArms, training_scores

TABLES = {name: each for name, each in EXPERIMENTS.items() if isinstance(each, BoardExperiment)}
each = pytest.mark.parametrize("name", TABLES)
METHODS = {"baseline": FIXED_SEED, "bestseed": "best-seed", "original": MIXTURE}
METHODS |= {"alpha=0.500": "sparse-nash:alpha=0.5", "alpha=0.750": "sparse-nash"}
METHODS |= {"alpha=1.000": "sparse-nash:alpha=1.0"}


def small(name, folder, games, player=None):
    experiment = TABLES[name]
    numbers = experiment.sizes({"k": 16, "opponents": 17}, paper=False)
    said = []
    outcome = experiment.run(
        Setting(folder, numbers, games, player, run=Run(ThreadArena(1), note=said.append))
    )
    assert said == [f"{game} ({n} of {len(games)})" for n, game in enumerate(games, 1)]
    assert isinstance(outcome, BoardOutcome)
    return outcome


@each
def test_games_players_and_learners_exist(name):
    experiment = find_experiment(name)
    assert experiment is TABLES[name]
    for game in experiment.paper:
        load_player(experiment.player or load_game(game).rules.player)
    for learner in experiment.learners:
        assert matrix_learner(learner).name == learner  # as it stands in the rows of a table
    for learner in experiment.choosing:
        assert find_learner(learner).name == learner
    assert {*experiment.learners, *experiment.choosing} <= set(experiment.methods)
    for numbers in experiment.paper.values():
        assert set(numbers) <= {FIXED_SEED, *experiment.methods}


def test_the_papers_numbers_are_as_printed():
    """The numbers of the package against the papers' tables, typed once more in printed.txt."""
    printed = ConfigParser(delimiters="|")
    printed.read_string(Path(__file__).with_name("printed.txt").read_text())
    rows = {name: {row: each[row].split() for row in each} for name, each in printed.items()}
    boards = {}
    for name in ("table3", "phantom-go"):
        for row, numbers in rows[name].items():
            board, method = row.split()
            methods = boards.setdefault(name, {}).setdefault(board, {})
            methods[METHODS.get(method, method)] = tuple(map(float, numbers))
    boards["gametestbed"] = {
        game: {
            method: (float(one), None, None, None, float(sixteen))
            for method, one, sixteen in ((FIXED_SEED, *numbers[:2]), ("exp3", *numbers[2:]))
        }
        for game, numbers in rows["gametestbed"].items()
    }
    assert {name: each.paper for name, each in TABLES.items()} == boards
    assert list(transfer.LEVELS) == list(range(1, 11))
    for name, numbers in rows["transfer"].items():
        expected = [100 * float(each) for each in numbers]
        assert list(transfer.PAPER[METHODS[name]]) == pytest.approx(expected, abs=1e-9)
    for name, module in (("go", go_seeds), ("batoo", batoo_go), ("variants", variants)):
        *numbers, black, white, best = rows["portfolios"][name]
        means = [f"{float(each):.1f}" for each in numbers]
        assert list(module.PAPER) == [*means, f"{black} and {white}"]
        assert getattr(module, "PAPER_BEST", "-") == best
    for name, square in (("chess", CHESS), ("havannah", HAVANNAH)):
        *numbers, one, other, best = map(float, rows["portfolios"][name])
        assert (square.row, square.supports, square.best) == (tuple(numbers), (one, other), best)
    assert {
        int(board.split("x")[0]): (int(games), float(success), f"{black} and {white}")
        for board, (games, success, black, white) in rows["go"].items()
    } == ucb_go.PAPER
    assert "4 of 8 situations, and 4 are equal" in moves.PAPER
    printed = {41.55: "41.6", 28.95: "29.0", 8.75: "8.8", 0.0: "0.0", 41.54: "41.5", 79.8: "79.8"}
    assert {number: as_printed(number) for number in printed} == printed


@each
def test_sizes_of_the_experiment_unless_given(name):
    usual = {"table3": (1000, 200, 100), "phantom-go": (380, 380, 100)}.get(name, (400, 400, 100))
    for given, (k, kt, opponents) in [
        ({}, usual),
        ({"k": 50, "opponents": 30}, (50, 50, 30)),
        ({"k": 50, "kt": 7}, (50, 7, 100)),
    ]:
        expected = {"k": k, "kt": kt, "opponents": opponents}
        assert TABLES[name].sizes(given, paper=False) == expected


@pytest.mark.slow
def test_gametestbed_has_a_row_for_the_papers_learner_and_for_ours(tmp_path):
    outcome = small("gametestbed", tmp_path, ["nim", "morra"])
    lines = outcome.markdown().splitlines()
    assert lines[2].startswith("| nim | original, 1 seed | paper | 50.0 | - | - | - | 0.0 |")
    assert any(line.startswith("|  | exp3 | paper | 73.5 | - | - | - | 3.0 |") for line in lines)
    assert any(line.startswith("|  | nash | ours | ") and "±" in line for line in lines)
    assert any(line.startswith("| morra | original, 1 seed | paper |") for line in lines)
    assert len({line.count("|") for line in lines}) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["morra.study", "nim.study"]
    # As many cells for each learner that chooses, of one game in Nim and of 16 in Morra.
    for result, games in zip(outcome.results, (800, 12_800), strict=True):
        with Study.read(result.outcome.study) as study:
            asked = [json.loads(text) for text in study.requests()]
        assert [each["budget"] for each in asked] == [games, None]


@pytest.mark.slow
def test_phantom_go_and_its_curves_on_a_small_board(tmp_path, monkeypatch):
    paper = {"domineering:4x4": TABLES["phantom-go"].paper["phantom-go:5x5"]}
    monkeypatch.setitem(TABLES, "phantom-go", replace(TABLES["phantom-go"], paper=paper))
    asked = "phantom-go", tmp_path / "studies", list(paper), "uct:simulations=5"
    outcome = small(*asked)
    text = outcome.markdown()
    assert "| domineering 4x4 | original, 1 seed | paper | 50.0 | 30.5 |" in text
    assert "|  | sparse-nash:alpha=1.0 | paper | 76.2 | 55.2 | 31.9 | 8.7 | 0.9 |" in text
    (path,) = outcome.draw(tmp_path / "plots")
    assert path == tmp_path / "plots" / "domineering-4x4-k.svg"
    drawn = path.read_text()
    assert all(name in drawn for name in ("best-seed", "nash", "sparse-nash:alpha=0.5"))
    assert small(*asked).markdown() == text


@pytest.mark.slow
def test_square_curves_learn_from_as_many_opponents_as_seeds(tmp_path, monkeypatch):
    (result,) = small("gametestbed", tmp_path, ["pig"]).results
    drawn = []
    monkeypatch.setattr(
        study_plots, "plot_success_against_k", lambda path, title, curves: drawn.append(curves)
    )
    with Study.read(result.outcome.study) as study:
        played = study_plots.PlayedMatrices("pig", 16, 16, 17, Luck(16))
        for square in (False, True):
            study_plots.draw_k_curves(
                study, played, ["best-seed"], tmp_path / "k.svg", square=square
            )
        first, second = training_scores(study, TrainingArms(0, 16), 16)
        unseen = [
            arm_success(study, TrainingArms(0, 16).seeds(), UnseenArms(0, 17), colour)
            for colour in (0, 1)
        ]
        full = study.full
    for curves, columns in zip(drawn, (16, 8), strict=True):
        (best,) = (curve for curve in curves if curve.learner == "best-seed")
        assert list(best.ks) == [8, 16]
        expected = [
            matrix_learner("best-seed").weigh(scores[:8, :columns], full, colour).weights
            @ unseen[colour][:8]
            for colour, scores in enumerate((first, second))
        ]
        assert best.estimates[0][0].mean == pytest.approx(np.mean(expected))


@pytest.mark.slow
def test_scaling_has_a_line_for_each_strength_budget_and_learner(tmp_path):
    scaling = EXPERIMENTS["scaling"]
    numbers = scaling.sizes({"games": 300, "opponents": 17, "simulations": 100}, paper=False)
    boards = ["domineering:4x4"]
    with pytest.raises(SpecificationError, match="simulations must be 30 or more"):
        scaling.check(Setting(tmp_path, {**numbers, "simulations": 20}, boards))
    outcome = scaling.run(Setting(tmp_path / "a", numbers, boards, run=Run(ThreadArena(1))))
    (table,) = outcome.tables()
    learners = ["best-seed", "nash", "book"]
    assert [list(row[:4]) for row in table.rows] == [
        [*(("domineering 4x4", simulations) if games == "-" else ("", "")), games, name]
        for simulations in ("30", "100")
        for games, name in [
            ("-", MIXTURE),
            *((games, name) for games in ("30", "300") for name in learners),
        ]
    ]
    shown = show(tmp_path / "a" / "domineering-4x4-100.study").rows
    assert [row.estimates[-1].text for row in shown[2:]] == [row[5] for row in table.rows[-3:]]
    (path,) = outcome.draw(tmp_path / "plots")
    assert all(name in path.read_text() for name in learners)


def test_nothing_is_written_for_what_cannot_be(tmp_path):
    for games, player, kt, message in [
        (["nim", "go"], None, 9, "'go' is not in Table 1; it has .*nim"),
        (["nim"], None, 10, "Kt = 10 is not between 1 and K = 9"),
        (["nim"], "tabel", 9, "did you mean table"),
    ]:
        numbers = {"k": 9, "kt": kt, "opponents": 17}
        setting = Setting(tmp_path / "studies", numbers, games, player, run=Run(ThreadArena(1)))
        with pytest.raises(SpecificationError, match=message):
            TABLES["gametestbed"].run(setting)
    assert list(tmp_path.iterdir()) == []
    for name, message in (("phantomgo", "did you mean phantom-go"), ("x", "there are table3, ")):
        with pytest.raises(SpecificationError, match=message):
            find_experiment(name)


def test_the_list_says_sizes_times_and_what_each_makes(capsys):
    listed = list_experiments()
    assert all(re.search(r"\d+ (minutes?|hours?)", each["takes"]) for each in listed)
    assert run(["reproduce", "--list"]) in (0, None)
    words = " ".join(capsys.readouterr().out.split())
    for each in listed:
        assert each["name"] in words
        assert all(f"{name}={number}" in words for name, number in each["usual"].items())
    assert "13 minutes" in words
