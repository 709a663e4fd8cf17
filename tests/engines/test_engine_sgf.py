"""Games of Go engines as SGF, whatever their ending."""

import numpy as np
import pytest
from sgfmill import sgf

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.papers.batoo_go import batoo
from seedfolio.papers.gnu_go import classical, gnu_go, guest_arms, meeting
from seedfolio.papers.moves import continuing, line_number
from seedfolio.report.records.study import NamedArms, study_sgf

SPECIFICATION = {
    "game": {"name": "go", "board": 9, "komi": 7.5},
    "player": {"protocol": "gtp", "command": "my-engine --seed {seed}"},
    "arms": {"seeds": "5..", "numbering": "plain", "grid": {"--mirror": [False]}},
}
ARMS = NamedArms.of({"specification": SPECIFICATION, "engine": "My Engine 1"}, "here")


def written(program, first, second, *moves):
    """The record of a game of these arms, read back by sgfmill."""
    identity = {**program.identity_of_parts(), "engine": "GNU Go 3.8"}
    game = GameRecord(arms=(first, second), ending=Ending.NORMAL, points=2, moves=moves)
    return sgf.Sgf_game.from_string(study_sgf(NamedArms.of(identity, "here"), game))


def plays(record):
    return [node.get_move() for node in record.get_main_sequence()[1:]]


@pytest.mark.parametrize(
    ("ending", "points", "result"),
    [
        (Ending.NORMAL, 2, "B+"),
        (Ending.NORMAL, 0, "W+"),
        (Ending.NORMAL, 1, "0"),
        (Ending.RESIGNATION, 0, "W+R"),
        (Ending.TIMEOUT, 2, "B+T"),
        (Ending.CRASH, 0, "W+F"),
        (Ending.ILLEGAL_MOVE, 2, "B+F"),
        (Ending.MOVE_LIMIT, 1, "0"),
    ],
)
def test_a_record_is_read_back_by_sgfmill(ending, points, result):
    detail = r"stderr: a ] and a \ in it"
    game = GameRecord(
        arms=(2, 0),
        ending=ending,
        points=points,
        moves=("a1", "j9", "pass", "h8"),
        detail=detail,
    )
    record = sgf.Sgf_game.from_string(study_sgf(ARMS, game))
    root = record.get_root()
    assert (record.get_size(), record.get_komi()) == (9, 7.5)
    assert root.get("RE") == result
    assert record.get_player_name("b") == "My Engine 1, seed 7, --mirror False"
    assert record.get_player_name("w") == "My Engine 1, seed 5, --mirror False"
    assert detail in root.get("C")
    assert (ending.value in root.get("C")) == (ending is not Ending.NORMAL)
    assert "Black: arm 2, seed 7, --mirror False; my-engine --seed '{seed}'" in root.get("C")
    assert plays(record) == [("b", (0, 0)), ("w", (8, 8)), ("b", None), ("w", (7, 7))]


def test_base_builds_of_batoo_are_set_up():
    program = batoo(gnu_go(9, 7.5, classical(1)))
    record = written(program, 0, 2**32, "c3,e5,g6", "c3,d4,f5", "a1", "pass")
    black, white = {(4, 4), (5, 6)}, {(3, 3), (4, 5)}
    assert record.get_root().get_setup_stones() == (black, white, set())
    assert record.get_root().get("PL") == "b"
    assert plays(record) == [("b", (0, 0)), ("w", None)]
    same = written(program, 0, 1, "c3,e5,g6", "c3,e5,g6")
    assert same.get_root().get_setup_stones() == (set(), set(), set())


def test_guests_are_named():
    own, guests = gnu_go(9, 7.5, "--level 1"), [gnu_go(9, 7.5, classical(n)) for n in (3, 4)]
    (guest,) = guest_arms(1, np.array([2**32 + 6], np.uint64)).tolist()
    record = written(meeting(own, guests), 5, guest, "a1")
    black, white = own.arm(5).name, guests[1].arm(2**32 + 6).name
    assert record.get_player_name("b") == f"GNU Go 3.8, {black}"
    assert record.get_player_name("w") == f"GNU Go 3.8, {white}"
    of_black, of_white = record.get_root().get("C").splitlines()
    assert "--level 1" in of_black
    assert "--level 4" in of_white


def test_arms_that_begin_with_a_line_are_named():
    own = gnu_go(9, 7.5, classical(1))
    line = ("c3", "d4")
    record = written(continuing(own, [line]), line_number(line), line_number(line) + 1, *line)
    assert record.get_player_name("w") == f"GNU Go 3.8, {own.arm(1).name}"
