"""How the luck of a sample of seeds lowers the score of their mixture, and its correction.

seedfolio reproduce table3 --board domineering:9x9
python docs/examples/mixture_luck.py studies/table3/domineering-9x9.study

Of a smaller study, the numbers of seeds and of unseen opponents follow (1000 and 100).
"""

import sys
from pathlib import Path

import numpy as np

from seedfolio import Study
from seedfolio.evaluation.exploiters import exploiter_success, mixture_successes
from seedfolio.evaluation.unseen import arm_success
from seedfolio.study.arms import TrainingArms, UnseenArms

EXPLOITER = 16

path, *sizes = sys.argv[1:]
seeds, opponents = (int(size) for size in sizes or (1000, 100))
with Study.read(Path(path)) as study:
    arms, unseen = TrainingArms(0, seeds).seeds(), UnseenArms(0, opponents)
    colours = [arm_success(study, arms, unseen, colour) for colour in (0, 1)]
print("seeds  plain  corrected   (success in % at K'=16, mean over groups of seeds)")
for part in (16, 8, 4, 2, 1):
    size = seeds // part
    groups = [m[k : k + size] for m in colours for k in range(0, seeds + 1 - size, size)]
    plain = np.mean([exploiter_success(group.mean(axis=0), EXPLOITER).mean for group in groups])
    corrected = np.mean([mixture_successes(group, [EXPLOITER])[0].mean for group in groups])
    print(f"{size:5}  {100 * plain:5.1f}  {100 * corrected:9.1f}")
