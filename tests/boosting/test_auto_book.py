"""The learner auto with many games: it learns a book, the very one that the learner book does."""

import pytest

from seedfolio.arena import Silent
from seedfolio.arena.threads import ThreadArena
from seedfolio.boosting.boost import boost
from seedfolio.boosting.results import saved_boost
from seedfolio.opponents.load import load_boosted
from seedfolio.opponents.opponent import Opponent
from seedfolio.programs.load import load_program
from seedfolio.study.store import Study

PROGRAM = ("domineering:4x4", "uct:simulations=5")
MANY = 5_000
SIZES = {"k": 20, "opponents": 20}
CHOSEN = f"a book, as it has {MANY:,} games or more; auto:book=0 chooses seeds"


def learn(path, learners, budget=MANY, **given):
    arena = ThreadArena(1)
    return boost(
        *PROGRAM, **SIZES, learners=learners, budget=budget, study=path, arena=arena, **given
    )


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("auto") / "a.study", ["auto", "auto:book=0", "book"])


def test_with_many_games_it_is_the_book(outcome):
    auto, seed, book = (outcome.portfolios[name] for name in ("auto", "auto:book=0", "book"))
    assert auto.learner == "auto"
    assert auto.model_copy(update={"learner": "book"}) == book
    assert len(auto.book.first[0].entries) > 10
    assert seed.book is None
    rows = {row.name: row for row in outcome.rows}
    assert rows["auto"].estimates == rows["book"].estimates
    # One file keeps what both have seen.
    assert [path.name for path in outcome.study.parent.glob("*.npz")] == ["a-books-1.npz"]
    assert outcome.notes["auto"] == CHOSEN
    assert "equally often: they promise" in outcome.notes["auto:book=0"]
    assert "book" not in outcome.notes
    with Study.read(outcome.study) as study:
        assert saved_boost(study).notes == outcome.notes


@pytest.mark.slow
def test_with_fewer_games_or_minutes(tmp_path):
    outcome = learn(tmp_path / "a.study", ["auto", "auto:book=0"], budget=2000)
    auto, seed = outcome.portfolios.values()
    assert auto.book is None
    assert (auto.first, auto.second) == (seed.first, seed.second)
    assert not list(tmp_path.glob("*.npz"))
    said = []
    asked = {"budget": None, "minutes": 0.005, "note": said.append}
    outcome = learn(tmp_path / "b.study", ["auto:book=50"], **asked)
    games = outcome.request.budget
    assert f"0.005 minutes are {games:,} games for auto:book=50 (`budget` {games})" in said[0]
    assert outcome.portfolios["auto:book=50"].book is not None


def test_its_file_is_played(outcome):
    path = outcome.save_portfolios()["auto"]
    assert path.name == "a-auto.json"
    program, original = load_boosted(path), Opponent(load_program(*PROGRAM))
    name = original.program.game.move_name
    entries = outcome.portfolios["auto"].book.first[0].entries
    book = {entry.move for entry in entries if entry.parent == -1}
    firsts = [
        {name(each.new_game(0, key).choose([])) for key in range(20)}
        for each in (program, original)
    ]
    assert book <= firsts[0]  # a move of the book, or its image
    assert len(firsts[0]) < len(firsts[1])


def test_the_original_of_the_boosted_program_has_no_book(outcome):
    boosted = load_boosted(outcome.save_portfolios()["auto"])
    original, alone = boosted.original, load_program(*PROGRAM)
    assert original == Opponent(boosted.program)
    assert original.playing is boosted.program
    assert boosted.program.books is None
    assert boosted.playing.books is not None
    differ = 0
    for key in range(20):
        ours, theirs = boosted.new_game(0, key), original.new_game(0, key)
        assert (ours.number, ours.luck) == (theirs.number, theirs.luck)
        assert theirs.choose([]) == alone.choose([], theirs.number, theirs.luck)
        differ += ours.choose([]) != theirs.choose([])
    assert differ > 0


def test_an_interrupted_book_goes_on(tmp_path, outcome):
    class Interrupting(Silent):
        learning, games = False, 0

        def begin(self, task, total):
            self.learning = task == "book"

        def advance(self, cells):
            self.games += cells * self.learning
            if self.games > MANY // 2:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        learn(tmp_path / "a.study", ["auto"], progress=Interrupting())
    assert [path.name for path in tmp_path.glob("*.npz")] == ["a-books-1.npz"]
    again = learn(tmp_path / "a.study", ["auto"])
    assert again.portfolios["auto"] == outcome.portfolios["auto"]
