"""Records of engines: Go as SGF, whatever its ending, moves of other games, forfeits."""

import numpy as np
import pytest
from external import seeded_text
from sgfmill import sgf

from seedfolio import boost, export, forfeits
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.engines.record import GameRecord
from seedfolio.papers.batoo_go import batoo
from seedfolio.papers.gnu_go import classical, gnu_go
from seedfolio.papers.moves import continuing, line_number
from seedfolio.report.records.study import NamedArms, sgf_name, study_sgf

SPECIFICATION = {
    "game": {"name": "go", "board": 9, "komi": 7.5},
    "player": {"protocol": "gtp", "command": "my-engine --seed {seed}"},
    "arms": {"seeds": "5..", "numbering": "plain", "grid": {"--mirror": [False]}},
}
ARMS = NamedArms.of({"specification": SPECIFICATION, "engine": "My Engine 1"}, "here")


def written(program, first, second, *moves):
    identity = {**program.identity_of_parts(), "engine": "GNU Go 3.8"}
    game = GameRecord(arms=(first, second), ending=Ending.NORMAL, points=2, moves=moves)
    return sgf.Sgf_game.from_string(study_sgf(NamedArms.of(identity, "here"), game))


def plays(record):
    return [node.get_move() for node in record.get_main_sequence()[1:]]


def test_a_record_is_read_back_by_sgfmill():
    detail = r"stderr: a ] and a \ in it"
    moves = ("a1", "j9", "pass", "h8")
    for ending, points, result in (
        (Ending.NORMAL, 2, "B+"),
        (Ending.NORMAL, 0, "W+"),
        (Ending.NORMAL, 1, "0"),
        (Ending.RESIGNATION, 0, "W+R"),
        (Ending.TIMEOUT, 2, "B+T"),
        (Ending.CRASH, 0, "W+F"),
        (Ending.ILLEGAL_MOVE, 2, "B+F"),
        (Ending.MOVE_LIMIT, 1, "0"),
    ):
        game = GameRecord(arms=(2, 0), ending=ending, points=points, moves=moves, detail=detail)
        record = sgf.Sgf_game.from_string(study_sgf(ARMS, game))
        root = record.get_root()
        assert (record.get_size(), record.get_komi(), root.get("RE")) == (9, 7.5, result)
        assert record.get_player_name("b") == "My Engine 1, seed 7, --mirror False"
        assert record.get_player_name("w") == "My Engine 1, seed 5, --mirror False"
        assert detail in root.get("C")
        assert (ending.value in root.get("C")) == (ending is not Ending.NORMAL)
        assert "Black: arm 2, seed 7, --mirror False; my-engine --seed '{seed}'" in root.get("C")
        assert plays(record) == [("b", (0, 0)), ("w", (8, 8)), ("b", None), ("w", (7, 7))]
    how = {"ending": Ending.NORMAL, "points": 2, "moves": ("a1", "pass", "pass")}
    game = GameRecord(arms=(2, 2**32 + 1), detail="B+3.5", **how)
    assert "RE[B+3.5]" in study_sgf(ARMS, game)  # the margin
    assert sgf_name(ARMS, game) == "2-unseen1.sgf"


def test_base_builds_guests_and_lines_of_papers():
    own = gnu_go(9, 7.5, classical(1))
    record = written(batoo(own), 0, 2**32, "c3,e5,g6", "c3,d4,f5", "a1", "pass")
    black, white = {(4, 4), (5, 6)}, {(3, 3), (4, 5)}
    assert record.get_root().get_setup_stones() == (black, white, set())
    assert (record.get_root().get("PL"), plays(record)) == ("b", [("b", (0, 0)), ("w", None)])
    same = written(batoo(own), 0, 1, "c3,e5,g6", "c3,e5,g6")
    assert same.get_root().get_setup_stones() == (set(), set(), set())
    guests = [gnu_go(9, 7.5, classical(n)) for n in (3, 4)]
    (guest,) = guest_arms(1, np.array([2**32 + 6], np.uint64)).tolist()
    record = written(meeting(own, guests), 5, guest, "a1")
    assert record.get_player_name("b") == f"GNU Go 3.8, {own.arm(5).name}"
    assert record.get_player_name("w") == f"GNU Go 3.8, {guests[1].arm(2**32 + 6).name}"
    of_black, of_white = record.get_root().get("C").splitlines()
    assert "--level 1" in of_black
    assert "--level 4" in of_white
    line = ("c3", "d4")
    record = written(continuing(own, [line]), line_number(line), line_number(line) + 1, *line)
    assert record.get_player_name("w") == f"GNU Go 3.8, {own.arm(1).name}"


@pytest.mark.slow
def test_forfeits_and_games_are_listed_with_their_moves(tmp_path, capsys):
    """An arm that the check does not play crashes."""
    text = seeded_text(tmp_path, "die", bad="18")
    (tmp_path / "engine.toml").write_text(text)
    sizes = {"k": 19, "kt": 1, "opponents": 2, "learners": ["best-seed"]}
    outcome = boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")
    found = forfeits(tmp_path / "a.study")
    assert f"{len(found)} forfeited ({len(found)} by crash)" in outcome.engine.text
    assert {each.arm for each in found} == {"scripted 1, seed 18"}
    assert all("something broke inside" in each.detail for each in found)
    assert all(len(each.moves) >= 2 for each in found)
    assert run(["show", str(tmp_path / "a.study"), "--forfeits"]) == 0
    printed = capsys.readouterr().out
    first = found[0]
    assert f"{first.arm} against {first.opponent}: crash" in printed
    assert f"  moves so far: {' '.join(first.moves)}\n" in printed
    assert printed.endswith(f"{len(found)} forfeited\n")
    written = export(tmp_path / "a.study", tmp_path / "games")
    lines = (tmp_path / "games" / "games.txt").read_text().splitlines()
    assert len(lines) == written + 1
    parts = [line.split(" | ") for line in lines[1:]]
    assert {each[2] for each in parts} <= {"1-0", "0-1"}
    assert parts[0][:2] == ["scripted 1, seed 0", "scripted 1, seed 0"]
    assert all(len(each[4].split()) >= 2 for each in parts)
