"""One folder with every kind of program that plays nim."""

import shutil
from pathlib import Path

from external import program_of, scripted_text

import seedfolio.games.nim
from seedfolio import boost

MOBILITY = Path(__file__).parents[2] / "docs" / "examples" / "mobility.py"
SMALL = {"k": 4, "kt": 4, "opponents": 2}
ORIGINALS = {
    "a game": "nim",
    "a game and a player": "nim@flat:playouts=3",
    "a game and a file": "nim@my_player.py:noise=1",
    "own game": "my_game.py",
    "own game and player": "my_game.py:first=1@my_player.py",
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
KINDS = ORIGINALS | BOOSTED
"""What a user types, by what it is."""
ENGINES = {name for name, words in KINDS.items() if words.startswith(("engine", "moves"))}


def make_kinds(folder):
    """Make the files in a folder, which must be the current one."""
    shutil.copy(seedfolio.games.nim.__file__, folder / "my_game.py")
    shutil.copy(MOBILITY, folder / "my_player.py")
    program_of(folder, scripted_text(folder, "well", bad="none"))
    made = [
        boost("nim", "table:noise=1", **SMALL, learners=["nash"], study="seeds.study"),
        boost("nim@flat:playouts=3", **SMALL, learners=["book"], study="book.study"),
        boost("my_game.py@my_player.py", **SMALL, learners=["nash"], study="own.study"),
        boost("engine.toml", **SMALL, learners=["nash"], study="engine.study"),
        boost("engine.toml", k=2, opponents=2, budget=40, learners=["book"], study="moves.study"),
    ]
    for outcome in made:
        outcome.save_portfolios()
