"""Opponents by what a visitor chose; each is loaded and compiled when a game needs it."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from time import monotonic
from typing import Generic, Protocol, TypeVar

from seedfolio.core.trust import Permit
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, load_game
from seedfolio.games.chess.san import san_moves
from seedfolio.games.game import Game
from seedfolio.opponents.load import load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.players import load_player
from seedfolio.web.catalogue import seconds_to_compile
from seedfolio.web.guard import PageError
from seedfolio.web.library import ENGINE, GAME, PORTFOLIO, Library, LibraryFile
from seedfolio.web.settings import Settings


class Closable(Protocol):
    """What has processes to end, perhaps."""

    def close(self) -> None:
        """End them."""
        ...


Key = TypeVar("Key", bound=Hashable)
Loaded = TypeVar("Loaded", bound=Closable)


@dataclass(eq=False)
class _Entry(Generic[Loaded]):
    program: Loaded | None = None
    """None while it is being loaded."""
    users: int = 0
    """Threads that load it or let it think."""
    began: float = field(default_factory=monotonic)
    turn: threading.Lock = field(default_factory=threading.Lock)


class LoadedPrograms(Generic[Key, Loaded]):
    """Programs by what was chosen. One that thinks is never closed."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._entries: OrderedDict[Key, _Entry[Loaded]] = OrderedDict()
        """The one used least recently first."""

    def get(self, key: Key) -> Loaded | None:
        """Return a program if it is loaded."""
        with self._lock:
            if key not in self._entries:
                return None
            self._entries.move_to_end(key)
            return self._entries[key].program

    def loading(self, key: Key) -> float | None:
        """Return for how many seconds a program has been loaded; None if it is not being loaded."""
        with self._lock:
            entry = self._entries.get(key)
            return None if entry is None or entry.program else monotonic() - entry.began

    @contextmanager
    def using(self, key: Key, load: Callable[[], Loaded]) -> Iterator[Loaded]:
        """Lend a program, loaded by `load` if need be; it stays open meanwhile.

        PageError, which will pass, if all programs are in use and there is no room.
        """
        entry = self._take(key)
        try:
            with entry.turn:
                if entry.program is None:
                    entry.program = load()
            yield entry.program
        finally:
            self._give_back(key, entry)

    def close(self) -> None:
        """Close all programs."""
        with self._lock:
            entries = list(self._entries.values())
            self._entries.clear()
        for entry in entries:
            _close(entry)

    def _take(self, key: Key) -> _Entry[Loaded]:
        closed = None
        with self._lock:
            if key not in self._entries:
                if len(self._entries) >= self._most:
                    closed = self._entries.pop(self._idle())
                self._entries[key] = _Entry()
            entry = self._entries[key]
            self._entries.move_to_end(key)
            entry.users += 1
        if closed is not None:
            _close(closed)  # processes may take a while to end
        return entry

    def _give_back(self, key: Key, entry: _Entry[Loaded]) -> None:
        with self._lock:
            entry.users -= 1
            if entry.program is None and not entry.users and self._entries.get(key) is entry:
                del self._entries[key]  # it could not be loaded

    def _idle(self) -> Key:
        for key, entry in self._entries.items():
            if not entry.users:
                return key
        raise PageError(503, "All programs of this server are thinking. Try again soon.", 5.0)


def _close(entry: _Entry[Loaded]) -> None:
    if entry.program is not None:
        entry.program.close()


ORIGINAL, OWN, BOOSTED, EXTERNAL = "original", "own", "boosted", "external"
"""Kinds of opponents: the original of a built-in game, of a user's own, a portfolio, an external
engine as it is."""
KINDS = (ORIGINAL, OWN, BOOSTED, EXTERNAL)


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
        """Return the choice of a text from the database; ValueError if it is none."""
        try:
            found = cls(**json.loads(text))
        except (TypeError, RecursionError) as error:
            raise ValueError(f"{text[:40]!r} is not an opponent") from error
        texts = all(isinstance(each, str) for each in (found.name, found.options))
        if found.kind not in KINDS or not texts or not isinstance(found.effort, int | None):
            raise ValueError(f"{text[:40]!r} is not an opponent")
        return found


class Opponents:
    """The opponents of all games; those that were used last are loaded."""

    def __init__(self, library: Library, settings: Settings) -> None:
        self._library = library
        self._settings = settings
        self._lock = threading.Lock()
        self._programs = LoadedPrograms[OpponentChoice, Opponent](settings.programs)
        self._starts: OrderedDict[OpponentChoice, tuple[OpponentChoice, Opponent]] = OrderedDict()
        """Those that differ from a usual one in their start alone, the oldest first."""
        self._kinds: dict[str, Callable[[OpponentChoice], Opponent]] = {
            ORIGINAL: self._original,
            OWN: self._own,
            BOOSTED: self._boosted,
            EXTERNAL: self._external,
        }

    def boosted(self, file: LibraryFile) -> OpponentChoice:
        """Return the program of a portfolio as it is now; one that is learnt anew is another."""
        return OpponentChoice(BOOSTED, file.id, self._library.version(file))

    def renewed(self, choice: OpponentChoice) -> OpponentChoice:
        """Return the same choice for a new game: a portfolio as it is now."""
        if choice.kind != BOOSTED:
            return choice
        return self.boosted(self._library.find(PORTFOLIO, choice.name))

    def title(self, choice: OpponentChoice) -> str:
        """Return what a visitor chose to play against, without loading it."""
        if choice.kind == ORIGINAL:
            return choice.name
        kind = {OWN: GAME, EXTERNAL: ENGINE}.get(choice.kind, PORTFOLIO)
        names = (file.name for file in self._library.files(kind) if file.id == choice.name)
        return next(names, "a file that is gone")

    def ready(self, choice: OpponentChoice) -> Opponent | None:
        """Return an opponent that is loaded; None if it is not."""
        with self._lock:
            usual, begun = self._starts.get(choice, (choice, None))
        opponent = self._programs.get(usual)
        return opponent if begun is None or opponent is None else begun

    def wait(self, choice: OpponentChoice) -> tuple[int, int] | None:
        """Return the seconds for which a program is being loaded, and about how many it takes.

        None if it is not being loaded.
        """
        start = _other_start(choice)
        usual = choice if start is None else replace(choice, name=start.name)
        passed = self._programs.loading(usual)
        if passed is None:
            return None
        name = choice.name
        if choice.kind == BOOSTED:
            name = self._library.portfolio(self._library.find(PORTFOLIO, name)).game.source
        return int(passed), seconds_to_compile(name.partition(":")[0])

    @contextmanager
    def using(self, choice: OpponentChoice) -> Iterator[Opponent]:
        """Lend an opponent, loaded and compiled, which stays open meanwhile.

        SeedfolioError if that is impossible.
        """
        start = _other_start(choice)
        # Another start shares the code of the usual one, and takes no time to make.
        usual = choice if start is None else replace(choice, name=start.name)
        with self._programs.using(usual, lambda: self._loaded(usual)) as opponent:
            yield opponent if start is None else self._begun_at(choice, usual, opponent, start)

    def load(self, choice: OpponentChoice) -> Opponent:
        """Return an opponent, loaded and compiled; SeedfolioError if that is impossible.

        An external engine may be closed at any time; `using` keeps it open.
        """
        with self.using(choice) as opponent:
            return opponent

    def close(self) -> None:
        """End the processes of all opponents."""
        self._programs.close()

    def _loaded(self, choice: OpponentChoice) -> Opponent:
        opponent = self._kinds[choice.kind](choice)
        opponent.prepare()
        opponent.game.position([])
        opponent.game.information([], 0)
        if opponent.game.name == "chess":
            san_moves([])  # for the record
        return opponent

    def _begun_at(
        self, choice: OpponentChoice, usual: OpponentChoice, opponent: Opponent, start: Game
    ) -> Opponent:
        """Return the opponent for a game that differs from the usual one in its start alone."""
        begun = opponent.beginning_at(start)
        with self._lock:
            self._starts[choice] = usual, begun
            self._starts.move_to_end(choice)
            while len(self._starts) > self._settings.programs:
                self._starts.popitem(last=False)
        return begun

    def _original(self, choice: OpponentChoice) -> Opponent:
        check_built_in(choice.name)
        return self._of_game(load_game(choice.name), choice.effort)

    def _own(self, choice: OpponentChoice) -> Opponent:
        file = self._library.find(GAME, choice.name)
        return self._of_game(load_game(f"{file.path}:{choice.options}", Permit.PAGE), choice.effort)

    def _boosted(self, choice: OpponentChoice) -> Opponent:
        file = self._library.find(PORTFOLIO, choice.name)
        self._check_version(file, choice)
        content, folder = self._library.portfolio(file), file.path.parent
        loaded = load_opponent(content, permit=Permit.PAGE, folder=folder)
        self._check_version(file, choice)  # it may have been learnt anew meanwhile
        return loaded

    def _check_version(self, file: LibraryFile, choice: OpponentChoice) -> None:
        """Raise PageError if a game was begun with another content of the file."""
        if self._library.version(file) != choice.options:
            raise PageError(
                410, "Its portfolio has changed since the game began. Begin a new game."
            )

    def _external(self, choice: OpponentChoice) -> Opponent:
        file = self._library.find(ENGINE, choice.name)
        return load_opponent(file.path, permit=Permit.PAGE)

    def _of_game(self, game: Game, effort: int | None) -> Opponent:
        return load_opponent(game, with_effort(game, effort), permit=Permit.PAGE)


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
