"""The command line in this process: what a real process prints, without the start of one."""

import io
import sys
from contextlib import chdir, contextmanager, redirect_stderr, redirect_stdout
from subprocess import CompletedProcess

from seedfolio.__main__ import main


@contextmanager
def _typed(words, text):
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = ["seedfolio", *words], io.StringIO(text)
    try:
        yield
    finally:
        sys.argv, sys.stdin = before


def seedfolio(*arguments, cwd, text=""):
    words = [*map(str, arguments)]
    out, err = io.StringIO(), io.StringIO()
    with chdir(cwd), _typed(words, text), redirect_stdout(out), redirect_stderr(err):
        code = main()
    return CompletedProcess(words, code, out.getvalue(), err.getvalue())
