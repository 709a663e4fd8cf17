"""Makes the file of an adaptive program, which learns from game to game."""

from __future__ import annotations

from pathlib import Path

from seedfolio.analysis.ucbt import EndlessUcbt
from seedfolio.core.files import atomic_write
from seedfolio.core.program_files import PLAIN
from seedfolio.errors import SpecificationError
from seedfolio.opponents.adaptive import AdaptiveFile
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.written import Identity


def adapt(
    program: AnyProgram,
    player: str | None = None,
    *,
    output: str | Path = "adaptive.json",
    discount: float = 0.99,
) -> AdaptiveFile:
    """Write the file of a program that learns from game to game which of its seeds win.

    `match`, `gtp`, `uci` and `play` take the file as a program. UCBT chooses the seed of each game:
    a discounted bandit that opens more seeds as long as it loses. It begins with the seeds of a
    portfolio if `program` is one.

    Args:
        program: A game such as domineering:7x7, a game and a player, or a portfolio without a book.
        player: Player, if `program` is a game (default: the game's own).
        output: The file, which ends in .json.
        discount: What a game counts, relative to the one after it.

    >>> from seedfolio import adapt, match
    >>> adapt("domineering:4x4", "uct:simulations=5", output="adaptive.json")
    <AdaptiveFile domineering:4x4, uct:simulations=5: 0 games>
    >>> played = match("adaptive.json", "domineering:4x4@uct:simulations=5", games=20)
    >>> played.learning
    ('adaptive uct:simulations=5',)
    """
    path = Path(output)
    if path.suffix != PLAIN:
        raise SpecificationError(f"`output` must end in {PLAIN}, not {path}")
    if path.exists():
        raise SpecificationError(f"{path} is there already; name another `output`, or delete it")
    EndlessUcbt(discount=discount)  # refuses what is no discount
    opponent = load_opponent(program, player)
    built_in, plays = opponent.program, opponent.plays
    if not isinstance(built_in, Program) or isinstance(plays, BookPortfolio):
        what = "has a book" if isinstance(plays, BookPortfolio) else "is an external engine"
        raise SpecificationError(
            f"{opponent.title}, {opponent.name} {what}; name a game such as domineering:7x7, or a "
            "portfolio of seeds"
        )
    if built_in.game.rules.scale != 2:
        raise SpecificationError(
            f"{opponent.title} is played for payoffs; UCBT needs wins, draws and losses"
        )
    about = built_in.description(())
    found = AdaptiveFile(
        game=Identity(**about["game"]),
        player=Identity(**about["player"]),
        behaviour=about["behaviour"],
        discount=discount,
        first={} if plays is None else plays.first.by_arm,
        second={} if plays is None else plays.second.by_arm,
        games=(),
    )
    atomic_write(path, found.text().encode())
    return found
