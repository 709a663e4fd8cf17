"""Records of games: as values, as SGF, read back by sgfmill, and as PGN, by python-chess."""

import io
import sys
from dataclasses import replace

import chess.pgn
import pytest
from sgfmill import sgf, sgf_moves
from sparing import levels

from seedfolio import SpecificationError, __version__, load_game, load_program, play, replay
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.engines.record import NO_ARM, GameRecord
from seedfolio.games.chess.fen import START
from seedfolio.games.go.area import area_lead
from seedfolio.matches.files import pgn_file
from seedfolio.matches.schedule import load_pairings
from seedfolio.report.records.pgn import arms_pgn, game_pgn
from seedfolio.report.records.sgf import game_sgf
from seedfolio.report.records.text import games_text


def moves(game, text):
    return [game.parse_move(name) for name in text.split()]


def sgf_text(game, history, players=("one", "two"), comment=""):
    return game_sgf(game, GameRecord.of(game, history, players), comment)


def random_game(game, seed):
    history: list[int] = []
    while (position := game.position(history)).moves:
        points = [m for m in position.moves if game.move_name(m) != "pass"]
        tired = not points or len(history) > 2 * game.rules.board.size
        pick = position.moves[-1] if tired else points[(seed + 7 * len(history)) % len(points)]
        history.append(pick)
    return history


def read(text):
    record = sgf.Sgf_game.from_string(text)
    board, plays = sgf_moves.get_setup_and_moves(record)
    for colour, point in plays:
        if point is not None:
            board.play(*point, colour)
    return record, board, plays


def cells(board):
    glyph = {None: 0, "b": 1, "w": 2}
    return [glyph[board.get(r, c)] for r in range(board.side) for c in range(board.side)]


def test_whole_games_read_back_by_sgfmill():
    game = load_game("go:5x5")
    results = set()
    for seed in range(6):
        history = random_game(game, seed)
        record, board, plays = read(sgf_text(game, history))
        assert (len(plays), [colour for colour, _ in plays[:3]]) == (len(history), ["b", "w", "b"])
        position = game.position(history)
        assert cells(board) == position.cells.tolist()
        komi = record.get_komi()
        assert komi == game.parameters["komi"]
        # sgfmill's own count of the area is the oracle of ours.
        assert board.area_score() == area_lead(position.cells, 5)
        assert record.get_winner() == {2: "b", 1: None, 0: "w"}[position.score]
        margin = board.area_score() - komi
        side = "B" if margin > 0 else "W"
        assert record.get_root().get("RE") == (f"{side}+{abs(margin):g}" if margin else "0")
        results.add(record.get_root().get("RE"))
    assert len(results) > 1


def test_the_root_says_who_played_what():
    game = load_game("go:5x5")
    comment = "go 5x5: seed 1 against seed 2\\ [both] drawn; ünïcode"
    record, _, _ = read(sgf_text(game, moves(game, "C3 pass"), ("a [b]", "c\\d"), comment))
    root = record.get_root()
    assert (root.get("FF"), root.get("GM"), root.get("SZ")) == (4, 1, 5)
    assert root.get("AP") == ("Seedfolio", __version__)
    assert (record.get_player_name("b"), record.get_player_name("w")) == ("a [b]", "c\\d")
    assert root.get("C") == comment
    assert not root.has_property("RE"), "the game is not over"
    text = sgf_text(game, moves(game, "A1 E5 B4 pass"))
    assert "".join(text.split()).endswith(";B[ae];W[ea];B[bb];W[])")
    with pytest.raises(SpecificationError, match="not played with stones"):
        sgf_text(load_game("domineering:4x4"), [])


@pytest.mark.slow
def test_base_stones_are_set_up_and_refused_tries_told():
    game = load_game("batoo:5x5")
    history = moves(game, "A1 C3 E1 C3 E5 A4 B2 D4")
    record, board, plays = read(sgf_text(game, history))
    root = record.get_root()
    assert root.get_setup_stones() == ({(0, 0), (0, 4)}, {(4, 4), (3, 0)}, set())
    assert (root.get("PL"), plays) == ("b", [("b", (1, 1)), ("w", (3, 3))])
    assert cells(board) == game.position(history).cells.tolist()
    game = load_game("phantom-go:5x5")
    text = sgf_text(game, moves(game, "C3 C3 A1 A1 E5"))
    nodes = [";B[cc]", ";W[ae]C[refused: C3]", ";B[ea]C[refused: A1]", ")"]
    assert text.splitlines()[1:] == nodes


@pytest.mark.slow
def test_replay_writes_the_game_of_two_arms(tmp_path, capsys):
    file = tmp_path / "game.sgf"
    assert run(["replay", "go:5x5", "3", "4", "-p", "table", "--sgf", str(file)]) == 0
    printed = capsys.readouterr().out
    program = load_program("go:5x5", "table")
    again = replay(program, 3, 4)
    history = again.history
    assert (again.sgf, again.text + "\n") == (file.read_text(), printed)
    assert " ".join(program.game.move_name(move) for move in history) in printed
    assert program.game.draw(history) in printed
    record, board, plays = read(file.read_text())
    assert len(plays) == len(history)
    assert cells(board) == program.game.position(history).cells.tolist()
    assert record.get_player_name("w") == "table:noise=0, seed 4"
    assert record.get_root().get("C") == ("go 5x5, table:noise=0: seed 3 against seed 4")
    for words, problem in (
        (["go:5x5", "1", "2", "-p", "table", "--sgf", "none/a.sgf"], "create it first"),
        (["go:5x5", "1", "x"], "is not an arm"),
        (["nim", "7", "8", "--pgn", str(tmp_path / "a.pgn")], "is not chess, so it has no PGN"),
    ):
        assert run(["replay", *words]) == 2
        assert problem in capsys.readouterr().err


@pytest.mark.parametrize(("kind", "problem"), [("sgf", "no SGF"), ("pgn", "not chess")])
def test_a_replay_that_has_no_such_record_is_refused_before_the_game(kind, problem, monkeypatch):
    monkeypatch.setattr("seedfolio.matches.replay.play_out", None)
    with pytest.raises(SpecificationError, match=problem):
        replay("domineering:4x4", 7, 8, "uct:simulations=5", **{kind: "a"})


def test_play_writes_the_game_with_a_person(tmp_path, capsys, monkeypatch):
    file = tmp_path / "game.sgf"
    monkeypatch.setattr(sys, "stdin", io.StringIO("C3\nnonsense\nundo\nB2\nquit\n"))
    assert run(["play", "go:5x5", "-p", "table", "--key", "3", "--sgf", str(file)]) == 0
    said = capsys.readouterr().out
    record, board, plays = read(file.read_text())
    assert (plays[0], len(plays), board.get(1, 1)) == (("b", (1, 1)), 2, "b")
    assert record.get_player_name("b") == "person"
    arm = said.rstrip(".\n").rpartition("the program played ")[2]
    assert record.get_player_name("w") == f"table:noise=0, {arm}"


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
            assert (tuple(move.uci() for move in game.mainline_moves()), game.errors) == (moves, [])
        heads = [dict(game.headers) for game in games]
        assert [head["White"] for head in heads] == ["one", "other"]
        assert [head["Result"] for head in heads] == ["1/2-1/2", "1-0"]
        assert (heads[0]["WhiteArm"], heads[1]["Termination"]) == ("3", "crash: died at move 3")
        assert ("FEN" in heads[0]) == bool(start)


@levels(
    ("start", "typed", "result"),
    slow=[("", "e2e4\nresign\n", "0-1"), ("", "e2e4\nquit\n", "*")],
    long=[(f":fen={FEN}", "resign\n", "1-0")],
)
def test_a_game_with_a_person_is_read_back(start, typed, result, tmp_path, monkeypatch):
    path = tmp_path / "game.pgn"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    play(f"chess{start}", "table", second=bool(start), key=1, pgn=path)
    game = chess.pgn.read_game(io.StringIO(path.read_text()))
    assert (game.errors, game.headers["Result"]) == ([], result)
    assert game.headers["Black" if start else "White"] == "person"
    if start:
        assert game.headers["FEN"] == FEN.replace("_", " ")
    else:
        assert next(move.uci() for move in game.mainline_moves()) == "e2e4"


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
