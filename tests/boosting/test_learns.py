"""`boost --learns`: what is left against an opponent who learns, and how it is told and kept."""

import json
from dataclasses import replace

import pytest
from in_process import seedfolio
from one_line import refused
from sessions import Whole

from seedfolio import Study, boost, exploit, load_portfolio
from seedfolio.boosting.results import saved_boost
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.evaluation.learning_opponents import Learns

GAME, PLAYER = "domineering:4x4", "uct:simulations=5"
ASKED = {"k": 20, "opponents": 20, "budget": 500, "learners": ["book", "best-seed"]}


def test_it_is_what_exploit_finds_and_the_study_keeps_it(tmp_path):
    study, whole = tmp_path / "a.study", Whole()
    found = boost(GAME, PLAYER, **ASKED, learns=True, study=study, progress=whole)
    ((total, text),) = whole.told
    assert "of opponents who learn" in text
    assert whole.done < 2 * total > 12 * ASKED["budget"]  # three kinds against each of two
    learns = found.learns
    assert (learns.name, learns.games) == ("book", found.games["book"])
    file = found.save_portfolios()["book"]
    for program, left in ((file, learns.portfolio), (f"{GAME}@{PLAYER}", learns.original)):
        alone = exploit(program, budget=learns.games, opponents=20, study=":memory:")
        assert left == alone.success.turned()
    written = load_portfolio(file).learns
    assert (written.games, written.success) == (learns.games, learns.portfolio.mean)
    assert learns.text in found.verdict.text.split("\n")
    with Study.read(study) as opened:
        kept = saved_boost(opened)
    assert (kept.learns, kept.verdict.text) == (learns, found.verdict.text)
    assert json.loads(json.dumps(found.as_data()))["learns"]["games"] == learns.games
    shown = " ".join(seedfolio("show", file, cwd=tmp_path).stdout.split())
    assert f"Against an opponent who learnt from {learns.games:,} games:" in shown


def test_the_command_tells_it_and_its_games(tmp_path):
    words = ["boost", f"{GAME}@{PLAYER}", "--k", "20", "--opponents", "20", "--budget", "200"]
    words += ["--learner", "best-seed", "--study", "a.study", "-q", "--json"]
    data = json.loads(seedfolio(*words, "--learns", cwd=tmp_path).stdout)
    assert 0 <= data["learns"]["original"]["low"] <= data["learns"]["original"]["high"] <= 1
    without = json.loads(seedfolio(*words, cwd=tmp_path).stdout)
    assert "learns" not in without
    assert without["rows"] == data["rows"]


def test_it_says_which_of_the_two_is_better():
    middle = SuccessInterval(0.3, 0.28, 0.32)
    found = Learns(2000, middle, "book", SuccessInterval(0.1, 0.08, 0.12))
    assert found.text == (
        "Against an opponent who learns from 2,000 games: book, 10.0% (95% interval 8.0 to 12.0) "
        "where the original has 30.0% (28.0 to 32.0). There the original is better."
    )
    better = replace(found, portfolio=SuccessInterval(0.5, 0.48, 0.52))
    assert better.text.endswith("There book is better, too.")
    near = replace(found, portfolio=SuccessInterval(0.31, 0.28, 0.34))
    assert near.text.endswith("There neither is better beyond the error.")
    alone = Learns(2000, middle).text
    assert alone.endswith("games: the original has 30.0% (95% interval 28.0 to 32.0).")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([GAME, "--symmetries"], "under a symmetry of the board"),
        ([GAME, "--against", f"{GAME}@uct:simulations=9"], "leave out --learns or --against"),
        (["nim:players=3,seat=1"], "one seat against the others"),
    ],
)
def test_what_it_cannot_do_is_one_line(tmp_path, words, said):
    refused("boost", *words, "--learns", "-q", cwd=tmp_path, saying=said)
