"""Whole games against GNU Go, over pipes."""

import sys

import pytest
from gtp_process import GtpProcess, gnugo, referee
from waiting import PATIENCE

from seedfolio.games import load_game
from seedfolio.games.go.area import margin_text

SIZE, KOMI = 5, 5.5


def sides(folder):
    """Our program and GNU Go, which captures what is dead before it passes."""
    command = (sys.executable, "-m", "seedfolio", "gtp", "go:5x5", "-p", "table", "--key", "1")
    options = ("--quiet", "--chinese-rules", "--never-resign", "--capture-all-dead")
    other = (gnugo(), "--mode", "gtp", "--level", "1", "--seed", "5", *options)
    return GtpProcess(*command, cwd=folder), GtpProcess(*other, cwd=folder)


@pytest.mark.slow
def test_whole_games_against_gnu_go(tmp_path):
    game, arms = load_game("go:5x5"), set()
    ours, theirs = sides(tmp_path)
    with ours, theirs:
        for number in range(3):
            engines = [ours, theirs] if number % 2 == 0 else [theirs, ours]
            moves = referee(engines, SIZE, KOMI, longest=3 * SIZE * SIZE)
            arms.add(ours.ask("seedfolio-arm"))
            history = [game.parse_move(move) for move in moves]
            assert game.position(history).moves == ()
            # One board for both, stone for stone; nothing is dead, so both count it alike.
            for colour in ("black", "white"):
                assert stones(theirs, colour) == drawn(ours, "XO"[colour == "white"])
            assert theirs.ask("final_status_list dead") == ""
            assert ours.ask("final_score") == theirs.ask("final_score")
            assert ours.ask("final_score") == margin_text(game, history)
        assert ours.ask("quit") == ""
        assert ours.process.wait(PATIENCE) == 0
    assert len(arms) > 1, "arms are drawn anew for each game"


def stones(engine, colour):
    return set(engine.ask(f"list_stones {colour}").split())


def drawn(engine, glyph):
    header, *rows = engine.ask("showboard").splitlines()
    letters = header.split()
    points = set()
    for row in rows[:-1]:
        number, *cells, _ = row.split()
        points |= {
            f"{at}{number}" for at, cell in zip(letters, cells, strict=True) if cell == glyph
        }
    return points
