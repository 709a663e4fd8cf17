"""A program in words: what is before the @, and what is after it."""

from pathlib import Path

import pytest

from seedfolio.programs.words import split_program

WORDS = """
nim
domineering:5x5 @ uct:simulations=5
domineering:5x5 @ eps.py
domineering:5x5 @ a/b/eps.py:x=1
my_game.py:4x4 @ my_player.py:games=4
a@b/my_game.py @ my_player.py
my_game.py @ a@b/my_player.py
a@b/my_game.py:4x4
chess:fen=8/8/8/k7/8/8/K7/8 w - - 0 1 @ uct
a.json @ original
a@b.json.gz @ original
a@b.json
a@b/engine.toml
engine.toml @ uct
dominering:5x5 @ eps.py
"""
"""With spaces around the @ that parts the halves."""


@pytest.mark.parametrize("text", WORDS.strip().splitlines())
def test_words_have_two_halves(text):
    game, _, player = text.partition(" @ ")
    assert split_program(text.replace(" @ ", "@")) == (game, player or None)


def test_a_file_that_is_there_is_one_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("nim@home").mkdir()
    Path("nim@home/my_game.py").touch()
    assert split_program("nim@home/my_game.py:4x4") == ("nim@home/my_game.py:4x4", None)
