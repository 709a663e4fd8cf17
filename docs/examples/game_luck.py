"""How luck in the cells lowers an exploiter's score, and its correction.

python docs/examples/game_luck.py
"""

import numpy as np

from seedfolio import Study, ThreadArena, load_program
from seedfolio.evaluation.exploiters import fixed_arm_successes
from seedfolio.evaluation.luck import measure_luck
from seedfolio.study.arms import TrainingArms, UnseenArms
from seedfolio.study.session import Session

EXPLOITER = (16,)

seeds, unseen = TrainingArms(0, 60).seeds(), UnseenArms(0, 200).seeds()
print("game   games a cell  plain  corrected   (a fixed first player's success in % at K'=16)")
for game in ("morra", "pig"):
    for repeats in (4, 16, 127):
        program = load_program(game, repeats=repeats)
        with Study.temporary(program.identity()) as study:
            luck = measure_luck(Session(study, ThreadArena(), program))
        rows, columns = np.repeat(seeds, len(unseen)), np.tile(unseen, len(seeds))
        points, _ = program.play(rows, columns, program.workspace())
        cells = (points / program.full).reshape(len(seeds), len(unseen))
        noise = float(luck.noise(cells).mean())
        (plain,) = fixed_arm_successes(cells, EXPLOITER)
        (corrected,) = fixed_arm_successes(cells, EXPLOITER, noise)
        print(f"{game:<6} {repeats:12} {100 * plain.mean:6.1f} {100 * corrected.mean:10.1f}")
