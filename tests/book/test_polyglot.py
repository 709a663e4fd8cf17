"""Polyglot's format, against python-chess and the keys that the format's page publishes."""

import json
from itertools import islice
from random import Random

import chess
import chess.polyglot
import pytest
from external import CHESS_ENGINE, need, need_open_spiel

from seedfolio import SpecificationError, boost, load_portfolio, polyglot_book
from seedfolio.cli import run
from seedfolio.games.chess.fen import START
from seedfolio.games.chess.polyglot import isaac64, polyglot_file, polyglot_key, polyglot_move
from seedfolio.games.chess.position import ChessPosition

RICH = "r3k2r/1P4p1/8/8/8/8/1p4P1/R3K2R w KQkq - 0 1"
"""Castling to all sides, and promotions."""


COLUMNS = ["depth", "since", "move", "games", "success", "original"]


def changed(made, folder, source="chess", **sides):
    """Write a portfolio with other books: for each colour, of each its weight and rows."""
    content = json.loads(made.portfolio("book").read_text())
    content["game"]["source"] = source
    for side, books in sides.items():
        content["book"][side] = [
            {
                "kind": "moves",
                "weight": weight,
                "columns": COLUMNS,
                "rows": [[*row, 0.5, 0.5] for row in rows],
            }
            for weight, rows in books
        ]
    path = folder / "changed.json"
    path.write_text(json.dumps(content))
    return path


def random_rows(random, board, since="", depth=0, games=900):
    """Return rows of a book with one or two moves at each of its positions."""
    rows = []
    for move in random.sample([*board.legal_moves], min(2, 1 + random.randrange(2))):
        rows.append((depth, since, move.uci(), games))
        board.push(move)
        for reply in random.sample([*board.legal_moves], min(2, board.legal_moves.count())):
            board.push(reply)
            if depth < 3 and board.legal_moves:
                rows += random_rows(random, board, reply.uci(), depth + 1, games // 3)
            board.pop()
        board.pop()
    return rows


@pytest.fixture
def portfolio(made, tmp_path):
    """The file of a chess portfolio with two books of each colour."""
    random = Random(5)
    first = [(weight, random_rows(random, chess.Board(RICH))) for weight in (0.75, 0.25)]
    second = []
    for weight in (0.4, 0.6):
        rows = []
        for opening in random.sample([*chess.Board(RICH).legal_moves], 3):
            board = chess.Board(RICH)
            board.push(opening)
            rows += random_rows(random, board, opening.uci())
        second.append((weight, rows))
    source = f"chess:fen={RICH.replace(' ', '_')}"
    return changed(made, tmp_path, source, first=first, second=second)


def expected(path, fen):
    """Return each position of a portfolio's books with the weights of its moves.

    From the lines in the file, by the rules of python-chess.
    """
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
    """Read a file with python-chess: it has what the portfolio has; return its positions."""
    (folder / "a.bin").write_bytes(content)
    positions = [*expected(path, fen)]
    with chess.polyglot.open_reader(folder / "a.bin") as reader:
        keys = [entry.key for entry in reader]
        assert keys == sorted(keys)
        assert len(keys) == sum(len(weights) for _, weights in positions)
        for board, weights in positions:
            assert {e.move: e.weight for e in reader.find_all(board)} == weights
    return positions


def test_the_random_numbers_are_those_of_polyglot():
    assert [*islice(isaac64(), 781)] == [*chess.polyglot.POLYGLOT_RANDOM_ARRAY]


@pytest.mark.slow
def test_keys_and_moves_of_random_games(tmp_path):
    starts = (
        START,
        RICH,
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",  # capturing in passing would be illegal
        "4k3/2p1p1p1/8/1P1P1P1P/8/8/8/4K3 b - - 0 1",
    )
    random, kinds = Random(1), set()
    for fen in starts * 3:
        board, position = chess.Board(fen), ChessPosition.from_fen(fen)
        while not board.is_game_over() and board.fullmove_number < 40:
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


def test_a_book_has_the_positions_moves_and_weights_of_its_portfolio(portfolio, tmp_path, capsys):
    content = polyglot_book(portfolio)
    positions = check_file(content, portfolio, RICH, tmp_path)
    assert {board.turn for board, _ in positions} == {chess.WHITE, chess.BLACK}
    assert any(len(weights) > 1 for _, weights in positions)
    assert polyglot_book(load_portfolio(portfolio)) == content
    to = tmp_path / "book.bin"
    assert run(["book", "polyglot", str(portfolio), str(to)]) == 0
    assert to.read_bytes() == content
    assert f"wrote {to}: {len(content) // 16:,} moves" in capsys.readouterr().err


def test_weights_of_books_moves_and_lines_that_meet(made, tmp_path):
    often = [
        (0, "", "d2d4", 100),
        (1, "d7d5", "g1f3", 60),
        (2, "g8f6", "c2c4", 40),
        (0, "", "g1f3", 100),
        (1, "d7d5", "d2d4", 30),
        (2, "g8f6", "e2e3", 20),
    ]
    rarely = [(0, "", "d2d4", 100), (1, "d7d5", "c2c4", 60)]
    path = changed(made, tmp_path, first=[(0.75, often), (0.25, rarely)], second=[])
    (tmp_path / "a.bin").write_bytes(polyglot_book(path))
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


@pytest.mark.parametrize(
    ("source", "rows", "problem"),
    [
        ("chess", [(0, "", "a1h8", 9)], "a1h8"),
        ("chess", [(0, "e2e5", "e7e5", 9)], "e2e5"),
        ("chess", [(0, "fen=8/8/8/8/8/8/8/8_w_-_-", "e2e4", 9)], "fen=8"),
        ("chess", [(0, "e2e4", "e7e5", 9)], "not the turn of White"),
        ("chess", [(0, "", "", 9)], "not playable"),
        ("chess", [], "have no entries"),
        ("chess:fen=garbage", [(0, "", "e2e4", 9)], "fen: it has 1 of 4 to 6 fields"),
        ("open_spiel:chess", [(0, "", "a1h8", 9)], "a1h8 is not legal after no moves"),
        ("open_spiel:chess", [(0, "e2e4 e2e4", "a2a3", 9)], "e2e4 is not legal after e2e4"),
        ("open_spiel:go", [(0, "", "a1", 9)], "a book of open_spiel:go, not of chess"),
    ],
)
def test_what_cannot_be_played_is_refused(made, source, rows, problem, tmp_path, capsys):
    path = changed(made, tmp_path, source, first=[(1.0, rows)], second=[])
    assert run(["book", "polyglot", str(path), str(tmp_path / "a.bin")]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert problem in error
    assert not (tmp_path / "a.bin").exists()


def test_only_books_of_chess_can_be_written(made):
    with pytest.raises(SpecificationError, match="a book of domineering:4x4, not of chess"):
        polyglot_book(made.portfolio("book"))
    with pytest.raises(SpecificationError, match="holds no book"):
        polyglot_book(made.portfolio("nash"))


@pytest.mark.slow
@pytest.mark.parametrize("game", [f"chess:fen={RICH.replace(' ', '_')}", "open_spiel:chess"])
def test_a_book_of_a_chess_engine(game, tmp_path):
    need("stockfish")
    if game.startswith("open_spiel"):
        need_open_spiel()
    (tmp_path / "fish.toml").write_text(CHESS_ENGINE.format(game=game, moves=6, nodes="1..60"))
    asked = {"learners": "book", "k": 1, "opponents": 17, "budget": 60}
    found = boost(tmp_path / "fish.toml", **asked, study=tmp_path / "a.study")
    path = found.save_portfolios()["book"]
    check_file(polyglot_book(path), path, RICH if "fen" in game else START, tmp_path)
