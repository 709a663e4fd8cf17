"""A near equilibrium of a matrix that is too large for an exact one."""

from dataclasses import dataclass

from seedfolio.learning.learner import Certificate, in_range
from seedfolio.learning.matrix import MatrixLearner, Scores, Weights
from seedfolio.learning.solvers.regret_matching import regret_matching

_MOST_ITERATIONS = 10**6
_TRACE = 1e-3  # of the largest weight; smaller ones are left over from the first iterations


@dataclass(frozen=True)
class RegretMatching(MatrixLearner):
    """Draw arms as Nash does, but from an approximate equilibrium, in a fixed number of steps.

    Predictive regret matching+ with alternating updates and quadratic averaging (Farina, Kroer,
    Sandholm 2021). Costs K x Kt cells for each colour, and two products of the matrix with a vector
    an iteration, whatever the results: on 9000 x 900 arms two seconds, about as much as `nash`
    takes there at best. So it is for matrices on which `nash` is slow. The certificate brackets the
    value of the matrix game: against each opponent arm of the matrix success is at least its lower
    bound. The gap falls about as 1 / iterations. Other machines round differently, so they find
    other weights within the gap.
    """

    short = "regret-matching"

    iterations: int = 400

    def __post_init__(self) -> None:
        wanted = "regret-matching needs {} iterations"
        in_range(wanted, self.iterations, 1, _MOST_ITERATIONS, advice="try iterations=400")

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Weigh the arms as the row player on average did."""
        from threadpoolctl import threadpool_limits

        game = scores / full
        # One thread gives the same bits on any number of cores.
        with threadpool_limits(limits=1, user_api="blas"):
            row, column = regret_matching(game, self.iterations)
            row[row < _TRACE * row.max()] = 0.0
            row /= row.sum()
            lower, upper = float((row @ game).min()), float((game @ column).max())
        return Weights(row, Certificate(lower, upper))
