"""Games of Go engines as SGF, whatever their ending."""

import pytest
from sgfmill import sgf

from seedfolio.engines.arms import Arms, parse_seeds
from seedfolio.engines.endings import Ending, GameRecord
from seedfolio.engines.specification import GameTable
from seedfolio.report.engine_sgf import engine_game_sgf

TABLE = GameTable(name="go", board=9, komi=7.5)
ARMS = Arms(parse_seeds("5..", hashed=False), {"--mirror": [False]})


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
    game = GameRecord(2, 0, 0, ending, points, ("a1", "j9", "pass", "h8"), 4, 0.5, detail)
    record = sgf.Sgf_game.from_string(engine_game_sgf(TABLE, ARMS, "My Engine 1", game))
    root = record.get_root()
    assert (record.get_size(), record.get_komi()) == (9, 7.5)
    assert root.get("RE") == result
    assert record.get_player_name("b") == "My Engine 1, seed 7, --mirror False"
    assert record.get_player_name("w") == "My Engine 1, seed 5, --mirror False"
    assert detail in root.get("C")
    assert (ending.value in root.get("C")) == (ending is not Ending.NORMAL)
    moves = [node.get_move() for node in record.get_main_sequence()[1:]]
    assert moves == [("b", (0, 0)), ("w", (8, 8)), ("b", None), ("w", (7, 7))]
