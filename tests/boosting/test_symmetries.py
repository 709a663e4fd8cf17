"""Portfolios whose arms are drawn under a random symmetry of the board."""

from dataclasses import replace

import numpy as np

from seedfolio.cli import run
from seedfolio.core.seeds import SYMMETRY_SHIFT, name_of_arm, turned_arm
from seedfolio.opponents.load import load_boosted
from seedfolio.portfolios.portfolio import Distribution
from seedfolio.programs.load import load_program
from seedfolio.study.store import Study

PROGRAM = "domineering:4x4", "uct:simulations=5"


def test_weights_are_shared_among_symmetries():
    assert turned_arm(7, 0) == 7
    assert name_of_arm(7) == "seed 7"
    assert name_of_arm(turned_arm(7, 3)) == "seed 7, symmetry 3"
    turned = Distribution((4, 9), (0.25, 0.75)).turned(3)
    assert turned.arms[:4] == tuple(4 + (g << SYMMETRY_SHIFT) for g in range(4))
    assert turned.weights == (0.0625,) * 4 + (0.1875,) * 4


def test_arms_are_played_turned(made, made_copy, capsys):
    boosted, learnt = load_boosted(made.portfolio("best-half", "turned")), made.boosted("turned")
    arms = {boosted.new_game(0, key).number for key in range(400)}
    seeds = {arm % 2**SYMMETRY_SHIFT for arm in arms}
    images = 1 + boosted.program.traits.symmetries
    assert len(arms) == images * len(seeds) == len(learnt.portfolios["best-half"].first)
    path = made_copy.folder / "turned.study"
    sizes = ["--games", "8", "--arms", "5", "--repetitions", "2"]
    assert run(["online", str(path), *sizes, "--arena", "threads", "-q"]) in (0, None)
    assert "best-half" in capsys.readouterr().out
    held = np.arange(5, dtype=np.uint64)
    arms = np.array(sorted(learnt.portfolios["best-half"].second), np.uint64)
    with Study.read(path) as study:
        kept = study.results(held, arms)
    program = replace(load_program(*PROGRAM), turned=True)
    cells = np.repeat(held, len(arms)), np.tile(arms, len(held))
    played = program.play(*cells, program.workspace())[0]
    assert kept.ravel().tolist() == played.tolist()
