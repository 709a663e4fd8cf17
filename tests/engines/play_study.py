"""Play a square matrix of an external engine into a study: `play_study.py FILE STUDY ARMS`.

A process of its own, for tests that kill it.
"""

import sys
from pathlib import Path

from seedfolio.arena import Silent
from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.program import load_engine_program
from seedfolio.study.arms import TrainingArms
from seedfolio.study.session import play_missing
from seedfolio.study.store import Study


def main(file, study, arms):
    program = load_engine_program(file)
    seeds = TrainingArms(0, int(arms)).seeds()
    with Study.open(Path(study), program.identity()) as opened:
        archive = opened.engine_games()
        with ProcessArena(program, games=2, remember=True, archive=archive) as arena:
            play_missing(opened, arena, program, [(seeds, seeds)], "games", Silent())


if __name__ == "__main__":
    main(*sys.argv[1:])
