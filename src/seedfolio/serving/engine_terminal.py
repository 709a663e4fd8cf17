"""A game between a person and an external engine, in the terminal."""

from __future__ import annotations

import secrets
from contextlib import closing
from pathlib import Path

from seedfolio.core.program_files import is_engine_file
from seedfolio.serving.engine_opponent import (
    ResignedError,
    load_boosted_engine,
    load_engine_opponent,
)
from seedfolio.serving.game_in_progress import GameInProgress
from seedfolio.serving.screen import Screen
from seedfolio.serving.terminal import TerminalGame


def play_engine(file: str | Path, person: int, key: int | None, screen: Screen) -> None:
    """Play one game against an external engine, boosted or as it is.

    SpecificationError if its game has no board here.
    """
    opponent = load_engine_opponent(file) if is_engine_file(file) else load_boosted_engine(file)
    with closing(opponent):
        drawn = secrets.randbits(64) if key is None else key
        arm = opponent.new_game(1 - person, drawn)
        game = opponent.game
        sides = game.rules.board.colours
        players = f"you are {sides[person]}, {opponent.name} is {sides[1 - person]}."
        screen.put(screen.wrapped(f"{game.title}: {players}"))
        table = TerminalGame(GameInProgress(game, arm, person), input, screen.put, screen=screen)
        try:
            table.play()
        except ResignedError as resigned:
            screen.put(f"{resigned}. You win. It played {arm.name}.")
