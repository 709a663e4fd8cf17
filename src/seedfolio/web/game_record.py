"""The record of a game that is over: who played which arm, every move, where the book ended."""

from __future__ import annotations

import json
from dataclasses import dataclass

from seedfolio.errors import SpecificationError
from seedfolio.games.rules import CHANCE
from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.report.records.pgn import game_pgn, is_chess
from seedfolio.report.records.sgf import sgf_text

_PERSON = "you"
_RESULTS = {2: "you won", 1: "a draw", 0: "the program won", None: "not finished"}


@dataclass(frozen=True)
class PlayedRecord:
    """A game that is over, with all that was hidden."""

    now: GameInProgress
    opponent: str
    resigned: int
    """Who gave the game up: 1, the person; 2, the program."""

    @property
    def arm(self) -> str:
        """The name of the program's arm."""
        return self.now.arm.name

    @property
    def names(self) -> tuple[str, str]:
        """The players, the first first."""
        program = f"{self.opponent}, {self.arm}"
        return (_PERSON, program) if self.now.person == 0 else (program, _PERSON)

    @property
    def result(self) -> str:
        """The result in words."""
        if self.resigned:
            return "you resigned" if self.resigned == 1 else "the program resigned"
        if self.now.game.rules.par is not None and self.now.points is not None:
            return self.now.result.rstrip(".")
        return _RESULTS[self.now.half_points]

    @property
    def moves(self) -> list[dict[str, object]]:
        """Every move: who played it, its name, whether it was refused."""
        game, history = self.now.game, self.now.history
        told = []
        for ply, move in enumerate(history):
            mover = game.position(history[:ply]).mover
            who = "chance" if mover == CHANCE else game.rules.board.colours[mover]
            refused = game.position(history[: ply + 1]).refused
            told.append({"by": who, "move": game.move_name(move), "refused": refused})
        return told

    @property
    def book(self) -> str:
        """Where the book of the program ended, in words; empty if it has none."""
        arm = self.now.arm
        if not arm.has_book:
            return ""
        game, history = self.now.game, self.now.history
        own = 0
        for ply in range(len(history)):
            if game.position(history[:ply]).mover != 1 - self.now.person:
                continue
            own += 1
            if not arm.is_in_book(history[:ply]):
                before = f"its first {own - 1} moves" if own > 2 else "its first move"
                if own == 1:
                    return "The book had no move for its first position."
                return f"{before[0].upper()}{before[1:]} came from the book; then the arm played."
        return "All its moves came from the book."

    @property
    def is_chess(self) -> bool:
        """Whether there is a record as PGN."""
        return is_chess(self.now.game)

    @property
    def pgn(self) -> str:
        """The record as PGN; empty for a game that is not chess."""
        if not self.is_chess:
            return ""
        return game_pgn(self.now.game, self.now.history, self.names, resigned=self._gave_up)

    @property
    def _gave_up(self) -> int | None:
        """The colour that gave the game up, if one has."""
        return (None, self.now.person, 1 - self.now.person)[self.resigned]

    @property
    def json(self) -> str:
        """The record as JSON."""
        game = self.now.game
        data = {
            "game": game.text,
            "players": self.names,
            "arm": self.arm,
            "result": self.result,
            "ending": self.now.position.ending,
            "half_points": self.now.position.score,
            **({} if self.now.game.rules.par is None else {"points": self.now.position.points}),
            "moves": self.moves,
        }
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"

    @property
    def text(self) -> str:
        """The record for people."""
        game, sides = self.now.game, self.now.game.rules.board.colours
        moves = " ".join(
            f"({each['move']})" if each["refused"] else str(each["move"]) for each in self.moves
        )
        return (
            f"{game.title}\n{sides[0]}: {self.names[0]}\n{sides[1]}: {self.names[1]}\n\n"
            f"{moves}\n\n{game.draw(self.now.history)}\n{self.result}\n"
        )

    @property
    def sgf(self) -> str:
        """The record as SGF; empty for a game without Go stones."""
        try:
            game, history = self.now.game, self.now.history
            return sgf_text(game, history, self.names, game.title, resigned=self._gave_up)
        except SpecificationError:
            return ""


def record_of(now: GameInProgress, opponent: str, *, resigned: int) -> PlayedRecord:
    """Return the record of a game that is over or was given up."""
    return PlayedRecord(now, opponent, resigned)
