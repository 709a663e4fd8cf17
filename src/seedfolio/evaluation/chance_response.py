"""The best response to a portfolio in small games with chance or payoffs.

It is the same ground truth as in `evaluation.best_response`. Chance splits a situation into one for
each outcome. So this search first plays all games that the opponent and chance can make of the
portfolio. What the opponent has noticed names its information state. At the end values go back from
the last information states to the first: our points are the minimum over the moves of each, and
the sum over all states that a move leads to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import float64, int64, uint64

from seedfolio.core.compiler import compiled, compiled_entry
from seedfolio.core.randomness import fold, noticed
from seedfolio.errors import SpecificationError
from seedfolio.games.rules import CHANCE
from seedfolio.players.program import Program
from seedfolio.portfolios.portfolio import Distribution, Portfolio


def success_with_chance(program: Program, portfolio: Portfolio) -> tuple[float, float]:
    """Return the success of each colour of `portfolio` against the best response to it."""
    rules = program.game.rules
    if rules.refused is not None:
        raise SpecificationError(
            f"{program.game.title}: an exact best response with chance needs rules that refuse no "
            "move; evaluate with exploiters"
        )
    search = compiled_entry(_search_template, _names(program))
    first, second = (_success(program, search, portfolio[colour], colour) for colour in (0, 1))
    return first, second


def _success(
    program: Program, search: Callable[..., Any], arms: Distribution, colour: int
) -> float:
    seeds, weights = np.array(arms.arms, np.uint64), np.array(arms.weights, np.float64)
    bound, rules = program.bound, program.game.rules
    options = np.zeros(rules.max_moves, np.int64)
    workspace = np.zeros(bound.workspace, np.int32)
    points = search(np.int64(colour), seeds, weights, options, bound.knobs, workspace)
    return float(points) / (rules.scale * float(weights.sum()))


def _names(program: Program) -> dict[str, Any]:
    """Return the parts of the search.

    A situation is (state, arm, how many events we have noticed, their hash, the hash of those that
    the opponent has noticed, its probability).
    """
    names = program.game.functions
    play, view, event = names["play"], names["view"], names["event"]
    choose, odds = program.bound.choose, program.game.rules.odds or _equal

    @compiled
    def step(situation: Any, move: Any, colour: Any, likely: Any) -> Any:
        """Return the situation after a move of anybody; chance makes it less likely."""
        state, arm, turn, ours, theirs, weight = situation
        after = play(state, move)
        happened = int64(event(state, move, after, colour))
        seen = int64(event(state, move, after, 1 - colour))
        known = noticed(ours, happened), noticed(theirs, seen)
        return after, arm, turn + (happened >= 0), *known, weight * likely

    @compiled
    def ask(situation: Any, colour: Any, seed: Any, knobs: Any, space: Any) -> Any:
        """Return the move of our arm."""
        state, _, turn, ours, _, _ = situation
        moment = (colour, turn, ours, uint64(0))
        return int64(choose(view(state, colour), seed, moment, knobs, space))

    wanted = ("start", "mover", "moves", "points_of")
    return {**{name: names[name] for name in wanted}, "step": step, "ask": ask, "odds": odds}


@compiled
def _equal(state: Any, outcome: Any) -> Any:
    return int64(1)


# Names that a binding fills in; they exist here for the reader and the type checker.
start: Any = None
mover: Any = None
moves: Any = None
points_of: Any = None
step: Any = None
ask: Any = None
odds: Any = None


def _search_template(
    colour: Any, seeds: Any, weights: Any, options: Any, knobs: Any, workspace: Any
) -> Any:
    """Return the points of the arms of `colour`, weighted, against the best response.

    Every move at an information state of the opponent has a slot that adds up our points after it.
    Slot 0 is the beginning of the game. `places` has the number of each information state;
    `parents` is the slot that leads to it, `firsts` its first slot, and `counts` its moves.
    """
    slots = [float64(0)]
    parents, firsts, counts = [int64(0)], [int64(0)], [int64(1)]
    places = {uint64(0): int64(0)}
    places.clear()  # its entry only defined the types
    answers = {uint64(0): int64(0)}
    answers.clear()
    current = [
        ((start(), int64(arm), int64(0), uint64(0), uint64(0), weights[arm]), int64(0))
        for arm in range(len(seeds))
    ]
    while len(current) > 0:
        situation, slot = current.pop()
        state, arm, _, ours, theirs, weight = situation
        count = int64(moves(state, options, 0))
        if count == 0:
            slots[slot] += weight * points_of(state, colour)
            continue
        turn = mover(state)
        if turn == CHANCE:
            total = int64(0)
            for k in range(count):
                total += odds(state, options[k])
            for k in range(count):
                likely = odds(state, options[k]) / total
                current.append((step(situation, options[k], colour, likely), slot))
        elif turn == colour:
            key = fold(ours, arm)
            if key not in answers:
                answers[key] = ask(situation, colour, seeds[arm], knobs, workspace)
            current.append((step(situation, answers[key], colour, 1.0), slot))
        else:
            if theirs not in places:
                places[theirs] = int64(len(parents))
                parents.append(slot)
                firsts.append(int64(len(slots)))
                counts.append(count)
                for _ in range(count):
                    slots.append(float64(0))
            first = firsts[places[theirs]]
            for k in range(count):
                current.append((step(situation, options[k], colour, 1.0), first + k))
    # An information state is numbered before all that its moves lead to.
    for place in range(len(parents) - 1, 0, -1):
        best = slots[firsts[place]]
        for k in range(1, counts[place]):
            best = min(best, slots[firsts[place] + k])
        slots[parents[place]] += best
    return slots[0]
