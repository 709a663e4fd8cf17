"""The programs that enter a match: built-in ones and external engines."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from seedfolio.core.program_files import is_engine_file, is_portfolio_name
from seedfolio.core.randomness import mix_int
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.engines.play.book_side import BookSide
from seedfolio.engines.program import EngineProgram, load_engine_program
from seedfolio.engines.specification.specification import OPEN_SPIEL
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.books.table import Books
from seedfolio.players.interface import identity
from seedfolio.players.program import Program
from seedfolio.portfolios.file import load_portfolio
from seedfolio.portfolios.portfolio import Portfolio
from seedfolio.serving.external import load_external
from seedfolio.serving.load_opponent import load_opponent
from seedfolio.serving.opponent import Boosted, Opponent, Original

GameKey = dict[str, Any]
"""What two programs must have in common to meet."""


@dataclass(frozen=True)
class BuiltInEntrant:
    """A built-in program, boosted or not."""

    opponent: Opponent

    @property
    def name(self) -> str:
        """The name on screen."""
        return self.opponent.name

    @property
    def game(self) -> Game:
        """The game that it plays."""
        return self.opponent.program.game

    @property
    def title(self) -> str:
        """The game as shown to people."""
        return self.game.title

    def game_key(self) -> GameKey:
        """Return what identifies the game."""
        return _game_key(self.game)

    def draw(self, colour: int, key: int) -> int:
        """Return the number of the arm that `key` draws for a game as `colour`."""
        return self.opponent.new_game(colour, key).number

    def identity(self) -> dict[str, Any]:
        """Return all on which its moves depend."""
        parts = {"game": self.game.identity(), "player": identity(self.opponent.program.player)}
        return {"name": self.name, **parts, "plays": self.digest()}

    def digest(self) -> str | None:
        """Return a digest of what was learnt; None for an original."""
        program = self.opponent
        drawn = program.plays.distributions if isinstance(program, Boosted) else None
        arms = None if drawn is None else _portfolio_digest(drawn)
        if program.playing.books is None:
            return arms
        words = program.playing.book_words.astype("<u8").tobytes()
        return hashlib.sha256(words + (arms or "").encode()).hexdigest()


@dataclass(frozen=True)
class EngineEntrant:
    """An external engine: with a portfolio, a book, or as it is, with an unseen arm each game."""

    program: EngineProgram
    portfolio: Portfolio | None = None
    learner: str = ""
    books: Books | None = None

    @property
    def name(self) -> str:
        """The name on screen."""
        name = self.program.name
        return f"boosted {name} ({self.learner})" if self.learner else f"original {name}"

    @property
    def title(self) -> str:
        """The game as shown to people."""
        game = self.program.specification.game
        return f"go {game.board}x{game.board}" if game.is_go else game.name

    def game_key(self) -> GameKey:
        """Return what identifies the game."""
        game = self.program.specification.game
        if game.is_go:
            return {"name": "go", "board": game.board, "komi": game.komi}
        if game.name.startswith(OPEN_SPIEL):
            return {"name": game.name}
        return _game_key(self.program.built_in)

    def draw(self, colour: int, key: int) -> int:
        """Return the number of the arm that `key` draws for a game as `colour`."""
        own = mix_int(mix_int(key) + colour)
        if self.portfolio is not None:
            return self.portfolio[colour].draw(own)
        return UNSEEN_SEEDS.start + own % self.program.unseen_arms

    def book_side(self, colour: int, key: int) -> BookSide | None:
        """Return the book that `key` draws for a game as `colour`; None without books."""
        return None if self.books is None else BookSide(self.books.words, colour, mix_int(key))

    def identity(self) -> dict[str, Any]:
        """Return all on which its moves depend."""
        plays = None if self.portfolio is None else _portfolio_digest(self.portfolio)
        if self.books is not None:
            plays = f"books {self.books.digest:x}"
        return {"name": self.name, "player": self.program.identity(), "plays": plays}


Entrant = BuiltInEntrant | EngineEntrant


def load_entrant(program: Any) -> Entrant:
    """Return a program of a match, loaded or described."""
    if isinstance(program, BuiltInEntrant | EngineEntrant):
        return program
    if isinstance(program, Boosted | Original):
        return BuiltInEntrant(program)
    if isinstance(program, Program):
        return BuiltInEntrant(Original(program))
    if isinstance(program, Game):
        return BuiltInEntrant(load_opponent(program))
    if isinstance(program, EngineProgram):
        return EngineEntrant(program)
    if not isinstance(program, str | Path):
        raise SpecificationError(
            "a program of a match must be a portfolio file, the .toml file of an engine, a text "
            f"such as domineering:7x7@uct:simulations=300, or a loaded program, not {program!r}"
        )
    text, player = _split(str(program))
    if is_engine_file(text):
        if player is not None:
            raise SpecificationError(f"{text} names the engine; leave out @{player}")
        return EngineEntrant(load_engine_program(text))
    if is_portfolio_name(text) and player is None and load_portfolio(text).engine is not None:
        engine = load_external(text)
        drawn = engine.portfolio.distributions
        return EngineEntrant(engine.program, drawn, engine.learner, engine.books)
    return BuiltInEntrant(load_opponent(text, player))


def check_same_game(entrants: tuple[Entrant, ...]) -> None:
    """Raise SpecificationError unless all play the same game."""
    one = entrants[0]
    for other in entrants[1:]:
        if other.game_key() == one.game_key():
            continue
        versions = ""
        if other.title == one.title:
            mine, theirs = (_told_apart(each.game_key()) for each in (one, other))
            versions = f": {mine} and {theirs}"
        raise SpecificationError(
            f"all programs of a match must play the same game, not {one.title} and "
            f"{other.title}{versions}"
        )


def _told_apart(key: GameKey) -> str:
    if "version" in key:
        return f"version {key['version']} of its rules"
    return f"komi {key['komi']:g}" if "komi" in key else "rules of OpenSpiel"


def _game_key(game: Game) -> GameKey:
    if game.name == "go":  # engines play it, too, with a referee
        board, komi = game.rules.board.columns, game.parameters["komi"]
        return {"name": "go", "board": board, "komi": float(komi)}
    return game.identity()


def _portfolio_digest(portfolio: Portfolio) -> str:
    digest = hashlib.sha256()
    for side in (portfolio.first, portfolio.second):
        digest.update(np.array(side.arms, "<u8").tobytes())
        digest.update(np.array(side.weights, "<f8").tobytes())
    return digest.hexdigest()


def _split(text: str) -> tuple[str, str | None]:
    """Return the game or file, and the player after the last @, if there is one."""
    game, at, player = text.rpartition("@")
    # A folder or a file may have an @ in its name; a player has no such endings.
    is_file = is_portfolio_name(player) or player.endswith(".toml") or ".py" in player
    if not at or "/" in player or is_file:
        return text, None
    return game, player
