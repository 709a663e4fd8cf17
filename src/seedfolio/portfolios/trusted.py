"""What a portfolio may run: a user's Python file or engine, if a study here was made with it."""

from __future__ import annotations

import shlex
from functools import singledispatch
from pathlib import Path

from seedfolio.core.python_file import found_source, split_source
from seedfolio.core.trust import check_trusted, remember
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification import Specification
from seedfolio.players.program import Program
from seedfolio.programs.interface import Playable


def trusted_source(source: str, folder: Path) -> str:
    """Return the short form of a game or player, with its file where it is now.

    PortfolioError, before it is loaded, if no study on this machine was made with the file.
    """
    found = found_source(source, folder)
    name, _ = split_source(found)
    if name.endswith(".py") and Path(name).is_file():
        check_trusted(Path(name), f"the Python file {Path(name).resolve()}")
    return found


def engine_file(name: str, folder: Path) -> Path:
    """Return where the file of an engine is: at its path, else in `folder` or from the one above.

    If there is none, where it would be in `folder`.
    """
    places = [Path(name), folder / Path(name).name, folder.parent / name]
    return next((place for place in places if place.is_file()), places[1])


def check_engine(specification: Specification, place: Path) -> None:
    """Raise PortfolioError unless a study was made with such an engine, specified at this place."""
    tables = specification.player, specification.referee
    commands = [shlex.join(table.command) for table in tables if table and table.command]
    if commands:
        would_run = f"the command {' and '.join(commands)}"
        check_trusted(place, would_run, specification.digest.encode())


@singledispatch
def remember_files(program: Playable) -> None:
    """Note the files of the user's that a program is made of: a study has run them."""


@remember_files.register
def _(program: Program) -> None:
    for source in (program.game.source, program.player.text):
        name, _ = split_source(source)
        if name.endswith(".py"):
            remember(Path(name))


@remember_files.register
def _(program: EngineProgram) -> None:
    remember(Path(program.file), program.specification.digest.encode())
