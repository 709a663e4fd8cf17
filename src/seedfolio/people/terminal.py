"""A game between a person and a program, in the terminal.

The person sees only what their colour may see, and the whole board at the end of the game.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from seedfolio.engines.record import GameRecord
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.games.game import Game, Position
from seedfolio.opponents.game_in_progress import PERSON, GameInProgress, with_ending
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.seat import ResignedError
from seedfolio.players.program import Program
from seedfolio.report.screen import Screen


def typed_move(text: str, game: Game, position: Position) -> int:
    """Return the legal move that a person means; SpecificationError if there is none, or doubt.

    `b5 b4` and `B4-B5` are the move b4b5, where `b5b4` is no move of the game and no other legal
    move has these cells.
    """
    compact = re.sub(r"[\s,;:>-]+", "", text)
    named = [_named(each, game) for each in (text, compact)]
    for move in named:
        if move is not None and move in position.moves:
            return move
    board = game.rules.board
    cells = sorted(board.cells_of(compact))
    same = [m for m in position.moves if cells and _cells(m, game) == cells]
    if len(same) == 1 and named == [None, None]:
        return same[0]
    known = [move for move in named if move is not None] or [
        move
        for move, name in enumerate(game.rules.move_names)
        if cells and sorted(board.cells_of(name)) == cells
    ]
    if not known:
        return game.parse_move(text)  # which says what moves look like
    raise SpecificationError(
        f"{game.move_name(known[0])} is not legal now; type moves to list legal moves."
    )


def _named(text: str, game: Game) -> int | None:
    try:
        return game.parse_move(text)
    except SpecificationError:
        return None


def _cells(move: int, game: Game) -> list[int]:
    return sorted(game.rules.board.cells_of(game.move_name(move)))


HELP = "type a move, or: moves (list them), undo, resign, help, quit"
HELP_WITHOUT_UNDO = "type a move, or: moves (list them), resign, help, quit"
HELP_KEPT = "type a move, or: moves (list them), resign, help, quit (your game is kept)"


def play_game(
    opponent: Opponent,
    person: int,
    key: int | None,
    *,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] | None = None,
    screen: Screen | None = None,
) -> GameRecord:
    """Play one game and return its record; the person moves as colour `person`.

    It ends early when the person resigns, on `quit`, at the end of input and on an interrupt. The
    chance of the game and the program's arm come from `key`, fresh random bits if None.
    """
    game = opponent.game
    drawn = secrets.randbits(64) if key is None else key
    arm = opponent.draw(1 - person, drawn)
    shown = Screen() if screen is None else screen
    say = shown.put if say is None else say
    now = GameInProgress(game, arm, person)
    players = f"you are {now.sides[0]}, {opponent.full_name} is {now.sides[1]}."
    say(shown.wrapped(f"{game.title}: {players}"))
    table = TerminalGame(now, ask, say, screen=shown)
    table.play()
    won = 0 if table.resigned else table.now.half_points
    if won is not None:
        try:
            opponent.learn(1 - person, arm.number, 2 - won)
        except SeedfolioError as error:  # the record of the game is not lost
            say(shown.wrapped(f"error: {error}"))
    program = opponent.program
    name = program.player.text if isinstance(program, Program) else program.name
    return table.now.record(name, person="person", resigned=table.gave_up)


def _keep_nothing(now: GameInProgress) -> None:
    """Do nothing: the game is not kept."""


@dataclass
class TerminalGame:
    """A person at the terminal, with one game in progress."""

    now: GameInProgress
    ask: Callable[[str], str]
    say: Callable[[str], None]
    counts: bool = False
    """Whether the game counts: no move is taken back, and who leaves may come back."""
    keep: Callable[[GameInProgress], None] = _keep_nothing
    """Called after every move."""
    screen: Screen = field(default_factory=Screen)
    resigned: bool = False
    """Whether the person has resigned."""
    program_resigned: bool = False

    @property
    def gave_up(self) -> int | None:
        """The colour that has resigned."""
        if self.program_resigned:
            return 1 - self.now.person
        return self.now.person if self.resigned else None

    def play(self) -> None:
        """Play until the game is over or the person leaves."""
        self.say(self._commands)
        try:
            ended = self._played_to_the_end()
        except ResignedError as resigned:
            self.program_resigned = True
            self.say(f"{resigned}. You win. It played {self.now.arm.name}.")
            return
        except (EOFError, KeyboardInterrupt) as end:
            if self.counts and isinstance(end, KeyboardInterrupt):
                raise  # the command says how to go on
            self.say("")  # the line of the prompt is not at its end
            ended = False
        if not ended:
            self._leave()
            return
        hides = self.now.game.rules.hides
        self.say("\nThe game is over. The whole board:" if hides else "")
        self.say(self._board(None))
        self.say(with_ending(self.now.result, self.now.position.ending))
        self.say(f"It played {self.now.arm.name}.")

    def _played_to_the_end(self) -> bool:
        """Play; return False if the person leaves."""
        while True:
            for after in self.now.answers():
                self._proceed(after)
            if self.now.turn is None:
                return True
            self.say(f"\n{self._board(self.now.me)}")
            if not self._person_decides():
                return False

    @property
    def _commands(self) -> str:
        if self.counts:
            return HELP_KEPT
        return HELP if self.now.can_undo else HELP_WITHOUT_UNDO

    def _board(self, colour: int | None) -> str:
        """Return the board as a colour sees it, with the last move that it knows marked."""
        game, history = self.now.table, self.now.history
        last = self.now.last_known if colour is not None else history[-1:]
        cells = [cell for move in last for cell in game.rules.board.cells_of(game.move_name(move))]
        return self.screen.board(game.rules.board, game.picture(history, colour), cells)

    def _help(self) -> None:
        rules = self.now.game.rules
        self.say(self._commands)
        names = [name for name in rules.move_names if name]
        example = f"Moves look like {names[0]} and {names[-1]}."
        self.say(self.screen.wrapped(rules.how_to_move or example))
        if any(rules.board.cells_of(name) for name in names[:1]):
            self.say("On the board, [ ] marks the last move, and ( ) a cell that it left empty.")

    def _leave(self) -> None:
        """Say what comes of a game that the person does not end."""
        arm = self.now.arm.name
        if self.resigned:
            self.say(f"You resign. The program wins. It played {arm}.")
            return
        number = len(self.now.seen.events) + 1
        # Who comes back to a game that counts does not know its arm.
        kept = "your game is kept" if self.counts else f"the program played {arm}"
        self.say(f"You left at move {number}; {kept}.")

    def _proceed(self, after: GameInProgress) -> None:
        """Go on with the game; print what the person notices and does not know yet."""
        self.now = after
        self.keep(after)
        notice = after.notice(len(after.history) - 1)
        if notice is not None and (notice.by != PERSON or after.position.refused):
            self.say(notice.text)

    def _person_decides(self) -> bool:
        """Add one decision of the person to the history; return False if they leave."""
        game, say = self.now.game, self.say
        while True:
            text = self.ask("your move> ").strip()
            match text.lower():
                case "quit" | "exit":
                    return False
                case "resign":
                    self.resigned = True
                    return False
                case "" | "help":
                    self._help()
                case "moves":
                    names = " ".join(game.move_name(move) for move in self.now.position.moves)
                    say(self.screen.wrapped(names))
                case "undo":
                    if self._undo():
                        return True
                case _:
                    try:
                        move = typed_move(text, game, self.now.position)
                    except SpecificationError as error:
                        say(str(error))
                        continue
                    self._proceed(self.now.play(game.move_name(move)))
                    return True

    def _undo(self) -> bool:
        """Take back the person's last move and all later ones; return whether there was one."""
        if self.counts or not self.now.can_undo:
            why = "that count" if self.counts else "with hidden information or chance"
            self.say(f"There is no undo in games {why}.")
            return False
        before = self.now.undone()
        if before is None:
            self.say("You have no move to take back.")
            return False
        self.now = before
        return True
