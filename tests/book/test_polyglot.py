"""Polyglot's format, against python-chess and the keys that the format's page publishes."""

from itertools import islice
from random import Random

import chess
import chess.pgn
import chess.polyglot
import pytest
from external import CHESS_ENGINE, need_open_spiel
from made_studies import made_book
from needed import need
from one_line import refused
from sparing import levels

from seedfolio import SpecificationError, boost, load_portfolio, polyglot_book
from seedfolio.cli import run
from seedfolio.engines.specification.openings import pgn_lines
from seedfolio.games.chess.fen import START, is_chess960
from seedfolio.games.chess.polyglot import isaac64, polyglot_file, polyglot_key, polyglot_move
from seedfolio.games.chess.position import ChessPosition

RICH = "r3k2r/1P4p1/8/8/8/8/1p4P1/R3K2R w KQkq - 0 1"


def expected(path, fen):
    book = load_portfolio(path).book
    boards, shares = {}, {}
    for each in (*book.first, *book.second):
        for entry in each.entries:
            board = chess.Board(fen)
            for move in entry.line.split():
                board.push_uci(move)
            choices = sum(other.line == entry.line for other in each.entries)
            key = chess.polyglot.zobrist_hash(board)
            boards[key] = board
            here = shares.setdefault(key, {})
            move = board.parse_uci(entry.move)
            here[move] = here.get(move, 0) + each.weight * entry.games / choices
    for key, here in shares.items():
        greatest = max(here.values())
        yield boards[key], {m: max(1, round(65535 * n / greatest)) for m, n in here.items()}


def check_file(content, path, fen, folder):
    (folder / "a.bin").write_bytes(content)
    positions = [*expected(path, fen)]
    with chess.polyglot.open_reader(folder / "a.bin") as reader:
        keys = [entry.key for entry in reader]
        assert (keys, len(keys)) == (sorted(keys), sum(len(weights) for _, weights in positions))
        for board, weights in positions:
            assert {e.move: e.weight for e in reader.find_all(board)} == weights
    return positions


@pytest.mark.slow
def test_keys_and_moves_of_random_games(tmp_path):
    assert [*islice(isaac64(), 781)] == [*chess.polyglot.POLYGLOT_RANDOM_ARRAY]
    starts = (
        START,
        RICH,
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",  # capturing in passing would be illegal
        "4k3/2p1p1p1/8/1P1P1P1P/8/8/8/4K3 b - - 0 1",
        "1rk4r/P5p1/8/8/8/8/p5P1/1R1K2R1 w GBhb - 0 1",
        "1r2k2r/8/8/4pP2/8/8/8/RK4R1 w GAhb e6 0 1",
    )
    random, kinds = Random(1), set()
    for fen in starts * 2:
        board = chess.Board(fen, chess960=is_chess960(fen))
        position = ChessPosition.from_fen(fen)
        while not board.is_game_over() and board.fullmove_number < 30:
            key = polyglot_key(position)
            assert key == chess.polyglot.zobrist_hash(board), board.fen()
            codes = [polyglot_move(position, name) for name in position.moves]
            (tmp_path / "a.bin").write_bytes(polyglot_file({key: dict.fromkeys(codes, 1)}))
            with chess.polyglot.open_reader(tmp_path / "a.bin") as reader:
                assert {entry.move for entry in reader.find_all(board)} == {*board.legal_moves}
            # Half of the time one of the special moves, where there are some.
            kind = {
                move: (board.is_castling(move), board.is_en_passant(move), move.promotion)
                for move in board.legal_moves
            }
            special = [move for move in kind if any(kind[move])]
            move = random.choice(special if special and random.random() < 0.5 else [*kind])
            kinds.add(kind[move])
            board.push(move)
            position = position.after(move.uci())
    castling, passing, promoted = map(set, zip(*kinds, strict=True))
    assert castling == passing == {False, True}
    assert promoted == {None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN}


@pytest.mark.slow
def test_weights_of_books_moves_and_lines_that_meet(made, tmp_path, capsys):
    often = [
        *((0, "", "d2d4", 100), (1, "d7d5", "g1f3", 60), (2, "g8f6", "c2c4", 40)),
        *((0, "", "g1f3", 100), (1, "d7d5", "d2d4", 30), (2, "g8f6", "e2e3", 20)),
    ]
    rarely = [(0, "", "d2d4", 100), (1, "d7d5", "c2c4", 60)]
    path = made_book(made, tmp_path, first=[(0.75, often), (0.25, rarely)], second=[])
    to = tmp_path / "a.bin"
    assert run(["book", "polyglot", str(path), str(to)]) == 0
    assert f"wrote {to}: 7 moves" in capsys.readouterr().err
    assert to.read_bytes() == polyglot_book(path) == polyglot_book(load_portfolio(path))
    check_file(to.read_bytes(), path, START, tmp_path)
    wanted = {
        # 0.75 * 100 / 2 + 0.25 * 100, and 0.75 * 100 / 2
        "": {"d2d4": 65535, "g1f3": round(65535 * 37.5 / 62.5)},
        "d2d4 d7d5": {"g1f3": 65535, "c2c4": round(65535 * 15 / 45)},
        "g1f3 d7d5": {"d2d4": 65535},
        "g1f3 d7d5 d2d4 g8f6": {"c2c4": 65535, "e2e3": round(65535 * 20 / 40)},
    }
    with chess.polyglot.open_reader(tmp_path / "a.bin") as reader:
        assert len(reader) == 7
        for line, weights in wanted.items():
            board = chess.Board()
            for move in line.split():
                board.push_uci(move)
            assert {e.move.uci(): e.weight for e in reader.find_all(board)} == weights


@pytest.mark.slow
def test_lines_as_games(made, tmp_path, capsys):
    rows = [
        *((0, "", "d2d4", 100), (1, "d7d5", "g1f3", 60), (1, "g8f6", "c2c4", 40)),
        (0, "", "g1f3", 90),
    ]
    path, to = made_book(made, tmp_path, first=[(1.0, rows)], second=[]), tmp_path / "a.pgn"
    assert run(["book", "show", str(path), "--pgn", str(to)]) == 0
    assert capsys.readouterr().err.endswith(f"wrote {to}\n")
    text = to.read_text()
    lines = [("d2d4", "d7d5", "g1f3"), ("d2d4", "g8f6", "c2c4"), ("g1f3",)]
    assert pgn_lines(text, "a.pgn", 8) == lines
    with to.open() as file:
        games = [chess.pgn.read_game(file) for _ in lines]
        assert chess.pgn.read_game(file) is None
    for game, line in zip(games, lines, strict=True):
        assert (game.errors, game.headers["Result"]) == ([], "*")
        assert tuple(move.uci() for move in game.mainline_moves()) == line
    assert [node.comment for node in games[1].mainline()] == [
        "50.0%, 100 games",
        "",
        "50.0%, 40 games",
    ]
    assert run(["book", "show", str(path), "--pgn", str(tmp_path / "a.sgf")]) == 2
    assert "end its name with .pgn" in capsys.readouterr().err


@levels(
    ("source", "rows", "problem"),
    [
        ("chess:fen=garbage", [(0, "", "e2e4", 9)], "fen: it has 1 of 4 to 6 fields"),
        ("open_spiel:go", [(0, "", "a1", 9)], "a book of open_spiel:go, not of chess"),
    ],
    slow=[
        ("chess", [(0, "", "a1h8", 9)], "a1h8"),
        ("chess", [(0, "e2e5", "e7e5", 9)], "e2e5"),
        ("chess", [(0, "fen=8/8/8/8/8/8/8/8_w_-_-", "e2e4", 9)], "fen=8"),
        ("chess", [(0, "e2e4", "e7e5", 9)], "not the turn of White"),
        ("chess", [(0, "", "", 9)], "not playable"),
        ("chess", [], "have no entries"),
        ("open_spiel:chess", [(0, "", "a1h8", 9)], "a1h8 is not legal after no moves"),
        ("open_spiel:chess", [(0, "e2e4 e2e4", "a2a3", 9)], "e2e4 is not legal after e2e4"),
    ],
)
def test_what_cannot_be_played_is_refused(made, source, rows, problem, tmp_path):
    path = made_book(made, tmp_path, source, first=[(1.0, rows)], second=[])
    refused("book", "polyglot", path, "a.bin", cwd=tmp_path, saying=problem)
    assert not (tmp_path / "a.bin").exists()


def test_a_portfolio_without_a_book_is_refused(made):
    with pytest.raises(SpecificationError, match="holds no book"):
        polyglot_book(made.portfolio("nash"))


@levels("game", slow=["open_spiel:chess"], long=["chess"])
def test_a_book_of_a_chess_engine(game, tmp_path):
    need("stockfish")
    if game.startswith("open_spiel"):
        need_open_spiel()
    (tmp_path / "fish.toml").write_text(CHESS_ENGINE.format(game=game, moves=6, nodes="1..60"))
    asked = {"learners": "book", "k": 1, "opponents": 17, "budget": 60}
    found = boost(tmp_path / "fish.toml", **asked, study=tmp_path / "a.study")
    path = found.save_portfolios()["book"]
    check_file(polyglot_book(path), path, START, tmp_path)
