"""Games of chess as PGN, read by python-chess: of a match, of two arms, with a person."""

from __future__ import annotations

import io
from dataclasses import replace

import chess.pgn
import pytest

from seedfolio import play, replay
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.matches.files import pgn_file
from seedfolio.matches.match import match
from seedfolio.matches.schedule import load_pairings

NAMES = {
    "checkmate": "Checkmate",
    "stalemate": "Stalemate",
    "insufficient_material": "Insufficient material",
    "threefold_repetition": "Threefold repetition",
    "fifty_moves": "Fifty moves without capture or pawn move",
}
FEN = "4k3/4p3/8/8/8/8/4P3/4K3_b_-_-_0_1"


def test_games_are_read_back(tmp_path):
    path = tmp_path / "games.pgn"
    for start, moves in (("", ("e2e4", "e7e5")), (f":fen={FEN}", ("e7e5", "e2e4", "e8e7"))):
        pairings = load_pairings((f"chess{start}@table", f"chess{start}@table:noise=30"), 0)
        with pgn_file(path, pairings) as file:
            drawn = GameRecord(players=("one", "other"), arms=(3, 4), moves=moves, points=1)
            lost = {"points": 2, "ending": Ending.CRASH, "detail": "died at move 3"}
            turned = {"players": ("other", "one"), "arms": (4, 3), "number": 1}
            file.add(drawn)
            file.add(replace(drawn, **turned, **lost))
        with path.open() as text:
            games = [chess.pgn.read_game(text) for _ in range(2)]
            assert chess.pgn.read_game(text) is None
        for game in games:
            assert tuple(move.uci() for move in game.mainline_moves()) == moves
            assert game.errors == []
        heads = [dict(game.headers) for game in games]
        assert [head["White"] for head in heads] == ["one", "other"]
        assert [head["Result"] for head in heads] == ["1/2-1/2", "1-0"]
        assert heads[0]["WhiteArm"] == "3"
        assert heads[1]["Termination"] == "crash: died at move 3"
        assert ("FEN" in heads[0]) == bool(start)


def test_what_has_no_pgn(tmp_path):
    games = "nim@table", "nim@table:noise=30"
    with pytest.raises(SpecificationError, match="nim is not chess, so it has no PGN record"):
        match(*games, games=2, pgn=tmp_path / "games.pgn", progress=False)
    games = "chess@table", "chess@table:noise=30"
    with pytest.raises(StudyError, match=r"the folder .* does not exist"):
        match(*games, games=2, pgn=tmp_path / "none" / "games.pgn", progress=False)
    with pytest.raises(StudyError, match="is a folder; name a file for the games"):
        match(*games, games=2, pgn=tmp_path, progress=False)


def test_a_game_between_two_arms_is_read_back(tmp_path, capsys):
    path = tmp_path / "game.pgn"
    assert run(["replay", "chess", "7", "8", "--player", "table", "--pgn", str(path)]) == 0
    record = replay("chess", 7, 8, "table")
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert [move.uci() for move in game.mainline_moves()] == record.moves
    assert game.end().board().result(claim_draw=True) == game.headers["Result"]
    assert game.headers["White"] == "table:noise=0, seed 7"
    # The text says how the game ended, as python-chess does.
    ending = game.end().board().outcome(claim_draw=True).termination.name.lower()
    assert capsys.readouterr().out.splitlines()[-1].endswith(f". {NAMES[ending]}.")
    assert run(["replay", "nim", "7", "8", "--pgn", str(path)]) == 2
    assert capsys.readouterr().err.endswith("is not chess, so it has no PGN record\n")


@pytest.mark.parametrize(("typed", "result"), [("e2e4\nresign\n", "0-1"), ("e2e4\nquit\n", "*")])
def test_a_game_with_a_person_is_read_back(typed, result, tmp_path, monkeypatch, capsys):
    path = tmp_path / "game.pgn"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    play("chess", "table", key=1, pgn=path)
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert next(move.uci() for move in game.mainline_moves()) == "e2e4"
    assert (game.headers["White"], game.headers["Result"]) == ("person", result)
    with pytest.raises(SpecificationError, match="is not chess, so it has no PGN record"):
        play("nim", key=1, pgn=tmp_path / "nim.pgn")
    with pytest.raises(SpecificationError, match="there is no folder"):
        play("chess", "table", key=1, pgn=tmp_path / "none" / "game.pgn")
    with pytest.raises(SpecificationError, match="is a folder; name a file for the record"):
        play("chess", "table", key=1, pgn=tmp_path)


def test_a_person_who_plays_black_from_a_position_and_resigns(tmp_path, monkeypatch, capsys):
    path = tmp_path / "game.pgn"
    monkeypatch.setattr("sys.stdin", io.StringIO("resign\n"))
    play(f"chess:fen={FEN}", "table", second=True, key=1, pgn=path)
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert (game.headers["Black"], game.headers["Result"]) == ("person", "1-0")
    assert game.headers["FEN"] == FEN.replace("_", " ")
    assert game.errors == []
