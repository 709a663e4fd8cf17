"""Whole commands that are fuzzed, on files of a program that can play: see `stranger_host`."""

import contextlib
import io
import json
import os
import sys
from functools import cache

from file_targets import portfolios, study
from judging import WORDS, at, commands
from mutations import bytes_from, data_from, json_of, text_from
from stranger_host import prepare
from text_targets import lines_of

GAME = ("domineering:4x4", "-p", "uct:simulations=5")
FILE = "file.json"
ON_PORTFOLIOS, ON_WORDS = commands("commands_on_portfolios"), commands("commands_on_words")
ON_STUDIES = [["show", FILE], ["show", FILE, "--equilibrium"], ["show", FILE, "--json"]]
ARMS = WORDS["arms"]


def command(draw):
    """Return a command, its file, and what is typed, as an input of `stranger_targets`."""
    kind, content, typed = draw.random(), b"", b""
    if kind < 0.55:
        words, content = [*draw.choice(ON_PORTFOLIOS)], changed_portfolio(draw)
        typed = lines_of("typed_to_play" if words[0] == "play" else "uci")(draw)
    elif kind < 0.75:
        words, content = [*draw.choice(ON_STUDIES)], study(draw)
    elif kind < 0.9:
        words = [*draw.choice(ON_WORDS)]
        typed = lines_of("typed_to_play" if words[0] == "play" else words[0])(draw)
        typed = bytes_from(draw, typed) if draw.random() < 0.5 else typed
    else:
        words = ["replay", *GAME, "--", draw.choice(ARMS), text_from(draw, ARMS, 2)]
    if draw.random() < 0.2:
        at_word = draw.randrange(len(words))
        changed = text_from(draw, [words[at_word]], 2).replace("\0", "")
        # As a shell hands it on: bytes, of which Python escapes those that are no text.
        words[at_word] = os.fsdecode(changed.encode("utf-8", "surrogatepass"))
    files = {FILE: {"latin": content.decode("latin-1")}}
    return json.dumps({"files": files, "words": words, "latin": typed.decode("latin-1")}).encode()


def changed_portfolio(draw):
    """Return a changed portfolio of the same program: others would have to be compiled."""
    if draw.random() < 0.2:
        return bytes_from(draw, draw.choice(portfolios()))
    whole = json.loads(draw.choice(portfolios()))
    changed = data_from(draw, whole)
    if isinstance(changed, dict):
        changed |= {name: whole[name] for name in ("game", "player")}
    return json_of(changed)


@cache
def warm():
    """Compile what the commands need: run each in this process, unchanged."""
    from seedfolio.cli import run

    prepare()
    files = [at(f"warm-{number}.json") for number in range(len(portfolios()))]
    for file, content in zip(files, portfolios(), strict=True):
        file.write_bytes(content)
    on_files = [[w.replace(FILE, str(f)) for w in words] for f in files for words in ON_PORTFOLIOS]
    replays = [["replay", *GAME, "--", *arms] for arms in (("195", "7/3"), ("0", "1"))]
    for words in [*on_files, *ON_WORDS, *replays]:
        sys.stdin, before = io.StringIO("undo\nquit\n"), sys.stdin
        silent = io.StringIO()
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            run(words)
        sys.stdin = before
