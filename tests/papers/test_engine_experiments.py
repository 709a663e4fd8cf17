"""The papers' experiments with GNU Go: their parts, and small runs with the real program."""

import subprocess
import sys
from ast import literal_eval
from pathlib import Path

import numpy as np
import pytest
from case_files import cases
from needed import need
from waiting import PATIENCE

from seedfolio.__main__ import main
from seedfolio.analysis.matrix_game import Portfolios
from seedfolio.arena import Run
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.engines.protocols.process import find_program
from seedfolio.errors import SpecificationError
from seedfolio.papers import transfer
from seedfolio.papers.batoo_go import BASE, BOARD, Batoo, base_build, batoo, stones_left
from seedfolio.papers.engine_experiment import EngineExperiment, open_engine, success
from seedfolio.papers.gnu_go import classical, gnu_go, monte_carlo
from seedfolio.papers.go_seeds import GoSeeds
from seedfolio.papers.moves import Moves, Situation, continuing, line_number, parting, stones
from seedfolio.papers.run import EXPERIMENTS, find_experiment
from seedfolio.papers.variants import variants
from seedfolio.study.arms import UnseenArms

GNU_GO = find_program("gnugo", Path())
FEW = monte_carlo(20)
"""Flags of a program that plays fast."""


def arms(*numbers):
    return np.array(numbers, np.uint64)


def asked(flags, commands):
    """Return what a GNU Go of our own answers to each command: the oracle of these tests."""
    words = "--mode gtp --quiet --chinese-rules --never-resign"
    done = subprocess.run(
        [GNU_GO, *words.split(), *flags.split()],
        input="\n".join([*commands, "quit", ""]),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    return [answer.removeprefix("=").strip().lower() for answer in done.stdout.split("\n\n")]


def told(board, komi, seed, moves):
    begin = [f"boardsize {board}", f"komi {komi}", "clear_board", f"set_random_seed {seed}"]
    return [*begin, *(f"play {colour} {move}" for colour, move in moves)]


def played_once(program, folder, *cell):
    with open_engine(program, folder / "x.study", Run(threads=1)) as session:
        (found,) = success(session, "", [cell])
        (game,) = session.study.engine_games().games()
    return found[0, 0], game


ENGINE_EXPERIMENTS = [
    name for name, each in EXPERIMENTS.items() if isinstance(each, EngineExperiment)
]


@pytest.mark.parametrize("name", ENGINE_EXPERIMENTS)
def test_numbers_are_the_usual_the_papers_or_those_given(name):
    experiment = find_experiment(name)
    assert isinstance(experiment, EngineExperiment)
    assert set(experiment.paper) <= set(experiment.usual)
    assert experiment.sizes({}, paper=False) == experiment.usual
    papers = experiment.sizes({}, paper=True)
    assert papers == {**experiment.usual, **experiment.paper}
    # Fewer games for each arm open more arms.
    sizes = {key: number for key, number in experiment.usual.items() if key != "each"}
    assert all(papers[key] >= number for key, number in sizes.items())
    first = next(iter(experiment.usual))
    assert experiment.sizes({first: 77}, paper=True) == {**papers, first: 77}
    with pytest.raises(SpecificationError, match=f"{first} must be 1 or more, not 0"):
        experiment.sizes({first: 0}, paper=False)
    with pytest.raises(SpecificationError, match=f"there are {first}"):
        experiment.sizes({"nothing": 1}, paper=False)


@pytest.mark.parametrize(
    ("words", "saying"), cases(__file__, "what cannot be is refused", literal_eval)
)
def test_what_cannot_be_is_refused(words, saying, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["seedfolio", "reproduce", *words])
    assert main() == 2
    assert saying in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.study"))


def test_all_32_variants_differ_and_seeds_1_to_32_are_those_of_the_paper():
    assert len(set(variants())) == 32
    assert sum("--mirror" in flags for flags in variants()) == 16
    program = gnu_go(9, 7.5, classical(10), seeds="1..32")
    assert (program.arms.training, program.arms.finite) == (32, True)
    assert [program.arm(number).values["seed"] for number in range(32)] == list(range(1, 33))


def test_as_white_the_guests_begin(monkeypatch):
    own, guests = arms(7), guest_arms(0, arms(0, 1))
    for colour, first in ((0, [[1, 0]]), (1, [[1], [0]])):
        points = np.array(first, float)  # of those who begin, against the others

        def success(session, task, cells, points=points):
            assert [[len(side) for side in cell] for cell in cells] == [list(points.shape)]
            return [points]

        monkeypatch.setattr(transfer, "success", success)
        (found,) = transfer._success(None, "", colour, [(own, guests)])
        assert found.tolist() == [[[1, 0]], [[0, 1]]][colour]


def test_the_tables_and_figures_of_seeds_against_each_other(tmp_path):
    points = 2 * np.random.default_rng(5).integers(0, 2, (8, 8), dtype=np.uint8)
    text = GoSeeds(points, redraws=4).markdown()
    row, validated, online, each_other = text.split("\n\n")
    numbers = Portfolios.of(points / 2).printed()
    assert row.splitlines()[-1] == f"| ours, learnt from | 8 | {' | '.join(numbers)} |"
    assert validated.splitlines()[2] == "| paper | best-seed | - | 62 | - |"
    for table, lines in ((validated, range(3, 27, 6)), (each_other, range(2, 18, 4))):
        learners = [table.splitlines()[line].split(" | ")[1] for line in lines]
        assert learners == ["best-seed", "nash", "best-half", "uniform"]
    assert online.splitlines()[0].startswith("| UCBT plays | against | 32 games | 128 games |")
    # Against one seed it finds a seed that wins, if there is one.
    lost = [float(line.split(" | ")[4]) for line in online.splitlines()[4::3]]
    least = [100 * (1 - points.max(axis=0) / 2).mean(), 100 * (points.min(axis=1) / 2).mean()]
    assert lost == pytest.approx(least, abs=0.1)
    for outcome in (GoSeeds(points, redraws=4), Batoo(points, {}, redraws=4)):
        assert ["<svg" in path.read_text() for path in outcome.draw(tmp_path)] == [True] * 3


def test_base_builds_are_inner_points_and_differ_by_seed():
    builds = [base_build(seed) for seed in range(300)]
    assert builds == [base_build(seed) for seed in range(300)]
    assert len(set(builds)) > 290
    points = [build.split(",") for build in builds]
    assert all(len(set(each)) == BASE for each in points)
    used = {point for each in points for point in each}
    assert used == {f"{column}{row}" for column in "bcdefgh" for row in range(2, BOARD)}

    assert stones_left("c3,d4,e5", "c3,e5,f6") == [(0, "d4"), (1, "f6")]
    assert stones_left("c3,d4,e5", "c3,d4,e5") == []


def test_where_two_games_part_and_lines_have_numbers():
    one, other = ("c3", "c2", "d3"), ("c3", "c2", "b3", "pass")
    assert parting(one, other) == Situation(("c3", "c2"), "d3", "b3")
    assert parting(one, one[:2]) is None
    assert Situation(("c3", "c2"), "d3", "b3").lines == (one, other[:3])
    lines = [("c3",), ("c3", "c4"), ("c4", "c3"), ("c3c4",), ()]
    numbers = {line_number(line) for line in lines}
    assert len(numbers) == len(lines)
    assert all(number % 2**32 == 0 and number < 2**63 for number in numbers)


def test_moves_are_counted_and_drawn(tmp_path):
    found = [
        Situation(("c3",), "c4", "b2", (5, 0)),
        Situation((), "c3", "c2", (5, 5)),
        Situation(("c3", "b2", "d2", "c2", "b3"), "c1", "pass", (0, 1)),
    ]
    moves = Moves(tuple(found), 5)
    text = moves.markdown()
    assert "| 1 | White | c3 | c4 | b2 | 5 of 5 | 0 of 5 | boosted |" in text
    assert "| 2 | Black | the start | c3 | c2 | 5 of 5 | 5 of 5 | equal |" in text
    assert "Black: the boosted move is preferred in 0 of 1, the original one in 0, and 1 " in text
    assert "White: the boosted move is preferred in 1 of 2, the original one in 1, and 0 " in text
    drawn = moves.draw(tmp_path / "plots")
    assert [path.name for path in drawn] == ["moves-black.svg", "moves-white.svg"]
    assert all("<svg" in path.read_text() for path in drawn)
    cells = stones(5, ["c3", "a1"])
    assert (cells[12], cells[0], sum(cells)) == (1, 2, 3)
    assert stones(5, ["a2", "a1", "b1"])[0] == 0


@pytest.mark.slow
def test_a_meeting_is_between_two_programs(tmp_path):
    """Every move of a game comes again out of a GNU Go of the side's own flags and seed."""
    need("gnugo")
    own, guests = gnu_go(5, 6.5, FEW), (gnu_go(5, 6.5, classical(1)), gnu_go(5, 6.5, classical(7)))
    program = meeting(own, guests)
    black, white = UnseenArms(3, 1).seeds(), guest_arms(1, arms(5))
    found, game = played_once(program, tmp_path, black, white)
    sides = [
        (FEW, own.arm(int(black[0])).values["seed"]),
        (classical(7), guests[1].arm(5).values["seed"]),
    ]
    played = [("bw"[ply % 2], move) for ply, move in enumerate(game.moves)]
    for ply, (colour, move) in enumerate(played):
        flags, seed = sides[ply % 2]
        answers = asked(flags, [*told(5, 6.5, seed, played[:ply]), f"genmove {colour}"])
        assert answers[4 + ply] == move, ply
    score = asked("", [*told(5, 6.5, 1, played), "final_score"])[4 + len(played)]
    assert found == (1.0 if score.startswith("b") else 0.0)


@pytest.mark.slow
def test_batoo_goes_on_from_the_stones_that_are_left(tmp_path):
    need("gnugo")
    program = batoo(gnu_go(BOARD, 7.5, classical(1)))
    _, game = played_once(program, tmp_path, arms(0), arms(1))
    seeds = [program.arm(number).values["seed"] for number in (0, 1)]
    assert game.moves[:2] == tuple(map(base_build, seeds))
    black, white = (set(build.split(",")) for build in game.moves[:2])
    played = [("b", point) for point in sorted(black - white)]
    played += [("w", point) for point in sorted(white - black)]
    for ply, move in enumerate(game.moves[2:]):
        if ply in (0, 1, 2, 7):
            commands = told(BOARD, 7.5, seeds[ply % 2], played)
            answers = asked(classical(1), [*commands, f"genmove {'bw'[ply % 2]}"])
            assert answers[len(commands)] == move
        played.append(("bw"[ply % 2], move))
    score = asked("", [*told(BOARD, 7.5, 1, played), "final_score"])[4 + len(played)]
    assert game.points == (2 if score.startswith("b") else 0)


@pytest.mark.slow
def test_a_continuation_begins_with_its_line(tmp_path):
    need("gnugo")
    line, strong = ("c3", "b2", "b3"), gnu_go(5, 6.5, FEW)
    sides = (arms(line_number(line) + side) for side in (0, 1))
    _, game = played_once(continuing(strong, [line]), tmp_path, *sides)
    assert game.moves[:3] == line
    played = [("bw"[ply % 2], move) for ply, move in enumerate(line)]
    commands = told(5, 6.5, strong.arm(1).values["seed"], played)
    assert asked(FEW, [*commands, "genmove w"])[len(commands)] == game.moves[3]
