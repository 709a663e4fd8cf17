"""Run a command that gets a signal at an event, not after a time:

python ended_at_event.py [--cells N] before|after EVENT NUMBER SIGNAL -- ARGUMENTS OF SEEDFOLIO

A script takes the place of `seedfolio` where the first argument ends with .py. The signal comes
right before or right after the event has happened NUMBER times. Events:

* record: cells are recorded in the study, at most N (100) at a time, whatever the machine's speed;
* commit: a transaction of a file is about to end (only `before`);
* game: a game is added to the record of a match;
* save: a text is saved in the study;
* rename: a file that was written takes its place;
* import: a module is imported (only `before`).

A command that ends without its event ends with code 99.
"""

import argparse
import importlib.abc
import os
import runpy
import signal
import sqlite3
import sys
from pathlib import Path

NEVER_CAME = 99
EVENTS = ("record", "game", "commit", "save", "rename", "import")


class Countdown:
    """Sends the signal when the event has happened often enough."""

    def __init__(self, moment, number, sent):
        self.moment, self.left, self.sent = moment, number, sent

    def happens(self, moment):
        if moment == self.moment and self.left > 0:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), self.sent)

    def around(self, function):
        def event(*arguments, **options):
            self.happens("before")
            returned = function(*arguments, **options)
            self.happens("after")
            return returned

        return event


class Imports(importlib.abc.MetaPathFinder):
    """Finds nothing, and counts what is looked for."""

    def __init__(self, countdown):
        self.countdown = countdown

    def find_spec(self, name, path, target=None):
        self.countdown.happens("before")


def in_pieces(record, most):
    """Return `Study.record` for any number of cells, of which `record` gets a few at a time."""

    def record_all(study, rows, columns, results, **options):
        for first in range(0, len(rows), most):
            piece = slice(first, first + most)
            record(study, rows[piece], columns[piece], results[piece], **options)

    return record_all


def traced(connect, countdown):
    def connect_and_trace(*arguments, **options):
        def trace(statement):
            nonlocal writes
            if statement == "COMMIT" and writes:
                countdown.happens("before")
            writes = statement not in ("COMMIT", "ROLLBACK")

        writes = False
        connection = connect(*arguments, **options)
        connection.set_trace_callback(trace)
        return connection

    return connect_and_trace


def prepare(event, countdown, cells):
    """Put the event under watch. Modules are imported as late as in a command without it."""
    if event == "import":
        sys.meta_path.insert(0, Imports(countdown))
    elif event == "rename":
        Path.replace = countdown.around(Path.replace)
    elif event == "commit":
        sqlite3.connect = traced(sqlite3.connect, countdown)
    elif event == "game":
        from seedfolio.matches.record import MatchRecord

        MatchRecord.add = countdown.around(MatchRecord.add)
    else:
        from seedfolio.study.store import Study

        if event == "save":
            Study._save = countdown.around(Study._save)
        else:
            Study.record = in_pieces(countdown.around(Study.record), cells)


def main():
    split = sys.argv.index("--")
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=100)
    parser.add_argument("moment", choices=("before", "after"))
    parser.add_argument("event", choices=EVENTS)
    parser.add_argument("number", type=int)
    parser.add_argument("signal")
    asked = parser.parse_args(sys.argv[1:split])
    words = sys.argv[split + 1 :]
    countdown = Countdown(asked.moment, asked.number, signal.Signals[asked.signal])
    if words[0].endswith(".py"):
        sys.argv = words
        prepare(asked.event, countdown, asked.cells)
        runpy.run_path(words[0], run_name="__main__")
        code = 0
    else:
        from seedfolio.__main__ import main as seedfolio

        sys.argv = ["seedfolio", *words]
        prepare(asked.event, countdown, asked.cells)
        code = seedfolio()
    if countdown.left:
        print(f"ended with code {code}, {countdown.left} events too early", file=sys.stderr)
        code = NEVER_CAME
    sys.exit(code)


if __name__ == "__main__":
    main()
