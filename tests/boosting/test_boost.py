"""The main job, end to end, on boards small enough to check by other means."""

from dataclasses import replace

import numpy as np
import pytest
from sessions import Bar

from seedfolio import Study, StudyError, ThreadArena, boost, cross_validate, load_game, online, show
from seedfolio.boosting.results import saved_boost
from seedfolio.cli import run
from seedfolio.core.seeds import SYMMETRY_SHIFT, UNSEEN_SEEDS, name_of_arm, turned_arm
from seedfolio.evaluation.best_response import best_response_success
from seedfolio.opponents.load import load_boosted
from seedfolio.players import load_player
from seedfolio.players.program import DEFAULT_REPEATS, Program
from seedfolio.portfolios.portfolio import Distribution
from seedfolio.programs.load import load_program
from seedfolio.report.table import FIXED_SEED, MIXTURE
from seedfolio.study.arms import TrainingArms, UnseenArms, training_scores

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"


def tiny(path, **changes):
    sizes = {"k": 30, "kt": 10, "opponents": 20, **changes}
    return boost(GAME, PLAYER, study=path, **sizes)


def test_success_is_measured_on_unseen_seeds_only(made):
    outcome = made.boosted()
    program = Program(load_game(GAME), load_player(PLAYER))
    file = outcome.portfolios["best-seed"]
    (first,), (second,) = file.first, file.second
    n_first, n_second = file.evaluation.unseen_arms
    assert n_first == n_second == 170  # a single arm meets ten times as many opponents

    unseen = UnseenArms(0, 170).seeds()
    assert all(int(seed) in UNSEEN_SEEDS for seed in unseen)
    mine = np.full(170, first, np.uint64), np.full(170, second, np.uint64)
    as_first = program.play(mine[0], unseen, program.workspace())[0].mean() / 2
    as_second = 1 - program.play(unseen, mine[1], program.workspace())[0].mean() / 2
    assert file.evaluation.success[0].first == pytest.approx(as_first)
    assert file.evaluation.success[0].second == pytest.approx(as_second)
    assert file.evaluation.success[0].success == pytest.approx((as_first + as_second) / 2)


def test_the_table_has_both_baselines_and_every_learner(tmp_path):
    outcome = tiny(tmp_path / "a.study", learners=["nash", "uniform"])
    assert [row.name for row in outcome.rows] == [FIXED_SEED, MIXTURE, "nash", "uniform"]
    fixed, mixture, nash, uniform = outcome.rows
    # Against one opponent a fixed seed and a new seed each game are equally good on average.
    assert fixed.estimates[0].mean == pytest.approx(mixture.estimates[0].mean)
    assert fixed.estimates[-1].mean < mixture.estimates[-1].mean
    assert abs(uniform.estimates[0].mean - 0.5) < 4 * uniform.estimates[0].error
    for ours, baseline in zip(uniform.estimates[1:], mixture.estimates[1:], strict=True):
        assert abs(ours.mean - baseline.mean) < 4 * np.hypot(ours.error, baseline.error)
    assert nash.detail != uniform.detail == "30+30"
    for row in (fixed, mixture):
        assert row.estimates[0].mean == 0.5
    assert abs(outcome.control.mean - 0.5) < 4 * outcome.control.error
    assert "as a control it was measured" in " ".join(outcome.caption.split())
    certificate = outcome.portfolios["nash"].certificate
    for bounds in (certificate.first, certificate.second):
        assert 0 <= bounds.lower <= bounds.upper <= 1
        assert bounds.upper - bounds.lower < 1e-9
    saved = show(tmp_path / "a.study")
    assert saved.as_data() == outcome.as_data()
    assert saved.portfolios == outcome.portfolios
    with pytest.raises(StudyError, match=r"simulations is 5 there, 21 here"):
        boost(GAME, "uct:simulations=21", study=tmp_path / "a.study")
    program = Program(load_game(GAME), load_player(PLAYER))
    study = Study.open(tmp_path / "b.study", program.identity())
    with study, pytest.raises(StudyError, match="no result yet"):
        saved_boost(study)


def test_a_result_holds_only_its_own_portfolios(tmp_path):
    tiny(tmp_path / "a.study", learners=["nash", "best-seed"])
    tiny(tmp_path / "a.study", k=31, learners=["best-half", "sparse-nash", "sparse-nash:alpha=.75"])
    saved = show(tmp_path / "a.study")
    assert [row.name for row in saved.rows[2:]] == ["best-half", "sparse-nash"]
    assert set(saved.portfolios) == {"best-half", "sparse-nash"}


def test_asking_for_more_plays_only_what_is_missing(tmp_path):
    tiny(tmp_path / "grown.study", k=20, kt=6, learners=["best-seed"])
    grown = tiny(tmp_path / "grown.study")
    straight = tiny(tmp_path / "straight.study")
    assert grown.as_data() == straight.as_data()
    assert grown.portfolios == straight.portfolios


def test_where_luck_plays_a_part_a_cell_is_several_games(tmp_path):
    given = {"k": 12, "kt": 6, "opponents": 20, "study": tmp_path / "a.study"}
    outcome = boost("pig", learners=["nash", "best-seed"], **given)
    program = load_program("pig")
    assert program.repeats == outcome.luck.repeats == DEFAULT_REPEATS
    assert program.player == load_player(load_game("pig").rules.player)
    file = outcome.portfolios["best-seed"]
    assert file.provenance.repeats == DEFAULT_REPEATS
    assert file.provenance.games == outcome.training_games == (2 * 12 * 6 - 36) * DEFAULT_REPEATS
    assert "16 games a pair" in outcome.caption
    seeds, unseen = TrainingArms(0, 12).seeds(), UnseenArms(0, 200).seeds()
    with Study.read(tmp_path / "a.study") as study:
        first, second = training_scores(study, TrainingArms(0, 12), 6)
        assert study.full == program.full == 32
    for i in range(12):
        for j in range(6):
            pair = seeds[i : i + 1], seeds[j : j + 1]
            assert first[i, j] == program.play(*pair, program.workspace())[0][0]
            assert second[i, j] == 32 - program.play(*pair[::-1], program.workspace())[0][0]
    # Between always and never: otherwise one game would have been enough.
    assert np.mean((first > 0) & (first < 32)) > 0
    (best,) = file.first
    mine = np.full(200, best, np.uint64)
    success = program.play(mine, unseen, program.workspace())[0].mean() / 32
    assert file.evaluation.success[0].first == pytest.approx(success)
    assert first[best].sum() == first.sum(axis=1).max()
    saved = show(tmp_path / "a.study")
    assert saved.as_data() == outcome.as_data()
    assert (saved.luck, saved.caption) == (outcome.luck, outcome.caption)
    files = outcome.save_portfolios()
    assert load_boosted(files["nash"]).program.repeats == DEFAULT_REPEATS
    with pytest.raises(StudyError, match="repeats is 16 there, 4 here"):
        boost("pig", repeats=4, **given)


@pytest.mark.slow
def test_the_exact_best_response_is_shown_where_it_can_be_computed(tmp_path, made):
    sizes = {"k": 20, "kt": 20, "opponents": 20, "learners": ["nash", "uniform"]}
    outcome = boost("kuhn-poker", "table", **sizes, study=tmp_path / "a.study")
    fixed, mixture, nash, uniform = outcome.rows
    assert fixed.best_response is None
    assert mixture.best_response == uniform.best_response
    for row in (nash, uniform):
        # No seed of the original can do better than the best response.
        assert 0 <= row.best_response <= row.estimates[-1].mean + 3 * row.estimates[-1].error
        exact = outcome.portfolios[row.name].best_response
        portfolio = outcome.portfolios[row.name].portfolio()
        again = best_response_success(load_program("kuhn-poker", "table"), portfolio)
        assert (exact.first, exact.second) == (again.first, again.second)
        assert row.best_response == (exact.first + exact.second) / 2
    assert "Best response:" in outcome.caption
    assert show(tmp_path / "a.study").as_data() == outcome.as_data()
    noisy = boost("pig", "table:noise=10", repeats=2, **sizes, study=tmp_path / "noisy.study")
    for without in (noisy, made.boosted()):  # with luck, and a large game
        assert all(row.best_response is None for row in without.rows)
        assert without.portfolios["nash"].best_response is None
        assert "Best response" not in without.caption


def test_a_portfolio_of_more_games_is_not_overwritten(tmp_path):
    path = tmp_path / "a.study"
    given = {"opponents": 17, "learners": "nash", "study": path, "arena": ThreadArena(1)}
    large = boost("nim", "table", k=12, **given)
    (file,) = large.save_portfolios().values()
    kept = file.read_bytes()
    small = boost("nim", "table", k=6, **given)
    (other,) = small.save_portfolios().values()
    assert other.name == "a-nash-36-games.json"
    assert file.read_bytes() == kept
    larger = boost("nim", "table", k=14, **given)
    assert list(larger.save_portfolios().values()) == [file]
    assert file.read_bytes() != kept


@pytest.mark.parametrize(("opponents", "columns"), [(2, 1), (16, 4)])
def test_a_study_with_few_opponents_is_read_back(opponents, columns, tmp_path):
    boosted = tiny(tmp_path / "a.study", k=8, kt=8, opponents=opponents, learners="nash")
    assert show(tmp_path / "a.study").rows == boosted.rows
    assert {len(row.estimates) for row in boosted.rows} == {columns}
    online(tmp_path / "a.study", games=4, repetitions=1)
    cross_validate(tmp_path / "a.study", sizes=(2,), redraws=1)


def test_a_book_without_entries_is_the_original_and_is_not_measured(tmp_path):
    asked = {"learners": ["book"], "budget": 10, "k": 8, "opponents": 17}
    bar = Bar()
    outcome = boost(GAME, PLAYER, **asked, study=tmp_path / "a.study", progress=bar)
    _, mixture, book = outcome.rows
    assert (book.detail, book.estimates) == ("0+0", mixture.estimates)
    assert outcome.notes == {"book": "no entries, so it plays as the original"}
    assert outcome.verdict.best is None
    assert "book against unseen" not in dict(bar.tasks)
    written = outcome.portfolios["book"].evaluation
    assert [each.success for each in written.success] == [each.mean for each in mixture.estimates]
    assert show(tmp_path / "a.study").notes == outcome.notes


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
    program = replace(load_program(GAME, PLAYER), turned=True)
    cells = np.repeat(held, len(arms)), np.tile(arms, len(held))
    played = program.play(*cells, program.workspace())[0]
    assert kept.ravel().tolist() == played.tolist()
