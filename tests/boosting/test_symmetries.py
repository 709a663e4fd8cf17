"""Portfolios whose arms are drawn under a random symmetry of the board."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from seedfolio.boosting.boost import boost
from seedfolio.boosting.results import Boost
from seedfolio.cli import run
from seedfolio.core.seeds import SYMMETRY_SHIFT, name_of_arm, turned_arm
from seedfolio.errors import SpecificationError
from seedfolio.opponents.load import load_boosted
from seedfolio.portfolios.portfolio import Distribution
from seedfolio.programs.load import load_program
from seedfolio.study.store import Study

GIVEN = {"k": 60, "kt": 60, "opponents": 60, "learners": ("best-seed", "nash")}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Boost, Boost]:
    study = tmp_path_factory.mktemp("symmetries") / "a.study"
    return tuple(  # type: ignore[return-value]
        boost("phantom-tic-tac-toe", study=study, symmetries=turn, **GIVEN)  # type: ignore[arg-type]
        for turn in (False, True)
    )


def test_arm_numbers() -> None:
    assert turned_arm(7, 0) == 7
    assert name_of_arm(7) == "seed 7"
    assert name_of_arm(turned_arm(7, 3)) == "seed 7, symmetry 3"


def test_weights_are_shared_among_symmetries() -> None:
    turned = Distribution((4, 9), (0.25, 0.75)).turned(3)
    assert turned.arms[:4] == tuple(4 + (g << SYMMETRY_SHIFT) for g in range(4))
    assert turned.weights == (0.0625,) * 4 + (0.1875,) * 4


def test_as_strong_and_harder_to_exploit(outcomes: tuple[Boost, Boost]) -> None:
    plain, turned = ({row.name: row.estimates for row in each.rows} for each in outcomes)
    for name in ("best-seed", "nash"):
        gap = abs(plain[name][0].mean - turned[name][0].mean)
        assert gap < 3 * (plain[name][0].error + turned[name][0].error)
        assert turned[name][-1].mean > plain[name][-1].mean
    assert turned["best-seed"][-1].mean > plain["best-seed"][-1].mean + 0.1


def test_the_file_plays_its_arms_turned(outcomes: tuple[Boost, Boost]) -> None:
    path = outcomes[1].save_portfolios()["best-seed"]
    boosted = load_boosted(path)
    arms = {boosted.new_game(0, key).number for key in range(100)}
    assert len(arms) == 8
    assert len({arm % 2**SYMMETRY_SHIFT for arm in arms}) == 1
    moves = {boosted.new_game(0, key).choose([]) for key in range(100)}
    assert len(moves) > 1 or moves == {4}  # the centre is its own image


def test_online_meets_the_arms_as_they_are_turned(
    outcomes: tuple[Boost, Boost], capsys: pytest.CaptureFixture[str]
) -> None:
    path = outcomes[1].study
    sizes = ["--games", "8", "--arms", "5", "--repetitions", "2"]
    assert run(["online", str(path), *sizes, "--arena", "threads", "-q"]) in (0, None)
    assert "best-seed" in capsys.readouterr().out
    held = np.arange(5, dtype=np.uint64)
    arms = np.array(list(outcomes[1].portfolios["best-seed"].second), np.uint64)
    assert len(arms) == 8
    with Study.read(path) as study:
        kept = study.results(held, arms)
    program = replace(load_program("phantom-tic-tac-toe"), turned=True)
    cells = np.repeat(held, len(arms)), np.tile(arms, len(held))
    played = program.play(*cells, program.workspace())[0]
    assert kept.ravel().tolist() == played.tolist()


def test_a_game_without_symmetries_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecificationError, match="pig has no symmetries; leave out `symmetries`"):
        boost("pig", symmetries=True, study=tmp_path / "p.study")
    assert list(tmp_path.iterdir()) == []
