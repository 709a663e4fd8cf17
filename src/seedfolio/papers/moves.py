"""Reproduces Fig. 9 of "Automatically Reinforcing a Game AI" (St-Pierre et al.), which is also
Fig. 5 of "Fast seed-learning algorithms for games" (Liu, Teytaud, Cazenave 2016).

The boosted program, BestSeed, and the original play the same opponents. Where their games first
differ they have chosen different moves in the same position. A much stronger form of GNU Go then
continues from both, against itself. The paper looks at the first 8 such situations of Black, with
100,000 simulations a move and 5 games from each, and calls a situation won or lost if all 5 games
are. Here we add as many situations of White.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from seedfolio.boosting.results import Boost
from seedfolio.core.files import atomic_write
from seedfolio.core.seeds import LINE_SHIFT
from seedfolio.core.table import Table
from seedfolio.engines.program import EngineProgram, Variant
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.papers.boosted_gnu_go import BOARD, KOMI, PAPER_SIZES, SIZES, boosted_gnu_go
from seedfolio.papers.engine_experiment import (
    EngineExperiment,
    open_engine,
    success,
)
from seedfolio.papers.experiment import Outcome, Setting
from seedfolio.papers.gnu_go import gnu_go, monte_carlo
from seedfolio.report.boards.sheet import Diagram, sheet_svg
from seedfolio.report.boards.svg import BoardPicture
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.session import Session
from seedfolio.study.store import Study

Line = tuple[str, ...]


def line_number(line: Line) -> int:
    """Return a number for a line, which does not depend on other lines."""
    digest = hashlib.blake2b(" ".join(line).encode(), digest_size=8).digest()
    return (int.from_bytes(digest) >> 33) << LINE_SHIFT


def continuing(program: EngineProgram, lines: Sequence[Line]) -> EngineProgram:
    """Return a program whose arms begin with lines: `line_number(line) + n` is seed n after one."""
    numbered = {line_number(line) >> LINE_SHIFT: line for line in lines}
    variant = Variant(
        {"arms": "lines"},
        arm=lambda number: (None, number & ((1 << LINE_SHIFT) - 1)),
        opening=lambda first, _: numbered.get(first >> LINE_SHIFT, ()),
    )
    return replace(program, variant=variant)


def stones(size: int, moves: Sequence[str]) -> NDArray[np.int64]:
    """Return what stands on each point of the board after the moves, row by row from below."""
    game = load_game(f"go:{size}x{size}")
    return game.position(_history(game, moves)).cells


def diagram(moves: Line, *caption: str) -> Diagram:
    """Return a position with its last move marked."""
    game = load_game(f"go:{BOARD}x{BOARD}")
    last = game.rules.board.cells_of(moves[-1])
    history = _history(game, moves)
    cells = game.position(history).cells
    return Diagram(BoardPicture.of(game, history, cells, last), caption)


def _history(game: Game, moves: Sequence[str]) -> list[int]:
    return [game.parse_move(move) for move in moves]


PAPER = "Paper, Black: the boosted move is preferred in 4 of 8 situations, and 4 are equal."
"""From the text of one paper; the caption of the figure in the other says 5 and 3."""
_NAMES = ("Black", "White")


@dataclass(frozen=True)
class Situation:
    """A position in which the two programs differ, and the results of the strong one from it."""

    moves: Line
    boosted: str
    original: str
    wins: tuple[int, int] = (0, 0)
    """Of the side to move, after the boosted move and after the original one."""

    @property
    def colour(self) -> int:
        """The side to move."""
        return len(self.moves) % 2

    @property
    def lines(self) -> tuple[Line, Line]:
        """The moves up to and including the one that differs, for both."""
        return (*self.moves, self.boosted), (*self.moves, self.original)


@dataclass(frozen=True, repr=False)
class Moves(Outcome):
    """The outcome."""

    situations: tuple[Situation, ...]
    games: int
    """Games from each position."""

    def tables(self) -> list[Table]:
        """Return every situation and its verdict."""
        headings = ["", "side", "position after", "boosted", "original"]
        headings += ["wins after boosted", "wins after original", "preferred"]
        rows = [
            [
                str(number),
                _NAMES[each.colour],
                " ".join(each.moves) or "the start",
                each.boosted,
                each.original,
                *(f"{wins} of {self.games}" for wins in each.wins),
                self.verdict(each),
            ]
            for number, each in enumerate(self.situations, 1)
        ]
        return [Table(headings, rows, words=range(5))]

    @property
    def caption(self) -> str:
        """How often which move is preferred, in the paper and here: a line each."""
        return "\n".join([PAPER, *(self._sum(colour) for colour in (0, 1))])

    def verdict(self, situation: Situation) -> str:
        """Return which move leads to more wins for the side that plays it."""
        boosted, original = situation.wins
        return "equal" if boosted == original else ("boosted", "original")[original > boosted]

    def draw(self, folder: Path) -> list[Path]:
        """Draw the situations of each side: above the boosted move, below the original one."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make the folder {folder}: {error.strerror}"
            raise SpecificationError(message) from error
        paths = []
        for colour, name in enumerate(_NAMES):
            found = [
                (number, each)
                for number, each in enumerate(self.situations, 1)
                if each.colour == colour
            ]
            if found:
                drawn = [
                    diagram(
                        each.lines[k],
                        f"{number}. {player}",
                        f"{name} wins {each.wins[k]} of {self.games}",
                    )
                    for k, player in enumerate(("boosted", "original"))
                    for number, each in found
                ]
                paths.append(folder / f"moves-{name.lower()}.svg")
                said = "Above the boosted move, below the original one, each marked."
                text = sheet_svg(f"Situations of {name}", said, drawn, len(found))
                atomic_write(paths[-1], text.encode())
        return paths

    def _sum(self, colour: int) -> str:
        found = [self.verdict(each) for each in self.situations if each.colour == colour]
        counts = {name: found.count(name) for name in ("boosted", "equal", "original")}
        return (
            f"Ours, {_NAMES[colour]}: the boosted move is preferred in {counts['boosted']} of "
            f"{len(found)}, the original one in {counts['original']}, and {counts['equal']} are "
            "equal."
        )


def play_moves(setting: Setting) -> Moves:
    """Boost GNU Go, find where it plays different moves, and evaluate them by a stronger one."""
    boost = boosted_gnu_go(setting)
    found = [
        situation
        for colour in (0, 1)
        for situation in find_situations(boost, colour, setting["situations"])
    ]
    strong = gnu_go(BOARD, KOMI, monte_carlo(setting["strong"]))
    lines = list(dict.fromkeys(line for situation in found for line in situation.lines))
    program = continuing(strong, lines)
    name = f"strong-{setting['strong']}.study"
    setting.run.note(f"{len(found)} situations, judged with {setting['strong']:,} simulations")
    with open_engine(program, setting.folder / name, setting.run) as session:
        wins = _wins(session, lines, setting["games"])
    judged = [
        replace(each, wins=(wins[each.lines[0]][each.colour], wins[each.lines[1]][each.colour]))
        for each in found
    ]
    return Moves(tuple(judged), setting["games"])


def find_situations(boost: Boost, colour: int, number: int) -> list[Situation]:
    """Return the first different situations in which games of best-seed and the original differ.

    All these games are in the study: against each unseen seed, that of the best seed of a colour
    and that of another seed.
    """
    (best,) = boost.portfolios["best-seed"].portfolio()[colour].arms
    with Study.read(boost.study) as study:
        played = {game.arms: game.moves for game in study.engine_games().games()}
    found: dict[Situation, None] = {}
    for other, unseen in _pairs(best, boost.request.k, boost.request.opponents):
        if len(found) == number:
            break
        one, two = ((arm, unseen) if colour == 0 else (unseen, arm) for arm in (best, other))
        if situation := parting(played[one], played[two]):
            found.setdefault(situation)
    return list(found)


def parting(boosted: Line, original: Line) -> Situation | None:
    """Return where two games first differ, if both have a move there."""
    for ply, (one, other) in enumerate(zip(boosted, original, strict=False)):
        if one != other:
            return Situation(boosted[:ply], one, other)
    return None


def _pairs(best: int, k: int, opponents: int) -> Iterator[tuple[int, int]]:
    """Yield seeds other than the best, each with an unseen opponent.

    The seed is different each time: the original draws a new seed for every game.
    """
    own, unseen = TrainingArms(0, k).seeds().tolist(), UnseenArms(0, opponents).seeds().tolist()
    for shift in range(k):
        for n, opponent in enumerate(unseen):
            other = own[(n + shift) % k]
            if other != best:
                yield other, opponent


def _wins(session: Session, lines: list[Line], number: int) -> dict[Line, tuple[int, int]]:
    """Return how many of `number` games, with different seeds, Black and White win by line."""
    pairs = []
    for line in lines:
        base = line_number(line)
        for n in range(number):
            black, white = (np.array([base + 2 * n + side], np.uint64) for side in (0, 1))
            pairs.append((black, white))
    cells = np.array(success(session, "games of the strong", pairs)).reshape(-1, number)
    return {
        line: (int((won == 1).sum()), int((won == 0).sum()))
        for line, won in zip(lines, cells, strict=True)
    }


MOVES = EngineExperiment(
    summary="moves of the boosted and the original GNU Go on 5x5, judged by a stronger one",
    usual={**SIZES, "situations": 8, "games": 5, "strong": 10_000},
    paper={**PAPER_SIZES, "strong": 100_000},
    takes="9 minutes after transfer, whose games it needs",
    played_by=play_moves,
    shared="transfer",
)
