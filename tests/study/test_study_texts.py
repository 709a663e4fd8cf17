"""What a study holds besides cells; one in memory; one that is moved while it is in use."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from seedfolio.engines.endings import Ending
from seedfolio.engines.play.answers import Answer
from seedfolio.engines.record import GameRecord
from seedfolio.errors import StudyError
from seedfolio.study.store import UNPLAYED, Study

IDENTITY = {
    "game": {"name": "domineering", "size": 7},
    "player": {"name": "uct", "simulations": 100},
    "behaviour": "abc123 é",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"player": {"name": "uct", "simulations": 200}}, "player.simulations is 100 there, 200"),
        ({"player": {"name": "uct", "simulations": 100.0}}, "simulations is 100 there, 100.0 here"),
        ({"player": {"name": "uct"}}, "player.simulations is 100 there, absent here"),
        ({"game": "go"}, 'game is {"name": "domineering", "size": 7} there, "go" here'),
        ({"arms": [1, 2]}, "arms is absent there, [1, 2] here"),
        ({"behaviour": "x" * 500}, "xxx... here"),
    ],
)
def test_another_identity_is_refused_by_its_first_difference(tmp_path, change, said):
    path = tmp_path / "a.study"
    Study.open(path, IDENTITY).close()
    before = path.read_bytes()
    with pytest.raises(StudyError) as raised:
        Study.open(path, {**IDENTITY, **change})
    assert said in str(raised.value)
    assert str(path) in str(raised.value)
    assert "choose another file" in str(raised.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    Study.open(path, IDENTITY).close()


def test_texts_and_an_identity_come_back_and_only_an_open_writer_writes(tmp_path):
    path = tmp_path / "a.study"
    for text in ("one", "two", "two", "one", "one"):
        with Study.open(path, IDENTITY) as study:
            study.log_request(text)
    with Study.open(path, IDENTITY) as study:
        assert study.portfolios() == study.evaluations() == {}
        for name, text in (("nash", '{"black": 1}'), ("best", "{}"), ("nash", '{"black": 2}')):
            study.save_portfolio(name, text)
        study.save_evaluation("nash", "[é\n]" * 10_000)
        study.identity["behaviour"] = "other"
        assert study.identity == IDENTITY
        with pytest.raises(StudyError, match="not valid Unicode"):
            study.save_portfolio("stray \udcff byte", "{}")
    study.close()
    with pytest.raises(StudyError, match="closed"):
        study.count()
    with Study.open(path, dict(reversed(IDENTITY.items()))) as study:
        assert study.identity == IDENTITY
    with Study.read(path) as study:
        assert study.identity == IDENTITY
        with pytest.raises(StudyError, match="readonly"):
            study.save_portfolio("nash", "{}")
        assert list(study.portfolios().items()) == [("best", "{}"), ("nash", '{"black": 2}')]
        assert study.evaluations() == {"nash": "[é\n]" * 10_000}
        assert study.requests() == ["one", "two", "one"]  # without immediate repeats


SEVERAL_GAMES = {"game": {"name": "domineering", "size": 7}, "repeats": 3}
ROWS = np.arange(4, dtype=np.uint64)


def test_it_is_used_as_any_other_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Study.temporary(SEVERAL_GAMES) as other:
        other.record(ROWS, ROWS, np.ones(4, np.uint8))
    with Study.temporary(SEVERAL_GAMES) as study:
        assert study.in_memory
        assert (study.identity, study.full, study.count()) == (SEVERAL_GAMES, 6, 0)
        assert (study.results(ROWS, ROWS) == UNPLAYED).all()
        study.record(ROWS, ROWS, np.arange(4, dtype=np.uint8))
        assert study.lookup(ROWS, ROWS).tolist() == [0, 1, 2, 3]
    assert list(tmp_path.iterdir()) == []
    with Study.open(tmp_path / "a.study", SEVERAL_GAMES) as on_disk:
        assert not on_disk.in_memory


def test_it_keeps_games_of_engines_and_changes_together():
    game = GameRecord(arms=(1, 2), ending=Ending.NORMAL, points=2, moves=("a1", "b2"))
    with Study.temporary(SEVERAL_GAMES) as study:
        assert list(study.engine_games().games()) == []
        study.engine_games().keep([game], [Answer(1, b"", "a1")])
        assert list(study.engine_games().games()) == [game]
        assert list(study.engine_games().answers()) == [Answer(1, b"", "a1")]
        with pytest.raises(ValueError, match="half points"), study.together():  # noqa: PT012
            study.save_portfolio("nash", "one")
            study.record(ROWS, ROWS, np.full(4, 7, np.uint8))
        assert study.portfolios() == {}


def record_row(study, row):
    study.record(np.full(20, row, np.uint64), np.arange(20, dtype=np.uint64), np.ones(20, np.uint8))


def replace(path):
    shutil.copy(path, path.with_name("c.study"))
    path.with_name("c.study").replace(path)


def move(path):
    path.rename(path.with_name("b.study"))


@pytest.mark.parametrize("change", [Path.unlink, move, replace])
def test_writing_stops_with_a_line(change, tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        record_row(study, 0)
        change(path)
        with pytest.raises(StudyError, match="deleted, moved or replaced while it was in use"):
            record_row(study, 1)
        with pytest.raises(StudyError, match="in use"):
            study.save_portfolio("nash", "{}")
        if change is move:
            path.with_name("b.study").rename(path)
            record_row(study, 1)
            assert study.count() == 40


@pytest.mark.parametrize("with_log", [True, False])
def test_a_copy_of_a_study_in_use_is_a_study(with_log, tmp_path):
    """Without its log it may have fewer cells, but none that is wrong."""
    path, copy = tmp_path / "a.study", tmp_path / "copy.study"
    with Study.open(path, IDENTITY) as study:
        for row in range(10):
            record_row(study, row)
        shutil.copy(path, copy)
        if with_log:
            shutil.copy(f"{path}-wal", f"{copy}-wal")
        with Study.open(copy, IDENTITY) as other:
            assert other.count() == 200 if with_log else other.count() % 20 == 0
            known = int(other.count()) // 20
            for row in range(known, 12):
                record_row(other, row)
            assert other.count() == 240
        record_row(study, 10)
        assert study.count() == 220
