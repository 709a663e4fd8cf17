"""The first moments of the command `seedfolio`, before it can answer an interrupt with a line.

Python prints a traceback if Ctrl-C comes while modules load. Until `__main__.main` answers signals,
the system's own answer is better: the process ends, and its shell knows why.
"""

import signal
import sys


def _is_command() -> bool:
    """Tell whether this process was started as the command, not by a program that imports us."""
    words = sys.orig_argv
    if "-m" in words and words[words.index("-m") + 1 :][:1] == ["seedfolio"]:
        return True
    return sys.argv[0].rpartition("/")[2] == "seedfolio"


if _is_command() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
