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
_START = """
import sys
sys.path[:] = {folders!a}
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
found = PathFinder.find_spec("seedfolio", [{home!a}])
sys.modules["seedfolio"] = module_from_spec(found)
found.loader.exec_module(sys.modules["seedfolio"])
"""
"""Its last lines load this very package, wherever else there is one."""


def isolated(code: str, *words: str) -> list[str]:
    """Return the command that runs Python code in a new process; `words` are its `sys.argv[1:]`.

    The process finds every module where this one does, apart from the current folder. `code` may
    use `sys`.
    """
    # -I ignores PYTHONPATH and the user's own site-packages, in which our package or what it needs
    # may be, so their folders are named here. In PYTHONPATH an empty name is the current folder.
    start = _START.format(folders=_folders(), home=str(_HOME))
    return [sys.executable, "-I", "-c", f"{start}{code}", *words]


def _folders() -> list[str]:
    """Return where this process finds modules, without the current folder."""
    try:
        current = Path.cwd().resolve()
    except OSError:  # it is gone
        current = None
    found = (each for each in sys.path if os.path.isabs(each))  # noqa: PTH117 - none is a Path
    return [each for each in found if Path(each).resolve() != current]
