"""Where opponents fall into groups, the luck of few games makes exploiters look too strong.

python docs/examples/group_luck.py

Simulated: success against half of the opponents differs a little, and against the others it is
better. A quarter of all opponents lose nearly always.
"""

import numpy as np

from seedfolio.evaluation.exploiters import exploiter_success, mixture_successes

EXPLOITER, OPPONENTS, EXPERIMENTS = 16, 300, 20
KINDS = (
    ("groups", (0.57, 0.64, 0.75, 1.0), (0.54, 0.16, 0.06, 0.24)),
    ("one group", (0.57,), (1.0,)),
)
SPREAD = 0.03

random = np.random.default_rng(1)
print("           our arms   score  truth   (success in % at K'=16)")
for name, means, shares in KINDS:
    for arms in (64, 256, 1024):
        scores, truths = [], []
        for _ in range(EXPERIMENTS):
            chance = random.choice(means, OPPONENTS, p=shares)
            chance = np.clip(chance + random.normal(0, SPREAD, OPPONENTS), 0, 1)
            games = random.random((arms, OPPONENTS)) < chance
            scores.append(mixture_successes(games.astype(float), [EXPLOITER])[0].mean)
            truths.append(exploiter_success(chance, EXPLOITER).mean)
        print(f"{name:10} {arms:9}  {100 * np.mean(scores):5.1f}  {100 * np.mean(truths):5.1f}")
