"""Learners side by side, with real games of a small game."""

import csv
import json

import pytest

from seedfolio.boosting.compare import compare
from seedfolio.cli import run
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.study.store import Study

PROGRAM = "domineering:4x4", "uct:simulations=5"
LEARNERS = ("halving", "halving:keep=16", "best-seed", "nash", "uniform")


def comparison(folder, **changes):
    given = {"budget": 3000, "learners": LEARNERS, "opponents": 40, **changes}
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
    given = {"budget": 300, "learners": ("exp3",), "opponents": 17}
    one, other = (comparison(tmp_path, key=key, **given).learnt["exp3"] for key in (1, 2))
    assert one != other


def test_the_command(tmp_path, capsys):
    arguments = ["compare", "@".join(PROGRAM), "-b", "500", "-l", "halving", "--quiet"]
    arguments += ["--arena", "threads", "--study", str(tmp_path / "c.study")]
    assert run([*arguments, "--json"]) in (0, None)
    data = json.loads(capsys.readouterr().out)
    assert data["games"]["halving"] <= 500
    paper = tmp_path / "a.tex"
    assert run([*arguments, "--table", str(paper)]) in (0, None)
    assert "halving" in capsys.readouterr().out
    text = paper.read_text()
    assert text.startswith("% seedfolio ")
    assert r"K'=1 & K'=2" in text
    assert text.count(r" \\") == 4
    assert run([*arguments, "--table", "a.doc"]) == 2
    assert "a.doc is no table" in capsys.readouterr().err


def test_a_tidy_table_holds_every_number(outcome, tmp_path):
    lines = outcome.save_table(tmp_path / "a.csv", "seedfolio compare X").read_text().splitlines()
    about, rows = lines[:4], [*csv.DictReader(lines[4:])]
    assert about[3] == "# seedfolio compare X"
    assert json.loads(about[2][2:])["budget"] == 3000
    found = {(each["name"], int(each["exploiter"])): float(each["success"]) for each in rows}
    for row in outcome.rows:
        for exploiter, each in zip(CRITERIA, row.estimates, strict=True):
            assert found.pop((row.name, exploiter)) == each.mean
    assert not found
