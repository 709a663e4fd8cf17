"""A game between a person and a program, in the terminal."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from seedfolio.errors import SpecificationError
from seedfolio.games.interface import Game
from seedfolio.serving.opponent import Opponent

HELP = "type a move, or: moves (list them), undo, help, quit"


def play_game(
    opponent: Opponent,
    person: int,
    key: int | None,
    *,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> None:
    """Play one game; the person moves as colour `person`. Ends early on `quit` or end of input."""
    game = opponent.program.game
    sides = game.rules.board.colours
    drawn = secrets.randbits(64) if key is None else key
    arm = opponent.new_game(1 - person, drawn)
    say(f"{game.title}: you are {sides[person]}, {opponent.name} is {sides[1 - person]}.")
    say(HELP)
    history: list[int] = []
    while (position := game.position(history)).moves:
        if position.mover == person:
            say(f"\n{game.draw(history)}")
            if not _person_moves(game, history, position.moves, person, ask, say):
                say(f"You left at move {len(history) + 1}; the program played seed {arm.seed}.")
                return
        else:
            history.append(arm.choose(history))
            say(f"The program plays {game.move_name(history[-1])}.")
    say(f"\n{game.draw(history)}")
    points = position.score if person == 0 else 2 - (position.score or 0)
    say({2: "You win.", 1: "A draw.", 0: "The program wins."}[points or 0])
    say(f"It played seed {arm.seed}.")


def _person_moves(
    game: Game,
    history: list[int],
    legal: tuple[int, ...],
    person: int,
    ask: Callable[[str], str],
    say: Callable[[str], None],
) -> bool:
    """Take one decision of the person into `history`; False means that they leave."""
    while True:
        try:
            text = ask("your move> ").strip()
        except EOFError:
            return False
        match text.lower():
            case "quit" | "exit":
                return False
            case "" | "help":
                say(HELP)
            case "moves":
                say(" ".join(game.move_name(move) for move in legal))
            case "undo":
                if _undo(game, history, person):
                    return True
                say("There is no move of yours to take back.")
            case _:
                try:
                    move = game.parse_move(text)
                except SpecificationError as error:
                    say(str(error))
                    continue
                if move in legal:
                    history.append(move)
                    return True
                say(f"{game.move_name(move)} is not legal now; type moves for what is.")


def _undo(game: Game, history: list[int], person: int) -> bool:
    """Take back the person's last move with all that followed; False if there is none."""
    for length in reversed(range(len(history))):
        if game.position(history[:length]).mover == person:
            del history[length:]
            return True
    return False
