"""A program in words: what is before the @, and what is after it."""

from pathlib import Path

from seedfolio.programs.words import split_program

WORDS = Path(__file__).with_name("words.txt").read_text(encoding="utf-8")


def test_words_have_two_halves_and_a_file_that_is_there_is_one_word(tmp_path, monkeypatch):
    for text in WORDS.splitlines():
        game, _, player = text.partition(" @ ")
        assert split_program(text.replace(" @ ", "@")) == (game, player or None)
    monkeypatch.chdir(tmp_path)
    Path("nim@home").mkdir()
    Path("nim@home/my_game.py").touch()
    assert split_program("nim@home/my_game.py:4x4") == ("nim@home/my_game.py:4x4", None)
