"""A program in words: what is before the @, and what is after it."""

from pathlib import Path

import pytest

from seedfolio.programs.words import split_program


@pytest.mark.parametrize(
    ("text", "halves"),
    [
        ("nim", ("nim", None)),
        ("domineering:5x5@uct:simulations=5", ("domineering:5x5", "uct:simulations=5")),
        ("domineering:5x5@eps.py", ("domineering:5x5", "eps.py")),
        ("domineering:5x5@a/b/eps.py:x=1", ("domineering:5x5", "a/b/eps.py:x=1")),
        ("my_game.py:4x4@my_player.py:games=4", ("my_game.py:4x4", "my_player.py:games=4")),
        ("a@b/my_game.py@my_player.py", ("a@b/my_game.py", "my_player.py")),
        ("my_game.py@a@b/my_player.py", ("my_game.py", "a@b/my_player.py")),
        ("a@b/my_game.py:4x4", ("a@b/my_game.py:4x4", None)),
        (
            "chess:fen=8/8/8/k7/8/8/K7/8 w - - 0 1@uct",
            ("chess:fen=8/8/8/k7/8/8/K7/8 w - - 0 1", "uct"),
        ),
        ("a.json@original", ("a.json", "original")),
        ("a@b.json.gz@original", ("a@b.json.gz", "original")),
        ("a@b.json", ("a@b.json", None)),
        ("a@b/engine.toml", ("a@b/engine.toml", None)),
        ("engine.toml@uct", ("engine.toml", "uct")),
        ("dominering:5x5@eps.py", ("dominering:5x5", "eps.py")),
        ("dominering@uct", ("dominering", "uct")),
    ],
)
def test_words_have_two_halves(text, halves):
    assert split_program(text) == halves


def test_a_file_that_is_there_is_one_word(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("nim@home").mkdir()
    Path("nim@home/my_game.py").touch()
    assert split_program("nim@home/my_game.py:4x4") == ("nim@home/my_game.py:4x4", None)
