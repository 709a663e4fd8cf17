"""`gtp` and `uci`, the program as an engine for others, and `replay`, a game of two of its arms."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.application import app
from seedfolio.cli.options import JsonOption, print_json
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
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

    For go, atari-go and phantom-go. At the start of each game an arm is drawn for each colour.
    """
    from seedfolio.serving.built_in import BuiltInEngine
    from seedfolio.serving.gtp import GtpServer, go_board
    from seedfolio.serving.outside import is_from_outside

    if is_from_outside(program):
        _refuse_choices(program, player, arm)
        _serve_outside(program, key)
        return
    opponent = _opponent(program, player)
    board = go_board(opponent.program.game)
    engine = BuiltInEngine(_with_arm(opponent, arm))
    GtpServer(engine, board, key).serve(
        _standard_input(), lambda text: print(text, end="", flush=True)
    )


@app.command()
def uci(
    program: _ProgramArgument,
    player: _PlayerOption = None,
    arm: _ArmOption = "",
    key: _KeyOption = None,
) -> None:
    """Be an engine for games without secrets: answer UCI on standard input and output.

    UCI is the protocol of chess engines; here moves have the names that seedfolio play uses.
    """
    from seedfolio.serving.built_in import BuiltInEngine
    from seedfolio.serving.uci import UciServer, check_uci

    opponent = _opponent(program, player)
    game = opponent.program.game
    check_uci(game)
    UciServer(
        lambda arm: BuiltInEngine(_with_arm(opponent, arm)),
        (game.text, game.name),
        lambda text: print(text, flush=True),
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
    from seedfolio.core.arm_numbers import name_of_arm
    from seedfolio.serving.built_in import parse_arm
    from seedfolio.serving.replay import replay as play_again

    opponent = _opponent(program, player)
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


def _refuse_choices(program: str, player: str | None, arm: str) -> None:
    if player is not None or arm:
        raise SpecificationError(f"{program} names its own player and arms; leave out the options")


def _serve_outside(program: str, key: int | None) -> None:
    """Serve a program from outside that plays Go."""
    from contextlib import closing

    from seedfolio.serving.gtp import GoBoard, GtpServer
    from seedfolio.serving.outside import load_outside

    with closing(load_outside(program)) as engine:
        game = engine.program.specification.game
        if game.board is None:
            raise SpecificationError(
                f"{program} plays {game.name}, and seedfolio gtp serves programs from outside that "
                "play go"
            )
        GtpServer(engine, GoBoard(game.board, game.komi), key).serve(
            _standard_input(), lambda text: print(text, end="", flush=True)
        )


def _opponent(program: str, player: str | None) -> Opponent:
    """Return the boosted program of a portfolio, or the original of a game."""
    from seedfolio.loading import load_program
    from seedfolio.serving.opponent import Original, load_boosted

    if program.endswith(".study"):
        raise SpecificationError(f"{program} is a study; name one of the portfolios beside it")
    if not program.endswith(".json"):
        return Original(load_program(program, player))
    if player is not None:
        raise SpecificationError(f"{program} names its own player; leave out --player")
    return load_boosted(program)


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
