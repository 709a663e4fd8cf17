"""One folder with every kind of program that plays nim."""

import shutil
from pathlib import Path

import pytest
from external import program_of, scripted_text

import seedfolio.games.nim
from seedfolio import boost

MOBILITY = Path(__file__).parents[2] / "docs" / "examples" / "mobility.py"
SMALL = {"k": 4, "kt": 4, "opponents": 2}
ORIGINALS = {
    "a game": "nim",
    "a game and a player": "nim@table:noise=1",
    "a game and a file": "nim@my_player.py:noise=1",
    "own game": "my_game.py",
    "own game and player": "my_game.py@my_player.py",
    "an engine": "engine.toml",
    "a portfolio's original": "seeds-nash.json@original",
    "an engine portfolio's original": "engine-nash.json@original",
}
BOOSTED = {
    "seeds": "seeds-nash.json",
    "a book": "book-book.json",
    "own files": "own-nash.json",
    "an engine's seeds": "engine-nash.json",
    "an engine's book": "moves-book.json",
}
ALL_KINDS = ORIGINALS | BOOSTED
"""What a user types, by what it is."""
KINDS = {k: v for k, v in ALL_KINDS.items() if k not in ("a game and a file", "own game")}
"""Those for every command: a game and a player of the user's are another compiled program each."""
NAMES = {
    "a game": "table:noise=0",
    "a game and a player": "table:noise=1",
    "a game and a file": "my_player.py:noise=1",
    "own game": "table:noise=0",
    "own game and player": "my_player.py:noise=2",
    "an engine": "engine",
    "a portfolio's original": "original table:noise=1",
    "an engine portfolio's original": "original engine",
    "seeds": "boosted table:noise=1 (nash)",
    "a book": "boosted table:noise=1 (book)",
    "own files": "boosted my_player.py:noise=2 (nash)",
    "an engine's seeds": "boosted engine (nash)",
    "an engine's book": "boosted engine (book)",
}
ENGINES = {name for name, words in KINDS.items() if words.startswith(("engine", "moves"))}


QUICK = {"a game", "an engine", "a portfolio's original", "seeds", "an engine's seeds"}


def each(kinds):
    slow = pytest.mark.slow
    return [pytest.param(kind, marks=() if kind in QUICK else slow) for kind in kinds]


def make_quick(folder):
    program_of(folder, scripted_text(folder, "well", bad="none"))
    for words, name in (("nim@table:noise=1", "seeds"), ("engine.toml", "engine")):
        boost(words, **SMALL, learners=["nash"], study=f"{name}.study").save_portfolios()


def make_slow(folder):
    shutil.copy(seedfolio.games.nim.__file__, folder / "my_game.py")
    shutil.copy(MOBILITY, folder / "my_player.py")
    made = [
        boost("nim@table:noise=1", **SMALL, learners=["book"], study="book.study"),
        boost("my_game.py@my_player.py", **SMALL, learners=["nash"], study="own.study"),
        boost("engine.toml", k=2, opponents=2, budget=40, learners=["book"], study="moves.study"),
    ]
    for outcome in made:
        outcome.save_portfolios()
