"""Opponents by what a visitor chose; each is loaded and compiled when a game needs it."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Protocol

from seedfolio.core.trust import Permit
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, load_game
from seedfolio.games.chess.pgn import san_moves
from seedfolio.games.game import Game
from seedfolio.players import load_player
from seedfolio.programs.built_in import load_built_in
from seedfolio.serving.boosted import load_boosted
from seedfolio.serving.built_in_host import compile_moves
from seedfolio.serving.engine_opponent import load_boosted_engine, load_engine_opponent
from seedfolio.serving.game_in_progress import Chooser
from seedfolio.serving.opponent import Original
from seedfolio.web.guard import PageError
from seedfolio.web.library import ENGINE, GAME, PORTFOLIO, Library, LibraryFile
from seedfolio.web.loaded_programs import LoadedPrograms
from seedfolio.web.settings import Settings

ORIGINAL, OWN, BOOSTED, EXTERNAL = "original", "own", "boosted", "external"
"""Kinds of opponents: the original of a built-in game, of a user's own, a portfolio, an external
engine as it is."""


@dataclass(frozen=True)
class OpponentChoice:
    """What a visitor plays against, as a game in the database keeps it."""

    kind: str
    name: str
    """The game, such as `domineering:7x7`, or the identifier of a file."""
    options: str = ""
    """For a user's own game, its parameters; for a portfolio, the version of its file."""
    effort: int | None = None
    """How much the program thinks; None: as usual."""

    @property
    def text(self) -> str:
        """The choice as text, for the database."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def parse(cls, text: str) -> OpponentChoice:
        """Return the choice of a text from the database."""
        return cls(**json.loads(text))


class PlayedBy(Protocol):
    """What plays against a visitor: `Original`, `Boosted`, an external engine, a learning one."""

    @property
    def name(self) -> str:
        """The name on screen."""
        ...

    @property
    def game(self) -> Game:
        """The game."""
        ...

    def prepare(self) -> None:
        """Do the slow work that is needed once: compile."""
        ...

    def new_game(self, colour: int, key: int) -> Chooser:
        """Return what plays a game as `colour`; `key` (64 random bits) draws the arm."""
        ...

    def close(self) -> None:
        """End all processes."""
        ...


@dataclass(frozen=True)
class Built:
    """A built-in program, boosted or not, as an opponent on the page."""

    opponent: Any
    """An `Opponent`."""

    @property
    def name(self) -> str:
        """The name on screen."""
        return str(self.opponent.name)

    @property
    def game(self) -> Game:
        """The game."""
        game: Game = self.opponent.program.game
        return game

    def prepare(self) -> None:
        """Compile all that a game needs, so that no page waits for it."""
        compile_moves(self.opponent)
        self.game.information([], 0)
        if self.game.name == "chess":
            san_moves([])  # for the record

    def new_game(self, colour: int, key: int) -> Chooser:
        """Return the arm that `key` draws."""
        arm: Chooser = self.opponent.new_game(colour, key)
        return arm

    def close(self) -> None:
        """Do nothing: there is no process."""


class Opponents:
    """The opponents of all games; those that were used last are loaded."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self._library = library
        self._settings = settings
        self._lock = threading.Lock()
        self._programs = LoadedPrograms[OpponentChoice, PlayedBy](settings.programs)
        self._starts: OrderedDict[OpponentChoice, tuple[OpponentChoice, PlayedBy]] = OrderedDict()
        """Those that differ from a usual one in their start alone, the oldest first."""
        self._kinds: dict[str, Callable[[OpponentChoice], PlayedBy]] = {
            ORIGINAL: self._original,
            OWN: self._own,
            BOOSTED: self._boosted,
            EXTERNAL: self._external,
        }

    def add_kind(self, kind: str, load: Callable[[OpponentChoice], PlayedBy]) -> None:
        """Let choices of another kind be loaded by a function."""
        self._kinds[kind] = load

    def boosted(self, file: LibraryFile) -> OpponentChoice:
        """Return the program of a portfolio as it is now; one that is learnt anew is another."""
        return OpponentChoice(BOOSTED, file.id, self._library.version(file))

    def renewed(self, choice: OpponentChoice) -> OpponentChoice:
        """Return the same choice for a new game: a portfolio as it is now."""
        if choice.kind != BOOSTED:
            return choice
        return self.boosted(self._library.find(PORTFOLIO, choice.name))

    def ready(self, choice: OpponentChoice) -> PlayedBy | None:
        """Return an opponent that is loaded; None if it is not."""
        with self._lock:
            usual, begun = self._starts.get(choice, (choice, None))
        opponent = self._programs.get(usual)
        return opponent if begun is None or opponent is None else begun

    @contextmanager
    def using(self, choice: OpponentChoice) -> Iterator[PlayedBy]:
        """Lend an opponent, loaded and compiled, which stays open meanwhile.

        SeedfolioError if that is impossible.
        """
        start = _other_start(choice)
        # Another start shares the code of the usual one, and takes no time to make.
        usual = choice if start is None else replace(choice, name=start.name)
        with self._programs.using(usual, lambda: self._loaded(usual)) as opponent:
            yield opponent if start is None else self._begun_at(choice, usual, opponent, start)

    def load(self, choice: OpponentChoice) -> PlayedBy:
        """Return an opponent, loaded and compiled; SeedfolioError if that is impossible.

        An external engine may be closed at any time; `using` keeps it open.
        """
        with self.using(choice) as opponent:
            return opponent

    def close(self) -> None:
        """End the processes of all opponents."""
        self._programs.close()

    def _loaded(self, choice: OpponentChoice) -> PlayedBy:
        opponent = self._kinds[choice.kind](choice)
        opponent.prepare()
        return opponent

    def _begun_at(
        self, choice: OpponentChoice, usual: OpponentChoice, opponent: PlayedBy, start: Game
    ) -> PlayedBy:
        """Return the opponent for a game that differs from the usual one in its start alone."""
        assert isinstance(opponent, Built)
        begun = Built(opponent.opponent.beginning_at(start))
        with self._lock:
            self._starts[choice] = usual, begun
            self._starts.move_to_end(choice)
            while len(self._starts) > self._settings.programs:
                self._starts.popitem(last=False)
        return begun

    def _original(self, choice: OpponentChoice) -> PlayedBy:
        check_built_in(choice.name)
        return self._of_game(load_game(choice.name), choice.effort)

    def _own(self, choice: OpponentChoice) -> PlayedBy:
        file = self._library.find(GAME, choice.name)
        return self._of_game(load_game(f"{file.path}:{choice.options}", Permit.PAGE), choice.effort)

    def _boosted(self, choice: OpponentChoice) -> PlayedBy:
        file = self._library.find(PORTFOLIO, choice.name)
        self._check_version(file, choice)
        engine = self._library.portfolio(file).engine
        loaded: PlayedBy = (
            Built(load_boosted(file.path, permit=Permit.PAGE))
            if engine is None
            else load_boosted_engine(file.path, Permit.PAGE)
        )
        self._check_version(file, choice)  # it may have been learnt anew meanwhile
        return loaded

    def _check_version(self, file: LibraryFile, choice: OpponentChoice) -> None:
        """Raise PageError if a game was begun with another content of the file."""
        if self._library.version(file) != choice.options:
            raise PageError(
                410, "Its portfolio has changed since the game began. Begin a new game."
            )

    def _external(self, choice: OpponentChoice) -> PlayedBy:
        return load_engine_opponent(self._library.find(ENGINE, choice.name).path, Permit.PAGE)

    def _of_game(self, game: Game, effort: int | None) -> PlayedBy:
        return Built(Original(load_built_in(game, with_effort(game, effort), permit=Permit.PAGE)))


def _other_start(choice: OpponentChoice) -> Game | None:
    """Return the game of a choice that differs from the usual one in its start alone."""
    if choice.kind != ORIGINAL:
        return None
    check_built_in(choice.name)
    if choice.name.partition(":")[0] == choice.name:
        return None
    game = load_game(choice.name)
    return game if game.rules.setup else None


def check_built_in(text: str) -> None:
    """Raise SpecificationError unless `text` is a built-in game: a visitor names no files."""
    name = split_source(text)[0]
    if name not in BUILT_IN:
        raise SpecificationError(f"there is no game {name[:40]!r} here")


def with_effort(game: Game, effort: int | None) -> str:
    """Return the usual player of a game, which thinks as much as asked."""
    text = game.rules.player
    name = load_player(text, Permit.PAGE).thinking
    if effort is None or name is None:
        return text
    kind, _, options = text.partition(":")
    rest = [each for each in options.split(",") if each and not each.startswith(f"{name}=")]
    return f"{kind}:{','.join([f'{name}={effort}', *rest])}"
