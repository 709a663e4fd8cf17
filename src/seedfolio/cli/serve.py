"""`gtp` and `uci`, the program as an engine for others, and `replay`, a game of two of its arms."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.serving.external import ExternalEngine
    from seedfolio.serving.opponent import Opponent

_ProgramArgument = Annotated[
    str, typer.Argument(help="A portfolio file, or a game for the original program.")
]
_PlayerOption = Annotated[
    str | None,
    typer.Option(
        "--player",
        "-p",
        help="The original's player.",
        show_default="the game's own, see seedfolio games",
    ),
]
_ArmOption = Annotated[
    str,
    typer.Option(
        "--arm",
        "--seed",
        help="Play this arm in every game: a seed, or 195/3 for seed 195 under symmetry 3.",
        show_default="drawn anew each game",
    ),
]
_KeyOption = Annotated[
    int | None, typer.Option(help="Draw the arms of all games from this number.", min=0)
]


@app.command()
def gtp(
    program: _ProgramArgument,
    player: _PlayerOption = None,
    arm: _ArmOption = "",
    key: _KeyOption = None,
) -> None:
    """Be a Go engine: answer the Go Text Protocol (GTP) on standard input and output.

    For go, atari-go, phantom-go, and programs from outside that speak it. At the start of each
    game an arm is drawn for each colour.
    """
    from seedfolio.serving.built_in import BuiltInEngine
    from seedfolio.serving.gtp import GoBoard, GtpServer, go_board
    from seedfolio.serving.opponent import load_opponent

    if _is_from_outside(program, player, arm):
        with _outside(program, "gtp") as outside:
            table = outside.program.specification.game
            board = None if table.board is None else GoBoard(table.board, table.komi)
            sides = outside.program.sides
            GtpServer(outside, board, key, sides).serve(_standard_input(), _write)
        return
    opponent = load_opponent(program, player)
    board = go_board(opponent.program.game)
    engine = BuiltInEngine(_with_arm(opponent, arm))
    GtpServer(engine, board, key).serve(_standard_input(), _write)


@app.command()
def uci(
    program: _ProgramArgument,
    player: _PlayerOption = None,
    arm: _ArmOption = "",
    key: _KeyOption = None,
) -> None:
    """Be an engine for games without secrets: answer UCI on standard input and output.

    UCI is the protocol of chess engines; here moves have the names that seedfolio play uses. A
    program from outside that speaks it is passed all that does not concern its arm.
    """
    from seedfolio.serving.built_in import BuiltInEngine
    from seedfolio.serving.opponent import load_opponent
    from seedfolio.serving.uci import UciServer, check_uci

    if _is_from_outside(program, player, arm):
        with _outside(program, "uci") as outside:
            _serve_outside_by_uci(outside, key)
        return
    opponent = load_opponent(program, player)
    game = opponent.program.game
    check_uci(game)
    UciServer(
        lambda arm: BuiltInEngine(_with_arm(opponent, arm)),
        (game.text, game.name),
        _write_line,
        arm,
        key,
    ).serve(_standard_input())


@app.command()
def replay(
    program: _ProgramArgument,
    first: Annotated[str, typer.Argument(help="The arm of the first player: 195, or 195/3.")],
    second: Annotated[str, typer.Argument(help="The arm of the second player.")],
    player: _PlayerOption = None,
    sgf: Annotated[
        Path | None, typer.Option(help="Write the game to this file, if it is one of Go stones.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play the game between two arms again, move by move, and print or save it."""
    from seedfolio.core.seeds import name_of_arm
    from seedfolio.serving.built_in import parse_arm
    from seedfolio.serving.opponent import load_opponent
    from seedfolio.serving.replay import replay as play_again

    opponent = load_opponent(program, player)
    game = opponent.program.game
    arms = parse_arm(first, game), parse_arm(second, game)
    names = name_of_arm(arms[0]), name_of_arm(arms[1])
    history = play_again(opponent.program, *arms)
    if sgf is not None:
        from seedfolio.report.sgf import sgf_text
        from seedfolio.study.files import atomic_write

        text = opponent.program.player.text
        title = f"{opponent.program.title}: {names[0]} against {names[1]}"
        record = sgf_text(game, history, (f"{text}, {names[0]}", f"{text}, {names[1]}"), title)
        atomic_write(sgf, record.encode())
    score = game.position(history).score or 0
    moves = [game.move_name(move) for move in history]
    if as_json:
        print_json({"arms": arms, "moves": moves, "half_points": score})
        return
    sides = game.rules.board.colours
    print(f"{game.title}: {names[0]} is {sides[0]}, {names[1]} is {sides[1]}.")
    print(" ".join(moves))
    print(f"\n{game.draw(history)}")
    print((f"{sides[1]} wins.", "A draw.", f"{sides[0]} wins.")[score])


def _is_from_outside(program: str, player: str | None, arm: str) -> bool:
    """Tell whether the file is the portfolio of a program from outside, which has no options."""
    from seedfolio.serving.external import is_external

    if player is not None and program.endswith(".json"):
        raise SpecificationError(f"{program} names its own player; leave out --player")
    if not is_external(program):
        return False
    if arm:
        raise SpecificationError(f"{program} is a program from outside; leave out --arm")
    return True


@contextmanager
def _outside(program: str, command: str) -> Iterator[ExternalEngine]:
    """Lend a program from outside; SpecificationError if `command` does not serve it."""
    from seedfolio.serving.external import load_external

    with closing(load_external(program)) as engine:
        if (wanted := engine.program.served_by) != command:
            protocol = engine.program.specification.player.protocol
            raise SpecificationError(
                f"{program} is a program of protocol {protocol}; try seedfolio {wanted} {program}"
            )
        yield engine


def _serve_outside_by_uci(outside: ExternalEngine, key: int | None) -> None:
    from seedfolio.serving.uci import UciServer
    from seedfolio.serving.uci_relay import UciRelay

    if outside.program.specification.player.protocol == "uci":
        with closing(UciRelay(outside, _write_line, key)) as relay:
            relay.serve(sys.stdin.fileno())
        return

    def with_drawn_arms(arm: str) -> ExternalEngine:
        if arm:
            raise SpecificationError("the arms of a program from outside are drawn; leave out Arm")
        return outside

    names = (outside.program.specification.game.name,)
    UciServer(with_drawn_arms, names, _write_line, "", key).serve(_standard_input())


def _write(text: str) -> None:
    print(text, end="", flush=True)


def _write_line(text: str) -> None:
    print(text, flush=True)


def _with_arm(opponent: Opponent, arm: str) -> Opponent:
    """Return the program with one arm for all games, if one is named."""
    from seedfolio.serving.built_in import OneArm, parse_arm

    if not arm:
        return opponent
    return OneArm(opponent.program, parse_arm(arm, opponent.program.game))


def _standard_input() -> io.TextIOBase:
    """Return standard input, in which bytes that are no text do no harm."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    return sys.stdin  # type: ignore[return-value]
