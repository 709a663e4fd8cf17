"""The first moments of the command `seedfolio`, before it can answer an interrupt with a line.

Python prints a traceback if Ctrl-C comes while modules load. Until `__main__.main` answers signals,
the system's own answer is better: the process ends, and its shell knows why.
"""

# Not `signal`, which takes milliseconds to give names to what is in here.
import _signal  # type: ignore[import-not-found]
import sys


def _is_command() -> bool:
    """Tell whether this process was started as the command, not by a program that imports us."""
    words = sys.orig_argv
    if "-m" in words and words[words.index("-m") + 1 :][:1] == ["seedfolio"]:
        return True
    return sys.argv[0].rpartition("/")[2] == "seedfolio"


if _is_command() and _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
