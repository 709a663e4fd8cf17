"""One loader: all that a user types or hands over, and every portfolio is parsed once."""

import shutil
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from kinds import ALL_KINDS, BOOSTED, ENGINES, NAMES, each

from seedfolio import PortfolioError, SpecificationError, load_game, load_portfolio, load_program
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import FIRST_PLAY_SEED, UNSEEN_SEEDS
from seedfolio.core.trust import Permit, trusting
from seedfolio.opponents.load import load_opponent
from seedfolio.opponents.referee import SKIPPED, GameReferee, JudgeReferee, play_out
from seedfolio.papers.gnu_go import classical, gnu_go
from seedfolio.programs.words import split_program


@pytest.mark.parametrize("kind", each(ALL_KINDS))
def test_all_words_are_understood_and_their_seats_play(kinds, kind):
    with closing(load_opponent(ALL_KINDS[kind])) as opponent:
        assert (opponent.name, opponent.plays is not None) == (NAMES[kind], kind in BOOSTED)
        assert opponent.is_engine == (kind in ENGINES)
        seats = [opponent.draw(colour, 7) for colour in (0, 1)]
        referee = GameReferee(opponent.game)
        played = play_out(referee, seats)
        assert played.points in (0, 2)
        history = [opponent.game.parse_move(move) for move in played.moves]
        assert referee.points(history) == played.points
        assert play_out(referee, [opponent.draw(colour, 7) for colour in (0, 1)]) == played
        assert play_out(referee, seats, stopped=lambda: True) is None
        drawn = opponent.plays and opponent.plays.distributions
        for colour, seat in enumerate(seats):
            if drawn:
                assert seat.number in drawn[colour].arms
            else:
                assert seat.number >= (UNSEEN_SEEDS if opponent.is_engine else [FIRST_PLAY_SEED])[0]
            seat.close()


def test_what_python_hands_over(kinds):
    same = load_opponent("seeds-nash.json")
    for given in (load_portfolio("seeds-nash.json"), same, Path("seeds-nash.json")):
        assert (load_opponent(given).name, load_opponent(given).plays) == (same.name, same.plays)
    for given in (load_program("nim", "table:noise=1"), same.original, load_game("nim")):
        assert load_opponent(given).program.game.name == "nim"
        assert load_opponent(given).plays is None
    engine = load_program("engine.toml")
    assert load_opponent(engine).program is engine
    assert load_opponent(load_portfolio("engine-nash.json"), folder=Path()).is_engine
    seat = (opponent := load_opponent(engine)).draw(0, 5)
    first = seat.choose([])
    answer = opponent.game.position([first]).moves[0]
    third = seat.choose([first, answer])
    assert seat.choose([]) == first  # moves that are taken back start the engine again
    assert opponent.draw(0, 5).choose([first, answer]) == third
    opponent.close()


def test_what_names_no_program(kinds):
    for program, player, message in (
        ("nim@table", "table", "names its player after the @; leave out `player`"),
        ("seeds-nash.json", "table", "names its own player"),
        ("engine.toml@original", None, "engine.toml is not a portfolio"),
        ("engine.toml", "table", "engine.toml names the engine; leave out `player`"),
        ("seeds.study", None, "is a study; name one of its portfolios"),
        ("nim@no_player.py", None, "there is no player file no_player.py"),
        (None, None, "a program is a portfolio file, a game, a text such as"),
    ):
        with pytest.raises(SpecificationError) as raised:
            load_opponent(program, player)
        assert message in str(raised.value)
        assert "\n" not in str(raised.value)


def test_the_two_kinds_of_referee_agree(kinds):
    engine = load_program("engine.toml")
    by_judge, by_game = JudgeReferee(engine.make_judge()), GameReferee(engine.board_game())
    for key in range(20):
        history = []
        while moves := by_game.legal(history):
            assert sorted(by_judge.legal(history)) == sorted(moves)
            assert by_judge.mover(history) == by_game.mover(history)
            move = moves[mix_int(key + len(history)) % len(moves)]
            name = by_game.name(history, move)
            assert by_judge.name(history, move) == name.lower()
            assert by_judge.parse(history, name) == by_game.parse(history, name) == move
            assert by_judge.points(history) is by_game.points(history) is None
            history.append(move)
        assert by_judge.mover(history) is by_game.mover(history) is None
        assert by_judge.points(history) == by_game.points(history)
    for referee in (by_judge, by_game):
        with pytest.raises(SpecificationError):
            referee.parse([], "z9")
        referee.close()


@pytest.mark.slow
@pytest.mark.parametrize("words", ["own-nash.json", "own-nash.json@original"])
def test_what_a_portfolio_names_was_not_named_by_the_user(kinds, words, tmp_path, monkeypatch):
    shutil.copy(kinds / "own-nash.json", tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PortfolioError, match="no game file"):
        load_opponent(words)
    for name in ("my_game.py", "my_player.py"):  # they are found beside it
        shutil.copy(kinds / name, tmp_path)
    with (tmp_path / "my_game.py").open("a") as file:
        file.write("from pathlib import Path\nPath('it-ran').touch()\n")
    with pytest.raises(PortfolioError, match="would run the Python file"):
        load_opponent(words)
    with trusting(), pytest.raises(PortfolioError, match="would run the Python file"):
        load_opponent(words, permit=Permit.PAGE)
    assert not Path("it-ran").exists()
    with trusting():
        assert load_opponent(words).game.name == "nim"
    assert Path("it-ran").exists()
    with pytest.raises(PortfolioError, match="would run the Python file"):
        load_opponent("my_game.py@my_player.py", permit=Permit.PAGE)


def test_moves_have_the_numbers_of_the_game_and_a_lost_turn_is_no_move():
    # This judge is not asked whether a move is legal, so that no process starts.
    by_judge = JudgeReferee(gnu_go(5, 6.5, classical(1)).make_judge(), 5)
    names = load_game("go:5x5,komi=6.5").rules.move_names
    moves = [move for move, name in enumerate(names) if name]
    assert sorted(by_judge.legal(())) == moves
    for move in moves:
        assert by_judge.name((), move).lower() == names[move].lower()
        assert by_judge.parse((), names[move]) == move
    with pytest.raises(SpecificationError, match="number 5 is not a legal move"):
        by_judge.name((), 5)  # beside the board
    with pytest.raises(SpecificationError, match="f1 is not legal now"):
        by_judge.parse((), "f1")
    c3, d3 = (by_judge.parse((), name) for name in ("c3", "d3"))
    assert (by_judge.turn_of(0, ()), by_judge.turn_of(1, ())) == ((), (SKIPPED,))
    assert by_judge.told((SKIPPED, c3, SKIPPED, d3)) == [(1, "c3"), (1, "d3")]
    assert by_judge.turn_of(0, (c3, d3)) == (c3, d3)
    assert by_judge.told((c3, d3)) == [(0, "c3"), (1, "d3")]
    # No book has a game in which a colour moved twice.
    words = np.zeros(3, np.uint64)
    assert by_judge.book_move((SKIPPED, c3), words, 0, 7) is None


WORDS = Path(__file__).with_name("words.txt").read_text(encoding="utf-8")


def test_words_have_two_halves_and_a_file_that_is_there_is_one_word(tmp_path, monkeypatch):
    for text in WORDS.splitlines():
        game, _, player = text.partition(" @ ")
        assert split_program(text.replace(" @ ", "@")) == (game, player or None)
    monkeypatch.chdir(tmp_path)
    Path("nim@home").mkdir()
    Path("nim@home/my_game.py").touch()
    assert split_program("nim@home/my_game.py:4x4") == ("nim@home/my_game.py:4x4", None)
