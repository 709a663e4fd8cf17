"""Serving a program to others: by GTP, by UCI, or to a person in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path

from seedfolio.core.files import atomic_write
from seedfolio.core.plain_text import put
from seedfolio.engines.record import GameRecord
from seedfolio.errors import SpecificationError
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.people.terminal import play_game
from seedfolio.players.program import Program
from seedfolio.protocols.gtp import GoBoard, GtpServer, go_board, hex_sides
from seedfolio.protocols.uci import UciServer, check_uci
from seedfolio.report.records.pgn import game_pgn
from seedfolio.report.records.sgf import game_sgf
from seedfolio.report.screen import Screen, standard_input


def gtp(
    program: AnyProgram, player: str | None = None, *, arm: str = "", key: int | None = None
) -> None:
    r"""Be a Go engine: answer the Go Text Protocol on standard input and output.

    At the start of each game an arm is drawn for each colour. From Python the program is any that
    `match` takes.

    Args:
        program: A portfolio file, FILE.json@original, a game such as go:9x9, a game and a player
            such as go:9x9@uct, engine.toml, or what `adapt` wrote.
        player: As in `boost`.
        arm: Play this arm in every game: a seed, or 195/3 for seed 195 under symmetry 3 (default:
            drawn anew each game).
        key: Draw the arms of all games from this number.

    >>> import io, sys
    >>> from seedfolio import gtp
    >>> sys.stdin = io.StringIO("1 genmove b\n2 quit\n")
    >>> gtp("go:5x5", "table", key=2026)
    =1 C5
    <BLANKLINE>
    =2
    <BLANKLINE>
    """
    opponent = load_opponent(program, player, learning=True)
    _check_protocol(program, opponent, "gtp")
    with closing(opponent.with_arm(arm) if arm else opponent) as served:
        served.open()
        if isinstance(opponent.program, Program):
            board, sides = go_board(opponent.game), hex_sides(opponent.game)
        else:
            table = opponent.program.specification.game
            board = None if table.board is None else GoBoard(table.board, table.komi)
            sides = opponent.program.sides
        GtpServer(served, board, key, sides).serve(standard_input(), _write)


def uci(
    program: AnyProgram, player: str | None = None, *, arm: str = "", key: int | None = None
) -> None:
    r"""Be an engine for games without secrets: answer UCI on standard input and output.

    Args:
        program: As in `gtp`.
        player: As in `boost`.
        arm: As in `gtp`.
        key: As in `gtp`.

    >>> import io, sys
    >>> from seedfolio import uci
    >>> sys.stdin = io.StringIO("position startpos moves b2b3\ngo\n")
    >>> uci("domineering:4x4", "uct:simulations=5", key=2026)
    info nodes 5 score cp -1200 pv b4c4
    info string seed 18493854919301
    bestmove b4c4
    """
    opponent = load_opponent(program, player, learning=True)
    _check_protocol(program, opponent, "uci")
    if isinstance(opponent.program, Program):
        game = opponent.game
        check_uci(game)
        names = tuple(dict.fromkeys((game.text, game.name)))
    else:
        if arm:
            opponent.with_arm(arm)  # refuses
        if opponent.program.specification.player.protocol == "uci":
            from seedfolio.protocols.uci_relay import UciRelay

            with closing(UciRelay(opponent, _write_line, key)) as relay:
                relay.serve(sys.stdin.fileno())
            return
        names = (opponent.program.specification.game.name,)
    with closing(opponent):
        opponent.open()
        UciServer(opponent, names, _write_line, arm, key).serve(standard_input())


def play(
    opponent: AnyProgram,
    player: str | None = None,
    *,
    second: bool = False,
    key: int | None = None,
    sgf: str | Path | None = None,
    pgn: str | Path | None = None,
) -> None:
    r"""Play against a boosted program, or the original, in the terminal.

    From Python the opponent is any program that `match` takes.

    Args:
        opponent: A portfolio file, FILE.json@original, a game such as domineering:7x7, a game and a
            player such as domineering:7x7@uct, or engine.toml.
        player: As in `boost`.
        second: Let the program move first.
        key: Draw the program's seed from this number.
        sgf: Write the record to this file, for games of Go stones.
        pgn: Write the record to this file, for chess.

    >>> import io, sys
    >>> from seedfolio import play
    >>> sys.stdin = io.StringIO("quit\n")  # without this line you type the moves
    >>> play("domineering:4x4", "uct:simulations=5", key=2026)
    domineering 4x4: you are vertical, uct:simulations=5 is horizontal.
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
    with closing(load_opponent(opponent, player, learning=True)) as other:
        other.open()
        game = other.game
        records: list[tuple[Path, Callable[[GameRecord], str]]] = []
        if sgf is not None:
            records.append((Path(sgf), partial(game_sgf, game, comment=other.program.title)))
        if pgn is not None:
            records.append((Path(pgn), partial(game_pgn, game)))
        for path, text in records:
            text(GameRecord.of(game, []))  # a game without such records is refused at once
            if not path.parent.is_dir():
                raise SpecificationError(f"there is no folder {path.parent} for the record")
            if path.is_dir():
                raise SpecificationError(f"{path} is a folder; name a file for the record")
        played = play_game(other, person, key, screen=screen)
    for path, text in records:
        atomic_write(path, text(played).encode())


def _check_protocol(program: AnyProgram, opponent: Opponent, command: str) -> None:
    """Raise SpecificationError if `command` does not serve an external engine."""
    if opponent.engine is not None and (wanted := opponent.engine.served_by) != command:
        protocol = opponent.engine.specification.player.protocol
        raise SpecificationError(
            f"{program} is of an engine of protocol {protocol}; try seedfolio {wanted} {program}"
        )


def _write(text: str) -> None:
    put(text, end="")


def _write_line(text: str) -> None:
    put(text)
