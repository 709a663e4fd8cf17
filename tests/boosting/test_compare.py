"""Learners side by side, with real games of a small game."""

from __future__ import annotations

import json

import pytest

from seedfolio.boosting.compare import compare
from seedfolio.cli import run
from seedfolio.errors import SpecificationError
from seedfolio.study.store import Study

PROGRAM = "domineering:4x4", "uct:simulations=5"
LEARNERS = ("halving", "halving:keep=16", "best-seed", "nash", "uniform")


def comparison(folder, **changes):
    given: dict[str, object] = {"budget": 3000, "learners": LEARNERS, "opponents": 40, **changes}
    return compare(*PROGRAM, study=folder / "a.study", **given)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return comparison(tmp_path_factory.mktemp("compare"))


def test_learners_keep_to_the_budget_and_pay_on_unseen_seeds(outcome):
    assert list(outcome.learnt) == list(outcome.games) == list(LEARNERS)
    assert all(2400 < games <= 3000 for games in outcome.games.values())
    assert outcome.games == {name: each.games for name, each in outcome.learnt.items()}
    success = {row.name: row.estimates[0].mean for row in outcome.rows}
    assert abs(success["uniform"] - success["original, mixture"]) < 0.06
    for name in ("halving", "halving:keep=16", "best-seed", "nash"):
        assert success[name] > success["original, mixture"] + 0.08
    with Study.read(outcome.study) as study:
        before = study.count()
    again = comparison(outcome.study.parent)
    assert again.as_data() == outcome.as_data()
    with Study.read(outcome.study) as study:
        assert study.count() == before


def test_the_key_draws_what_a_learner_leaves_to_chance(tmp_path):
    found = [
        comparison(tmp_path, key=key, budget=300, learners=("exp3",)).learnt["exp3"]
        for key in (1, 2, 1)
    ]
    assert found[0] == found[2] != found[1]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"budget": 0}, "`budget` must be 1 to 1,000,000,000 games, not 0"),
        ({"opponents": 1}, "1 unseen opponents are too few"),
        ({"learners": ["halvin"]}, "unknown learner 'halvin'; did you mean halving"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, changes, message):
    with pytest.raises(SpecificationError, match=message):
        comparison(tmp_path, **changes)
    assert list(tmp_path.iterdir()) == []


def test_the_command(tmp_path, capsys):
    arguments = ["compare", "@".join(PROGRAM), "-b", "500", "-l", "halving", "--quiet"]
    arguments += ["--arena", "threads", "--study", str(tmp_path / "c.study")]
    assert run([*arguments, "--json"]) in (0, None)
    data = json.loads(capsys.readouterr().out)
    assert data["games"]["halving"] <= 500
    assert run(arguments) in (0, None)
    assert "halving" in capsys.readouterr().out
