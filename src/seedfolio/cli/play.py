"""Commands that play: against people, between programs, for other programs, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from seedfolio.cli.command import Call, command
from seedfolio.cli.output import (
    Json,
    Quiet,
    make_progress,
    note_unless,
    print_json,
    print_parts,
    say,
)
from seedfolio.core.plain_text import put
from seedfolio.core.trust import trusts_everything
from seedfolio.errors import SpecificationError

if TYPE_CHECKING:
    from seedfolio.matches.replay import Record
    from seedfolio.matches.result import Match
    from seedfolio.matches.worth import Worth
    from seedfolio.people.findings import Findings


@command("protocols.serve.play", key={"min": 0})
def play(call: Call) -> None:
    """Play against a boosted program, or the original."""
    call()


@command(
    "matches.match.match",
    sprt={"metavar": "ELO0,ELO1"},
    model={"metavar": "[logistic|normalized]"},
    resign={"metavar": "SCORE,MOVES"},
    draw={"metavar": "SCORE,MOVES,AFTER"},
    openings={"type": str, "metavar": "FILE"},
    threads={"also": ("--concurrency",)},
)
def match(call: Call, quiet: Quiet = False, as_json: Json = False) -> None:
    """Play a match between programs of the same game.

    Each plays both colours equally often. Prints success and the difference in Elo with 95%
    intervals; three programs or more play each against each. For example:

    seedfolio match studies/a-nash.json domineering:7x7@uct:simulations=300

    seedfolio match a.json b.json domineering:7x7 --record games.jsonl

    seedfolio match a.json a.json@original --games 10000 --sprt 0,30

    seedfolio match gnugo-nash.json gnugo.toml --sgf games
    """
    from seedfolio.evaluation.sprt import parse_sprt

    sprt = call.given.get("sprt")
    test = None if sprt is None else parse_sprt(sprt)
    played: Match = call(sprt=test, progress=make_progress(quiet), note=note_unless(quiet))
    if as_json:
        print_json(played.as_data())
        return
    print_parts(played)
    for name in ("record", "sgf", "pgn"):
        if name in call.given:
            put(f"{name:<11} {call.given[name]}")


@command("matches.adapt.adapt")
def adapt(call: Call) -> None:
    """Make a program that learns from game to game.

    It learns which of its seeds win against the present opponent. Writes a file that match, gtp,
    uci and play take as a program, and in which they keep every finished game. For example:

    seedfolio adapt domineering:7x7 --output adaptive.json

    seedfolio match adaptive.json domineering:7x7 --games 200

    seedfolio show adaptive.json
    """
    call()
    put(f"play it:    seedfolio play {call.given['output']}")


@command("matches.worth.worth")
def worth(call: Call, quiet: Quiet = False, as_json: Json = False) -> None:
    """Say what a boosted program is worth in thinking.

    That is how many times the thinking the original needs to hold 50% against it. Thinking is the
    number of simulations of uct, of playouts of flat, of nodes of a UCI engine, or what a player
    of yours declares. The original gets 1, 2, 4 times as much until it holds 50%; then bisection
    makes the range smaller. For example:

    seedfolio worth studies/a-best-seed.json --games 400

    seedfolio worth studies/gnugo-nash.json --parameter mc-games-per-level --record games
    """
    found: Worth = call(progress=make_progress(quiet), note=note_unless(quiet))
    if as_json:
        print_json(found.as_data())
        return
    print_parts(found)


@command("matches.replay.replay")
def replay(call: Call, as_json: Json = False) -> None:
    """Play the game between two arms again, move by move.

    A portfolio with a book plays it, and the arms play on where it ends. Name the game and the
    player instead to play without it.
    """
    from seedfolio.report.screen import Screen

    record: Record = call()
    if as_json:
        print_json(record.as_data())
    else:
        screen = Screen.of_terminal()
        screen.put(record.text_on(screen))


@command("people.teach.teach")
def teach(call: Call, as_json: Json = False) -> None:
    """Play against a program that learns what you lose to.

    It plays the arms that beat you more and more often, and shows where the games that you lost
    part from those that you won. Leave when you like: it remembers you, and the same command
    continues your game. For example:

    seedfolio teach domineering:5x5 --name Ann

    seedfolio teach domineering:5x5 --name Ann --show
    """
    found: Findings = call()
    if as_json:
        print_json(found.as_data())
    else:
        put(found.text())


@command("protocols.serve.gtp", arm={"also": ("--seed",)}, key={"min": 0})
def gtp(call: Call) -> None:
    """Be an engine for games with stones: answer GTP.

    GTP is the Go Text Protocol, on standard input and output. For go, atari-go, phantom-go,
    havannah, hex, and external engines that speak it. At the start of each game an arm is drawn
    for each colour.
    """
    call()


@command("protocols.serve.uci", arm={"also": ("--seed",)}, key={"min": 0})
def uci(call: Call) -> None:
    """Be an engine for games without secrets: answer UCI.

    Reads standard input and writes standard output. UCI is the protocol of chess engines; here
    moves have the names that seedfolio play uses. An external engine that speaks it receives all
    that does not concern its arm.
    """
    call()


@command("web.serve.serve_web")
def web(
    call: Call,
    https: Annotated[
        bool,
        typer.Option(
            "--https",
            help="Browsers reach the page by HTTPS alone, through a web server in front of it: "
            "send cookies as Secure.",
        ),
    ] = False,
) -> None:
    """Show studies and books in a browser, and play there."""
    if trusts_everything():
        raise SpecificationError(
            "the page never trusts files from elsewhere; leave out `trusting`, and run such a file "
            "by its name before you serve it"
        )
    try:
        import seedfolio.web.serve  # noqa: F401 - to see whether all that it needs is there
        from seedfolio.web.settings import Settings
    except ModuleNotFoundError as error:
        raise SpecificationError(
            f"the page needs {error.name}: pip install 'seedfolio[web]'"
        ) from error
    call(settings=Settings(secure=https), say=say)
