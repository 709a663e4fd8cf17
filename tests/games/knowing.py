"""What a colour knows after given moves, and boards drawn from it: for games that hide things."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64
from walking import random_history

from seedfolio.core.compiler import compiled_entry
from seedfolio.games.game import Game
from seedfolio.players import load_player
from seedfolio.players.program import Program

Cells = tuple[int, ...]


@dataclass(frozen=True)
class Drawn:
    """A state drawn by `complete`."""

    cells: Cells
    view: Any
    """The view of the colour to move."""
    mover: int
    refused: bool
    moves: Cells
    step: int
    seen_by_other: Cells
    """The board as the drawn opponent sees it."""


class Knowing:
    """The compiled `view` and `complete` of a game, after moves given from the start."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._view = compiled_entry(_view_template, game.functions)
        self._complete = compiled_entry(_complete_template, game.functions)

    def view(self, history: Sequence[int], colour: int) -> Any:
        return self._view(np.asarray(history, np.int64).reshape(-1), colour)

    def complete(self, history: Sequence[int], key: int, step: int = 0) -> Drawn:
        """Draw a state from the view of the colour to move."""
        legal = np.zeros(self.game.rules.max_moves, np.int64)
        cells, seen = np.zeros((2, self.game.rules.board.size), np.int64)
        moves = np.asarray(history, np.int64).reshape(-1)
        view, mover, refused, count, after = self._complete(
            moves, np.uint64(key), np.int64(step), legal, cells, seen
        )
        offered = integers(legal[:count])
        return Drawn(integers(cells), view, mover, bool(refused), offered, after, integers(seen))


start: Any = None
mover: Any = None
moves: Any = None
play: Any = None
cells: Any = None
cells_seen: Any = None
view: Any = None
complete: Any = None
refused: Any = None


def _view_template(history: Any, colour: Any) -> Any:
    state = start()
    for move in history:
        state = play(state, move)
    return view(state, colour)


def _complete_template(history: Any, key: Any, step: Any, legal: Any, out: Any, seen: Any) -> Any:
    state = start()
    for move in history:
        state = play(state, move)
    colour = int64(mover(state))
    drawn, after = complete(view(state, colour), key, step)
    cells(drawn, out)
    cells_seen(drawn, 1 - colour, seen)
    count = moves(drawn, legal, 0)
    return view(drawn, colour), mover(drawn), refused(drawn), count, after


def integers(values: Any) -> Cells:
    return tuple(int(value) for value in values)


def prefixes(game: Game, seeds: range) -> Iterator[list[int]]:
    """All that some random games began with, the whole games included."""
    for seed in seeds:
        history = random_history(game, seed)
        yield from (history[:ply] for ply in range(len(history) + 1))


def check_drawn_boards(game: Game, seeds: range) -> None:
    """What is drawn looks to the mover as the truth does, and offers it the same."""
    knowing = Knowing(game)
    for history in prefixes(game, seeds):
        position = game.position(history)
        for key in range(5):
            drawn = knowing.complete(history, key, step=7)
            assert drawn.view == knowing.view(history, position.mover)
            assert drawn.mover == position.mover
            assert drawn.refused == position.refused
            assert drawn.moves == position.moves
            assert drawn.step >= 7
            if not position.moves:
                assert drawn.cells == integers(position.cells)


def check_uniform(draws: Sequence[Cells], possible: Sequence[Cells]) -> None:
    """Every possible board is drawn about equally often, and no other."""
    assert len(set(possible)) == len(possible)
    counts = dict.fromkeys(possible, 0)
    for board in draws:
        counts[board] += 1
    expected = len(draws) / len(possible)
    chi_squared = sum((count - expected) ** 2 / expected for count in counts.values())
    freedom = len(possible) - 1
    # Mean and five standard deviations of the chi-squared distribution.
    assert chi_squared <= freedom + 5 * (2 * freedom) ** 0.5


def check_views_follow_events(game: Game, seeds: range) -> None:
    """Moves of which a colour notices the same leave it the same view; nothing, the one it had."""
    knowing = Knowing(game)
    hidden_alike = 0
    for history in prefixes(game, seeds):
        for colour in (0, 1):
            before = game.information(history, colour)
            left: dict[tuple[int, ...], Any] = {before.events: knowing.view(history, colour)}
            for move in game.position(history).moves:
                after = [*history, move]
                events = game.information(after, colour).events
                hidden_alike += events in left
                assert left.setdefault(events, knowing.view(after, colour)) == knowing.view(
                    after, colour
                )
    assert hidden_alike > 500


def check_same_information(game: Game, seeds: range, text: str) -> None:
    """Where the mover's information is the same, so is all that it may and does choose."""
    knowing = Knowing(game)
    program = Program(game, load_player(text))

    def choose(history: Sequence[int]) -> list[int]:
        return [program.choose(history, seed) for seed in range(3)]

    seen: dict[tuple[int, int], tuple[list[int], Any]] = {}
    alike = 0
    for history in prefixes(game, seeds):
        position = game.position(history)
        if not position.moves:
            continue
        information = game.information(history, position.mover)
        known = (
            knowing.view(history, position.mover),
            position.moves,
            position.refused,
            integers(information.cells),
        )
        first, facts = seen.setdefault((position.mover, information.history), (history, known))
        assert facts == known
        # The order of the other's moves alone is no difference that could show.
        if integers(game.position(first).cells) != integers(position.cells):
            assert choose(first) == choose(history)
            alike += 1
    assert alike > 30
