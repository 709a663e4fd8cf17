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
CHOSEN = f"a book, as it has {MANY:,} games or more; auto:book=0 chooses seeds"


def learn(path, learners, **given):
    given |= {"learners": learners, "study": path, "arena": ThreadArena(1)}
    return boost(*PROGRAM, k=20, opponents=20, budget=MANY, **given)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory):
    return learn(tmp_path_factory.mktemp("auto") / "a.study", ["auto", "auto:book=0", "book"])


def test_with_many_games_it_is_the_book(outcome):
    auto, seed, book = (outcome.portfolios[name] for name in ("auto", "auto:book=0", "book"))
    assert auto.learner == "auto"
    assert auto.fresh is not None  # it is recommended, so it was measured again
    assert auto.model_copy(update={"learner": "book", "fresh": None}) == book
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


def test_its_file_is_played_and_its_original_has_no_book(outcome):
    path = outcome.save_portfolios()["auto"]
    assert path.name == "a-auto.json"
    boosted, alone = load_boosted(path), load_program(*PROGRAM)
    original = boosted.original
    assert original == Opponent(boosted.program)
    assert boosted.program.books is None
    assert boosted.playing.books is not None
    name, firsts = alone.game.move_name, [set(), set()]
    for key in range(20):
        ours, theirs = boosted.new_game(0, key), original.new_game(0, key)
        assert (ours.number, ours.luck) == (theirs.number, theirs.luck)
        assert theirs.choose([]) == alone.choose([], theirs.number, theirs.luck)
        for each, chosen in zip((ours, theirs), firsts, strict=True):
            chosen.add(name(each.choose([])))
    entries = outcome.portfolios["auto"].book.first[0].entries
    assert {entry.move for entry in entries if entry.parent == -1} <= firsts[0]
    assert len(firsts[0]) < len(firsts[1])


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
    chosen = outcome.portfolios["auto"].model_copy(update={"fresh": None})
    assert again.portfolios["auto"] == chosen
