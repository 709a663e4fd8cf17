"""An opponent from a user's words: a portfolio file, a result, or the original of a game."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from seedfolio.core.program_files import is_portfolio_name
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.programs.built_in import load_built_in
from seedfolio.serving.opponent import Boosted, Opponent, Original

if TYPE_CHECKING:
    from seedfolio.boosting.results import Boost


def load_opponent(
    program: str | Path | Game | GameKind | Boost | Boosted | Original, player: str | None = None
) -> Opponent:
    """Return the boosted program of a portfolio file or a result, or the original of a game.

    `player` is the player of the original; a portfolio names its own.
    """
    if isinstance(program, Game | GameKind):
        return Original(load_built_in(program, player))
    if not isinstance(program, str | Path):
        given = program if isinstance(program, Boosted | Original) else _of_result(program)
        if player is not None:
            raise SpecificationError(f"{program} has its own player; leave out `player`")
        return given
    text = str(program)
    refuse_player(text, player)
    if is_portfolio_name(text):
        # Loaded here: who plays the original of a game need not wait for the formats of files.
        from seedfolio.serving.boosted import load_boosted

        return load_boosted(text)
    if text.endswith(".study"):
        raise _study_is_no_program(text)
    return Original(load_built_in(text, player))


def _of_result(result: Boost) -> Boosted:
    from seedfolio.boosting.results import Boost
    from seedfolio.serving.boosted import load_boosted

    if not isinstance(result, Boost):
        raise SpecificationError(
            "a program is a portfolio file, a game, or what boost or load_boosted returned, not "
            f"{result!r}"
        )
    return load_boosted(result)


def is_external(path: str) -> bool:
    """Tell whether a file is the portfolio of an external engine."""
    if not is_portfolio_name(path):
        return False
    from seedfolio.portfolios.file import load_portfolio

    return load_portfolio(Path(path)).engine is not None


def refuse_player(program: str, player: str | None) -> None:
    """Raise SpecificationError if a player is given for a portfolio, which names its own."""
    if player is not None and is_portfolio_name(program):
        raise SpecificationError(f"{program} names its own player; leave out `player`")


def _study_is_no_program(text: str) -> SpecificationError:
    from seedfolio.study.store import Study

    try:
        Study.read(Path(text)).close()
    except StudyError:
        return SpecificationError(
            f"{text} is neither a game nor a portfolio (a .json file that boost writes)"
        )
    return SpecificationError(
        f"{text} is a study; name one of its portfolios, the .json files beside it"
    )
