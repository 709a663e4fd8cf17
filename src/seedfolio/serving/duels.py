"""Two built-in programs of a match as one program, so that compiled code plays whole games."""

from __future__ import annotations

from dataclasses import dataclass, field

from seedfolio.core.compiler import fingerprint
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.players.duel import Duel
from seedfolio.players.program import Program
from seedfolio.portfolios.book.book import ORIGINAL, BookPortfolio, packed
from seedfolio.serving.opponent import Boosted, Opponent, Original


@dataclass
class MatchDuels:
    """Makes the programs; those that differ in numbers only share their compiled code."""

    _code: dict[tuple[bool, bool, str], Program] = field(default_factory=dict)

    def of(self, first: Opponent, second: Opponent) -> Program | None:
        """Return the program of two opponents, by the colours that they have.

        None if compiled code does not play the two together: a book with arms under symmetries of
        the board, or two books of which only one is played under them.
        """
        if any(isinstance(each, Original) and each.program.books for each in (first, second)):
            return None  # books that a caller has packed
        books = [_books(first), _books(second)]
        turned = _turns(first) or _turns(second)
        player = Duel(first.program.player, second.program.player)
        program = Program(first.program.game, player, turned=turned)
        found = [each for each in books if each is not None]
        if found:
            if turned or len({each.symmetric for each in found}) > 1:
                return None
            sides = [ORIGINAL if book is None else book[k] for k, book in enumerate(books)]
            program = program.with_books(packed(sides, symmetric=found[0].symmetric))
        code = fingerprint(program.bound.choose, program.bound.again) or program.title
        alike = self._code.setdefault((bool(found), turned, code), program)
        program.share_code(alike, "_play_line")
        return program

    def compile(self) -> None:
        """Compile whole games, in this thread alone."""
        for program in self._code.values():
            program.play_line((0, 0), 0)


def _books(opponent: Opponent) -> BookPortfolio | None:
    plays = opponent.plays if isinstance(opponent, Boosted) else None
    return plays if isinstance(plays, BookPortfolio) else None


def _turns(opponent: Opponent) -> bool:
    """Tell whether it draws arms under symmetries of the board."""
    arms = opponent.plays.arms if isinstance(opponent, Boosted) else ()
    return any(arm >> SYMMETRY_SHIFT for arm in arms)
