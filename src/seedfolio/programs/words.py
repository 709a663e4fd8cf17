"""A program in a user's words: `GAME@PLAYER`, and the same with files."""

from __future__ import annotations

from pathlib import Path

from seedfolio.core.program_files import is_engine_file, is_file, is_portfolio_name
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN

OWN_ORIGINAL = "original"
"""After the @ of a portfolio: the program that it was learnt with, without what was learnt."""


def split_program(text: str) -> tuple[str, str | None]:
    """Return the game or file that `text` names, and what is after its @; None without an @.

    Folders and files may have an @ in their names.

    >>> split_program("my_game.py:4x4@my_player.py:games=4")
    ('my_game.py:4x4', 'my_player.py:games=4')
    >>> split_program("studies@home/a.json")
    ('studies@home/a.json', None)
    """
    # Neither a player nor `original` ends like a portfolio or the file of an engine.
    if _is_other_file(text) or is_file(Path(split_source(text)[0])):
        return text, None
    places = [place for place, letter in enumerate(text) if letter == "@"]
    for place in places:
        if _names_a_program(text[:place]):
            return text[:place], text[place + 1 :]
    if not places:
        return text, None
    before, after = text[: places[-1]], text[places[-1] + 1 :]
    # Neither is known. So that the message names the wrong half, split all but names of files.
    is_path = "/" in after or ("/" in before and split_source(after)[0].endswith(".py"))
    return (text, None) if is_path else (before, after)


def split_with(text: str, player: object) -> tuple[str, str | None]:
    """Return the same; SpecificationError if there is a player after the @ and another beside."""
    program, after = split_program(text)
    if after is not None and player is not None:
        raise SpecificationError(f"{text} names its player after the @; leave out `player`")
    return program, after


def _names_a_program(text: str) -> bool:
    name = split_source(text)[0]
    return name in BUILT_IN or name.endswith(".py") or _is_other_file(text)


def _is_other_file(text: str) -> bool:
    return is_portfolio_name(text) or is_engine_file(text)
