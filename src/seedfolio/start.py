"""The first moments of Seedfolio, before anything else of it loads.

Python prints a traceback if Ctrl-C comes while modules load. Until `__main__.main` answers signals,
the system's own answer is better: the process ends, and its shell knows why.

Where colorama is installed, numba puts another `sys.stdout` in place for each message that it
writes. It writes many while it compiles, in any thread, so what others print would be lost.
"""

# Not `signal`, which takes milliseconds to give names to what is in here.
import _signal  # type: ignore[import-not-found]
import os
import sys


def _is_command() -> bool:
    """Tell whether this process was started as the command, not by a program that imports us."""
    words = sys.orig_argv
    if "-m" in words and words[words.index("-m") + 1 :][:1] == ["seedfolio"]:
        return True
    return sys.argv[0].rpartition("/")[2] == "seedfolio"


if _is_command() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)

os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")
