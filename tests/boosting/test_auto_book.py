"""The learner auto with many games: it learns a book, the very one that the learner book does."""

import pytest

from seedfolio.arena.threads import ThreadArena
from seedfolio.boosting.boost import boost
from seedfolio.boosting.results import saved_boost
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
