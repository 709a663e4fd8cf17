"""`check_game` runs all checks of a game and reports the first fault in one sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba.core.dispatcher import Dispatcher

from seedfolio.conformance.information import Knowledge
from seedfolio.conformance.playouts import Playouts
from seedfolio.conformance.positions import Positions
from seedfolio.conformance.report import COMPILE_ERRORS, broken, diagnosis, random_numbers
from seedfolio.conformance.symmetry import Mirror, check_symmetries
from seedfolio.conformance.walk import Walker
from seedfolio.core.randomness import mix_int
from seedfolio.core.trust import Permit
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.games.rules import Parts
from seedfolio.players import load_player
from seedfolio.players.flat import Flat
from seedfolio.players.program import Program
from seedfolio.players.uct import Uct

_REPEATED = 20
_SIMULATIONS = 16
_SEEDS = 4
_GAMES_OF_LUCK = 2

_NEEDED = ("start", "mover", "moves", "play", "score", "cells")
_OPTIONAL = (
    *("random_move", "rollout", "plausible", "refused"),
    *("view", "event", "complete", "assume", "cells_seen"),
    *("odds", "placed", "ending"),
)
_IN_PARTS = {
    "rollout": ("begin", "advance", "is_over", "score", "moves"),
    "evaluation": ("terms", "loud", "gain", "key"),
    "repetition": ("key", "age", "marked"),
}
"""The functions inside of what rules may be given."""


def check_game(game: Game | str, *, games: int = 200, seed: int = 0) -> None:
    """Check that `game` keeps the rules that every game must keep, over `games` random games.

    - Legal moves are distinct, named, at most max_moves and playable.
    - Games end within max_plies with a score of 0, 1 or 2.
    - `random_move` picks from `moves` as specified, rollouts return a score, and plausible moves
      are legal.
    - `parse_move` reads every move name. The board can be drawn.
    - Symmetries form a group, and each commutes with play.
    - Outcomes of chance have odds from 1 up.
    - An evaluation writes all its terms, its loud moves are legal, and no gain is below 0.
    - Equal keys mean equal positions. The age of a position reaches back to the last one like it.
    - A player finishes games and repeats them exactly.

    In games of hidden information, what a colour sees and its legal moves follow from the events
    that it has noticed. A state that `complete` draws from a view has that view, its moves and its
    mover.

    Raise ConformanceError with one sentence and the moves that show the fault. `seed` chooses the
    random games.

    >>> from seedfolio import check_game, load_game
    >>> check_game(load_game("domineering:4x4"), games=5)  # says nothing, as nothing is wrong
    """
    examine(load_game(game) if isinstance(game, str) else game, games, seed)


@dataclass(frozen=True)
class RandomGames:
    """The random games of a check, in which nothing is wrong."""

    lengths: tuple[int, ...]
    """How many moves each game has."""
    scores: tuple[int, ...]
    """The half points of the first player in each."""


def _no_note(text: str) -> None:
    pass


def examine(
    game: Game,
    games: int,
    seed: int = 0,
    note: Callable[[str], None] = _no_note,
    permit: Permit = Permit.USER,
) -> RandomGames:
    """Check a game as `check_game` does; return the random games.

    `note` receives what is about to be checked; `permit` says who has named the game.
    """
    note("looking at its facts")
    _check_facts(game)
    try:
        played = _check_random_games(game, games, seed, note)
        note("playing games of a player")
        _check_player(game, permit)
    except COMPILE_ERRORS as error:
        raise diagnosis(game, error) from error
    return played


def _check_facts(game: Game) -> None:
    """Check everything that needs no compiling."""
    _check_functions(game)
    _check_numbers(game)
    _check_weights(game)
    _check_board(game)
    _check_names(game)
    check_symmetries(game)


def _check_functions(game: Game) -> None:
    for name in (*_NEEDED, *_OPTIONAL):
        function = getattr(game.rules, name)
        if isinstance(function, Parts):
            continue
        if function is not None or name in _NEEDED:
            _check_function(game, name, function)
    for name, parts in _IN_PARTS.items():
        for each in parts:
            if (part := getattr(getattr(game.rules, name), each, None)) is not None:
                _check_function(game, f"{each} of {name}", part)
    _check_functions_of_what_is_hidden(game)


def _check_function(game: Game, name: str, function: Any) -> None:
    if not isinstance(function, Dispatcher):
        raise broken(game, f"{name} is not marked @compiled")
    if used := random_numbers(function):
        raise broken(
            game,
            f"{name} uses {used}; rules must not draw random numbers, a die is a mover: CHANCE",
        )


def _check_functions_of_what_is_hidden(game: Game) -> None:
    for name in ("event", "complete"):
        if game.rules.hides and getattr(game.rules, name) is None:
            raise broken(game, f"view is given without {name}; hidden information needs both")
    for name in ("event", "complete", "assume", "cells_seen"):
        if not game.rules.hides and getattr(game.rules, name) is not None:
            raise broken(game, f"{name} is given without view; without view nothing is hidden")


def _check_numbers(game: Game) -> None:
    for name, value, least in (
        ("version", game.version, 1),
        ("max_moves", game.rules.max_moves, 1),
        ("max_plies", game.rules.max_plies, 0),
    ):
        if not isinstance(value, int) or value < least:
            raise broken(game, f"{name} is {value!r}; it must be a whole number from {least} up")


def _check_weights(game: Game) -> None:
    if (evaluation := game.rules.evaluation) is None:
        return
    for name, weight in {**evaluation.weights, "scale": evaluation.scale}.items():
        if not isinstance(weight, int):
            raise broken(game, f"{name!r} of evaluation is {weight!r}, not a whole number")
    if not evaluation.weights or evaluation.scale < 1:
        raise broken(game, "evaluation needs a term and a scale from 1 up")


def _check_board(game: Game) -> None:
    board = game.rules.board
    if board.rows < 1 or board.columns < 1:
        raise broken(game, f"a board of {board.rows}x{board.columns} has no cells")
    if board.columns > len(board.letters):
        raise broken(game, f"{board.columns} columns are more than {len(board.letters)} letters")
    if not board.glyphs:
        raise broken(game, "the board has no glyphs to draw its cells with")


def _check_names(game: Game) -> None:
    seen: dict[str, int] = {}
    for move, name in enumerate(game.rules.move_names):
        if not isinstance(name, str):
            raise broken(game, f"the name of move {move} is {name!r}, not text")
        if not name:
            continue
        if name.split() != [name]:
            raise broken(game, f"the name {name!r} of move {move} has a space in it")
        if (other := seen.setdefault(name.lower(), move)) != move:
            raise broken(game, f"moves {other} and {move} have the same name {name!r}")
    for move, name in enumerate(game.rules.move_names):
        if name and game.parse_move(name) != move:
            raise broken(game, f"the name {name!r} of move {move} reads back as another move")


def _check_random_games(
    game: Game, games: int, seed: int, note: Callable[[str], None]
) -> RandomGames:
    lengths, scores = [], []
    walker, mirror, playouts = Walker(game), Mirror(game), Playouts(game)
    positions, knowledge = Positions(game), Knowledge(game) if game.rules.hides else None
    positions.check_start()
    for number in range(games):
        key = mix_int(mix_int(seed) + number)
        note(f"playing random game {number + 1}")
        walk = walker.walk(key)
        if number < _REPEATED and not walk.is_same_as(walker.walk(key)):
            rule = "the same random game goes differently when played again"
            raise broken(game, rule, walk.history)
        note(f"playing random moves in random game {number + 1}")
        playouts.check(walk.history, key)
        positions.check(walk.history)
        if knowledge:
            note(f"looking at views in random game {number + 1}")
            knowledge.check(walk.history, key)
        note(f"looking at symmetries in random game {number + 1}")
        mirror.check(walk.history)
        game.rules.board.draw(walk.cells)
        lengths.append(len(walk.history))
        scores.append(walk.score)
    return RandomGames(tuple(lengths), tuple(scores))


def _check_player(game: Game, permit: Permit) -> None:
    """Check that a player's games depend only on the two seeds."""
    rules = game.rules
    try:
        load_player(rules.player, permit).bind(game)
    except SpecificationError as error:
        raise broken(game, f"player={rules.player!r}: {error}") from error
    if rules.hides or rules.chance:
        repeats = _GAMES_OF_LUCK if rules.chance else 1
        program = Program(game, Flat(playouts=_SIMULATIONS), repeats)
    else:
        program = Program(game, Uct(simulations=_SIMULATIONS))
    rows, columns = (side.reshape(-1) for side in np.indices((_SEEDS, _SEEDS)).astype(np.uint64))
    workspace = program.workspace()
    scores, histories = program.play(rows, columns, workspace)
    for cell in reversed(range(len(rows))):
        alone = slice(cell, cell + 1)
        score, history = program.play(rows[alone], columns[alone], workspace)
        if score[0] != scores[cell] or history[0] != histories[cell]:
            raise broken(
                game,
                f"{program.player.text}: the game of seeds {rows[cell]} and {columns[cell]} goes "
                "differently when played again",
            )
