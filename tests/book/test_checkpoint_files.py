"""Checkpoints of books that were damaged or changed: one line that says what to do."""

import io
import random
import zipfile
from contextlib import suppress

import numpy as np
import pytest
from small_tree import rows_from, some_games

from seedfolio.errors import StudyError
from seedfolio.learning.book import checkpoint
from seedfolio.learning.book.self_play import Experience
from seedfolio.learning.book.tree import tree_of

GAMES = 400


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("whole") / "kept.npz"
    rows = rows_from(some_games(GAMES))
    checkpoint.save_checkpoint(Experience.of([[rows], [rows]], 2 * GAMES), path, "a mark")
    return path.read_bytes()


@pytest.fixture
def kept(whole, tmp_path):
    path = tmp_path / "kept.npz"
    path.write_bytes(whole)
    return path


def refusal(path):
    with pytest.raises(StudyError) as raised:
        checkpoint.load_checkpoint(path, "a mark")
    message = str(raised.value)
    assert "\n" not in message
    assert str(path) in message
    assert "delete it" in message
    return message


def test_what_was_written_is_read_and_nothing_else(whole, kept):
    np.savez(kept, **checkpoint.read_arrays(kept))  # as earlier versions did, without a checksum
    assert checkpoint.load_checkpoint(kept, "a mark").games == 2 * GAMES
    kept.write_bytes(whole)
    found = checkpoint.load_checkpoint(kept, "a mark", books=1)
    assert (found.games, found.colours[0][0].rows.games.sum()) == (2 * GAMES, GAMES)
    with pytest.raises(StudyError, match="it has 1 books, not 2"):
        checkpoint.load_checkpoint(kept, "a mark", books=2)
    with pytest.raises(StudyError, match="another program"):
        checkpoint.load_checkpoint(kept, "another mark")
    parts = [whole[: int(len(whole) * part)] for part in (0.0, 0.01, 0.5, 0.99)]
    for wrong in (*parts, whole[::-1], bytes(len(whole))):
        kept.write_bytes(wrong)
        refusal(kept)


def test_any_changed_byte_is_noticed(whole, tmp_path):
    """Each part of the file has a checksum, and so has all of it; some bytes mean nothing."""
    drawn = random.Random(5)
    for number in range(150):
        changed = bytearray(whole)
        for _ in range(drawn.choice((1, 1, 2, 20))):
            changed[drawn.randrange(len(whole))] ^= 1 << drawn.randrange(8)
        path = tmp_path / f"{number}.npz"
        path.write_bytes(changed)
        with suppress(StudyError):
            assert checkpoint.load_checkpoint(path, "a mark").games == 2 * GAMES


CHANGES = [
    ("states0", lambda a: a[::-1], ""),
    ("last0", lambda a: np.roll(a, 7), ""),
    ("moves0", lambda a: a[:-1], "one length"),
    ("moves0", lambda a: a.astype("U4"), "one length"),
    ("books", lambda a: np.array([1, 2]), "not a number"),
    ("moves0", lambda a: np.where(a >= 0, a + 2**15, a), "out of range"),
    ("games1", lambda a: -a, "no games have"),
    ("points1", lambda a: 2 * a + 9, "no games have"),
    ("natural_games1", lambda a: a + 99, "games have"),
    ("games0", lambda a: a.astype(np.int64) << 40, "out of range"),
    ("games", lambda a: a + 2, "add up"),
    ("books", lambda a: a + 2**40, "books is"),
    ("books", lambda a: a - 1, "add up"),
    ("books", lambda a: a + 1, "states0-2"),
]


@pytest.mark.parametrize(("name", "change", "saying"), CHANGES)
def test_changed_arrays(name, change, saying, kept):
    """Written anew, with a checksum that is right."""
    arrays = checkpoint.read_arrays(kept)
    checkpoint.write_arrays(kept, arrays | {name: np.asarray(change(arrays[name]))})
    assert saying in refusal(kept)


class Runs:
    def __reduce__(self):
        return (pytest.fail, ("a pickle ran",))


def test_no_pickle_is_loaded_and_no_size_is_believed(kept):
    """A header of a terabyte, and a gigabyte of zeros in a compressed part."""
    np.savez(kept, format=np.array([Runs()], object))
    assert "kind" in refusal(kept)
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        file, {"descr": "<i8", "fortran_order": False, "shape": (2**37,)}
    )
    with zipfile.ZipFile(kept, "w") as archive:
        archive.writestr("format.npy", file.getvalue())
    assert "bytes" in refusal(kept)
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("format.npy", bytes(2**24))
    assert "compressed" in refusal(kept)


def test_rows_that_lead_back_to_themselves_are_no_tree():
    rows = rows_from([(0, 10, 0, 20, 0, 0, 1), (1, 20, 0, 10, 0, 0, 1)])
    with pytest.raises(ValueError, match="lead back"):
        tree_of(rows)
