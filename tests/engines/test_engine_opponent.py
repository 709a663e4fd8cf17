"""An external engine as the opponent of a person: in the library, and on the page."""

import pytest
from external import GNU_GO, STOCKFISH, need

from seedfolio import SpecificationError
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress
from seedfolio.opponents.load import load_opponent


@pytest.fixture
def gnu_go(tmp_path):
    need("gnugo")
    (tmp_path / "gnugo.toml").write_text(GNU_GO.format(board=5, games=2))
    opponent = load_opponent(tmp_path / "gnugo.toml")
    yield opponent
    opponent.close()


def moves_of(now, plies):
    """Let a person play the first legal move each time, up to a number of plies."""
    while now.turn is not None and len(now.history) < plies:
        first = now.game.move_name(now.position.moves[0])
        now = now.play(first) if now.turn == PERSON else now.step()
    return now.history


def test_the_same_key_plays_the_same_game_and_goes_on_after_an_interruption(gnu_go):
    assert gnu_go.full_name.startswith("GNU Go")
    assert gnu_go.game.text == "go:5x5,komi=6.5"
    arm = gnu_go.new_game(1, 2026)
    assert arm.name.startswith("seed ")
    first = moves_of(GameInProgress(gnu_go.game, arm, 0), 8)
    gnu_go.close()  # as when the server is started again
    assert moves_of(GameInProgress(gnu_go.game, gnu_go.new_game(1, 2026), 0), 8) == first


def test_moves_that_are_taken_back_are_unknown_to_the_engine(gnu_go):
    now = GameInProgress(gnu_go.game, gnu_go.new_game(1, 7), 0)
    now = now.play("C3").step()
    before = now.undone()
    assert before is not None
    again = before.play("C3").step()
    assert again.history == now.history


def test_a_game_without_a_board_is_refused(tmp_path):
    need("stockfish")
    (tmp_path / "chess.toml").write_text(STOCKFISH)
    with pytest.raises(SpecificationError, match="no board here"):
        _ = load_opponent(tmp_path / "chess.toml").game
