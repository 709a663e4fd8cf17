"""What travels to the nodes of a cluster: a program by its description and its user's files."""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from tempfile import mkstemp
from typing import Any, ClassVar, TypeVar

from seedfolio.arena.ray.players import EnginePlayer, ProgramPlayer
from seedfolio.core.files import read_regular
from seedfolio.core.trust import Permit
from seedfolio.core.user_file import split_source
from seedfolio.engines.meeting import meeting
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.opponents import Guest
from seedfolio.engines.specification.specification import parse_specification
from seedfolio.errors import SpecificationError
from seedfolio.games import BUILT_IN, load_game
from seedfolio.players import load_player, split_players
from seedfolio.players.against import Drawing, Weights
from seedfolio.players.interface import Player
from seedfolio.players.program import Program
from seedfolio.players.several import Duel, Meeting, Several
from seedfolio.players.user_file import OwnPlayer

T = TypeVar("T")


@dataclass(frozen=True)
class Sources:
    """A Python file of a user's, and the modules beside it that it imports."""

    main: str
    files: tuple[tuple[str, bytes], ...]
    """The path of each file, from the folder of the main one, and what is in it."""

    @classmethod
    def of(cls, main: Path) -> Sources:
        """Read a file, and what it imports from its folder."""
        found: dict[Path, bytes] = {}
        waiting = [main]
        while waiting:
            path = waiting.pop()
            if path not in found:
                found[path] = _content(path)
                waiting += _imported_beside(found[path], path, main.parent)
        named = {path.relative_to(main.parent).as_posix(): text for path, text in found.items()}
        return cls(main.name, tuple(sorted(named.items())))

    @cached_property
    def digest(self) -> str:
        """A hash of all names and contents."""
        digest = hashlib.sha256()
        for name, text in self.files:
            digest.update(f"{name} {len(text)}\n".encode() + text)
        return digest.hexdigest()[:32]

    def write(self, folder: Path) -> Path:
        """Write the files to a folder of their own in `folder`; return the path of the main one."""
        home = folder / self.digest
        for name, text in self.files:
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.is_file() or path.read_bytes() != text:
                _replace(path, text)
        return home / self.main


def _content(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise SpecificationError(f"cannot read {path}: {error.strerror}") from error


def _replace(path: Path, text: bytes) -> None:
    """Write a file that others may be writing or reading at the same time."""
    descriptor, name = mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(text)
    Path(name).replace(path)


def _imported_beside(source: bytes, path: Path, folder: Path) -> Iterator[Path]:
    """Yield the files in `folder` that a module imports."""
    for node in ast.walk(ast.parse(source, str(path))):
        names, base = [], folder
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = path.parents[node.level - 1]
            # What is imported may be a module or stand in one.
            names = [f"{node.module or ''}.{each.name}".lstrip(".") for each in node.names]
        if base.is_relative_to(folder):
            for name in names:
                yield from _files_of(name, base)


def _files_of(name: str, folder: Path) -> Iterator[Path]:
    """Yield the file of a module in a folder, or all files of its package."""
    place = folder
    for part in name.split("."):
        place = place / part
        if (place / "__init__.py").is_file():
            yield from sorted(place.rglob("*.py"))
            return
        if (file := place.with_suffix(".py")).is_file():
            yield file
            return


def _sources_of(text: str, folder: Path = Path()) -> Sources | None:
    """Return the file that a game or player is in; None if it is built in."""
    name, _ = split_source(text)
    return Sources.of(folder / name) if name.endswith(".py") else None


def _here(text: str, sources: Sources | None, folder: Path) -> str:
    """Return the description of a game or player with its file where it is on this node."""
    if sources is None:
        return text
    _, options = split_source(text)
    path = str(sources.write(folder))
    return f"{path}:{options}" if options else path


def _load(load: Callable[[str, Permit], T], text: str, sources: Sources | None, folder: Path) -> T:
    """Load a game or player on this node; messages name the file of the user."""
    here = _here(text, sources, folder)
    try:
        return load(here, Permit.GRANTED)  # the driver has asked
    except SpecificationError as error:
        said = str(error).replace(split_source(here)[0], split_source(text)[0])
        if isinstance(error.__cause__, ModuleNotFoundError):
            said += "; install it there, or put it beside the file"
        raise SpecificationError(said) from None


Files = tuple[Sources | None, ...]
"""Those of each player that a text names."""


@dataclass(frozen=True)
class PlayerParcel:
    """One player of a duel or a meeting."""

    text: str
    files: Files
    drawn: tuple[Weights, Weights] | None
    """The arms of a portfolio that it draws."""

    @classmethod
    def of(cls, player: Player) -> PlayerParcel:
        """Pack a player; SpecificationError if it is in no file."""
        if isinstance(player, Drawing):
            return cls(player.player.text, _player_files(player.player.text), player.drawn)
        return cls(player.text, _player_files(player.text), None)

    def load(self, folder: Path) -> Player:
        """Return the player on a node."""
        player = _load_players(self.text, self.files, folder)
        return player if self.drawn is None else Drawing(player, self.drawn)


@dataclass(frozen=True)
class ProgramParcel:
    """A game and a player, with one game a cell."""

    game: str
    player: str
    game_file: Sources | None
    player_files: Files
    parts: tuple[PlayerParcel, ...] = ()
    """The players of a duel or a meeting, one after the other."""
    meeting: bool = False
    """Whether they are those of a meeting."""
    has_processes: ClassVar[bool] = False

    @classmethod
    def of(cls, program: Program) -> ProgramParcel:
        """Pack a program; SpecificationError if its game or player is in no file."""
        game, player = program.game.source, program.player.text
        name, _ = split_source(game)
        if name not in BUILT_IN and not name.endswith(".py"):
            raise SpecificationError(
                f"{program.game.title} is made in Python and in no file of its own; a cluster "
                "needs a built-in game or a file that ends in .py"
            )
        if isinstance(program.player, Duel):
            both = program.player.first, program.player.second
            return cls(game, player, _sources_of(game), (), tuple(map(PlayerParcel.of, both)))
        if isinstance(program.player, Meeting):
            parts = tuple(map(PlayerParcel.of, program.player.players))
            return cls(game, player, _sources_of(game), (), parts, meeting=True)
        return cls(game, player, _sources_of(game), _player_files(player))

    @cached_property
    def key(self) -> str:
        """A hash of all that is in it."""
        files = [each.digest for each in (self.game_file, *self.player_files) if each is not None]
        for side in self.parts:
            files += [side.text, str(side.drawn)]
            files += [each.digest for each in side.files if each is not None]
        text = json.dumps([self.game, self.player, *files])
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def unpack(self, folder: Path) -> Program:
        """Return the program on a node; its files are kept in `folder`.

        Its messages name the files of the user, not those of the node.
        """
        game = _load(load_game, self.game, self.game_file, folder)
        if self.parts:
            players = [each.load(folder) for each in self.parts]
            player: Player = Meeting(tuple(players)) if self.meeting else Duel(*players)
        else:
            player = _load_players(self.player, self.player_files, folder)
        return Program(replace(game, source=self.game), player)

    def make_player(self, folder: Path) -> ProgramPlayer:
        """Return what plays it on a node."""
        return ProgramPlayer(self.unpack(folder))


def _player_files(text: str) -> Files:
    """Return the files of all players in a text; SpecificationError if one is in none."""
    try:
        load_player(text, Permit.GRANTED)  # it was loaded before
    except SpecificationError as error:
        raise SpecificationError(
            f"a cluster needs a built-in player or a file that ends in .py: {error}"
        ) from None
    return tuple(map(_sources_of, split_players(text)))


def _load_players(text: str, files: Files, folder: Path) -> Player:
    """Load the player of a text on this node, or several."""
    players = [
        _renamed(_load(load_player, each, sources, folder), each)
        for each, sources in zip(split_players(text), files, strict=True)
    ]
    return Several(tuple(players)) if len(players) > 1 else players[0]


def _renamed(player: Player, text: str) -> Player:
    """Return the player with the file that the user knows, if it is in one."""
    return replace(player, file=split_source(text)[0]) if isinstance(player, OwnPlayer) else player


@dataclass(frozen=True)
class EngineParcel:
    """An external engine, which must be installed on every node that is to play."""

    specification: dict[str, Any]
    folder: str
    file: str
    repeats: int
    game_file: Sources | None
    remember: bool
    reuse: bool
    deterministic: bool
    known: Guest | None = None
    """The opponent that it is learnt against, in place of those of its specification."""
    guests: tuple[EngineParcel, ...] = ()
    """Other engines that it also meets."""
    has_processes: ClassVar[bool] = True

    @classmethod
    def of(
        cls,
        program: EngineProgram,
        *,
        remember: bool = False,
        reuse: bool = False,
        deterministic: bool = False,
    ) -> EngineParcel:
        """Pack an engine; `remember` and `reuse` are those of `ProcessArena`."""
        game = program.specification.game.name
        game_file = None
        if (program.folder / split_source(game)[0]).is_file():
            game_file = _sources_of(game, program.folder)
        return cls(
            specification=program.specification.content(),
            folder=str(program.folder),
            file=program.file,
            repeats=program.repeats,
            game_file=game_file,
            remember=remember,
            reuse=reuse,
            deterministic=deterministic,
            known=program.known,
            guests=tuple(map(cls.of, program.variant.guests)),
        )

    @cached_property
    def key(self) -> str:
        """A hash of all that is in it."""
        file = "" if self.game_file is None else self.game_file.digest
        parts = [self.specification, self.folder, self.repeats, file]
        parts += [self.remember, self.reuse, self.deterministic]
        parts += [self.known and self.known.identity(), [each.key for each in self.guests]]
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]

    def unpack(self, folder: Path) -> EngineProgram:
        """Return the engine on a node.

        Its paths start from the same folder as on the driver, if the node has it.
        """
        specification = parse_specification(self.specification, self.file)
        if self.game_file is not None:
            name = _here(specification.game.name, self.game_file, folder)
            game = specification.game.model_copy(update={"name": name})
            specification = specification.model_copy(update={"game": game})
        home = _home(Path(self.folder), folder)
        claim = specification.claim(Permit.GRANTED, home / Path(self.file).name)
        known = self.known
        if known is not None:
            granted = replace(known.claim, permit=Permit.GRANTED)
            known = replace(known, folder=_home(known.folder, folder), claim=granted)
        parts = specification, home, self.file, self.repeats
        program = EngineProgram(*parts, claim=claim, known=known)
        guests = [each.unpack(folder) for each in self.guests]
        return meeting(program, guests) if guests else program

    def make_player(self, folder: Path) -> EnginePlayer:
        """Return what plays it on a node."""
        return EnginePlayer(
            self.unpack(folder),
            remember=self.remember,
            reuse=self.reuse,
            deterministic=self.deterministic,
        )


def _home(wanted: Path, folder: Path) -> Path:
    """Return where an engine starts: the folder of its file, if this node has it."""
    if wanted.is_dir():
        return wanted
    folder.mkdir(parents=True, exist_ok=True)
    return folder
