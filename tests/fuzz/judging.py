"""What every target uses: places for files, and the judgement of a command."""

import io
import json
import os
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from seedfolio.cli import run
from seedfolio.core.plain_text import plain

TESTS = Path(__file__).parents[1]
CORPUS = Path(__file__).parent / "corpus"
"""Inputs that once went wrong, by target; each is tried in every run."""
WORDS = json.loads(Path(__file__).with_name("words.json").read_text())
"""Words of inputs, by what they are for."""
OLD = TESTS / "book" / "old_files"
MOST_SECONDS = 10
FOLDER = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path()
"""For files that are written for each input."""
PREFIX = "seedfolio-fuzz-"


def at(name, process=0):
    return FOLDER / f"{PREFIX}{process or os.getpid()}-{name}"


def quietly(*words):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([*words])
    assert code in (0, 2, 130), (words, code)
    said = out.getvalue() + err.getvalue()
    assert plain(said) == said, words
    assert code == 0 or err.getvalue().count("\n") == 1, (words, err.getvalue())


def commands(name):
    return [text.split() for text in WORDS[name]]
