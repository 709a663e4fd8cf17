"""Learners side by side, with real games of a small game."""

import csv
import json

import numpy as np
import pytest
from scipy.stats import ttest_rel

from seedfolio import SpecificationError, Study, compare, show
from seedfolio.cli import run
from seedfolio.evaluation.exploiters import CRITERIA
from seedfolio.report.learnings import differences

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
    kept = show(outcome.study)
    assert kept.as_data() == outcome.as_data()
    assert kept.learnings == outcome.learnings
    assert kept.equilibrium().numbers


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


BUDGETS = {"budget": [200, 50], "learners": ("nash", "halving"), "opponents": 17}


@pytest.fixture(scope="module")
def repeated(tmp_path_factory):
    return comparison(tmp_path_factory.mktemp("repeated"), repetitions=3, **BUDGETS)


def test_budgets_and_repetitions_have_the_numbers_of_single_comparisons(repeated, tmp_path):
    found = {(each.budget, each.repetition): each.rows for each in repeated.learnings}
    assert set(found) == {(budget, number) for budget in (50, 200) for number in range(3)}
    kept = show(repeated.study)
    assert [table.rows for table in kept.tables()] == [table.rows for table in repeated.tables()]
    single = comparison(tmp_path, **{**BUDGETS, "budget": 200})
    assert single.rows[2:] == found[200, 0][2:]
    for place, row in enumerate(repeated.rows):
        for column, each in enumerate(row.estimates):
            means = [found[200, number][place].estimates[column].mean for number in range(3)]
            assert each.mean == pytest.approx(np.mean(means))
            error = np.std(means, ddof=1) / 3**0.5
            if not error and (row.group, column) != ("baseline", 0):  # which is exact
                error = np.nan
            assert each.error == pytest.approx(error, nan_ok=True)
    assert len({rows[2].estimates[0].mean for rows in found.values()}) > 3


def test_all_learners_and_budgets_of_a_learning_meet_the_same_seeds(tmp_path):
    """Common random numbers: a learner alone has the numbers that it has beside others."""
    both = comparison(tmp_path, **BUDGETS)
    alone = comparison(tmp_path, **{**BUDGETS, "learners": "halving"})
    rows = {row.name: row for each in both.learnings if each.budget == 50 for row in each.rows}
    (other,) = (
        row
        for each in alone.learnings
        if each.budget == 50
        for row in each.rows
        if row.name == "halving"
    )
    assert other == rows["halving"]


def test_the_difference_to_the_best_is_that_of_a_paired_test(repeated):
    found = differences(repeated.learnings, 200, 0)
    chosen = [each.rows for each in repeated.learnings if each.budget == 200]
    success = np.array([[row.estimates[0].mean for row in rows[2:]] for rows in chosen])
    best = int(success.mean(axis=0).argmax())
    interval = ttest_rel(success[:, 1 - best], success[:, best]).confidence_interval(0.95)
    other = found[1 - best]
    assert found[best].text == "best"
    assert (other.mean - other.half, other.mean + other.half) == pytest.approx(tuple(interval))


def test_tables_and_plots_of_budgets_and_repetitions(repeated, tmp_path):
    usual, curve, difference = repeated.tables()
    assert "over 3 learnings" in usual.caption
    assert [row[0] for row in curve.rows if row and row[0]] == ["50", "200"]
    assert [row[0] for row in difference.rows] == ["nash", "halving"]
    lines = repeated.save_table(tmp_path / "a.csv").read_text().splitlines()
    asked = json.loads(lines[2][2:])
    assert (asked["budgets"], asked["repetitions"], asked["key"]) == ([50, 200], 3, 0)
    assert len([*csv.DictReader(lines[3:])]) == 2 * 3 * 4 * 5
    assert repeated.save_table(tmp_path / "a.tex").read_text().count("tabular") == 6
    assert repeated.plot(tmp_path / "a.svg").axes[0].get_title("left") == "K'=1"
    assert len(repeated.as_data()["learnings"]) == 6


def test_what_cannot_be_repeated_gets_a_line(tmp_path):
    for changes, said in [
        ({"budget": []}, "`budget` is empty"),
        ({"budget": [100, 0]}, "`budget` must be 1 to"),
        ({"budget": ["many"]}, "`budget` must be a whole number"),
        ({"repetitions": 0}, "`repetitions` must be 1 to"),
    ]:
        with pytest.raises(SpecificationError, match=said):
            comparison(tmp_path, **{**BUDGETS, **changes})
    with pytest.raises(SpecificationError, match="repetitions need files"):
        compare(*PROGRAM, **BUDGETS, repetitions=2, study=":memory:")
    assert not [*tmp_path.iterdir()]
