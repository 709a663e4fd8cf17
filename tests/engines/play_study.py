"""Play a square matrix of an external engine into a study: `play_study.py FILE STUDY ARMS`.

A process of its own, for tests that kill it.
"""

import sys
from pathlib import Path

from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.program import load_engine_program
from seedfolio.study.arms import TrainingArms
from seedfolio.study.session import Session
from seedfolio.study.store import Study


def main(file, study, arms):
    program = load_engine_program(file)
    seeds = TrainingArms(0, int(arms)).seeds()
    with Study.open(Path(study), program.identity()) as opened:
        archive = opened.engine_games()
        with ProcessArena(program, games=2, remember=True, archive=archive) as arena:
            Session(opened, arena, program).results([(seeds, seeds)], "games")


if __name__ == "__main__":
    main(*sys.argv[1:])
