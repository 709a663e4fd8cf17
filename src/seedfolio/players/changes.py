"""Programs that differ in data alone, so that they share compiled code."""

from __future__ import annotations

from dataclasses import replace

from seedfolio.games.game import Game
from seedfolio.players.interface import Player
from seedfolio.players.program import Program


def beginning_at(program: Program, game: Game) -> Program:
    """Return a program for a game that differs in its setup only (see `games.rules`)."""
    if game.rules.setup == program.game.rules.setup:
        return program
    game.share_code(program.game)
    return _sharing(replace(program, game=game), program)


def thinking(program: Program, player: Player) -> Program:
    """Return a program whose player differs in its knobs only."""
    return _sharing(replace(program, player=player), program)


def _sharing(other: Program, program: Program) -> Program:
    other.share_code(program, "_choose_after", "_play_line")
    return other
