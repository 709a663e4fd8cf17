"""Learning against other programs: [[opponents]] in the specification, and `exploit`."""

import json

import numpy as np
import pytest
from case_files import programs
from external import CHESS_ENGINE, GNU_GO, left_behind, numbered_text, program_of, seeded_text
from in_process import seedfolio
from sparing import levels
from waiting import killed

from seedfolio import Study, boost, cross_validate, exploit, export, load_portfolio, show
from seedfolio.core.seeds import UNSEEN_SEEDS, is_opposing, opposing
from seedfolio.engines.specification.specification import read_specification
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.opponents.known import with_opponent
from seedfolio.opponents.load import load_opponent

UNSEEN = UNSEEN_SEEDS.start
(OTHER_SEEDS,) = programs(__file__)


def specification(folder, more=OTHER_SEEDS):
    return seeded_text(folder) + more


def test_a_mixture_takes_turns_by_weight(tmp_path):
    program = program_of(tmp_path, specification(tmp_path))
    assert program.opponents == ("far seeds", "always one")
    assert np.bincount(program.opponent_of(30)).tolist() == [10, 20]
    names = [program.arm(int(n)).name for n in opposing(np.arange(3, dtype=np.uint64), 0)]
    assert sorted(names)[:2] == ["always one", "always one"]
    assert sorted(names)[2].startswith("far seeds, seed 1")
    learnt, judged = (
        {program.arm(int(n)).name for n in opposing(start + np.arange(60, dtype=np.uint64), 1)}
        for start in (np.uint64(0), np.uint64(UNSEEN))
    )
    assert learnt & judged == {"always one"}  # else they have different seeds
    assert len(learnt) == len(judged) == 21
    weights = OTHER_SEEDS.replace("weight = 2", "weight = 3")
    other = program_of(tmp_path, specification(tmp_path, weights)).identity_of_parts()
    none = program_of(tmp_path, specification(tmp_path, "")).identity_of_parts()
    assert program.identity_of_parts() != other
    assert "opponents" not in none
    assert "opponents" not in none["specification"]


def test_a_finite_list_judges_in_another_order_than_it_is_learnt_from(tmp_path):
    """Else an arm that won its games of learning by luck would win the same ones again."""
    more = '[[opponents]]\nname = "list"\nseeds = "1000..1063"\n'
    program = program_of(tmp_path, specification(tmp_path, more))
    learnt, judged = (
        [program.arm(int(n)).name for n in opposing(start + np.arange(64, dtype=np.uint64), 1)]
        for start in (np.uint64(0), np.uint64(UNSEEN))
    )
    assert set(learnt) == set(judged)
    assert len(set(learnt[:20]) & set(judged[:20])) < 12  # by chance 6.25


def test_an_older_file_has_the_digest_that_it_had(tmp_path):
    """Studies and portfolios of version 0.2 must open: their digests were made without it."""
    file = tmp_path / "a.toml"
    file.write_text('[game]\nname = "nim"\n[player]\nprotocol = "gtp"\ncommand = "bot {seed}"\n')
    assert read_specification(file).digest == "df7afd512fedd9fa9b27a3d958abc21c"


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("opposed")
    program_of(folder, specification(folder))
    sizes = {"k": 3, "kt": 6, "opponents": 18, "learners": ["best-seed", "nash"]}
    return folder, boost(folder / "engine.toml", **sizes, study=folder / "a.study")


@pytest.mark.slow
def test_a_table_has_each_opponent(boosted):
    folder, outcome = boosted
    assert (outcome.against, outcome.training_games) == (("far seeds", "always one"), 2 * 3 * 6)
    # One of them has a single arm, which learning has met.
    assert outcome.caption.startswith("Mean of both colours against seeds of 2 other programs; at")
    single, mixture, best, _ = outcome.rows
    assert not single.each
    # The original is measured: it does not meet itself, so nothing says that it has one half.
    shares = np.array([1 / 3, 2 / 3])
    for row in (mixture, best):
        each = np.array([one.mean for one in row.each])
        assert row.estimates[0].mean == pytest.approx(float(shares @ each))
    theirs = opposing(np.arange(UNSEEN, UNSEEN + 18, dtype=np.uint64), 1)
    with Study.read(folder / "a.study") as study:
        first = study.results(np.arange(3, dtype=np.uint64), theirs) / 2
    whose = np.array([0 if n % 3 == 1 else 1 for n in range(18)])
    assert (first[:, whose == 1] == first[:, whose == 1][:, :1]).all()  # always one
    found = outcome.variety
    assert found.arms == 3
    assert max(found.different_opponents) <= 7  # 6 far seeds, and the one
    assert found.has_duplicates
    assert "the same games as one of these" in found.text
    assert not left_behind(folder)


@pytest.mark.slow
def test_a_portfolio_says_whom_it_was_made_for_and_is_an_opponent_in_its_turn(boosted):
    folder, outcome = boosted
    path = outcome.save_portfolios()["nash"]
    file = load_portfolio(path)
    assert file.engine.against == ["far seeds", "always one"]
    assert "made for far seeds, always one" in file._parts()[0].title
    assert file.engine_program(folder).opponents == outcome.against
    again = show(folder / "a.study")
    assert (again.against, again.variety) == (outcome.against, outcome.variety)
    assert [one.mean for one in again.rows[1].each] == [one.mean for one in outcome.rows[1].each]
    table = f'[[opponents]]\nfile = "{path}"\n'
    program = program_of(folder, specification(folder, table), "second.toml")
    assert program.opponents == ("a-nash",)
    drawn = {program.arm(int(n)).name for n in opposing(np.arange(50, dtype=np.uint64), 0)}
    assert drawn == {f"a-nash, {file.engine.arms[arm]}" for arm in file.first}


@pytest.mark.slow
def test_matrix_and_plots_are_those_against_them(boosted, tmp_path):
    folder, outcome = boosted
    assert export(outcome, tmp_path / "a.csv") == 2 * 3 * 6
    lines = [line.split(",") for line in (tmp_path / "a.csv").read_text().splitlines()]
    as_first, as_second = (opposing(np.arange(6, dtype=np.uint64), colour) for colour in (0, 1))
    assert lines[0][1:] == [str(arm) for arm in (0, 1, 2, *as_second.tolist())]
    assert [line[0] for line in lines[1:]] == [str(arm) for arm in (0, 1, 2, *as_first.tolist())]
    known = np.array([[bool(cell) for cell in line[1:]] for line in lines[1:]])
    assert known[:3, 3:].sum() == known[3:, :3].sum() == known.sum() / 2 == 3 * 6
    with Study.read(folder / "a.study") as study:
        first = study.results(np.arange(3, dtype=np.uint64), as_second)
    assert [[int(cell) for cell in line[4:]] for line in lines[1:4]] == first.tolist()
    outcome.plot_seeds(tmp_path / "seeds.svg")
    assert (tmp_path / "seeds.svg").stat().st_size > 1000
    for refused in (outcome.equilibrium, lambda: cross_validate(outcome)):
        with pytest.raises(SpecificationError, match=r"\[\[opponents\]\]"):
            refused()


def test_learners_that_play_it_against_itself_are_refused(tmp_path, command):
    program_of(tmp_path, specification(tmp_path))
    for words in (["--budget", "100", "--learner", "auto"], ["--learner", "halving"]):
        code, _, said = command("boost", "engine.toml", *words)
        assert code == 2
        assert "plays the program against itself" in said
    assert not (tmp_path / "studies").exists()


@pytest.mark.slow
def test_an_opponent_that_plays_at_random_is_refused(tmp_path):
    line = seeded_text(tmp_path, "random").partition("command = ")[2].partition("\n")[0]
    more = f'[[opponents]]\nname = "dice"\ncommand = {line}\n'
    (tmp_path / "engine.toml").write_text(specification(tmp_path, more))
    with pytest.raises(EngineError, match="opponent dice does not repeat its game"):
        boost(tmp_path / "engine.toml", k=2, kt=2, opponents=17, study=tmp_path / "a.study")


REAL = {
    "gnugo": GNU_GO.format(board=5, games=30),
    "stockfish": CHESS_ENGINE.format(game="chess", moves=12, nodes="60..90"),
}


@levels("engine", slow=["stockfish"], long=["gnugo"])
def test_a_real_engine_through_a_kill(engine, request, tmp_path):
    request.getfixturevalue(engine)
    program_of(tmp_path, REAL[engine])
    words = ["exploit", "engine.toml", "--budget", "12", "--opponents", "2", "--study", "a.study"]
    killed([*words, "-q"], tmp_path, "after", "record", "2")
    with Study.read(tmp_path / "a.study") as study:
        before = study.count()
    assert before > 0
    done = seedfolio(*words, "--json", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert 0 <= found["low"] <= found["success"] <= found["high"] <= 1
    assert [row["name"] for row in found["boost"]["rows"][2:]] == ["best-seed", "book:books=1"]
    with Study.read(tmp_path / "a.study") as study:
        assert study.count() > before
        games = study.engine_games().games()
        assert all(sum(map(is_opposing, each.arms)) == 1 for each in games)
    file = load_portfolio(tmp_path / found["portfolio"])
    assert file.engine.against == ["engine"]
    assert json.loads(seedfolio(*words, "--json", "-q", cwd=tmp_path).stdout) == found


@pytest.mark.slow
def test_the_book_of_a_portfolio_is_met(tmp_path):
    program_of(tmp_path, seeded_text(tmp_path))
    boosted = boost(
        tmp_path / "engine.toml", learners="book", budget=400, k=4, opponents=4,
        study=tmp_path / "a.study",
    )  # fmt: skip
    file = boosted.save_portfolios()["book"]
    opponent = load_opponent(file)
    met = with_opponent(load_opponent(tmp_path / "engine.toml").program, opponent)
    assert met.known.books.digest == opponent.engine_playing.books.digest
    found = exploit(file, budget=400, opponents=4, study=tmp_path / "b.study")
    assert found.boost.against == ("engine",)
    assert found.success.mean > found.original.mean
    assert load_portfolio(found.save()) == found.portfolio


def test_a_finite_list_of_arms_gives_no_interval(tmp_path):
    """All of them were met in learning."""
    program_of(tmp_path, numbered_text(tmp_path, 4))
    found = exploit(tmp_path / "engine.toml", budget=12, opponents=4, study=":memory:")
    assert "error not known, against scripted 1, on arms that it has met" in found.text


def test_engines_and_built_in_programs_do_not_meet(tmp_path):
    program_of(tmp_path, seeded_text(tmp_path))
    engine, built_in = tmp_path / "engine.toml", "domineering:4x4"
    for job, program, more, said in (
        (exploit, engine, {"learning": built_in}, "is an external engine"),
        (exploit, built_in, {"learning": engine}, "is built in"),
        (boost, engine, {"learns": True}, "is an external engine; leave it out"),
    ):
        with pytest.raises(SpecificationError, match=said):
            job(program, **more, study=":memory:")
