"""Learners side by side, with real games of a small game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seedfolio.boosting.compare import compare
from seedfolio.boosting.results import Comparison
from seedfolio.cli import run
from seedfolio.errors import SpecificationError
from seedfolio.study.store import Study

LEARNERS = ("halving", "halving:keep=16", "best-seed", "nash", "uniform")


def comparison(folder: Path, **changes: object) -> Comparison:
    given: dict[str, object] = {"budget": 5000, "learners": LEARNERS, "opponents": 40, **changes}
    return compare("phantom-tic-tac-toe", study=folder / "a.study", **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Comparison:
    return comparison(tmp_path_factory.mktemp("compare"))


def test_every_learner_keeps_to_the_budget_and_uses_most_of_it(outcome: Comparison) -> None:
    assert list(outcome.learnt) == list(outcome.games) == list(LEARNERS)
    assert all(4000 < games <= 5000 for games in outcome.games.values())
    assert outcome.games == {name: each.games for name, each in outcome.learnt.items()}


def test_learning_pays_on_unseen_seeds(outcome: Comparison) -> None:
    success = {row.name: row.estimates[0].mean for row in outcome.rows}
    assert abs(success["uniform"] - success["original, mixture"]) < 0.06
    for name in ("halving", "halving:keep=16", "best-seed", "nash"):
        assert success[name] > success["original, mixture"] + 0.08


def test_halving_finds_better_seeds_than_the_square_of_as_many_games(outcome: Comparison) -> None:
    success = {row.name: row.estimates[0].mean for row in outcome.rows}
    assert success["halving"] >= success["best-seed"]


def test_again_nothing_is_played_and_the_outcome_is_the_same(outcome: Comparison) -> None:
    with Study.read(outcome.study) as study:
        before = study.count()
    again = comparison(outcome.study.parent)
    assert again.as_data() == outcome.as_data()
    with Study.read(outcome.study) as study:
        assert study.count() == before


def test_the_key_draws_what_a_learner_leaves_to_chance(tmp_path: Path) -> None:
    found = [
        comparison(tmp_path, key=key, budget=300, learners=("exp3",)).learnt["exp3"]
        for key in (1, 2, 1)
    ]
    assert found[0] == found[2] != found[1]


def test_luck_is_paid_for(tmp_path: Path) -> None:
    found = compare(
        "pig", budget=4000, learners=["halving"], opponents=20, repeats=8, study=tmp_path / "p"
    )
    assert 2000 < found.games["halving"] <= 4000
    assert found.games["halving"] % 8 == 0


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": 0}, "`budget` must be 1 to 1,000,000,000 games, not 0"),
        ({"opponents": 1}, "1 unseen opponents are too few"),
        ({"learners": ["halvin"]}, "unknown learner 'halvin'; did you mean halving"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, changes: dict[str, object], message: str
) -> None:
    with pytest.raises(SpecificationError, match=message):
        comparison(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", "phantom-tic-tac-toe", "-b", "500", "-l", "halving", "--quiet"]
    arguments += ["--arena", "threads", "--study", str(tmp_path / "c.study")]
    assert run([*arguments, "--json"]) in (0, None)
    data = json.loads(capsys.readouterr().out)
    assert data["games"]["halving"] <= 500
    assert run(arguments) in (0, None)
    assert "halving" in capsys.readouterr().out
