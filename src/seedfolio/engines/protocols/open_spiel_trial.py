"""The trial of a game of OpenSpiel, before its rules run in our process.

C++ can end our process or take all its memory. So another process with limits plays a few games
first, by all calls that `OpenSpielJudge` makes.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import signal
import subprocess
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from seedfolio.core.isolated import isolated
from seedfolio.engines.protocols.open_spiel_rules import OpenSpielGame, import_pyspiel
from seedfolio.errors import EngineError

_MEBIBYTE = 2**20
_MEMORY = 1024
"""MiB that a game may use."""
_NEEDS_MEMORY = f"needs more than {_MEMORY} MiB of memory"
_SECONDS = 10
"""Seconds of a processor that the trial may take."""
_PATIENCE = 300
"""Seconds that it may take on a busy machine."""
_GAMES = 3
_MOVES = 1000
_FEW_MOVES = 20
_ENOUGH = 1.0
"""Seconds of a processor after which a trial with a few moves ends."""
_SHOWN = 200


@lru_cache(maxsize=256)
def refusal(name: str) -> str:
    """Return why we do not play a game, in one line for users; empty if we do.

    EngineError if there is no trial.
    """
    try:
        done = subprocess.run(
            isolated(f"from {__name__} import main; main()"),
            input=json.dumps(name).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            start_new_session=True,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"cannot try OpenSpiel's {_short(name)}: {error}") from None
    with suppress(ValueError):
        return str(json.loads(done.stdout))
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return _too_large(name, f"takes more than {_SECONDS} s for a few moves")
    return f"OpenSpiel's {_short(name)} crashes; choose other parameters or another game"


def main() -> None:
    """Answer the name of a game, JSON in the standard input, with what `refusal` returns."""
    with os.fdopen(os.dup(1), "w") as answer:
        os.dup2(2, 1)  # for all that OpenSpiel prints
        with os.fdopen(0) as said:
            name = json.load(said)
        _limit()
        json.dump(_refusal(name), answer)
    os._exit(0)


def _limit() -> None:
    import_pyspiel()
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, ValueError):  # macOS has neither the file nor the limit
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + _MEMORY * _MEBIBYTE
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _refusal(name: str) -> str:
    pyspiel = import_pyspiel()
    if _reads_file(pyspiel, name):
        return (
            f"OpenSpiel's {_short(name)} reads a file, and external engines play no such games; "
            "choose another game"
        )
    try:
        game = pyspiel.load_game(name)
        moves = game.new_initial_state().legal_actions()
    except Exception as error:  # its own, or any that C++ has
        if _is_full(error):
            return _too_large(name, _NEEDS_MEMORY)
        return f"OpenSpiel has no game {_short(name)!r}: {_short(str(error))}"
    if not _is_plain(game):
        return _not_plain(name)
    if not moves:  # its bots crash then
        return f"OpenSpiel's {_short(name)} has no first move; correct its parameters"
    try:
        return _played(game, name)
    except UnicodeDecodeError:  # its letters have run out
        return _too_large(name, "has moves whose names are not text")
    except Exception as error:
        if _is_full(error):
            return _too_large(name, _NEEDS_MEMORY)
        return f"OpenSpiel's {_short(name)} fails: {_short(str(error))}; choose another game"


def _is_full(error: Exception) -> bool:
    """Tell whether an error comes from the limit on memory; some do not say so."""
    if isinstance(error, MemoryError):
        return True
    # Not by getrusage, which counts what our parent had when it started us.
    with suppress(OSError):
        found = re.search(r"VmHWM:\s*(\d+) kB", Path("/proc/self/status").read_text())
        return found is not None and int(found[1]) > _MEMORY * 512
    return False


def _reads_file(pyspiel: Any, name: str) -> bool:
    """Tell whether a game, or one inside it, has a parameter that is the name of a file."""
    names = {each for kind in pyspiel.registered_games() for each in kind.parameter_specification}
    files = "|".join(each for each in names if re.search("file|path|root|dir", each))
    return re.search(rf"\b({files})\s*=", name) is not None


def _is_plain(game: Any) -> bool:
    kind = game.get_type()
    return bool(
        game.num_players() == 2
        and kind.dynamics == kind.Dynamics.SEQUENTIAL
        and kind.chance_mode == kind.ChanceMode.DETERMINISTIC
        and kind.information == kind.Information.PERFECT_INFORMATION
    )


def _played(game: Any, name: str) -> str:
    """Play games at random; return what is wrong with them."""
    game.num_distinct_actions()
    draw, played = random.Random(0), 0
    for _ in range(_GAMES):
        current = OpenSpielGame(game)
        state = current.state
        while not state.is_terminal():
            if state.current_player() not in (0, 1):  # the type of chess960 says that none is left
                return _not_plain(name)
            actions = state.legal_actions()
            texts = {current.spell(action) for action in actions}
            if len(texts) < len(actions):
                return f"OpenSpiel's {_short(name)} has moves with the same name; choose another"
            current.play(draw.choice(sorted(texts)))
            played += 1
            if played >= _MOVES or (played >= _FEW_MOVES and time.process_time() > _ENOUGH):
                return ""
        state.returns()
    return ""


def _not_plain(name: str) -> str:
    return (
        f"OpenSpiel's {_short(name)} is not a two-player game with alternating moves, no chance "
        "and no hidden information; external engines play only such games"
    )


def _too_large(name: str, problem: str) -> str:
    return f"OpenSpiel's {_short(name)} {problem}; choose a smaller board or another game"


def _short(text: str) -> str:
    return " ".join(text.split())[:_SHOWN]
