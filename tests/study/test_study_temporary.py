"""A study in memory: of full use, and nothing of it on disk."""

import numpy as np
import pytest

from seedfolio.engines.endings import Ending
from seedfolio.engines.play.answers import Answer
from seedfolio.engines.record import GameRecord
from seedfolio.errors import StudyError
from seedfolio.study.store import UNPLAYED, Study

IDENTITY = {"game": {"name": "domineering", "size": 7}, "repeats": 3}
ROWS, COLUMNS = np.arange(4, dtype=np.uint64), np.arange(3, dtype=np.uint64)


def test_it_is_used_as_any_other_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Study.temporary(IDENTITY) as other:
        other.record(ROWS, ROWS, np.ones(4, np.uint8))
    with Study.temporary(IDENTITY) as study:
        assert study.in_memory
        assert (study.identity, study.full, study.count()) == (IDENTITY, 6, 0)
        assert (study.results(ROWS, COLUMNS) == UNPLAYED).all()
        study.record(np.repeat(ROWS, 3), np.tile(COLUMNS, 4), np.arange(12, dtype=np.uint8) % 7)
        assert study.results(ROWS, COLUMNS).ravel().tolist() == [k % 7 for k in range(12)]
        assert study.lookup(ROWS, ROWS).tolist() == [0, 4, 1, UNPLAYED]
        assert np.count_nonzero(study.missing(ROWS, ROWS)) == 4
        with pytest.raises(StudyError, match=r"\b1\b"):  # another result of a known cell
            study.record(ROWS[1:2], ROWS[1:2], np.array([5], np.uint8))
        study.save_portfolio("nash", "one")
        study.save_evaluation("nash", "two")
        study.log_request("three")
        assert (study.portfolios(), study.evaluations()) == ({"nash": "one"}, {"nash": "two"})
        assert study.requests() == ["three"]
        with pytest.raises(ValueError, match="half points"):
            study.record(ROWS, ROWS, np.full(4, 7, np.uint8))
    assert list(tmp_path.iterdir()) == []
    with Study.open(tmp_path / "a.study", IDENTITY) as on_disk:
        assert not on_disk.in_memory


def _save_and_fail(study):
    study.save_portfolio("nash", "one")
    study.record(ROWS, ROWS, np.full(4, 7, np.uint8))


def test_it_keeps_games_of_engines_and_changes_together():
    game = GameRecord(arms=(1, 2), ending=Ending.NORMAL, points=2, moves=("a1", "b2"))
    with Study.temporary(IDENTITY) as study:
        assert list(study.engine_games().games()) == []
        study.engine_games().keep([game], [Answer(1, b"", "a1")])
        assert list(study.engine_games().games()) == [game]
        assert list(study.engine_games().answers()) == [Answer(1, b"", "a1")]
        with pytest.raises(ValueError, match="half points"), study.together():
            _save_and_fail(study)
        assert study.portfolios() == {}
