"""Games in the terminal against a program that learns what a person loses to."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path

from seedfolio.boosting.request import check_numbers
from seedfolio.boosting.session import made_folder
from seedfolio.core.plain_text import put
from seedfolio.core.randomness import mix_int
from seedfolio.errors import SpecificationError
from seedfolio.opponents.game_in_progress import GameInProgress
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.people.findings import Findings
from seedfolio.people.pupil import Pupil
from seedfolio.people.store import PeopleGames, PersonGame
from seedfolio.people.terminal import TerminalGame
from seedfolio.players.program import Program
from seedfolio.report.screen import standard_input

TEACH_PATH = Path("studies") / "people.teach"


def teach(
    game: AnyProgram,
    player: str | None = None,
    *,
    name: str,
    colour: str = "both",
    games: int | None = None,
    file: str | Path | None = None,
    show: bool = False,
    discount: float = 0.99,
    key: int | None = None,
) -> Findings:
    r"""Play against a program that learns what you lose to, in the terminal.

    The program chooses its arm before each game: those that you lose to play most often. It
    continues a game that you left. At the end it returns what it has found out.

    Args:
        game: A game such as domineering:5x5, or a file of yours.
        player: As in `boost`.
        name: Your name, under which it remembers you.
        colour: Your colour: first, second, or both in turn.
        games: Number of games (default: until you quit).
        file: File that keeps all games (default: studies/people.teach).
        show: Print what it has found out, without a game.
        discount: What a game counts, relative to the one after it.
        key: Makes all draws repeatable.

    >>> import io, sys
    >>> from seedfolio import teach
    >>> sys.stdin = io.StringIO("resign\n")  # without this line you type the moves
    >>> game = "domineering:4x4", "uct:simulations=5"
    >>> found = teach(*game, name="Ann", games=1, file="a.teach")
    domineering 4x4: Ann, you are vertical, uct:simulations=5 is horizontal.
    type a move, or: moves (list them), resign, help, quit (your game is kept)
    <BLANKLINE>
       a b c d
     4 . . . . 4
     3 . . . . 3
     2 . . . . 2
     1 . . . . 1
       a b c d
    your move> You resign. The program wins. It played seed 8589934592.
    <BLANKLINE>
    >>> found.games, found.colours[0].success
    (1, 0.0)
    """
    check_numbers(games=games, key=key)
    if games is not None and games < 1:
        raise SpecificationError(f"`games` must be 1 or more, not {games}")
    program = _taught(load_opponent(game, player)).single()
    path = made_folder(TEACH_PATH) if file is None else Path(file)
    with closing(PeopleGames.open(path)) as kept:
        pupil = Pupil(program, kept, name, discount)
        if not show:
            standard_input()
            play_games(pupil, colour, games, key)
        return pupil.findings()


def _taught(opponent: Opponent) -> Program:
    """Return the program that a person meets; SpecificationError if it cannot learn of them."""
    if not isinstance(opponent.program, Program):
        raise SpecificationError(
            f"{opponent.title}, {opponent.name} is an external engine; teach takes a built-in "
            "program or your own, such as domineering:5x5, whose arms it knows"
        )
    if opponent.plays is not None:
        raise SpecificationError(
            f"{opponent.title}, {opponent.name} draws its arms from a portfolio, and teach chooses "
            "them by itself; name the game, or FILE.json@original"
        )
    return opponent.program


def play_games(
    pupil: Pupil,
    colour: str,
    games: int | None,
    key: int | None,
    *,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = put,
) -> None:
    """Play games of a person until they quit, or have finished `games`."""
    for number in range(games) if games else count():
        old = pupil.going_on()
        begun = old or pupil.begin(colour, None if key is None else mix_int(mix_int(key) + number))
        sides, mine = pupil.game.rules.board.colours, begun.colour
        say(
            f"{pupil.game.title}: {pupil.name}, you are {sides[mine]}, "
            f"{pupil.program.player.text} is {sides[1 - mine]}."
        )
        if old is not None:
            say("This is the game that you left.")
        if not _finished(pupil, begun, ask, say):
            return
        say("")


def _finished(
    pupil: Pupil, game: PersonGame, ask: Callable[[str], str], say: Callable[[str], None]
) -> bool:
    """Play a game; return False if the person leaves it."""

    def keep(now: GameInProgress) -> None:
        nonlocal game
        game = pupil.after(game, now)

    table = TerminalGame(pupil.in_progress(game), ask, say, counts=True, keep=keep)
    table.play()
    if table.resigned:
        pupil.resign(game)
    return table.resigned or game.ending is not None
