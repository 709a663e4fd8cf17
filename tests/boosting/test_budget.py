"""Budgets in games and in minutes: what is chosen if no learner is named, and what is kept."""

import json

import pytest

from seedfolio.arena.threads import ThreadArena
from seedfolio.boosting.boost import boost
from seedfolio.boosting.results import saved_boost
from seedfolio.boosting.saved import saved_matrices
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.study.arms import TrainingArms, training_scores
from seedfolio.study.store import Study

GAME, PLAYER = "nim", "table"
SIZES = {"k": 20, "kt": 10, "opponents": 20}


def asked_of(path):
    with Study.read(path) as study:
        return [json.loads(text) for text in study.requests()]


def run(path, **given):
    said = []
    arena = ThreadArena(1)
    chooses = {"budget", "minutes"} & given.keys()
    sizes = {name: size for name, size in SIZES.items() if name != "kt" or not chooses}
    outcome = boost(GAME, PLAYER, **sizes, study=path, note=said.append, arena=arena, **given)
    return outcome, said


@pytest.mark.slow
def test_minutes_become_games_that_the_study_keeps(tmp_path):
    path = tmp_path / "a.study"
    outcome, (said,) = run(path, minutes=0.002)
    games = outcome.request.budget
    assert f"0.002 minutes are {games:,} games for auto (`budget` {games})" in said
    assert said.startswith("measured ")
    assert [asked["budget"] for asked in asked_of(path)] == [games]
    assert int(str(games)[2:] or 0) == 0  # can be typed again

    again, (said,) = run(path, minutes=0.002)
    assert f"0.002 minutes were {games:,} games for auto when this began; continuing" in said
    assert again.as_data() == outcome.as_data()
    assert len(asked_of(path)) == 1

    other, silence = run(tmp_path / "b.study", budget=games)
    assert silence == []
    assert other.rows == outcome.rows
    assert other.notes == outcome.notes
    portfolios = [each.portfolios["auto"].model_dump() for each in (other, outcome)]
    assert portfolios[0] == portfolios[1]


def test_with_a_budget_auto_is_the_learner_and_says_what_it_chose(tmp_path):
    path = tmp_path / "a.study"
    outcome, _ = run(path, budget=400)
    assert list(outcome.portfolios) == ["auto"]
    assert "against the best of 16 opponents" in outcome.notes["auto"]
    with Study.read(path) as study:
        assert saved_boost(study).notes == outcome.notes
    matrices, _ = run(path)
    assert "nash" in matrices.portfolios
    assert matrices.notes == {}
    outcome, _ = run(tmp_path / "b.study", budget=400, learners=["halving", "auto"])
    used = {name: file.provenance.games for name, file in outcome.portfolios.items()}
    told = f"halving {used['halving']:,}, auto {used['auto']:,}."
    assert f"up to 400 games that each learner chose for itself; used: {told}" in outcome.caption
    with Study.read(tmp_path / "b.study") as study:
        assert saved_boost(study).caption == outcome.caption


def test_a_matrix_is_remembered_whatever_learners_choose_later(tmp_path):
    path = tmp_path / "a.study"
    run(path, budget=200)
    with Study.read(path) as study, pytest.raises(StudyError, match="its learners chose"):
        saved_matrices(study)
    matrices, _ = run(path, learners=["best-seed", "halving"])
    arena = ThreadArena(1)
    for later in ({"budget": 200}, {"k": 25, "kt": 5, "learners": ["halving"]}):
        boost(GAME, PLAYER, opponents=20, study=path, arena=arena, **later)
        with Study.read(path) as study:
            assert saved_matrices(study) == matrices.request
            training_scores(study, TrainingArms(0, SIZES["k"]), SIZES["kt"])  # it is whole


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"minutes": 1, "budget": 100}, "give `budget` or `minutes`, not both"),
        ({"minutes": 0}, "`minutes` must be above 0 and at most 100,000, not 0"),
        ({"minutes": -1}, "above 0 and at most 100,000, not -1"),
        ({"minutes": float("nan")}, "above 0 and at most 100,000, not nan"),
        ({"minutes": 1e9}, r"above 0 and at most 100,000, not 1e\+09"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(tmp_path, given, words):
    with pytest.raises(SpecificationError, match=words):
        run(tmp_path / "a.study", **given)
    assert not (tmp_path / "a.study").exists()
