"""An opponent from what a user types or hands over: the one place that reads all of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from seedfolio.core.program_files import is_engine_file, is_portfolio_name
from seedfolio.core.trust import Permit
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.opponents.opponent import Opponent
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.programs.built_in import load_built_in
from seedfolio.programs.words import OWN_ORIGINAL, split_with

if TYPE_CHECKING:
    # Loaded where they are used: a game of a built-in program need not wait for them.
    from seedfolio.engines.program import EngineProgram
    from seedfolio.portfolios.file import PortfolioFile


@runtime_checkable
class Boosted(Protocol):
    """What `boost` returns."""

    @property
    def portfolios(self) -> Mapping[str, PortfolioFile]:
        """By learner."""
        ...

    @property
    def recommended(self) -> str | None:
        """The learner of the portfolio to use; None: the original."""
        ...

    @property
    def title(self) -> str:
        """The game and the player."""
        ...

    @property
    def study(self) -> Path:
        """The file of the study."""
        ...


AnyProgram: TypeAlias = (
    "str | Path | Game | GameKind | Program | EngineProgram | Boosted | PortfolioFile | Opponent"
)
"""All that names a program."""


def load_opponent(
    program: AnyProgram,
    player: str | Player | None = None,
    *,
    permit: Permit = Permit.USER,
    folder: Path = Path(),
    learning: bool = False,
) -> Opponent:
    """Return the opponent that a user names.

    | given | plays |
    | --- | --- |
    | a game, `domineering:7x7` or `my_game.py:4x4` | its usual player, or `player` |
    | `GAME@PLAYER`; the player may be a file | that player |
    | a portfolio, `FILE.json` or `FILE.json.gz` | the boosted program |
    | `FILE.json@original` | the program that this portfolio was learnt with |
    | `engine.toml` | the external engine |
    | what `adapt` wrote, `FILE.json` | the adaptive program, with `learning` |
    | what `boost` returned | the portfolio that its verdict recommends |
    | what `load_game`, `load_program`, `load_portfolio` or `load_boosted` returned | that |

    `permit` says who has named the program. What a portfolio names has not been named by the user.
    A `PortfolioFile` looks for files of the user's in `folder`. With `learning`, the caller tells
    an adaptive program how its games end.
    """
    found = _found(program, player, permit, folder)
    if found.memory is not None and not learning:
        path = found.memory.path
        raise SpecificationError(
            f"{path} learns from game to game, which match, gtp, uci and play let it do; name "
            f"{path}@{OWN_ORIGINAL} for its program alone"
        )
    return found


def _found(
    program: AnyProgram, player: str | Player | None, permit: Permit, folder: Path
) -> Opponent:
    if isinstance(program, str | Path):
        return _from_words(str(program), player, permit)
    if isinstance(program, Game | GameKind):
        return Opponent(load_built_in(program, player, permit=permit))
    given = _from_value(program, permit, folder)
    if player is not None:
        raise SpecificationError(f"{program} has its own player; leave out `player`")
    return given


def load_boosted(
    portfolio: str | Path | Boosted | PortfolioFile,
    learner: str | None = None,
    *,
    permit: Permit = Permit.LISTED,
) -> Opponent:
    """Return the boosted program of a portfolio file, or of what `boost` returned.

    Of a result it is the portfolio of `learner`; without one, the one that the verdict recommends.
    `permit` says who has named the files that the portfolio names.

    >>> from seedfolio import boost, load_boosted
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> load_boosted(boosted, "nash")
    <Opponent domineering 4x4: boosted uct:simulations=5 (nash)>
    >>> load_boosted(boosted.save_portfolios()["nash"]).name
    'boosted uct:simulations=5 (nash)'
    """
    from seedfolio.portfolios.file import PortfolioFile, load_portfolio

    if isinstance(portfolio, Boosted):
        return _boosted(_chosen(portfolio, learner), portfolio.study.parent, permit)
    if learner is not None:
        raise SpecificationError("leave out `learner`: it is for what boost returned")
    if isinstance(portfolio, PortfolioFile):
        return _boosted(portfolio, Path(), permit)
    if isinstance(portfolio, str | Path):
        return _boosted(load_portfolio(portfolio), Path(portfolio).parent, permit)
    raise SpecificationError(
        f"a portfolio is a file, or what boost or load_portfolio returned, not {portfolio!r}"
    )


def _from_words(words: str, player: str | Player | None, permit: Permit) -> Opponent:
    text, after = split_with(words, player)
    player = player if after is None else after
    if is_portfolio_name(text):
        if player not in (None, OWN_ORIGINAL) or (player is not None and after is None):
            given = "`player`" if after is None else f"@{after}"
            raise SpecificationError(
                f"{text} names its own player; leave out {given}, or name {text}@{OWN_ORIGINAL} "
                "for the program that it was learnt with"
            )
        return _from_portfolio(text, player == OWN_ORIGINAL, permit)
    if after == OWN_ORIGINAL:
        raise SpecificationError(
            f"{text} is not a portfolio; only a portfolio has an @{OWN_ORIGINAL}"
        )
    if is_engine_file(text):
        if player is not None:
            given = "`player`" if after is None else f"@{after}"
            raise SpecificationError(f"{text} names the engine; leave out {given}")
        from seedfolio.engines.program import load_engine_program

        return Opponent(load_engine_program(text, permit))
    if text.endswith(".study"):
        raise _study_is_no_program(text)
    return Opponent(load_built_in(text, player, permit=permit))


def _from_portfolio(path: str, original: bool, permit: Permit) -> Opponent:
    from seedfolio.opponents.adaptive import is_adaptive
    from seedfolio.portfolios.file import load_portfolio

    folder, permit = Path(path).parent, permit.inside
    if is_adaptive(Path(path)):
        return _adaptive(Path(path), original, permit)
    file = load_portfolio(path)
    if original:
        return Opponent(_program(file, folder, permit), own=True)
    return _boosted(file, folder, permit)


def _adaptive(path: Path, original: bool, permit: Permit) -> Opponent:
    from seedfolio.opponents.adaptive import Memory
    from seedfolio.portfolios.file import built_in_program

    memory = Memory(path)
    program = built_in_program(memory.file, "adapt", folder=path.parent, permit=permit)
    if original:
        return Opponent(program, own=True)
    return Opponent(program, memory.file.portfolio, memory=memory)


def _from_value(value: object, permit: Permit, folder: Path) -> Opponent:
    if isinstance(value, Opponent):
        return value
    if isinstance(value, Program):
        return Opponent(value)
    from seedfolio.engines.program import EngineProgram
    from seedfolio.portfolios.file import PortfolioFile

    if isinstance(value, EngineProgram):
        return Opponent(value)
    if isinstance(value, Boosted):
        return load_boosted(value, permit=permit.inside)
    if isinstance(value, PortfolioFile):
        return _boosted(value, folder, permit.inside)
    raise SpecificationError(
        "a program is a portfolio file, a game, a text such as domineering:7x7@uct, the .toml file "
        "of an engine, the .json file that adapt wrote, or what boost, load_boosted, load_program "
        "or load_game returned, not "
        f"{value!r}"
    )


def _boosted(file: PortfolioFile, folder: Path, permit: Permit) -> Opponent:
    program = _program(file, folder, permit)
    if isinstance(program, Program):
        return Opponent(program, file.plays(program.game), file.learner)
    return Opponent(program, file.plays_engine(program), file.learner)


def _program(file: PortfolioFile, folder: Path, permit: Permit) -> Program | EngineProgram:
    """Return the program of a portfolio, without what was learnt."""
    if file.engine is None:
        return file.program(folder, permit)
    return file.engine_program(folder, permit)


def _chosen(boosted: Boosted, learner: str | None) -> PortfolioFile:
    """Return the portfolio of a learner, or the one that is recommended."""
    known = ", ".join(boosted.portfolios)
    if learner is None:
        learner = boosted.recommended
        if learner is None:
            raise SpecificationError(
                f"nothing beat the original of {boosted.title}; name the `learner` of a portfolio "
                f"all the same: {known}"
            )
    if learner not in boosted.portfolios:
        raise SpecificationError(f"there is no portfolio of {learner!r}; there are {known}")
    return boosted.portfolios[learner]


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
