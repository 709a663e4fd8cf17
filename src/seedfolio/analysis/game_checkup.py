"""The check of a game, for its author."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.arena import no_note
from seedfolio.conformance.check import RandomGames, examine
from seedfolio.core.compiler import compiled_entry
from seedfolio.core.display import Displayed, lines_table
from seedfolio.core.table import Table
from seedfolio.core.user_file import split_source
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game

_ENOUGH = 20
"""In this many random games each side should win one."""
_SECONDS = 0.2
"""How long the speed of random games is measured."""


@dataclass(frozen=True, repr=False)
class GameCheckup(Displayed):
    """What the check of a game has found.

    >>> from pathlib import Path
    >>> from seedfolio import check
    >>> size = Path("my_game.py").write_text("import numpy")
    >>> found = check("my_game.py")
    >>> found.passed
    False
    >>> found.problem.partition(";")[0]
    'game file my_game.py has 0 functions marked @game'
    """

    title: str
    game: Game | None
    """None if it could not be loaded."""
    problem: str
    """What is wrong, in one sentence; empty if nothing is."""
    played: RandomGames
    """The random games; none if something is wrong."""
    speed: float
    """How many random games one core plays in a second."""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problem

    @property
    def results(self) -> tuple[int, int, int]:
        """How many random games the first player has won, drawn and lost."""
        scores = self.played.scores
        return scores.count(2), scores.count(1), scores.count(0)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What may be meant, and is often a mistake."""
        won, _, lost = self.results
        games = len(self.played.scores)
        if games < _ENOUGH or (won and lost):
            return ()
        side = "neither player" if not won and not lost else "the first player"
        if won and not lost:
            side = "the second player"
        wins = "wins" if side == "neither player" else "never wins"
        return (f"{side} {wins} in {games} random games; see whether score is right",)

    def as_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        data: dict[str, Any] = {"title": self.title, "passed": self.passed, "problem": self.problem}
        if self.game is not None:
            data |= {"name": self.game.name, "version": self.game.version}
        if not self.passed:
            return data
        won, drawn, lost = self.results
        lengths = self.played.lengths
        return {
            **data,
            "games": len(lengths),
            "first_wins": won,
            "draws": drawn,
            "second_wins": lost,
            "shortest": min(lengths),
            "longest": max(lengths),
            "games_a_second": self.speed,
            "warnings": list(self.warnings),
        }

    @property
    def text(self) -> str:
        """The whole check as text; one line if something is wrong."""
        if self.game is None or not self.passed:
            return self.problem
        lines = [f"{self.title}: version {self.game.version}, {_kind(self.game)}"]
        lines += [f"{name:<13} {text}" for name, text in self._findings(self.game)]
        return "\n".join(lines)

    def _summary(self) -> str:
        return f"{self.title}: {'passed' if self.passed else self.problem}"

    def _parts(self) -> list[Table | str]:
        if self.game is None or not self.passed:
            return [self.problem]
        title = f"{self.title}: version {self.game.version}, {_kind(self.game)}"
        return [lines_table(title, self._findings(self.game))]

    def _records(self) -> list[dict[str, Any]]:
        return [self.as_data()]

    def _findings(self, game: Game) -> list[tuple[str, str]]:
        rules, lengths = game.rules, self.played.lengths
        won, drawn, lost = self.results
        found = [
            (
                "random games",
                f"{len(lengths):,}, of {min(lengths)} to {max(lengths)} moves (max_plies="
                f"{rules.max_plies}); the first player won {won}, drew {drawn}, lost {lost}",
            ),
            ("moves", f"playable, distinct and named, never more than max_moves={rules.max_moves}"),
            ("random moves", "as moves lists them; a game goes the same when played again"),
        ]
        if rules.symmetries:
            number = len(rules.symmetries)
            found.append(("symmetries", f"{number} besides the identity; they commute with play"))
        if rules.hides:
            found.append(("hidden", "a view follows from what its colour has noticed"))
        found += [
            ("players", "finish their games and repeat them exactly"),
            ("speed", f"about {float(f'{self.speed:.2g}'):,.0f} random games a second on one core"),
            *(("warning", warning) for warning in self.warnings),
            ("verdict", "passed"),
        ]
        return found


def _kind(game: Game) -> str:
    luck = " and chance" if game.rules.chance else ""
    return f"hidden information{luck}" if game.rules.hides else f"perfect information{luck}"


def check_up_game(text: str, games: int, note: Callable[[str], None] = no_note) -> GameCheckup:
    """Check the game that `text` describes; raise only where there is no such game.

    `note` receives what is about to be checked.
    """
    if games < 1:
        raise SpecificationError(f"`games` must be 1 or more, not {games}")
    file, _ = split_source(text)
    nothing = RandomGames((), ())
    note("loading its file")
    try:
        game = load_game(text)
    except SeedfolioError as error:
        if not (file.endswith(".py") and Path(file).is_file()):
            raise
        return GameCheckup(text, None, _one_line(error), nothing, 0.0)
    try:
        played = examine(game, games, note=note)
    except SeedfolioError as error:
        return GameCheckup(game.title, game, _one_line(error), nothing, 0.0)
    note("measuring its speed")
    return GameCheckup(game.title, game, "", played, _speed(game))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


# Names that are filled in on compiling; they are here for the reader and the type checker.
start: Any = None
rollout: Any = None


def _rollouts_template(first: Any, games: Any, out: Any) -> Any:
    """Play random games; return their half points, so that nothing is left out."""
    points = int64(0)
    for number in range(games):
        points += rollout(start(), uint64(first + number), int64(0), out, int64(0))
    return points


def _speed(game: Game) -> float:
    """Return how many random games one core plays in a second."""
    play = compiled_entry(_rollouts_template, game.functions)
    out = np.zeros(game.rules.room, np.int32)
    play(np.int64(0), np.int64(1), out)  # compiles
    games, began = 1, perf_counter()
    while True:
        play(np.int64(games), np.int64(games), out)
        seconds = perf_counter() - began
        if seconds > _SECONDS:
            return (2 * games - 1) / seconds
        games *= 2
