"""GNU Go with Monte Carlo on 5x5, boosted: the first step of the experiments on transfer."""

from __future__ import annotations

from seedfolio.boosting.boost import complete
from seedfolio.boosting.request import Request
from seedfolio.boosting.results import Boost
from seedfolio.engines.program import EngineProgram
from seedfolio.papers.engine_experiment import open_engine
from seedfolio.papers.experiment import Setting
from seedfolio.papers.gnu_go import gnu_go, monte_carlo

BOARD, KOMI = 5, 6.5
"""As in the paper."""
SIZES = {"k": 32, "opponents": 32, "simulations": 400}
"""Its numbers; the paper has 400 simulations as well."""
PAPER_SIZES = {"k": 100, "opponents": 100}
LEARNERS = ("best-seed", "nash", "best-half")


def small_gnu_go(simulations: int) -> EngineProgram:
    """Return the program that is boosted."""
    return gnu_go(BOARD, KOMI, monte_carlo(simulations))


def boosted_gnu_go(setting: Setting) -> Boost:
    """Boost it with `k` seeds of each colour, evaluated on `opponents` unseen seeds or more."""
    k = setting["k"]
    request = Request(k=k, kt=k, opponents=setting["opponents"], learners=LEARNERS)
    simulations = setting["simulations"]
    program = small_gnu_go(simulations)
    path = setting.folder / f"{program.name}-{simulations}.study"
    setting.run.note(f"boosting GNU Go on {BOARD}x{BOARD}")
    learners = request.check(program)
    with open_engine(program, path, setting.run) as session:
        outcome = complete(session, path, request, learners)
    outcome.save_portfolios()
    return outcome
