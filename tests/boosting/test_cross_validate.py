"""Cross-validation and the equilibrium of a study: Python and the command line say the same."""

import json
from ast import literal_eval

import numpy as np
import pytest
from case_files import cases

from seedfolio import SpecificationError, Study, cross_validate, export, learn, online, show
from seedfolio.analysis.cross_validation import Matrix, judge_by_left_out
from seedfolio.analysis.matrix_game import Portfolios
from seedfolio.cli import run
from seedfolio.core.randomness import mix_int
from seedfolio.learning.registry import matrix_learner
from seedfolio.report.cross_validation import OverDraws
from seedfolio.report.table import FIXED_SEED, MIXTURE
from seedfolio.study.arms import TrainingArms

K = KT = 20


@pytest.fixture
def boosted(made):
    return made.boosted()


def points(boosted, rows, columns):
    with Study.read(boosted.study) as study:
        return study.results(TrainingArms(0, rows).seeds(), TrainingArms(0, columns).seeds())


def test_the_arms_that_met_each_other_are_drawn(boosted):
    found = cross_validate(boosted, sizes=[6], redraws=3, learners="best-seed", key=4)
    assert (found.arms, found.redraws, found.opponents) == (KT, 3, ("original", "exploiter"))
    keys = [mix_int(mix_int(4) + draw) >> 1 for draw in range(3)]
    learner = {"best-seed": matrix_learner("best-seed")}
    plain = judge_by_left_out(Matrix(points(boosted, KT, KT), 2), learner, 6, keys)["best-seed"]
    expected = OverDraws.of(plain.against_original)
    assert found.success[6, "best-seed", "original"] == expected
    assert expected.estimate.error == pytest.approx(expected.deviation / np.sqrt(3))


def test_the_command_prints_what_the_function_returns(boosted, capsys, tmp_path):
    words = [str(boosted.study), "--size", "3", "--redraws", "5", "-l", "nash", "--each-other"]
    picture = tmp_path / "a.svg"
    run(["cross-validate", *words, "--json", "--quiet", "--plot", str(picture)])
    data = json.loads(capsys.readouterr().out)
    found = cross_validate(boosted, sizes=[3], redraws=5, learners="nash", each_other=True)
    assert data == found.as_data()
    assert "against exploiter" in picture.read_text()
    assert found.success[3, "nash", "nash"].estimate.mean == pytest.approx(0.5)


def test_a_matrix_in_a_file_is_validated_as_the_study_is(boosted, tmp_path):
    export(boosted, tmp_path / "a.csv")
    asked = {"sizes": [6], "redraws": 3, "learners": ["best-seed", "nash"], "key": 4}
    ours, theirs = cross_validate(boosted, **asked), cross_validate(tmp_path / "a.csv", **asked)
    for place, each in ours.success.items():
        assert theirs.success[place].estimate.mean == pytest.approx(each.estimate.mean, abs=1e-9)
    assert learn(tmp_path / "a.csv", learners="nash").value.lower == pytest.approx(
        boosted.equilibrium().numbers[0], abs=1e-9
    )


@pytest.mark.parametrize(("given", "said"), cases(__file__, "what cannot be is said", literal_eval))
def test_what_cannot_be_is_said(boosted, given, said):
    with pytest.raises(SpecificationError, match=said):
        cross_validate(boosted, **given)


def test_the_equilibrium_of_a_study(boosted):
    found = boosted.equilibrium()
    square = points(boosted, KT, KT) / 2
    plain = Portfolios.of(square)
    assert found.arms == KT
    assert found.numbers == pytest.approx(plain.numbers())
    assert found.supports == plain.supports
    # Each colour has its own matrix, K arms against Kt.
    black, white = points(boosted, K, KT) / 2, 1 - points(boosted, KT, K).T / 2
    values = [Portfolios.of(matrix).value for matrix in (black, white)]
    means = [values[n] - matrix.min(axis=1).mean() for n, matrix in enumerate((black, white))]
    assert found.exploitability[FIXED_SEED].mean == pytest.approx(np.mean(means))
    mixed = [values[n] - matrix.mean(axis=0).min() for n, matrix in enumerate((black, white))]
    assert found.exploitability[MIXTURE].mean == pytest.approx(np.mean(mixed))
    assert abs(found.exploitability["nash"].mean) < 1e-9
    (best,) = boosted.portfolios["best-seed"].first
    assert found.exploitability["best-seed"].first == pytest.approx(values[0] - black[best].min())


def test_show_prints_the_equilibrium(boosted, capsys):
    run(["show", str(boosted.study), "--equilibrium", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data == show(boosted.study).equilibrium().as_data()
    run(["show", str(boosted.study), "--equilibrium", "--markdown"])
    first, second = capsys.readouterr().out.split("\n\n")
    assert first.startswith("| arms | V | Nash(1) v Uniform(2) |")
    assert second.splitlines()[0].endswith("| K'=16 | exploitability |")


def test_endless_seeds_are_as_many_as_are_ever_opened(made_copy):
    asked = {"games": 100, "repetitions": 3, "threads": 1}
    endless = online(made_copy.study, endless=True, **asked).plays
    assert [play.arms for play in endless] == [10, 10]
    # With more seeds at hand, and the same widening, none of the others is ever played.
    more = online(made_copy.study, arms=25, widening=1.0, **asked).plays
    for one, other in zip(endless, more, strict=True):
        assert one.variant == other.variant == "UCBT, widening 1 N^0.5"
        assert [curve.played for curve in one.portfolios if curve.opponent == "nash"] == [
            curve.played for curve in other.portfolios if curve.opponent == "nash"
        ]
    with pytest.raises(SpecificationError, match="`endless` has no number of arms"):
        online(made_copy.study, endless=True, arms=5)
    with pytest.raises(SpecificationError, match="would open 12,800 arms"):
        online(made_copy.study, endless=True, widening=100)
