"""The message for rules, or a player of one's own, that raise an error in a game."""

from __future__ import annotations

import traceback
from pathlib import Path

from seedfolio.errors import SpecificationError
from seedfolio.games import split_source
from seedfolio.players.built_in import BuiltIn


def rules_raise(program: BuiltIn, error: Exception, where: str) -> SpecificationError:
    """Return the error in one line: what was raised, in which game, and what to correct."""
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    file, _ = split_source(program.game.source)
    raised = traceback.extract_tb(error.__traceback__)[-1]
    if Path(raised.filename).name == Path(file).name:
        file = f"line {raised.lineno} of {file}"
    who, (player, _) = "the rules raise", split_source(program.player.text)
    if player.endswith(".py"):
        who, file = "the rules or the player raise", f"{file} or {player}"
    return SpecificationError(
        f"{program.game.title}: {who} {what}, with {program.player.text} and {where}; "
        f"correct {file}"
    )
