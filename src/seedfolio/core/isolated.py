"""Starting Python so that it runs our package, and nothing that lies in the current folder.

Python looks for modules in the current folder first if it starts with -m or -c. A stranger's folder
may have a `subprocess.py` or a `seedfolio` in it.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_HOME = Path(__file__).parents[2]
"""The folder with our package; not resolved, as the package may be a link."""


def isolated(code: str, *words: str) -> list[str]:
    """Return the command that runs Python code in a new process; `words` are its `sys.argv[1:]`.

    The process finds every module where this one does, apart from the current folder, and Python's
    own modules before all others.
    """
    # -I ignores PYTHONPATH and the user's own site-packages, in which our package or what it needs
    # may be, so their folders follow by name. In PYTHONPATH an empty name is the current folder.
    return [sys.executable, "-I", "-c", f"import sys; sys.path += {_folders()!a}\n{code}", *words]


def _folders() -> list[str]:
    try:
        current = Path.cwd().resolve()
    except OSError:  # it is gone
        current = None
    others = (each for each in sys.path if os.path.isabs(each))  # noqa: PTH117 - none is a Path
    outside = [each for each in others if Path(each).resolve() != current]
    return [*dict.fromkeys([str(_HOME), *outside])]
