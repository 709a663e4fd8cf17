"""Serving a program to others: by GTP, by UCI, or to a person in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from seedfolio.core.files import atomic_write
from seedfolio.core.plain_text import put
from seedfolio.core.program_files import is_engine_file
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.games.kind import GameKind
from seedfolio.report.records.pgn import game_pgn
from seedfolio.report.records.sgf import sgf_text
from seedfolio.serving.built_in import BuiltInEngine, OneArm, parse_arm
from seedfolio.serving.gtp import GoBoard, GtpServer, go_board, hex_sides
from seedfolio.serving.load_opponent import is_external, load_opponent, refuse_player
from seedfolio.serving.opponent import Boosted, Opponent, Original
from seedfolio.serving.screen import Screen, standard_input
from seedfolio.serving.terminal import play_game
from seedfolio.serving.uci import UciServer, check_uci

if TYPE_CHECKING:
    # What external engines need is loaded where it is used: others need not wait for it.
    from seedfolio.boosting.results import Boost
    from seedfolio.serving.external import ExternalEngine


def gtp(
    program: str | Path, player: str | None = None, *, arm: str = "", key: int | None = None
) -> None:
    r"""Be a Go engine: answer the Go Text Protocol on standard input and output.

    The program is a portfolio file, or a game with a player for the original. At the start of each
    game an arm is drawn for each colour: by `key` for all games, or always `arm`.

    >>> import io, sys
    >>> from seedfolio import gtp
    >>> sys.stdin = io.StringIO("1 genmove b\n2 quit\n")
    >>> gtp("go:5x5", "uct:simulations=5", key=2026)
    =1 D5
    <BLANKLINE>
    =2
    <BLANKLINE>
    """
    program = str(program)
    if _external(program, player, arm):
        with _engine(program, "gtp") as engine:
            table = engine.program.specification.game
            board = None if table.board is None else GoBoard(table.board, table.komi)
            sides = engine.program.sides
            GtpServer(engine, board, key, sides).serve(standard_input(), _write)
        return
    opponent = load_opponent(program, player)
    game = opponent.program.game
    served = BuiltInEngine(_with_arm(opponent, arm))
    server = GtpServer(served, go_board(game), key, hex_sides(game))
    server.serve(standard_input(), _write)


def uci(
    program: str | Path, player: str | None = None, *, arm: str = "", key: int | None = None
) -> None:
    r"""Be an engine for games without secrets: answer UCI on standard input and output.

    The arguments are those of `gtp`.

    >>> import io, sys
    >>> from seedfolio import uci
    >>> sys.stdin = io.StringIO("position startpos moves b2b3\ngo\n")
    >>> uci("domineering:4x4", "uct:simulations=5", key=2026)
    info nodes 5 score cp -1200 pv b4c4
    info string seed 18493854919301
    bestmove b4c4
    """
    program = str(program)
    if _external(program, player, arm):
        with _engine(program, "uci") as engine:
            _serve_external_by_uci(engine, key)
        return
    opponent = load_opponent(program, player)
    game = opponent.program.game
    check_uci(game)

    def with_arm(arm: str) -> BuiltInEngine:
        return BuiltInEngine(_with_arm(opponent, arm))

    names = tuple(dict.fromkeys((game.text, game.name)))
    UciServer(with_arm, names, _write_line, arm, key).serve(standard_input())


def play(
    opponent: str | Path | Game | GameKind | Boost | Boosted | Original,
    player: str | None = None,
    *,
    second: bool = False,
    key: int | None = None,
    sgf: str | Path | None = None,
    pgn: str | Path | None = None,
) -> None:
    r"""Play against a boosted program, or the original, in the terminal.

    The opponent is a portfolio file, what `boost` or `load_boosted` returned, a game with a
    player, or the file of an external engine. With `second` the program moves
    first. `key` draws its arm. `sgf` is a file for the record of a game of Go stones, `pgn` one
    for chess.

    >>> import io, sys
    >>> from seedfolio import play
    >>> sys.stdin = io.StringIO("quit\n")  # without this line you type the moves
    >>> play("domineering:4x4", "uct:simulations=5", key=2026)
    domineering 4x4: you are vertical, original uct:simulations=5 is horizontal.
    type a move, or: moves (list them), undo, resign, help, quit
    <BLANKLINE>
       a b c d
     4 . . . . 4
     3 . . . . 3
     2 . . . . 2
     1 . . . . 1
       a b c d
    your move> You left at move 1; the program played seed 18493854919301.
    """
    person = 1 if second else 0
    standard_input()
    screen = Screen.of_terminal()
    if isinstance(opponent, str | Path):
        refuse_player(str(opponent), player)
        if is_engine_file(opponent) or is_external(str(opponent)):
            from seedfolio.serving.engine_terminal import play_engine

            given = {"player": player, "sgf": sgf, "pgn": pgn}
            if extra := [name for name, value in given.items() if value is not None]:
                raise SpecificationError(
                    f"{opponent} is of an external engine; leave out `{extra[0]}`"
                )
            play_engine(opponent, person, key, screen)
            return
    other = load_opponent(opponent, player)
    program, game = other.program, other.program.game
    texts = (sgf, partial(sgf_text, game, comment=program.title)), (pgn, partial(game_pgn, game))
    records = [(Path(path), text) for path, text in texts if path is not None]
    for path, text in records:
        text([])  # a game that has no such records is refused before it is played
        if not path.parent.is_dir():
            raise SpecificationError(f"there is no folder {path.parent} for the record")
        if path.is_dir():
            raise SpecificationError(f"{path} is a folder; name a file for the record")
    played = play_game(other, person, key, screen=screen)
    name = f"{program.player.text}, {played.arm.name}"
    names = ("person", name) if person == 0 else (name, "person")
    resigned = person if played.resigned else None
    for path, text in records:
        atomic_write(path, text(played.history, names, resigned=resigned).encode())


def _external(program: str, player: str | None, arm: str) -> bool:
    """Tell whether the file is the portfolio of an external engine, which has no options."""
    refuse_player(program, player)
    if not is_external(program):
        return False
    if arm:
        raise SpecificationError(f"{program} is of an external engine; leave out `arm`")
    return True


@contextmanager
def _engine(program: str, command: str) -> Iterator[ExternalEngine]:
    """Lend an external engine; SpecificationError if `command` does not serve it."""
    from seedfolio.serving.external import load_external

    with closing(load_external(program)) as engine:
        if (wanted := engine.program.served_by) != command:
            protocol = engine.program.specification.player.protocol
            raise SpecificationError(
                f"{program} is of an engine of protocol {protocol}; try seedfolio {wanted} "
                f"{program}"
            )
        yield engine


def _serve_external_by_uci(engine: ExternalEngine, key: int | None) -> None:
    if engine.program.specification.player.protocol == "uci":
        from seedfolio.serving.uci_relay import UciRelay

        with closing(UciRelay(engine, _write_line, key)) as relay:
            relay.serve(sys.stdin.fileno())
        return

    def with_drawn_arms(arm: str) -> ExternalEngine:
        if arm:
            raise SpecificationError("the arms of an external engine are drawn; leave out Arm")
        return engine

    names = (engine.program.specification.game.name,)
    UciServer(with_drawn_arms, names, _write_line, "", key).serve(standard_input())


def _with_arm(opponent: Opponent, arm: str) -> Opponent:
    """Return the program with one arm for all games, if one is named."""
    if not arm:
        return opponent
    return OneArm(opponent.playing, parse_arm(arm, opponent.program.game))


def _write(text: str) -> None:
    put(text, end="")


def _write_line(text: str) -> None:
    put(text)
