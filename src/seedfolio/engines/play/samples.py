"""Sample answers of an engine: whether it still plays as it did when something was learnt from it.

An engine that was built anew often reports the same name. Then its arms are other players, and all
that was learnt about them is void. A few answers, asked for again, show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass

from seedfolio.core.randomness import mix_int
from seedfolio.engines.endings import EngineFaultError, OwnFailureError
from seedfolio.engines.play.game import answer_after
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.record import GameRecord

_LONGEST = 40
"""Moves before an answer: telling an engine more takes its time."""


@dataclass(frozen=True)
class SampleAnswer:
    """What an arm answered after some moves."""

    arm: int
    moves: tuple[str, ...]
    move: str


def pick_samples(
    program: EngineProgram,
    games: Iterable[GameRecord],
    count: int,
    *,
    by_moves: bool,
    arms: Sequence[int] | None = None,
) -> list[SampleAnswer]:
    """Return answers from games, of different arms first; `arms` are the ones to choose from.

    Without `by_moves` an answer may depend on more than the moves so far, so only the first answer
    of each arm is taken.
    """
    found: dict[int, list[SampleAnswer]] = {}
    wanted = None if arms is None else set(arms)
    for game in games:
        for colour, arm in enumerate(game.arms):
            if (wanted is not None and arm not in wanted) or len(found.get(arm, ())) >= count:
                continue
            sample = _sample(program, game, colour, by_moves)
            if sample is not None:
                found.setdefault(arm, []).append(sample)
        if wanted is None and len(found) >= count:
            break
    # One of each arm, then a second of each.
    rounds = range(max(map(len, found.values()), default=0))
    each = [held[turn] for turn in rounds for held in found.values() if turn < len(held)]
    return each[:count]


def _sample(
    program: EngineProgram, game: GameRecord, colour: int, by_moves: bool
) -> SampleAnswer | None:
    movers = movers_of(program, game.moves)[:-1]
    begun = program.opened(*game.arms)
    own = [ply for ply, mover in enumerate(movers) if mover == colour and begun <= ply <= _LONGEST]
    if not own:
        return None
    place = mix_int(mix_int(game.arms[0]) ^ game.arms[1]) % len(own) if by_moves else 0
    arm = game.arms[colour]
    return SampleAnswer(arm, game.moves[: own[place]], game.moves[own[place]])


def movers_of(program: EngineProgram, moves: Sequence[str]) -> list[int]:
    """Return the colour of each move, and of the one to come."""
    with closing(program.make_judge()) as judge:
        movers = []
        for move in moves:
            movers.append(judge.mover)
            judge.play(move, known=True)
        return [*movers, judge.mover]


def first_difference(program: EngineProgram, samples: Iterable[SampleAnswer]) -> str:
    """Ask for sample answers again; return what is different, in words, or an empty text."""
    for sample in samples:
        arm = program.arm(sample.arm)
        movers = movers_of(program, sample.moves)
        try:
            with closing(program.open(arm)) as engine:
                now = answer_after(engine, arm, movers, sample.moves)
        except (EngineFaultError, OwnFailureError) as failure:
            now = f"nothing ({failure})"
        if now != sample.move:
            after = " ".join(sample.moves) or "no moves"
            return f"{arm.name} played {sample.move} after {after}, and plays {now} now"
    return ""
