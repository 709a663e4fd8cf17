"""SIGKILL while a book is learnt: the same command goes on to the same book."""

import numpy as np
import pytest
from booked import PERFECT
from waiting import finish, killed, start_command

BUDGET = 60_000
COMMAND = [
    *("boost", PERFECT[0], "--player", PERFECT[1], "--learner", "book", "--budget", str(BUDGET)),
    *("--k", "20", "--opponents", "17", "--study", "a.study", "--quiet"),
]
KILLS = [
    # The first file is the study. Then what is learnt is kept after a run's first round; how often
    # after that depends on how long it takes to write, but the last whole round always is.
    ("before rename 2", 0),
    ("after rename 1", 1),
    ("after rename 1", 2),
    ("before rename 1", 2),
    ("after rename 1", 3),
    ("after rename 2", 5),
    ("before rename 1", 5),
]
"""Where to kill, and how many rounds are kept by then, at least."""
ROUND = 1_000
"""Games of an early round."""


def games_kept(folder):
    path = folder / "a-books-1.npz"
    if not path.exists():
        return 0
    with np.load(path) as file:
        return int(file["games"])


def learnt(folder, threads):
    code, out, err = finish(start_command([*COMMAND, "--threads", str(threads)], folder))
    assert (code, err) == (0, "")
    return out


@pytest.mark.long
def test_kills_leave_the_same_book(tmp_path):
    straight, broken = tmp_path / "straight", tmp_path / "broken"
    straight.mkdir()
    broken.mkdir()
    expected = learnt(straight, 2)
    for event, rounds in KILLS:
        killed([*COMMAND, "--threads", "1"], broken, *event.split())
        if rounds < 5:
            assert games_kept(broken) == rounds * ROUND, event
        else:
            assert rounds * ROUND <= games_kept(broken) <= BUDGET
    assert learnt(broken, 1) == expected
    assert (broken / "a-book.json").read_bytes() == (straight / "a-book.json").read_bytes()
