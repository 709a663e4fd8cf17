"""A player bound to a game and compiled: what the arena runs and what is served to people."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numpy.typing import NDArray

from seedfolio.core.compiler import compiled, compiled_apart, compiled_entry, filled_in, merged
from seedfolio.core.display import Brief
from seedfolio.core.seeds import (
    SYMMETRY_SHIFT,
    TRAINING_SEEDS,
    UNSEEN_SEEDS,
    is_opposing,
    opposing,
)
from seedfolio.core.user_file import split_source
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE
from seedfolio.players.against import KnownOpponent
from seedfolio.players.books.side import book_side
from seedfolio.players.books.table import Books, joined, pack
from seedfolio.players.cell_points import check_repeats, full_cell, kept_points
from seedfolio.players.game_loop import (
    advance_template,
    choose_after_template,
    never_again,
    play_cell_template,
    play_cells_template,
    play_line_template,
    play_to_template,
    search_template,
    think_template,
)
from seedfolio.players.interface import ArmSupply, BookTraits, Bound, Player, Traits, identity
from seedfolio.players.lookup import plain_side, symmetry_tables, turned_side
from seedfolio.players.seated import bind, check_sides
from seedfolio.players.several import JOINT, Duel, differences, parts_of


def beginning_at(program: Program, game: Game) -> Program:
    """Return a program for a game that differs in its setup only (see `games.rules`)."""
    if game.rules.setup == program.game.rules.setup:
        return program
    game.share_code(program.game)
    return _sharing(replace(program, game=game), program)


def thinking(program: Program, player: Player) -> Program:
    """Return a program whose player differs in its knobs only."""
    return _sharing(replace(program, player=player), program)


def lightest(program: Program) -> Program:
    """Return a program whose player thinks as little as it can; the code is the same."""
    player: Any = program.player
    for name in ("simulations", "playouts", "depth"):
        if name in player.parameters:
            with suppress(SpecificationError):
                return thinking(program, replace(player, **{name: 1}))
    return program


def _sharing(other: Program, program: Program) -> Program:
    other.share_code(program, "_choose_after", "_play_line")
    return other


def rules_raise(program: Program, error: Exception, where: str) -> SpecificationError:
    """Return the error in one line: what was raised, in which game, and what to correct."""
    what = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(": ")
    file, _ = split_source(program.game.source)
    raised = traceback.extract_tb(error.__traceback__)[-1]
    if Path(raised.filename).name == Path(file).name:
        file = f"line {raised.lineno} of {file}"
    files = [split_source(each.text)[0] for each in parts_of(program.player)]
    who, own = "the rules raise", [each for each in files if each.endswith(".py")]
    if own:
        who, file = "the rules or the player raise", " or ".join([file, *own])
    return SpecificationError(
        f"{program.game.title}: {who} {what}, with {program.player.text} and {where}; "
        f"correct {file}"
    )


DEFAULT_REPEATS = 16
"""How many games make a cell where luck plays a part."""
PROBE = 3
"""How many games between the first seeds of both colours make the behaviour digest."""

_UNPLAYED = 255
_NO_BOOK = np.zeros(1, np.uint64)
_NOT_THE_RULES = (NumbaError, UnsupportedBytecodeError, ImportError, OSError, MemoryError)
"""What can go wrong before a game begins: compiling, the cache on disk, memory."""


@dataclass(frozen=True)
class Played:
    """Cells that were played, as parallel arrays."""

    results: NDArray[np.uint8]
    """Half points of the first player."""
    histories: NDArray[np.uint64]
    """A hash of all moves of the cell."""
    left: NDArray[np.uint64]
    """With books, for each cell and colour: the state in which it left its book, the last state
    in it, and the moves there: that of the former + 1, from bit 16 on that of the latter + 1, and
    in bit 32 whether the former was the book's. NO_STATE and 0 where there is none. Without books
    there are no rows."""


@dataclass(frozen=True, repr=False)
class Program(Brief):
    """A game and a player, compiled together.

    Compiled code is made when first needed and kept on disk for other processes. Where luck plays
    a part, a cell is `repeats` games, whose luck depends on the cell alone.

    >>> from seedfolio import load_program
    >>> program = load_program("domineering:4x4", "uct:simulations=5")
    >>> program.game.move_name(program.choose([], arm=195))
    'c2c3'
    """

    game: Game
    player: Player
    repeats: int = 1
    turned: bool = False
    """Whether arms may be under symmetries of the board; others play the same either way."""
    books: Books | None = None
    """Where there are any, arms play them, and where these end as seeds; `turned` is not read."""
    known: KnownOpponent | None = None
    """The opponent that it is learnt and evaluated against; None: itself."""

    def __post_init__(self) -> None:
        check_sides(self.game)
        check_repeats(self.repeats, self.game.rules)
        if self.known is not None and self.game.seat is not None:
            raise SpecificationError(
                f"{self.game.title} is one seat against the others; a known opponent is for games "
                "of two"
            )
        if self.repeats > 1 and not self.has_luck:
            raise SpecificationError(
                f"{self.title} plays the same game every time; repeats are for games of chance"
            )

    @property
    def title(self) -> str:
        """The game and the player, as shown to people."""
        against = "" if self.known is None else f" against {self.known.name}"
        return f"{self.game.title}, {self.player.text}{against}"

    @property
    def study_name(self) -> str:
        """The name of its study's file, unless the user gives one."""
        against = "" if self.known is None else f"-against-{self.known.label}"
        return f"{self.game.text}-{JOINT.join(map(_short, parts_of(self.player)))}{against}"

    @property
    def kinds(self) -> tuple[str, ...]:
        """What arms can be besides seeds: its players, by what they differ in."""
        return differences(parts_of(self.player))

    def kind_of(self, arms: NDArray[np.uint64]) -> NDArray[np.intp]:
        """Return which of `kinds` each of these arms is."""
        seeds = arms & np.uint64(2**SYMMETRY_SHIFT - 1)
        return (seeds % np.uint64(len(parts_of(self.player)))).astype(np.intp)

    @property
    def arms(self) -> ArmSupply:
        """How many arms it has: all seeds."""
        sizes = self.game.rules.usual_sizes
        return ArmSupply(len(TRAINING_SEEDS), len(UNSEEN_SEEDS), False, sizes)

    @property
    def book(self) -> BookTraits:
        """Whether and how it plays a book."""
        turned = self.known is None or self.known.symmetric
        return BookTraits(possible=True, pays_from=5_000, turned=turned)

    @property
    def traits(self) -> Traits:
        """What learning and evaluation must know of it."""
        rules, alone = self.game.rules, self.known is None
        return Traits(
            one_sided=self.game.seat is not None,
            # Of a player that does not say so, such as one of the user's, nobody knows.
            colours_apart=not alone or getattr(self.player, "colours_apart", False),
            symmetries=len(rules.symmetries),
            hides=rules.hides,
            searchable=alone and rules.small and not self.player.stochastic,
        )

    @property
    def has_luck(self) -> bool:
        """Whether two seeds may play different games: by chance in the rules or in a player."""
        random = self.player.stochastic
        if self.known is not None:
            random = random or self.known.player.stochastic
        return self.game.rules.chance or random

    @property
    def full(self) -> int:
        """The points of a cell that is won throughout: 2 for each game without payoffs."""
        return full_cell(self.game.rules.scale, self.repeats)

    @property
    def scale(self) -> int:
        """The most points of one game."""
        return self.game.rules.scale

    @property
    def opponents(self) -> tuple[str, ...]:
        """The name of the known opponent; without one, none."""
        return () if self.known is None else (self.known.name,)

    def opposing(self, arms: NDArray[np.uint64], colour: int) -> NDArray[np.uint64]:
        """Return the opponent's arms with these numbers: its own if it meets itself."""
        return arms if self.known is None else opposing(arms, colour)

    def opponent_of(self, count: int) -> NDArray[np.intp]:
        """Return whose each opposing arm is: there is one opponent."""
        return np.zeros(count, np.intp)

    def facing(self, colour: int) -> Program:
        """Return the program that plays games of this one as `colour` against its opponent."""
        if self.known is None:
            return self
        if self.books is None:
            return self._duels[colour]
        theirs = self.known.books
        others = pack([[], []], symmetric=self.known.symmetric) if theirs is None else theirs.words
        sides = (self.books.words, others) if colour == 0 else (others, self.books.words)
        return self._duels[colour].with_books(joined(*sides))

    def identity(self) -> dict[str, Any]:
        """Return what results are tied to: game, player, and a digest of what they really play."""
        return {**self.identity_of_parts(), "sample games": self.behaviour}

    def identity_of_parts(self) -> dict[str, Any]:
        """Return the identity without the digest, which takes compiling."""
        parts: dict[str, Any] = {
            "game": self.game.identity(),
            "player": identity(self.player, self.game),
        }
        if self.scale != 2:  # studies without payoffs do not name it
            parts["scale"] = self.scale
        if self.known is not None:
            parts["opponents"] = [self.known.identity(self.game)]
        return {**parts, "repeats": self.repeats} if self.has_luck else parts

    def description(self, arms: Sequence[int]) -> dict[str, Any]:
        """Return what a portfolio file says of the program."""
        parts = self.identity_of_parts()
        return {
            "game": {"source": self.game.source, **parts["game"]},
            "player": {"source": self.player.text, **parts["player"]},
            "behaviour": self.behaviour,
        }

    def single(self) -> Self:
        """Return the program with one game a cell."""
        return self if self.repeats == 1 else replace(self, repeats=1)

    def with_symmetries(self) -> Self:
        """Return the program able to play arms under symmetries of the board."""
        if not self.game.rules.symmetries:
            raise SpecificationError(f"{self.game.title} has no symmetries; leave out `symmetries`")
        if self.game.rules.setup or self.game.rules.repetition is not None:
            # What is turned is the moves: a given start and a memory of positions are not.
            raise SpecificationError(
                f"{self.game.title} has a setup or remembers positions, and symmetries turn "
                "neither; leave out `symmetries`"
            )
        if self.known is not None and self.known.books is not None:
            raise SpecificationError(
                f"{self.known.name} has a book, and no arm under a symmetry meets one; leave out "
                "`symmetries`"
            )
        return self if self.turned else replace(self, turned=True)

    def for_arms(self, *arms: NDArray[np.uint64]) -> Program:
        """Return the program as it plays these arms: under symmetries of the board, if any is.

        With a known opponent, all rows are opposing arms, or all columns.
        """
        turned = any((each >> np.uint64(SYMMETRY_SHIFT)).any() for each in arms)
        found = self.with_symmetries() if turned else self
        if self.known is None:
            return found
        first, *_ = arms
        return found.facing(int(len(first) > 0 and is_opposing(int(first[0]))))

    def compiled(self) -> Self:
        """Return the compiled program: this one."""
        return self

    def studying(self, words: NDArray[np.uint64]) -> Program:
        """Return the program with books to learn from: its games tell enough of moves."""
        return self.with_books(words)

    def book_arms(self, games: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Return our arms and the opponent's in learning games with these numbers.

        They differ: a seed may be a personality, which would learn against itself. Of several
        players each meets each equally often.
        """
        players = np.uint64(len(parts_of(self.player)))
        lap, ours = games // players, games % players
        theirs = (ours + lap // np.uint64(2)) % players
        return games, (lap ^ np.uint64(1)) * players + theirs

    def workspace(self) -> NDArray[np.int32]:
        """Return scratch space for one thread."""
        return np.zeros(self.bound.workspace, np.int32)

    def play(
        self,
        rows: NDArray[np.uint64],
        columns: NDArray[np.uint64],
        workspace: NDArray[np.int32],
    ) -> tuple[NDArray[np.uint8], NDArray[np.uint64]]:
        """Play the cell of rows[k] (first player) against columns[k] for every k.

        Return the half points of the first player, and for each cell a hash of its moves.
        Releases the GIL. SpecificationError, naming the game, if the rules raise an error.
        """
        played = self.play_noting(rows, columns, workspace)
        return played.results, played.histories

    def play_noting(
        self,
        rows: NDArray[np.uint64],
        columns: NDArray[np.uint64],
        workspace: NDArray[np.int32],
    ) -> Played:
        """Play cells as `play` does, and note where books were left."""
        if rows.ndim != 1 or rows.shape != columns.shape:
            raise ValueError(f"rows of shape {rows.shape} against columns of {columns.shape}")
        results = np.full(len(rows), _UNPLAYED, np.uint8)
        histories = np.empty(len(rows), np.uint64)
        left = np.empty((len(rows) if self.books else 0, 2, 3), np.uint64)
        played = results, histories, left
        try:
            self._play_cells(
                rows, columns, self.repeats, self.bound.knobs, self.book_words, workspace, *played
            )
        except _NOT_THE_RULES:
            raise
        except Exception as error:
            cell = int(np.argmax(results == _UNPLAYED))  # they are played one after the other
            where = f"seeds {rows[cell]} and {columns[cell]}"
            raise rules_raise(self, error, where) from error
        return Played(*played)

    def choose(
        self,
        history: Sequence[int | str],
        arm: int,
        luck: int = 0,
        workspace: NDArray[np.int32] | None = None,
    ) -> int:
        """Return the move of `arm` after `history`; `luck` is for players that are random, too."""
        return self.choose_noting(history, arm, luck, workspace)[0]

    def choose_noting(
        self,
        history: Sequence[int | str],
        arm: int,
        luck: int = 0,
        workspace: NDArray[np.int32] | None = None,
    ) -> tuple[int, bool]:
        """Return the move as `choose` does, and whether it is from the book."""
        position = self.game.position(history)
        if not position.moves:
            raise SpecificationError(f"{self.game.title}: the game is over, there is no move")
        if position.mover == CHANCE:
            raise SpecificationError(f"{self.game.title}: chance is to move, not a player")
        symmetry, seed = divmod(arm, 2**SYMMETRY_SHIFT)
        if symmetry > (count := len(self.game.rules.symmetries)):
            raise SpecificationError(
                f"{self.game.title}: arm {arm} is under symmetry {symmetry}, and there are {count}"
            )
        whole = self._for_turned_arms if symmetry else self
        moves = self.game.move_numbers(history)
        if workspace is None:
            workspace = self.workspace()
        game = np.uint64(arm), np.uint64(luck), self.bound.knobs, self.book_words
        try:
            move, from_book = whole._choose_after(moves, *game, workspace)
            return int(move), bool(from_book)
        except _NOT_THE_RULES:
            raise
        except Exception as error:
            played = " ".join(self.game.move_name(int(move)) for move in moves)
            raise rules_raise(self, error, f"seed {seed} after {played or 'no move'}") from error

    def play_line(self, arms: tuple[int, int], luck: int) -> tuple[tuple[int, ...], int]:
        """Play one game; return all its moves, and the half points of the first player."""
        line = np.zeros(self.game.rules.max_plies + 1, np.int64)
        sides = np.uint64(arms[0]), np.uint64(arms[1]), np.uint64(luck)
        rest = self.bound.knobs, self.book_words, self.workspace(), line
        try:
            length, points = self._play_line(*sides, *rest)
        except _NOT_THE_RULES:
            raise
        except Exception as error:
            raise rules_raise(self, error, f"seeds {arms[0]} and {arms[1]}") from error
        return tuple(line[:length].tolist()), int(points)

    def share_code(self, other: Program, *more: str) -> None:
        """Take the code of a program that differs in knobs and words of books; `more` of it."""
        shared = ("side", "play_cell", "_names", "_play_cells", *more)
        self.__dict__.update({name: getattr(other, name) for name in shared})

    def line_to(self, arms: tuple[int, int], colour: int, state: int, move: int) -> tuple[int, ...]:
        """Play a game of the books until `colour` is to move in this state of its book.

        Return the symmetry under which its arm (see `core.seeds`) plays the book's move
        there, and all moves before it, turned as the book has them. SpecificationError if the game
        does not come there, or the arm plays another move.
        """
        line = np.zeros(self.game.rules.max_plies + 1, np.int64)
        wanted = np.int64(colour), np.uint64(state), np.int64(move)
        rest = self.bound.knobs, self.book_words, self.workspace(), line
        length, turned = self._play_to(np.uint64(arms[0]), np.uint64(arms[1]), *wanted, *rest)
        if turned < 0:
            raise SpecificationError(
                f"{self.title}: seeds {arms[0]} and {arms[1]} do not play "
                f"{self.game.move_name(move)} in state {state:016x} of the book; it was learnt "
                "with another program"
            )
        images, origins = symmetry_tables(self.game)
        inverse = int(np.flatnonzero((images == origins[turned]).all(axis=1))[0])
        return inverse, *(int(images[turned, played]) for played in line[:length])

    def with_books(self, words: NDArray[np.uint64]) -> Program:
        """Return the program with these books (see `players.books.table`) for its arms to play."""
        other = replace(self, books=Books(words))
        if self.books is not None:  # only the words differ
            if self.known is None:
                other.share_code(self, "bound", "_play_to")
            else:
                other.__dict__["_duels"] = self._duels
        return other

    @cached_property
    def for_books(self) -> Program:
        """The program with one game a cell and empty books.

        Its `with_books` makes others without compiling anew.
        """
        return self.single().with_books(pack([[], []], symmetric=True))

    @cached_property
    def behaviour(self) -> str:
        """A digest of a few whole games: where it differs, seeds play otherwise."""
        seeds = np.arange(max(PROBE, len(self.kinds)), dtype=np.uint64)
        _, histories = self.play(seeds, seeds[::-1].copy(), self.workspace())
        return "".join(f"{int(history):016x}" for history in histories)

    @cached_property
    def bound(self) -> Bound:
        """The player bound to the game, with its setup and room for what the match remembers."""
        rules, bound = self.game.rules, bind(self.player, self.game)
        bound = replace(bound, knobs=np.append(bound.knobs, np.array(rules.setup, np.int64)))
        if rules.repetition is None:
            return bound
        # Keys take all 32 bits of an entry.
        return replace(bound, workspace=bound.workspace + rules.repetition.room, largest=2**31 - 1)

    @cached_property
    def play_cell(self) -> Callable[..., Any]:
        """play_cell(row, column, repeats, knobs, book, workspace): points, moves, both sides.

        Compiled; what every arena calls for its cells.
        """
        return compiled(filled_in(play_cell_template, self._names))

    @property
    def book_words(self) -> NDArray[np.uint64]:
        """The books as compiled play takes them."""
        return _NO_BOOK if self.books is None else self.books.words

    @cached_property
    def side(self) -> dict[str, Callable[..., Any]]:
        """The functions of what a colour brings to the match, compiled."""
        if self.books is not None:
            return book_side(self.game)
        return turned_side(self.game) if self.turned else plain_side(self.game)

    @cached_property
    def _duels(self) -> tuple[Program, Program]:
        """The programs for games as first and as second player against the known opponent."""
        assert self.known is not None, "only with one"
        sides = self.player, self.known.player
        first, second = (
            replace(self, player=Duel(*pair), known=None, books=None)
            for pair in (sides, sides[::-1])
        )
        if self.books is None and self.known.books is None:
            return first, second
        nothing = pack([[], []], symmetric=self.known.symmetric)
        theirs = nothing if self.known.books is None else self.known.books.words
        return (
            first.with_books(joined(nothing, theirs)),
            second.with_books(joined(theirs, nothing)),
        )

    @cached_property
    def _for_turned_arms(self) -> Program:
        return self if self.turned or self.books else replace(self, turned=True)

    @cached_property
    def _play_cells(self) -> Callable[..., Any]:
        names = {"play_cell": merged(filled_in(play_cell_template, self._names))}
        return compiled_entry(play_cells_template, {**names, "note": self.side["note"]})

    @cached_property
    def _choose_after(self) -> Callable[..., Any]:
        # Apart, so that it takes no longer with a book, which is more to compile, than without.
        return compiled_entry(choose_after_template, self._searching_apart)

    @cached_property
    def _play_line(self) -> Callable[..., Any]:
        return compiled_entry(play_line_template, self._names)

    @cached_property
    def _play_to(self) -> Callable[..., Any]:
        return compiled_entry(play_to_template, self._searching_apart)

    @cached_property
    def _names(self) -> dict[str, Any]:
        functions = {"choose": self.bound.choose, "again": self.bound.again}
        if self.game.rules.refused is None:
            functions = {"choose": merged(self.bound.choose), "again": never_again}
        kept = {"kept": kept_points(self.game.rules)}
        return _with_loop({**self.game.functions, **functions, **self.side, **kept})

    @property
    def _searching_apart(self) -> dict[str, Any]:
        """The same names, for functions that search in several places."""
        search = compiled_apart(search_template, self._names)
        return _with_loop({**self._names, "choose": search})

    def _summary(self) -> str:
        return self.title if self.books is None else f"{self.title}, with books"


def _short(player: Player) -> str:
    """Return the text of a player without the folders of its file."""
    file, options = split_source(player.text)
    return f"{Path(file).stem}:{options}" if file.endswith(".py") else player.text


def _with_loop(names: dict[str, Any]) -> dict[str, Any]:
    """Return the names with the functions of a move, which have these filled in."""
    names = {**names, "think": merged(filled_in(think_template, names))}
    return {**names, "advance": merged(filled_in(advance_template, names))}
