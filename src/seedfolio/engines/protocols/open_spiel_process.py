"""The process in which a bot of OpenSpiel runs.

C++ can end a process, take all its memory and not return. `OpenSpielBot` starts this process and
sends lines of JSON. The first and the last have an answer:

    ["open", PERMIT, TRUSTING]      {"identity": NAME}
    ["begin", FEN or null]
    ["play", MOVE, ...]
    ["choose", SEED, VALUES]        {"move": MOVE}

or {"error": KIND, "text": TEXT}. The line `quit` or the end of the input ends the process.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from seedfolio.engines.interface import IllegalMoveError, Value
from seedfolio.engines.protocols.open_spiel_rules import OpenSpielGame, import_pyspiel
from seedfolio.engines.specification.placeholders import filled_in
from seedfolio.errors import PortfolioError, SpecificationError

MCTS: Mapping[str, Value] = {
    "simulations": 100,
    "uct_c": 2.0,
    "rollouts": 1,
    "memory": 1000,
    "solve": False,
}
"""The options of the bot `mcts`, with their defaults."""
RANDOM = "uniform_random"
_MOST = {"simulations": 10_000_000, "rollouts": 10_000_000, "memory": 1_000_000}
"""More is a mistake: no move would come in time."""
_SHOWN = 200


def main(setup: str) -> None:
    """Answer lines; `setup` is JSON: the game, the bot and its options."""
    lines = _Lines()
    bot = _Bot(*json.loads(setup))
    current, illegal = OpenSpielGame(bot.game), ""
    for name, *arguments in lines:
        try:
            if name == "open":
                lines.write(bot.open(*arguments))
            elif name == "begin":
                illegal = ""
                current = OpenSpielGame(bot.game, *arguments)
            elif name == "play":
                for move in arguments:
                    current.play(move)
            elif illegal:
                lines.write(_error("illegal", illegal))
            else:
                lines.write(bot.choose(current, *arguments))
        except IllegalMoveError as error:  # told with the next answer
            illegal = str(error)
    # At once, without waiting for threads of a bot.
    os._exit(0)


class _Lines:
    """The lines of our parent. Bots print to the standard error, and have nothing to read."""

    def __init__(self) -> None:
        self._input = os.fdopen(os.dup(0), encoding="utf-8")
        self._output = os.fdopen(os.dup(1), "w", encoding="utf-8")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        sys.stdout = sys.stderr

    def __iter__(self) -> Iterator[list[Any]]:
        for line in self._input:
            if line == "quit\n":
                return
            yield json.loads(line)

    def write(self, answer: Mapping[str, Any]) -> None:
        self._output.write(f"{json.dumps(answer)}\n")
        self._output.flush()


class _Bot:
    """A bot, made anew for each move."""

    def __init__(self, game: str, name: str, options: Mapping[str, Value]) -> None:
        self.game = import_pyspiel().load_game(game)
        self._name = name
        self._options = options
        self._own: Any = None

    def open(self, permit: str, trusted: bool) -> dict[str, str]:
        """Load the file of a user's own bot."""
        identity = f"OpenSpiel {self._name}"
        if ".py:" in self._name:
            try:
                self._own = _own_bot(self._name, permit, trusted)
            except PortfolioError as error:
                return {"error": "permit", "text": str(error)}
            except SpecificationError as error:
                return {"error": "specification", "text": str(error)}
            identity = f"bot {self._own.__name__}"
        return {"identity": identity}

    def choose(
        self, current: OpenSpielGame, seed: int, values: Mapping[str, Value]
    ) -> dict[str, str]:
        """Play the move of the bot."""
        pyspiel, state = import_pyspiel(), current.state
        try:
            action = self._make(state.current_player(), seed, values).step(state)
        except Exception as error:
            if self._own is not None:
                return _error("raised", f"{type(error).__name__}: {error}")
            if isinstance(error, TypeError | ValueError | OverflowError | pyspiel.SpielError):
                return _error("refused", str(error))
            raise
        if action not in state.legal_actions():
            return _error("illegal", f"action {action}")
        move = current.spell(int(action))
        state.apply_action(int(action))
        return {"move": move}

    def _make(self, player: int, seed: int, values: Mapping[str, Value]) -> Any:
        pyspiel = import_pyspiel()
        options = {
            name: _number(filled_in(value, values)) if isinstance(value, str) else value
            for name, value in self._options.items()
        }
        if self._own is not None:
            return self._own(self.game, player, seed, **options)
        if self._name == "mcts":
            chosen: dict[str, Any] = {**MCTS, **options}
            _check_sizes(chosen)
            return pyspiel.MCTSBot(
                self.game,
                pyspiel.RandomRolloutEvaluator(int(chosen["rollouts"]), seed),
                float(chosen["uct_c"]),
                int(chosen["simulations"]),
                int(chosen["memory"]),
                bool(chosen["solve"]),
                seed,
                False,
            )
        if self._name == RANDOM:
            return pyspiel.make_uniform_random_bot(player, seed)
        return pyspiel.load_bot(self._name, self.game, player, options)


def _check_sizes(chosen: Mapping[str, Any]) -> None:
    for name in ("simulations", "rollouts"):
        if int(chosen[name]) < 1:  # OpenSpiel crashes
            raise ValueError(f"{name} must be 1 or more, not {chosen[name]}")
    for name, most in _MOST.items():
        if int(chosen[name]) > most:
            raise ValueError(f"{name} must be at most {most:,}, not {chosen[name]}")


def _own_bot(text: str, permit: str, trusted: bool) -> Any:
    """Return the class of a user's bot: `my_bot.py:MyBot`; else SpecificationError."""
    from seedfolio.core.trust import Permit, trusting
    from seedfolio.core.user_file import load_file, split_source

    file, name = split_source(text)
    with trusting() if trusted else nullcontext():
        kind = getattr(load_file(Path(file), "bot", Permit(permit)), name, None)
    if not isinstance(kind, type) or not hasattr(kind, "step"):
        raise SpecificationError(
            f"{file} has no class {name!r} with a method step; a bot is a class that takes the "
            "game, the player, a seed and its options, and whose step(state) returns an action"
        )
    return kind


def _number(text: str) -> Value:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _error(kind: str, text: str) -> dict[str, str]:
    return {"error": kind, "text": " ".join(text.split())[:_SHOWN]}
