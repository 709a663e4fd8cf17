"""An external engine: what a study plays, and how to open an engine for one arm."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.display import Brief
from seedfolio.core.files import read_regular
from seedfolio.core.program_files import split_engines
from seedfolio.core.seeds import GUEST_SHIFT, is_opposing, opposing
from seedfolio.core.trust import NOBODY, Claim, Permit
from seedfolio.core.user_file import split_source
from seedfolio.engines.clock import GameClocks
from seedfolio.engines.endings import EngineFaultError, OwnFailureError
from seedfolio.engines.interface import Arm, Engine, Judge, Times
from seedfolio.engines.play.judges import BuiltInJudge, GoJudge
from seedfolio.engines.protocols.gtp import GtpEngine, GtpSetup
from seedfolio.engines.protocols.open_spiel import (
    OpenSpielBot,
    OpenSpielJudge,
    bot_command,
    bot_title,
    load_open_spiel_game,
)
from seedfolio.engines.protocols.process import Launch, environment, find_program
from seedfolio.engines.protocols.uci import UciEngine, UciSetup, uci_start
from seedfolio.engines.specification.arms import JointArms
from seedfolio.engines.specification.openings import Line, Openings, load_openings
from seedfolio.engines.specification.opponents import Field, Guest, load_field
from seedfolio.engines.specification.placeholders import filled_in, spelled
from seedfolio.engines.specification.specification import (
    OPEN_SPIEL,
    Specification,
    parse_specification,
    read_specification,
    serving_command,
)
from seedfolio.engines.specification.tables import RefereeTable
from seedfolio.errors import EngineError, SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.players.books.table import Books, joined, pack
from seedfolio.players.interface import ArmSupply, BookTraits, Traits

Words = NDArray[np.uint64]


VERSION = 1
"""Version of the way in which external engines play and games are scored."""

_MOST_KINDS = 24
_MOST_MOVES = 2**15
"""A book keeps the number of a move in 15 bits."""


@dataclass(frozen=True)
class Variant:
    """What an experiment changes in a program. Parts that are None stay as they are."""

    identity: Mapping[str, Any]
    """What the change adds to the identity of the program."""
    arm: Callable[[int], tuple[EngineProgram | None, int]] | None = None
    """arm(number): another program whose arm it is, None for its own; and the number there."""
    opening: Callable[[int, int], Line] | None = None
    """opening(first, second): the moves with which a game of two arms begins."""
    engine: Callable[[Engine], Engine] | None = None
    """engine(running): the engine that plays."""
    judge: Callable[[Judge], Judge] | None = None
    """judge(usual): the judge of other rules, which have no books."""
    guests: tuple[EngineProgram, ...] = ()
    """The other programs whose arms there are: see `engines.meeting`."""


@dataclass(frozen=True, repr=False)
class EngineProgram(Brief):
    """A specification with the folder that its paths start from: the subject of a study."""

    specification: Specification
    folder: Path
    file: str
    """The file of the specification, as the user gave it."""
    repeats: int = 1
    noisy: bool = False
    """Whether its check has seen the same two arms play different games."""
    books: Books | None = None
    """Where there are any, arms play them, and where these end as they are."""
    proposing: bool = False
    """Whether arms are also asked what they would play in place of their books."""
    claim: Claim = NOBODY
    """Who has named it. Nobody unless said so: then nothing of it runs."""
    variant: Variant = Variant({})
    """What an experiment changes."""
    known: Guest | None = None
    """The opponent that it is learnt and evaluated against, in place of those in its file."""
    varied: str = ""
    """The values of parameters that the caller has added to its arms."""

    @property
    def name(self) -> str:
        """The name of the file, for users and for the names of other files."""
        joint = self.specification.joint
        return Path(self.file).stem if joint is None else "+".join(joint.names)

    @property
    def words(self) -> str:
        """What a user types for it."""
        return "+".join(each.file for each in self.members)

    @property
    def title(self) -> str:
        """The game and the program, for users; of a user's own game the name, not the path."""
        game = self.specification.game
        board = f" {game.board}x{game.board}" if game.is_go else ""
        file, options = split_source(game.name)
        own = " ".join(filter(None, [Path(file).stem, options]))
        program = " ".join(filter(None, [self.name, self.varied]))
        against = "" if self.known is None else f" against {self.known.name}"
        return f"{own if file.endswith('.py') else game.name}{board}, {program}{against}"

    @property
    def study_name(self) -> str:
        """The name of its study's file, unless the user gives one."""
        name = "-".join(filter(None, [self.name, self.varied]))
        return name if self.known is None else f"{name}-against-{self.known.name}"

    @property
    def full(self) -> int:
        """The half points of a cell with wins only."""
        return 2 * self.repeats

    @property
    def served_by(self) -> str:
        """The command of Seedfolio that serves the boosted engine: `gtp` or `uci`."""
        return serving_command(self.specification.player.protocol)

    @property
    def arms(self) -> ArmSupply:
        """How many arms it has; the usual sizes are the specification's, or suit its arms."""
        sizes, arms = self.specification.study, self.specification.all_arms
        usual = sizes.k or arms.usual, sizes.kt or arms.usual, sizes.opponents or arms.usual
        return ArmSupply(arms.training, arms.unseen, not arms.endless, usual)

    @property
    def traits(self) -> Traits:
        """What learning and evaluation must know of it."""
        fixed = bool(self.opponents) and any(each.always_alike for each in self.field.guests)
        return Traits(
            slow=True,
            keeps_games=True,
            begins_elsewhere=self.specification.openings is not None,
            noisy=self.noisy,
            designed=fixed or bool(self.specification.arms.grid),
        )

    @property
    def kinds(self) -> tuple[str, ...]:
        """What arms can be besides seeds: their settings, unless there are too many to compare."""
        settings = self.specification.all_arms.settings
        few = len(settings) <= _MOST_KINDS and self.variant.arm is None
        return settings if few else (self.name,)

    def kind_of(self, arms: Words) -> NDArray[np.intp]:
        """Return which of `kinds` each of these arms is."""
        if len(self.kinds) == 1:
            return np.zeros(len(arms), np.intp)
        every = self.specification.all_arms
        return np.array([every.setting_of(int(arm)) for arm in arms], np.intp)

    @property
    def book(self) -> BookTraits:
        """Whether the game's moves have numbers that fit a book."""
        possible = self.variant.judge is None
        if possible and self.specification.game.name.startswith(OPEN_SPIEL):
            possible = bool(self._open_spiel.num_distinct_actions() < _MOST_MOVES)
        return BookTraits(possible, pays_from=1_000, turned=False)

    @property
    def sides(self) -> tuple[int, int] | None:
        """The rows and columns of the board; None for a game of OpenSpiel."""
        game = self.specification.game
        if game.board is not None:
            return game.board, game.board
        if game.name.startswith(OPEN_SPIEL):
            return None
        board = self.built_in.rules.board
        return board.rows, board.columns

    def board_game(self) -> Game:
        """Return its game with Seedfolio's rules, which has a board to show.

        SpecificationError for a game of OpenSpiel.
        """
        game = self.specification.game
        if game.is_go:
            return load_game(f"go:{game.board}x{game.board},komi={game.komi}")
        if game.name.startswith(OPEN_SPIEL):
            raise SpecificationError(
                f"{game.name} has no board here: use it in another program, with seedfolio "
                f"{self.served_by} and its portfolio"
            )
        return self.built_in

    def arm(self, number: int) -> Arm:
        """Return the arm with this number: one of its own, or an opposing one."""
        if self.variant.arm is not None:
            other, own = self.variant.arm(number)
            own_arm = (other or self).specification.all_arms.arm(own)
            return replace(own_arm, number=number)
        if self.opponents and is_opposing(number):
            return self.field.arm(number)
        return self.specification.all_arms.arm(number)

    def open(self, arm: Arm) -> Engine:
        """Return a running engine that can play arms with the same `launch` as this one."""
        if (owner := self.owner(arm)) is not self:
            return owner.open(arm)
        opened = self._open(arm)
        return opened if self.variant.engine is None else self.variant.engine(opened)

    def clocks(self) -> GameClocks | None:
        """Return the clocks of a new game; None: there are none."""
        table = self.specification.clock
        return None if table is None else GameClocks(table.control, table.margin / 1000)

    @property
    def times(self) -> Times | None:
        """What the clocks show at the start of a game; None: there are none."""
        clocks = self.clocks()
        return None if clocks is None else clocks.times(0)

    def _open(self, arm: Arm) -> Engine:
        table, limits = self.specification.player, self.specification.seconds
        launch = self.launch(arm)
        if table.protocol == "open_spiel":
            self._open_spiel  # noqa: B018 - refuses an impossible game
            return OpenSpielBot(launch, self.bot, table.options, limits)
        if table.protocol == "uci":
            lines, start = tuple(table.setup), uci_start(self.specification.game.name)
            uci = UciSetup(table.go or "", table.options, lines, table.forget, start)
            return UciEngine(launch, uci, limits)
        setup = self._gtp_setup(tuple(table.setup), table.score)
        return GtpEngine(launch, setup, limits)

    def launch(self, arm: Arm) -> Launch:
        """Return how to start the process of an arm; arms with equal ones can share it."""
        if (owner := self.owner(arm)) is not self:
            return owner.launch(arm)
        table = self.specification.player
        if table.protocol == "open_spiel":
            game = self.specification.game.name.removeprefix(OPEN_SPIEL)
            words = bot_command(game, self.bot, table.options)
            return replace(self._launch(words, None, {}), title=bot_title(self.bot))
        words = [filled_in(word, arm.values) for word in table.command or []]
        for name, value in arm.values.items():
            if name.startswith("-") and value is not False:
                words += [name] if value is True else [name, spelled(value)]
        added = {name: filled_in(text, arm.values) for name, text in table.environ.items()}
        return self._launch(words, table.cwd, added)

    def make_judge(self) -> Judge:
        """Return a judge of the game; SpecificationError if there is no such game."""
        judge = self._make_judge()
        return judge if self.variant.judge is None else self.variant.judge(judge)

    def _make_judge(self) -> Judge:
        game = self.specification.game
        if game.is_go:
            referee = self.specification.referee or RefereeTable()
            launch = self._launch(referee.command, referee.cwd, {})
            setup = self._gtp_setup(tuple(referee.setup))
            return GoJudge(launch, setup, self.specification.seconds)
        if game.name.startswith(OPEN_SPIEL):
            return OpenSpielJudge(self._open_spiel)
        return BuiltInJudge(self.built_in)

    @property
    def for_books(self) -> EngineProgram:
        """The program with one game a cell and empty books."""
        words = pack([[], []], symmetric=False)
        return replace(self, repeats=1, books=Books(words))

    def single(self) -> EngineProgram:
        """Return the program with one game a cell."""
        return replace(self, repeats=1)

    def with_books(self, words: Words) -> EngineProgram:
        """Return the program with these books (see `players.books.table`) for its arms to play."""
        return replace(self, books=Books(words))

    def studying(self, words: Words) -> EngineProgram:
        """Return the program with books, whose arms also tell what they would play instead."""
        return replace(self, books=Books(words), proposing=True)

    def book_arms(self, games: Words) -> tuple[Words, Words]:
        """Return our arms and the opponent's in learning games with these numbers."""
        return self.specification.all_arms.pairs(games)

    def proposer(self, theirs: int) -> int:
        """Return the arm that proposes moves in a learning game against the arm `theirs`."""
        own = theirs % (1 << GUEST_SHIFT)
        _, proposers = self.book_arms(np.array([own], np.uint64))
        return int(proposers[0])

    def with_symmetries(self) -> EngineProgram:
        """Raise SpecificationError: the symmetries of an engine's board are not known."""
        raise SpecificationError(
            f"{self.file} is an external engine, whose symmetries are not known; leave out "
            "`symmetries`"
        )

    def for_arms(self, *arms: NDArray[np.uint64]) -> EngineProgram:
        """Return the program as it plays these arms: as it is."""
        return self

    def compiled(self) -> NoReturn:
        """Raise SpecificationError: nothing is compiled here."""
        raise SpecificationError(f"{self.file} is an external engine: it has no compiled program")

    @property
    def behaviour(self) -> str:
        """A digest of all that results depend on, except the engine itself."""
        return self.specification.digest

    @property
    def opponents(self) -> tuple[str, ...]:
        """The names of other programs that it is learnt and evaluated against; empty: itself."""
        if self.known is not None:
            return (self.known.name,)
        return tuple(each.title for each in self.specification.opponents)

    @cached_property
    def field(self) -> Field:
        """These programs."""
        if self.known is not None:
            return Field((self.known,))
        return load_field(self.specification, self.folder, self.claim)

    def facing(self, colour: int) -> EngineProgram:
        """Return the program with its books as `colour`, and those of the known opponent."""
        theirs = None if self.known is None else self.known.books
        if self.books is None or theirs is None:
            return self
        sides = (self.books.words, theirs.words)[:: 1 if colour == 0 else -1]
        return replace(self, books=Books(joined(*sides)))

    def opposing(self, arms: Words, colour: int) -> Words:
        """Return the opponent's arms with these numbers as `colour`."""
        return opposing(arms, colour) if self.opponents else arms

    def opponent_of(self, count: int) -> NDArray[np.intp]:
        """Return which of `opponents` each of the first `count` opposing arms belongs to."""
        return self.field.of_first(count)

    @property
    def bot(self) -> str:
        """The bot of OpenSpiel, a user's own with the whole path of its file."""
        name = self.specification.player.bot or ""
        file, kind = split_source(name)
        return f"{self.folder / file}:{kind}" if file.endswith(".py") else name

    def bot_digest(self) -> dict[str, str]:
        """Return a hash of the file of a user's own bot, as a part of the identity."""
        file, _ = split_source(self.bot)
        if not file.endswith(".py") or not Path(file).is_file():
            return {}
        try:
            content = read_regular(file)
        except OSError as error:
            raise SpecificationError(f"cannot read {file}: {error.strerror}") from error
        return {"bot file": hashlib.sha256(content).hexdigest()[:32]}

    def opened(self, first: int, second: int) -> int:
        """Return how many moves of a game between two arms are those of an opening."""
        return len(self.opening(first, second))

    def opening(self, first: int, second: int) -> Line:
        """Return the moves with which a game between two arms begins."""
        if self.variant.opening is not None:
            return self.variant.opening(first, second)
        return () if self.openings is None else self.openings.line(first, second)

    @cached_property
    def openings(self) -> Openings | None:
        """All openings; None if games begin at the start."""
        found = self.specification
        if found.openings is None:
            return None
        return load_openings(found.openings, found.game, self.folder)

    def share_openings(self, other: EngineProgram) -> None:
        """Take the openings of a program with the same ones, in place of reading them again."""
        self.__dict__["openings"] = other.openings

    def check_openings(self) -> None:
        """Raise SpecificationError if openings cannot be read, or an engine cannot begin there."""
        if self.openings is None or not self.openings.positions:
            return
        guests = [each.specification for each in self.field.guests] if self.opponents else []
        if any(each.player.protocol == "gtp" for each in (self.specification, *guests)):
            raise SpecificationError(
                "openings: positions (FEN) are for engines of UCI and bots of OpenSpiel, and GTP "
                "has no command for them"
            )

    def openings_digest(self) -> dict[str, str]:
        """Return a hash of all openings, as a part of the identity."""
        return {} if self.openings is None else {"openings": self.openings.digest}

    def owner(self, arm: Arm) -> EngineProgram:
        """Return the program that plays an arm: itself, one of its engines, or an opponent."""
        if self.variant.arm is not None:
            other, own = self.variant.arm(arm.number)
            return (other or self).member(own)
        if self.opponents and is_opposing(arm.number):
            return self.others[self.field.whose(arm.number)]
        return self.member(arm.number)

    def member(self, number: int) -> EngineProgram:
        """Return the one of its engines that an arm belongs to."""
        if self.specification.joint is None:  # a guest may have one arm, which is no list
            return self
        arms = self.specification.all_arms
        assert isinstance(arms, JointArms)
        return self.members[arms.place(number)[0]]

    @cached_property
    def members(self) -> tuple[EngineProgram, ...]:
        """Its engines, each as a program of its own; of one engine itself."""
        joint = self.specification.joint
        if joint is None:
            return (self,)
        alone = self.specification.changed(joint=None)
        found = [EngineProgram(alone, self.folder, self.file, claim=self.claim)]
        for file, other in zip(joint.files, joint.others, strict=True):
            place = (self.folder / file).resolve()
            claim = other.claim(self.claim.permit, place)
            shown = os.path.normpath(Path(self.file).parent / file)
            found.append(EngineProgram(other, place.parent, shown, claim=claim))
        return tuple(found)

    @property
    def reuse(self) -> bool:
        """Whether processes may play more than one game."""
        return all(each.specification.player.reuse for each in self.members)

    @cached_property
    def others(self) -> tuple[EngineProgram, ...]:
        """Return these programs, each as one that plays."""
        # As plain programs, whatever this one is doing at the moment.
        plain: dict[str, Any] = {"repeats": 1, "books": None, "proposing": False, "known": None}
        return tuple(
            replace(
                self,
                specification=each.specification,
                folder=each.folder,
                claim=each.claim,
                **plain,
            )
            for each in self.field.guests
        )

    def launch_key(self, arm: Arm) -> tuple[str, Launch]:
        """Return what tells which arms can share an engine: its program, and its process."""
        # Options and limits are no part of a launch, and a process keeps those it began with.
        owner = self.owner(arm)
        return f"{arm.whose} {owner.specification.digest}", owner.launch(arm)

    def identity(self) -> dict[str, Any]:
        """All that results depend on: the specification, and the name the engine reports."""
        return {**self.identity_of_parts(), "engine": self.engine_identity}

    def identity_of_parts(self) -> dict[str, Any]:
        """The identity without the name the engine reports, so that no engine has to start."""
        parts: dict[str, Any] = {"specification": self.specification.behaviour()}
        parts |= {"version": VERSION, **self.bot_digest(), **self.openings_digest()}
        # Earlier versions kept half of a finite list unseen, under numbers of their own.
        parts |= {"unseen": "all arms"} if self.arms.finite else {}
        if self.opponents:
            parts["opponents"] = [each.identity() for each in self.field.guests]
        parts |= self.variant.identity
        return {**parts, "repeats": self.repeats} if self.repeats > 1 else parts

    def description(self, arms: Sequence[int]) -> dict[str, Any]:
        """Return what a portfolio file with these arms says of the program."""
        found = self.specification
        game = found.game.model_dump(exclude={"name"}, exclude_none=True)
        name, identity = found.game.name, self.engine_identity
        return {
            "game": {"source": name, "name": name, "version": VERSION, "parameters": game},
            "player": {
                "source": self.words,
                "name": identity,
                "version": VERSION,
                "parameters": {},
            },
            "behaviour": found.digest,
            "engine": {
                "file": self.file,
                "specification": found.content(),
                "digest": found.digest,
                "identity": identity,
                "arms": {arm: self.arm(arm).name for arm in sorted(set(arms))},
                **({"against": list(self.opponents)} if self.opponents else {}),
            },
        }

    @cached_property
    def engine_identity(self) -> str:
        """The name and version that the engine reports; EngineError if it reports nothing."""
        if self.specification.joint is not None:
            return " + ".join(each.engine_identity for each in self.members)
        protocol = self.specification.player.protocol
        try:
            engine = self.open(self.arm(0))
        except EngineFaultError as fault:
            raise EngineError(f"{fault}: does it speak {protocol}?") from fault
        except OwnFailureError as failure:
            raise EngineError(str(failure)) from failure
        engine.close()
        return engine.identity

    def _gtp_setup(self, commands: tuple[str, ...], score: str | None = None) -> GtpSetup:
        game = self.specification.game
        return GtpSetup(game.board, game.komi, commands, score)

    def _launch(self, words: list[str], cwd: str | None, added: dict[str, str]) -> Launch:
        folder = self.folder if cwd is None else self.folder / cwd
        command = (find_program(words[0], self.folder), *words[1:])
        found = self.specification
        log = None if found.log is None else self.folder / found.log.folder
        return Launch(command, folder, environment(added), found.limits.memory, log, self.claim)

    def check_permitted(self) -> None:
        """Raise PortfolioError, which says all that it would run, unless it may run."""
        refused = [each for each in (*self.members, *self.others) if not each.claim.holds]
        if refused:
            runs = dict.fromkeys(each.specification.runs for each in refused)
            refused[0].claim.check(" and ".join(runs))

    @cached_property
    def _open_spiel(self) -> Any:
        self.claim.check(f"OpenSpiel's {self.specification.game.name.removeprefix(OPEN_SPIEL)}")
        return load_open_spiel_game(self.specification.game.name.removeprefix(OPEN_SPIEL))

    @cached_property
    def built_in(self) -> Game:
        """The game of Seedfolio that the engine plays; for other games it must not be asked."""
        name, options = split_source(self.specification.game.name)
        if name.endswith(".py") and (self.folder / name).is_file():
            name = str(self.folder / name)  # so that it works from any folder
        game = load_game(f"{name}:{options}", self.claim.permit)
        if game.rules.hides or game.rules.chance:
            raise SpecificationError(
                f"{game.title} has hidden information or chance; external engines play neither"
            )
        if game.name == "go":
            raise SpecificationError('for external engines, Go is name = "go", with board and komi')
        return game

    def _summary(self) -> str:
        return self.title


def _joint(first: Specification, path: Path, others: Sequence[Path]) -> Specification:
    """Return the specification of several engines as one program."""
    every, home = [path, *others], path.resolve().parent
    stems = [each.stem for each in every]
    names = stems if len({*stems}) == len(stems) else [os.path.normpath(each) for each in every]
    joint = {
        "names": names,
        "files": [os.path.relpath(each.resolve(), home) for each in others],
        "others": [read_specification(each).content() for each in others],
    }
    return parse_specification({**first.content(), "joint": joint}, str(path))


def load_engine_program(path: str | Path, permit: Permit = Permit.USER) -> EngineProgram:
    """Return the program that a TOML file specifies; `permit` says who has named the file.

    Several files with a + between them, `a.toml+b.toml`, are one program, with the arms of all.
    """
    path, *others = map(Path, split_engines(str(path)))
    found, place = read_specification(path), path.resolve()
    if others:
        found = _joint(found, path, others)
    program = EngineProgram(found, place.parent, str(path), claim=found.claim(permit, place))
    program.check_permitted()
    program.make_judge().close()  # refuses an impossible game before any engine starts
    if program.opponents:
        program.field  # noqa: B018 - refuses an impossible opponent
    program.check_openings()
    return program
