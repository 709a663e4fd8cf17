"""Fig. 9 of "Automatically Reinforcing a Game AI" (St-Pierre et al.), made again; it is also Fig. 5
of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).

The boosted program, BestSeed as Black, and the original play the same opponents. Where their games
first part they have chosen different moves in the same position. A much stronger form of GNU Go
then plays on from both, against itself. The paper looks at the first 8 such situations, with
100,000 simulations a move and 5 games from each, and takes a situation for won or lost if all 5
are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from seedfolio.boosting import Boost
from seedfolio.reproduce.boosted_gnu_go import BOARD, KOMI, PAPER_SIZES, SIZES, boosted_gnu_go
from seedfolio.reproduce.continuing import Continuation, Line, line_number
from seedfolio.reproduce.engine_experiment import (
    EngineExperiment,
    Games,
    Setting,
    markdown_table,
    opened_games,
)
from seedfolio.reproduce.gnu_go import gnu_go, monte_carlo
from seedfolio.reproduce.move_diagrams import Diagram, draw_moves
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.store import Study

PAPER = "In the paper the boosted move is preferred in 4 of 8 situations, and 4 are equal."
"""The text of 003; the caption of 002's figure says 5 and 3."""


@dataclass(frozen=True)
class Situation:
    """A position in which the two programs differ, and what the strong one makes of it."""

    moves: Line
    boosted: str
    original: str
    wins: tuple[int, int] = (0, 0)
    """Of Black, after the boosted move and after the original one."""

    @property
    def lines(self) -> tuple[Line, Line]:
        """The moves up to and with the one that differs, for both."""
        return (*self.moves, self.boosted), (*self.moves, self.original)


@dataclass(frozen=True)
class Moves:
    """What came out."""

    situations: tuple[Situation, ...]
    games: int
    """Played from each position."""

    def markdown(self) -> str:
        """Return every situation and its verdict."""
        rows = [
            ["", "position after", "boosted", "original"]
            + [f"Black wins after {which}" for which in ("boosted", "original")]
            + ["preferred"]
        ]
        rows += [
            [
                str(number),
                " ".join(each.moves) or "the start",
                each.boosted,
                each.original,
                *(f"{wins} of {self.games}" for wins in each.wins),
                self.verdict(each),
            ]
            for number, each in enumerate(self.situations, 1)
        ]
        return f"{markdown_table(rows, texts=4)}\n{PAPER} {self._sum()}\n"

    def verdict(self, situation: Situation) -> str:
        """Return which move leaves Black with more wins."""
        boosted, original = situation.wins
        return "equal" if boosted == original else ("boosted", "original")[original > boosted]

    def draw(self, folder: Path) -> list[Path]:
        """Draw all situations: above the boosted move, below the original one."""
        columns = [
            tuple(
                Diagram(line, f"Black wins {wins} of {self.games}")
                for line, wins in zip(each.lines, each.wins, strict=True)
            )
            for each in self.situations
        ]
        path = folder / "moves.svg"
        draw_moves(path, BOARD, ("boosted", "original"), columns)
        return [path]

    def _sum(self) -> str:
        found = [self.verdict(each) for each in self.situations]
        counts = {name: found.count(name) for name in ("boosted", "equal", "original")}
        return (
            f"Here the boosted move is preferred in {counts['boosted']} of {len(found)}, the "
            f"original one in {counts['original']}, and {counts['equal']} are equal."
        )


def play_moves(setting: Setting) -> Moves:
    """Boost GNU Go, find where it plays otherwise, and ask a stronger program."""
    boost = boosted_gnu_go(setting)
    found = find_situations(boost, setting["situations"])
    strong = gnu_go(BOARD, KOMI, monte_carlo(setting["strong"]))
    lines = [line for situation in found for line in situation.lines]
    program = Continuation.of(strong, lines)
    name = f"strong-{setting['strong']}.study"
    setting.announce(f"{len(found)} situations, judged with {setting['strong']:,} simulations")
    with opened_games(program, setting.folder / name, setting) as games:
        wins = _wins(games, lines, setting["games"])
    judged = [
        Situation(each.moves, each.boosted, each.original, (wins[2 * n], wins[2 * n + 1]))
        for n, each in enumerate(found)
    ]
    return Moves(tuple(judged), setting["games"])


def find_situations(boost: Boost, number: int) -> list[Situation]:
    """Return the first different situations in which best-seed and the original part as Black.

    All these games are in the study: against each unseen White seed, that of the best Black seed
    and that of another.
    """
    (best,) = boost.portfolios["best-seed"].portfolio().first.seeds
    with Study.read(boost.study) as study:
        played = {(game.first, game.second): game.moves for game in study.engine_games().games()}
    found: dict[Situation, None] = {}
    for one, other in _pairs(best, boost.request.k, boost.request.opponents):
        if len(found) == number:
            break
        if situation := parting(played[one], played[other]):
            found.setdefault(situation)
    return list(found)


def parting(boosted: Line, original: Line) -> Situation | None:
    """Return where two games part, if they do and both have a move there."""
    for ply, (one, other) in enumerate(zip(boosted, original, strict=False)):
        if one != other:
            return Situation(boosted[:ply], one, other)
    return None


def _pairs(best: int, k: int, opponents: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield games of the best and of another Black seed against the same White seed.

    The other seed is each time another one: the original draws a new one for every game.
    """
    own, whites = TrainingArms(0, k).seeds().tolist(), UnseenArms(0, opponents).seeds().tolist()
    for shift in range(k):
        for n, white in enumerate(whites):
            other = own[(n + shift) % k]
            if other != best:
                yield (best, white), (other, white)


def _wins(games: Games, lines: list[Line], number: int) -> list[int]:
    """Return how many of so many games Black wins after each line, with other seeds each."""
    pairs = []
    for line in dict.fromkeys(lines):
        base = line_number(line)
        for n in range(number):
            black, white = (np.array([base + 2 * n + side], np.uint64) for side in (0, 1))
            pairs.append((black, white))
    cells = games.success("games of the strong", pairs)
    won = np.array(cells).reshape(-1, number).sum(axis=1)
    return [round(float(won[list(dict.fromkeys(lines)).index(line)])) for line in lines]


MOVES = EngineExperiment(
    summary="moves of the boosted and the original GNU Go on 5x5, judged by a stronger one",
    usual={**SIZES, "situations": 8, "games": 5, "strong": 10_000},
    paper={**PAPER_SIZES, "strong": 100_000},
    play=play_moves,
    shared="transfer",
)
