"""Books in files that somebody changed: refused when loaded, in one line, and never endless."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

from seedfolio import PortfolioError, load_boosted, show_book
from seedfolio.cli import run
from seedfolio.games import load_game
from seedfolio.players.books.table import Instructions, pack
from seedfolio.portfolios.book.file import states_and_moves
from seedfolio.portfolios.book.rows import StatesBook
from seedfolio.portfolios.file import load_portfolio
from seedfolio.programs.load import load_program

OLD = Path(__file__).parent / "old_files"
ROWS = [
    [0, "", "b2b3", 9, 0.5, 0.5],
    [1, "a1b1", "c2c3", 5, 0.5, 0.5],
    [1, "c1d1", "c2c3", 4, 0.5, 0.5],
]


def file_with(name, books, folder):
    """Write a portfolio of an old file's program, with the book of the first player replaced."""
    data = json.loads(load_portfolio(OLD / f"{name}-2.json").text())
    data["book"]["first"] = books
    (folder / "p.json").write_text(json.dumps(data))
    return folder / "p.json"


COLUMNS = ["depth", "since", "move", "games", "success", "original"]


def moves_book(rows, weight=1.0):
    return {"kind": "moves", "weight": weight, "columns": COLUMNS, "rows": rows}


def with_row(place, **changes):
    changed = [changes.get(name, old) for name, old in zip(COLUMNS, ROWS[place], strict=True)]
    return [*ROWS[:place], changed, *ROWS[place + 1 :]]


REFUSED = {
    "a child before its parent": (with_row(0, depth=1), "depth"),
    "a gap in the tree": (with_row(2, depth=3), "depth"),
    "the same state and move twice": (with_row(2, since="a1b1"), "the same move twice"),
    "a move that the game does not have": (with_row(1, move="z9"), "'z9' is not a move"),
    "a move on an occupied cell": (with_row(1, move="b2b3"), "b2b3 is not legal after b2b3 a1b1"),
    "a move of the other colour": (with_row(1, move="c2d2"), "c2d2 is not legal"),
    "an illegal move in a line": (with_row(1, since="b2c2"), "b2c2 is not legal after b2b3"),
    "not its turn": (with_row(1, since="a1b1 c2c3"), "not the turn of vertical"),
    "longer than any game": (with_row(1, since="a1b1 " * 40), "at most"),
    "a negative number of games": (with_row(0, games=-1), "rows.0"),
    "a success over 1": (with_row(0, success=1.5), "rows.0"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_changed_rows_are_refused(case, tmp_path, capsys):
    rows, saying = REFUSED[case]
    path = str(file_with("perfect", [moves_book(rows)], tmp_path))
    for words in (["play", path], ["book", "show", path]):
        assert run(words) == 2, case
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert saying in err


def test_the_unchanged_rows_are_played_and_none_are_refused(tmp_path, capsys):
    path = file_with("perfect", [moves_book(ROWS)], tmp_path)
    program = load_boosted(path)
    assert program.program.game.move_name(program.new_game(0, 1).choose([])) in ("b2b3", "c2c3")
    assert run(["book", "show", str(path)]) == 0
    assert "3 entries" in capsys.readouterr().out
    path.write_text(json.dumps(json.loads(path.read_text()) | {"book": None}))
    with pytest.raises(PortfolioError, match="there is no book"):
        load_boosted(path)
    with pytest.raises(PortfolioError, match="there is no book"):
        show_book(path)


DEEP = [[depth, "", "b2b3", 1, 0.5, 0.5] for depth in range(30_000)]


@pytest.mark.parametrize(
    ("books", "saying"),
    [
        *(([moves_book(ROWS, w) for w in each], "add up to 1") for each in ([0.5], [0.5, 0.6])),
        ([moves_book(DEEP)], "depth over"),
    ],
    ids=["less", "more", "deep"],
)
def test_weights_add_up_and_depths_have_an_end(books, saying, tmp_path, capsys):
    for word in ("show", "play"):
        assert run([word, str(file_with("perfect", books, tmp_path))]) == 2
        assert saying in capsys.readouterr().err


@pytest.mark.parametrize(
    ("column", "value", "saying"),
    [
        (1, "0" * 15 + "7", "does not lead to the state"),
        (2, "a1 a1 a1", "is not legal after"),
        (2, "b2", "not the turn"),
        (1, "x" * 16, "rows."),
    ],
)
def test_states_follow_from_their_lines(column, value, saying, tmp_path, capsys):
    books = json.loads(load_portfolio(OLD / "hidden-2.json").text())["book"]["first"]
    next(row for row in books[0]["rows"] if row[2] is not None)[column] = value
    assert run(["play", str(file_with("hidden", books, tmp_path))]) == 2
    assert saying in capsys.readouterr().err


@pytest.mark.slow
def test_an_illegal_move_whose_line_is_not_known_is_not_played():
    """The program plays there itself, in whole games and move by move."""
    program = load_program("domineering:4x4", "uct:simulations=5")
    first = program.choose([], arm=3)
    game = program.game
    answers = game.position([first]).moves
    illegal = next(m for m in range(len(game.rules.move_names)) if m not in answers)
    state = game.information([first], 1).history
    book = Instructions.of(np.array([state], np.uint64), np.array([illegal]))
    booked = program.with_books(pack([[], [(1.0, book)]], symmetric=False))
    assert booked.choose_noting([first], arm=5) == (program.choose([first], arm=5), False)
    assert booked.play_line((3, 5), 1) == program.play_line((3, 5), 1)
    seeds = [np.array([seed], np.uint64) for seed in (3, 5)]
    games = [each.play(*seeds, each.workspace()) for each in (booked, program)]
    assert [each.tolist() for each in games[0]] == [each.tolist() for each in games[1]]


def test_arms_under_a_symmetry_that_the_board_lacks_and_files_without_end(tmp_path, capsys):
    data = json.loads(load_portfolio(OLD / "perfect-2.json").text())
    del data["book"]
    data |= {"first": {str(9 << 48): 1.0}, "second": {"1": 1.0}}
    (tmp_path / "p.json").write_text(json.dumps(data))
    assert run(["play", str(tmp_path / "p.json")]) == 2
    assert "symmetry 9" in capsys.readouterr().err
    (tmp_path / "bomb.json.gz").write_bytes(gzip.compress(bytes(150 * 2**20)))
    assert run(["show", str(tmp_path / "bomb.json.gz")]) == 2
    assert "more than 100 MiB" in capsys.readouterr().err
    os.mkfifo(tmp_path / "pipe.json")
    assert run(["show", str(tmp_path / "pipe.json")]) == 2
    assert "not a regular file" in capsys.readouterr().err
    for number, text in enumerate(("[" * 10**6, '{"a":' * 10**6, "1" * 10**6)):
        path = tmp_path / f"{number}.json"
        path.write_text(text)
        assert (run(["show", str(path)]), capsys.readouterr().err.count("\n")) == (2, 1)


def test_a_book_with_states_needs_no_lines():
    rows = [(0, f"{7:016x}", None, "b2b3", 1, 0.5, 0.5)]
    states, _ = states_and_moves(StatesBook(weight=1.0, rows=rows), load_game("domineering:4x4"), 0)
    assert states.tolist() == [7]
