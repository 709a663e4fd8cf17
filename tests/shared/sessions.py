"""Sessions in memory, and an arena and a progress that count."""

from contextlib import contextmanager

from seedfolio import Study, ThreadArena
from seedfolio.arena import Silent
from seedfolio.study.session import Session


def session_for(program, arena=None, progress=None):
    """A session of an empty study in memory; one thread plays unless an arena is given."""
    study = Study.temporary(program.identity())
    return Session(study, arena or ThreadArena(1), program, progress or Silent())


@contextmanager
def session_in(folder, program, arena=None):
    with Study.open(folder / "a.study", program.identity()) as study:
        yield Session(study, arena or ThreadArena(1), program)


class Counting:
    def __init__(self, most=10**9, block=None):
        self.cells, self.most = 0, most
        self._arena = ThreadArena(1) if block is None else ThreadArena(1, block=block)

    def play(self, program, rows, columns):
        for block in self._arena.play(program, rows, columns):
            if self.cells + len(block.rows) > self.most:
                raise KeyboardInterrupt
            self.cells += len(block.rows)
            yield block


class Whole(Silent):
    def __init__(self):
        self.done, self.told = 0, []

    def advance(self, cells):
        self.done += cells

    def expect(self, total, text):
        self.told.append((total, text))


class Bar(Silent):
    def __init__(self):
        self.tasks, self.done, self.ended = [], 0, 0

    def begin(self, task, total):
        self.tasks.append((task, total))

    def advance(self, cells):
        self.done += cells

    def end(self):
        self.ended += 1
