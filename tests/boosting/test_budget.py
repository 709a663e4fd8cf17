"""Budgets in games and in minutes: what is chosen if no learner is named, and what is kept."""

import json
import re

import pytest
from made_studies import PROGRAM
from sessions import Whole

from seedfolio import Study, StudyError, ThreadArena, boost, compare, load_program, show
from seedfolio.boosting.budget import in_proportion
from seedfolio.boosting.request import Request
from seedfolio.boosting.results import saved_boost
from seedfolio.boosting.saved import saved_matrices
from seedfolio.study.arms import TrainingArms, training_scores

GAME, PLAYER = PROGRAM
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
    assert show(path).notes == outcome.notes
    matrices, _ = run(path)
    assert "nash" in matrices.portfolios
    assert matrices.notes == {}
    outcome, _ = run(tmp_path / "b.study", budget=400, learners=["halving", "auto"])
    used = {name: file.provenance.games for name, file in outcome.portfolios.items()}
    told = f"halving {used['halving']:,}, auto {used['auto']:,}."
    assert f"up to 400 games that each learner chose for itself; used: {told}" in outcome.caption
    assert show(tmp_path / "b.study").caption == outcome.caption


@pytest.mark.parametrize(
    ("budget", "sizes"),
    [(10, (20, 20)), (2_000, (31, 31)), (20_000, (100, 100)), (10**6, (500, 100))],
)
def test_judging_is_in_proportion_to_learning(budget, sizes):
    program = load_program(GAME, PLAYER)
    request = Request(k=500, kt=100, opponents=100, learners=("auto",), budget=budget)
    found = in_proportion(request, program, 1, ["k", "opponents"])
    assert (found.k, found.opponents) == pytest.approx(sizes, abs=1)
    assert 2 * found.k * found.opponents <= max(budget, 800)
    assert in_proportion(request, program, 1, []) == request  # what is given stays
    whole = request.model_copy(update={"budget": None})
    assert in_proportion(whole, program, 1, ["k", "opponents"]) == whole


@pytest.mark.parametrize("given", [{"budget": 10}, {"budget": 5_000}, {"k": 60, "kt": 30}])
def test_the_whole_job_is_told_before_it_starts(tmp_path, given):
    study = {"study": tmp_path / "a.study", "arena": ThreadArena(1)}
    progress = Whole()
    boost(GAME, PLAYER, progress=progress, **given, **study)
    ((total, text),) = progress.told
    assert progress.done < 6_000 or "budget" not in given or given["budget"] > 10
    assert total / 2 < progress.done < 2 * total
    assert re.fullmatch(
        r"about \S+ games: \S+ to learn from, \S+ to judge by; about .* games/s", text
    )


def test_so_is_a_comparison_of_several_budgets(tmp_path):
    progress, study = Whole(), {"study": tmp_path / "a.study", "arena": ThreadArena(1)}
    sizes = {"budget": [200, 400], "repetitions": 2, "learners": ["halving", "exp3"]}
    compare(GAME, PLAYER, opponents=20, progress=progress, **sizes, **study)
    ((total, text),) = progress.told
    assert total / 4 < progress.done < 2 * total  # with other budgets the same seeds may win
    assert text.endswith("games/s")


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


MANY = 5_000
CHOSEN = f"a book, as it has {MANY:,} games or more; auto:book=0 chooses seeds"


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    path, learners = tmp_path_factory.mktemp("auto") / "a.study", ["auto", "auto:book=0", "book"]
    sizes = {"k": 20, "opponents": 20, "budget": MANY}
    return boost(*PROGRAM, learners=learners, study=path, arena=ThreadArena(1), **sizes)


def test_with_many_games_it_is_the_book(outcome):
    auto, seed, book = (outcome.portfolios[name] for name in ("auto", "auto:book=0", "book"))
    assert auto.learner == "auto"
    assert auto.fresh is not None  # it is recommended, so it was measured again
    assert auto.model_copy(update={"learner": "book", "fresh": None}) == book
    assert len(auto.book.first[0].entries) > 10
    assert seed.book is None
    rows = {row.name: row for row in outcome.rows}
    assert rows["auto"].estimates == rows["book"].estimates
    assert [path.name for path in outcome.study.parent.glob("*.npz")] == ["a-books-1.npz"]
    assert outcome.notes["auto"] == CHOSEN
    assert "equally often: they promise" in outcome.notes["auto:book=0"]
    assert "book" not in outcome.notes
    with Study.read(outcome.study) as study:
        assert saved_boost(study).notes == outcome.notes
