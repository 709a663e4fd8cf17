"""`plan` and `online` as a person uses them, with real files."""

import json

import pytest
from in_process import seedfolio

PROGRAM = ["domineering:4x4", "-p", "uct:simulations=20"]
STUDY = "studies/domineering-4x4-uct-simulations-20.study"


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    """A folder in which a small study has been made."""
    folder = tmp_path_factory.mktemp("planned")
    sizes = ["--k", "30", "--kt", "10", "--opponents", "20", "-l", "nash", "-l", "best-seed"]
    done = seedfolio("boost", *PROGRAM, *sizes, "-q", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_plan_says_what_is_enough_and_what_to_run(tmp_path):
    done = seedfolio("plan", *PROGRAM, "--epsilon", "0.1", "--k", "2000", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    # log(2 * 2000 / 0.05) / 0.02 = 564.5
    for text in ("K=2,000", "Kt=565", "within 10.0 points", "1,940,775", "95% sure", "games/s"):
        assert text in words
    command = "seedfolio boost domineering:4x4 --player uct:simulations=20 --k 2000 --kt 565"
    assert command in words
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_plan_tells_the_precision_of_given_sizes(tmp_path):
    done = seedfolio("plan", *PROGRAM, "--k", "500", "--kt", "100", "--json", cwd=tmp_path)
    data = json.loads(done.stdout)
    assert data["epsilon"] == pytest.approx(0.22253, abs=1e-5)  # log(20000) / 200, its root
    assert data["games"] == 90_000
    assert data["halving_games"] == 2 * 500 * 9
    assert data["games_per_second"] > 0


@pytest.mark.slow
def test_a_fine_precision_is_told_with_its_digits(tmp_path):
    done = seedfolio("plan", *PROGRAM, "--k", "20000000", "--kt", "20000000", cwd=tmp_path)
    words = " ".join(done.stdout.split())
    # sqrt(log(2 * 2e7 / 0.05) / (2 * 2e7)) = 0.000716
    assert "within 0.072 points" in words
    assert "at most 0.14 points" in words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--epsilon", "0.1", "--k", "20"], "a --k of 495 or more, or an --epsilon of 0.409 or"),
        (["--kt", "20"], "both --k and --kt"),
        (["--delta", "2"], "delta = 2"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(tmp_path, options, words):
    done = seedfolio("plan", *PROGRAM, *options, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_online_shows_both_colours_and_what_it_is_not(boosted):
    done = seedfolio("online", STUDY, "--games", "64", "-q", cwd=boosted)
    assert done.returncode == 0, done.stderr
    words = " ".join(done.stdout.split())
    for text in (
        *("UCBT as first player", "UCBT as second player", "nash", "uniform", "best-seed"),
        *("one fixed seed", "first 10 training seeds", "not success on unseen seeds"),
    ):
        assert text in words
    again = seedfolio("online", STUDY, "--games", "64", "-q", cwd=boosted)
    assert again.stdout == done.stdout


@pytest.mark.slow
def test_online_draws_and_gives_data(boosted):
    done = seedfolio(
        *("online", STUDY, "--games", "32", "--plot", "a.svg", "--json", "-q"), cwd=boosted
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    first = data["players"][0]
    assert first["games"] == [1, 2, 4, 8, 16, 32]
    assert len(first["fixed"]) == first["arms"] == 10
    assert (boosted / "a.svg").read_text().count("<svg") == 1


@pytest.mark.slow
def test_online_plays_what_the_study_lacks_once(boosted):
    wider = ["online", STUDY, "--games", "8", "--arms", "12", "--repetitions", "2"]
    done = seedfolio(*wider, cwd=boosted)
    assert done.returncode == 0, done.stderr
    assert "seeds that UCBT holds" in done.stderr
    again = seedfolio(*wider, cwd=boosted)
    assert "seeds that UCBT holds" not in again.stderr
    assert again.stdout == done.stdout


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--games", "0"], "--games must be 1 to 16,777,216, not 0"),
        (["--arms", "0"], "--arms must be 1 to 2,000, not 0"),
        (["--arms", "99999"], "--arms must be 1 to 2,000, not 99999"),
        (["--repetitions", "0"], "--repetitions must be 1 or more, not 0"),
        (["--plot", "a.pdf"], ".png or .svg"),
    ],
)
def test_online_play_that_cannot_be_is_refused(boosted, options, words):
    done = seedfolio("online", STUDY, *options, "-q", cwd=boosted)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.slow
def test_a_budget_later_leaves_the_matrix_to_be_looked_at(boosted, tmp_path):
    (tmp_path / "a.study").write_bytes((boosted / STUDY).read_bytes())
    budget = ["--budget", "300", "--opponents", "20", "--study", "a.study"]
    done = seedfolio("boost", *PROGRAM, *budget, "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    sizes = ["--games", "64", "--repetitions", "2", "--plot", "o.svg"]
    for words, wrote in (
        (["online", "a.study", *sizes], ["wrote o.svg"]),
        (["show", "a.study", "--plot-k", "k.svg", "--plot-seeds", "s.svg"], ["wrote s.svg"]),
        (["export", "a.study", "m.csv"], ["wrote m.csv: 30 x 30 seeds, ", " cells played"]),
    ):
        done = seedfolio(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert all(text in done.stderr for text in wrote)
    lines = (tmp_path / "m.csv").read_text().splitlines()
    assert len(lines) == 31
