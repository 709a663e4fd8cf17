"""Programs as opponents: original or boosted, built in or external engines."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from seedfolio.core.display import Displayed
from seedfolio.core.randomness import GOLDEN, mix_int
from seedfolio.core.seeds import (
    FIRST_PLAY_SEED,
    PLAY_SEEDS,
    SYMMETRY_SHIFT,
    UNSEEN_SEEDS,
    turned_arm,
)
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE
from seedfolio.opponents.seat import CompiledSeat, Seat
from seedfolio.players.interface import identity
from seedfolio.players.program import Program, beginning_at, lightest
from seedfolio.portfolios.book.book import BookPortfolio
from seedfolio.portfolios.portfolio import Portfolio

if TYPE_CHECKING:
    # What external engines need is loaded where it is used: others need not wait for it.
    from seedfolio.core.table import Table
    from seedfolio.engines.play.pool import EnginePool
    from seedfolio.engines.program import EngineProgram
    from seedfolio.engines.specification.openings import Openings
    from seedfolio.opponents.adaptive import Memory
    from seedfolio.opponents.engine_seat import EngineSeat
    from seedfolio.opponents.referee import Referee

_LUCK = 2
"""The part of a game's key after those of the two colours."""


@dataclass(frozen=True, repr=False)
class Opponent(Displayed):
    """A program that draws an arm at the start of each game.

    With a portfolio it is the boosted program, which draws from that. The original draws a fresh
    arm, and so does a boosted program with a book and no arms behind it, to play where the book
    ends. Fresh means: learning never saw it. For this, built-in programs have seeds that neither
    learning nor evaluation plays. External engines have the unseen arms, with which the evaluation
    of `boost` measured the original and what plays behind a book (see `evaluation.books`); in a
    finite list of arms these are all. So every command plays the program that `boost` measured.

    >>> from seedfolio import Opponent, boost, load_boosted, load_program
    >>> original = Opponent(load_program("domineering:4x4", "uct:simulations=5"))
    >>> arm = original.new_game(colour=0, key=2026)
    >>> original.program.game.move_name(arm.choose([]))
    'd3d4'
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> program = load_boosted(boosted.save_portfolios()["best-seed"])
    >>> arm = program.new_game(colour=0, key=2026)
    >>> arm.name
    'seed 7'
    >>> program.program.game.move_name(arm.choose([]))
    'b3b4'
    >>> program.original.name
    'original uct:simulations=5'
    """

    program: Program | EngineProgram
    """The game and the player, without what was learnt."""
    plays: Portfolio | BookPortfolio | None = None
    """What was learnt."""
    learner: str = ""
    own: bool = field(default=False, compare=False)
    """Whether it is the original of a portfolio: the program that this was learnt with."""
    arm: int | None = None
    """The arm of all games, if none is drawn."""
    memory: Memory | None = field(default=None, compare=False)
    """What chooses the arms of an adaptive program, and learns; None: it does not learn."""

    @property
    def is_engine(self) -> bool:
        """Whether it is an external engine."""
        return not isinstance(self.program, Program)

    @property
    def engine(self) -> EngineProgram | None:
        """The external engine; None for a built-in program."""
        return None if isinstance(self.program, Program) else self.program

    @property
    def original(self) -> Opponent:
        """The program without what was learnt, as an opponent."""
        return Opponent(self.program, own=True)

    @property
    def name(self) -> str:
        """The name on screen; of an external engine the name of its file."""
        program = self.program
        return self._named(program.player.text if isinstance(program, Program) else program.name)

    @property
    def full_name(self) -> str:
        """The same; of an external engine with the name and the version that it reports."""
        engine = self.engine
        return self.name if engine is None else self._named(engine.engine_identity)

    def _named(self, player: str) -> str:
        if self.arm is not None:
            return f"{player} of one arm"
        if self.memory is not None:
            return f"adaptive {player}"
        if self.plays is not None:
            return f"boosted {player} ({self.learner})"
        return f"original {player}" if self.own else player

    @property
    def game(self) -> Game:
        """The game, by Seedfolio's rules; SpecificationError for a game of OpenSpiel."""
        return self.program.game if isinstance(self.program, Program) else self._board

    @cached_property
    def _board(self) -> Game:
        assert not isinstance(self.program, Program)
        return self.program.board_game()

    @cached_property
    def playing(self) -> Program:
        """The built-in program as it plays: with its books, where there are any.

        SpecificationError for an external engine.
        """
        program = self.program.compiled()
        return program if self.plays is None else self.plays.played_by(program)

    def speaks(self, protocol: str) -> bool:
        """Tell whether it is an external engine with this protocol."""
        return self.engine is not None and self.engine.specification.player.protocol == protocol

    @property
    def by_clock(self) -> bool:
        """Whether it is an engine that plays by a clock; others keep the limits of their arms."""
        return self.engine is not None and self.engine.times is not None

    @property
    def engine_openings(self) -> Openings | None:
        """The openings in the file of an external engine; None: there are none."""
        return None if self.engine is None else self.engine.openings

    @cached_property
    def engine_playing(self) -> EngineProgram:
        """The external engine as it plays: with its books, where there are any."""
        assert not isinstance(self.program, Program)
        if not isinstance(self.plays, BookPortfolio):
            return self.program
        return self.program.with_books(self.plays.words())

    def draw(self, colour: int, key: int, start: str = "") -> Seat:
        """Return the seat that `key` (64 random bits) draws for a game as `colour`.

        `start` is the position from which the game begins, as before the moves of an opening.
        """
        if isinstance(self.program, Program):
            return self.at(start).draw_compiled(colour, key)
        return self.draw_engine(colour, key, start)

    def new_game(self, colour: int, key: int) -> Seat:
        """Return the same as `draw`."""
        return self.draw(colour, key)

    def draw_compiled(self, colour: int, key: int) -> CompiledSeat:
        """Return the seat of a built-in program; SpecificationError for an external engine."""
        luck = _part(key, _LUCK) if self.arm is None else mix_int(key)
        plain = self.program.compiled()
        return CompiledSeat(self.playing, self.draw_arm(colour, key), luck, plain=plain)

    def draw_engine(self, colour: int, key: int, start: str = "") -> EngineSeat:
        """Return the seat of an external engine."""
        from seedfolio.opponents.engine_seat import EngineSeat

        number = self.draw_arm(colour, key)
        return EngineSeat(self.engine_playing, number, colour, key, self.pool, start)

    def draw_arm(self, colour: int, key: int) -> int:
        """Return the number of the arm that `key` draws for a game as `colour`."""
        if self.arm is not None:
            return self.arm
        if self.memory is not None:
            return self.memory.arm(colour)
        own = _part(key, colour)
        drawn = None if self.plays is None else self.plays.distributions
        if drawn is not None:
            return drawn[colour].draw(own)
        if self.is_engine:
            return UNSEEN_SEEDS.start + own % self.program.arms.unseen
        return FIRST_PLAY_SEED + own % PLAY_SEEDS

    @property
    def is_repetitive(self) -> bool:
        """Whether it draws from few arms, which have no luck: games with it repeat."""
        if isinstance(self.program, Program) and self.program.has_luck:
            return False
        drawn = None if self.plays is None else self.plays.distributions
        few = self.arm is not None or self.memory is not None or drawn is not None
        return few or self.program.arms.finite

    def with_arm(self, text: str) -> Opponent:
        """Return the program that plays one arm in every game, with either colour.

        SpecificationError for an external engine, and if there is no such arm.
        """
        if self.engine is not None:
            raise SpecificationError(
                f"{self.engine.file} is an external engine, whose arms are drawn; leave out `arm`"
            )
        return Opponent(self.playing, arm=parse_arm(text, self.game))

    def at(self, start: str) -> Opponent:
        """Return the built-in program for games from a position, such as `fen=...`; empty: it."""
        if not start:
            return self
        from seedfolio.engines.specification.positions import game_from, position_in

        return self.beginning_at(game_from(position_in(start) or ""))

    def beginning_at(self, game: Game) -> Opponent:
        """Return the built-in program for a game that differs in its start alone, without a book.

        A portfolio of arms draws the same ones there.
        """
        old = self.program.compiled()
        if self.arm is not None:
            old = replace(old, books=None)
        if (program := beginning_at(old, game)) is self.program:
            return self
        if isinstance(self.plays, BookPortfolio) and self.plays.distributions is None:
            return Opponent(program, own=True)
        return replace(self, program=program)

    def prepare(self) -> None:
        """Compile all that single moves need, so that no game waits for it."""
        if self.is_engine:
            return  # an engine compiles nothing
        first, history = self.draw_compiled(0, 0), list[int]()
        while (position := self.game.position(history)).mover == CHANCE and position.moves:
            history.append(first.draw_chance(history))
        arms = () if self.plays is None else self.plays.arms
        turned = [arm for arm in arms if arm >> SYMMETRY_SHIFT]
        if position.moves:
            lightest(self.playing).choose(history, first.number, first.luck)
            self.playing.bound  # noqa: B018 - its tables take milliseconds, too
            for arm in turned[:1]:
                self.playing.choose(history, arm, first.luck)

    def open(self) -> None:
        """Take the file of an adaptive program for games; StudyError if another process has it."""
        if self.memory is not None:
            self.memory.open()

    def learn(self, colour: int, arm: int, points: int) -> None:
        """Take the half points that `arm` has won in a game as `colour`, if the program learns."""
        if self.memory is not None:
            self.memory.learn(colour, arm, points)

    def close(self) -> None:
        """End all processes, which start again when needed, and leave its file to others."""
        if self.memory is not None:
            self.memory.close()
        if "pool" in vars(self):
            self.pool.close()
            self.pool.go_on()

    def identity(self) -> dict[str, Any]:
        """Return all on which its moves depend."""
        if isinstance(self.program, Program):
            player = identity(self.program.player, self.game)
            parts = {"game": self.game.identity(), "player": player}
            return {"name": self.name, **parts, "plays": self.digest()}
        return {"name": self.name, "player": self.program.identity(), "plays": self.digest()}

    def digest(self) -> str | None:
        """Return a digest of what was learnt; None for an original."""
        drawn = None if self.plays is None else self.plays.distributions
        arms = None if drawn is None else _portfolio_digest(drawn)
        if self.is_engine:
            books = self.engine_playing.books
            return arms if books is None else f"books {books.digest:x}"
        if self.playing.books is None:
            return arms
        words = self.playing.book_words.astype("<u8").tobytes()
        return hashlib.sha256(words + (arms or "").encode()).hexdigest()

    @cached_property
    def pool(self) -> EnginePool:
        """The running engines of an external program; every game has new ones."""
        from seedfolio.engines.play.pool import EnginePool

        return EnginePool(self.engine_playing, reuse=False)

    def referee(self) -> Referee:
        """Return who knows the rules for a game: of an engine its judge, who may be a process."""
        from seedfolio.opponents.referee import GameReferee, JudgeReferee

        if self.engine is None:
            return GameReferee(self.game)
        return JudgeReferee(self.engine.make_judge(), self.engine.specification.game.board)

    @property
    def title(self) -> str:
        """The game as shown to people."""
        if isinstance(self.program, Program):
            return self.program.game.title
        game = self.program.specification.game
        return f"go {game.board}x{game.board}" if game.is_go else game.name

    def _summary(self) -> str:
        return f"{self.title}: {self.name}"

    def _parts(self) -> Sequence[Table | str]:
        from seedfolio.portfolios.shown import arms_table

        if self.memory is not None:
            return [self._summary(), *self.memory.file._parts()]
        if self.plays is None:
            arms = "a fresh arm" if self.is_engine else "a fresh seed"
            return [f"{self._summary()}, {arms} each game"]
        if self.plays.distributions is None:
            return [f"{self._summary()}, with a book; where it ends, a fresh seed each game"]
        first, second = (self.plays.distributions[colour].by_arm for colour in (0, 1))
        return [self._summary(), arms_table(first, second, {})]

    def _records(self) -> list[dict[str, Any]]:
        """Return a row for each arm, or the number of entries of a book; else the program."""
        colours = ("first", "second")
        if self.plays is None:
            program = self.program
            if isinstance(program, Program):
                return [{"game": program.game.text, "player": program.player.text}]
            return [{"game": self.title, "player": program.name}]
        drawn = self.plays.distributions
        if drawn is None:
            return [{"colour": colours[k], "entries": self.plays.sizes[k]} for k in (0, 1)]
        return [
            {"colour": colours[k], "arm": arm, "weight": weight}
            for k in (0, 1)
            for arm, weight in drawn[k].by_arm.items()
        ]


def parse_arm(text: str, game: Game) -> int:
    """Return the arm of `195`, or of `195/3`: seed 195 with symmetry 3.

    The number of an arm in a portfolio file, with its symmetry, works as well.
    """
    parts = re.fullmatch(r"\s*([0-9]{1,19})(?:/([0-9]{1,4}))?\s*", text)
    if parts is None:
        raise SpecificationError(f"{text!r} is not an arm such as 195, or 195/3 with a symmetry")
    seed = int(parts[1])
    if parts[2] is not None and seed >= 1 << SYMMETRY_SHIFT:
        raise SpecificationError(f"seed {seed} is not below 2**{SYMMETRY_SHIFT}")
    arm = turned_arm(seed, int(parts[2] or 0))
    turned = arm >> SYMMETRY_SHIFT
    last = len(game.rules.symmetries)
    if turned > last:
        raise SpecificationError(
            f"{game.title}: there is no symmetry {turned}; symmetries are numbered from 0, the "
            f"unchanged board, to {last}"
        )
    return arm


def _portfolio_digest(portfolio: Portfolio) -> str:
    digest = hashlib.sha256()
    for side in (portfolio.first, portfolio.second):
        digest.update(np.array(side.arms, "<u8").tobytes())
        digest.update(np.array(side.weights, "<f8").tobytes())
    return digest.hexdigest()


def _part(key: int, number: int) -> int:
    """Return a separate key for each colour and for chance, so that they are independent."""
    # `mix` leaves 0 alone, and 0 would always draw the first arm.
    return mix_int(mix_int(key) + number or int(GOLDEN))
