"""One finished game as a value, and what its writers make of it."""

from dataclasses import replace

import pytest

from seedfolio.engines.endings import Ending
from seedfolio.engines.record import NO_ARM, GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.chess.fen import START
from seedfolio.report.records.pgn import arms_pgn, game_pgn
from seedfolio.report.records.sgf import game_sgf
from seedfolio.report.records.text import game_text, games_text

NIM = load_game("nim")


def whole_game(game):
    history = []
    while moves := game.position(history).moves:
        history.append(moves[0])
    return history


def test_how_a_game_ends():
    history = whole_game(NIM)
    record = GameRecord.of(NIM, history, ("one", "two"), (3, 4))
    assert (record.ending, record.points) == (Ending.NORMAL, NIM.position(history).score)
    assert record.decided
    assert not record.forfeited
    assert [NIM.parse_move(move) for move in record.moves] == history
    for resigned in (0, 1):
        record = GameRecord.of(NIM, history[:1], resigned=resigned)
        assert (record.ending, record.points) == (Ending.RESIGNATION, 2 * resigned)
        assert record.arms == (NO_ARM, NO_ARM)
    with pytest.raises(SpecificationError, match="is not chess"):
        game_pgn(NIM, record)
    with pytest.raises(SpecificationError, match="not played with stones"):
        game_sgf(NIM, replace(record, players=("one", "two")))


def test_a_game_that_a_person_leaves_has_no_result():
    assert not GameRecord.of(NIM, whole_game(NIM)[:1]).decided
    chess, go = load_game("chess"), load_game("go:5x5")
    assert game_pgn(chess, GameRecord.of(NIM, [])).endswith('[Result "*"]\n\n*\n')
    assert "RE[" not in game_sgf(go, GameRecord.of(go, []))
    for loser, winner in enumerate("WB"):
        assert f"RE[{winner}+" in game_sgf(go, GameRecord.of(go, [], resigned=loser))


@pytest.mark.parametrize(("ending", "forfeit"), [(Ending.CRASH, True), (Ending.MOVE_LIMIT, False)])
def test_a_fault_is_a_forfeit_and_every_writer_tells_it(ending, forfeit):
    record = GameRecord(
        players=("one", "two"), arms=(3, 4), moves=("e2e4",), points=2, ending=ending, detail="why"
    )
    assert record.forfeited is forfeit
    how = f"{ending.value}: why"
    assert games_text([record]).splitlines()[1] == f"one | two | 1-0 | {how} | e2e4"
    assert f'[Termination "{how}"]' in arms_pgn(record, START)


@pytest.mark.slow
def test_text_for_people_has_refused_tries_in_brackets():
    game = load_game("phantom-go:5x5")
    record = GameRecord.of(game, [*map(game.parse_move, ("C3", "C3", "A1"))], ("you", "it"))
    text = game_text(game, record, "not finished")
    assert text.startswith("phantom-go 5x5\nBlack: you\nWhite: it\n\nC3 (C3) A1\n\n")
    assert text.endswith("\nnot finished\n")
