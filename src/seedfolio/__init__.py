"""Seedfolio: make any randomized game program stronger by learning which seeds to play.

All that the commands do, and what a game or a player of one's own needs. The names below are loaded
when first used, so that `import seedfolio` is quick.
"""

from __future__ import annotations

import seedfolio.start  # noqa: F401  # isort: skip  # first of all
from importlib import import_module
from typing import TYPE_CHECKING, Any

from seedfolio.version import __version__

if TYPE_CHECKING:
    from seedfolio.analysis.game_checkup import GameCheckup
    from seedfolio.analysis.learner_checkup import LearnerCheckup
    from seedfolio.arena.cuda.arena import CudaArena
    from seedfolio.arena.processes import ProcessArena
    from seedfolio.arena.ray.arena import RayArena
    from seedfolio.arena.threads import ThreadArena
    from seedfolio.boosting.boost import boost
    from seedfolio.boosting.checkup import Checkup, check
    from seedfolio.boosting.compare import compare
    from seedfolio.boosting.cross_validation import CrossValidation, cross_validate
    from seedfolio.boosting.equilibrium import StudyEquilibrium
    from seedfolio.boosting.learn import LearntMatrix, learn
    from seedfolio.boosting.look import (
        export,
        forfeits,
        list_games,
        list_learners,
        list_players,
        new_game,
        new_learner,
        new_player,
        show,
    )
    from seedfolio.boosting.online import Online, online
    from seedfolio.boosting.plan import Planned, plan
    from seedfolio.boosting.results import Boost, Comparison
    from seedfolio.boosting.tune import Tuned, tune
    from seedfolio.boosting.verdict import Verdict
    from seedfolio.conformance.check import check_game
    from seedfolio.conformance.report import ConformanceError
    from seedfolio.core.bits import bit_sets
    from seedfolio.core.compiler import compiled
    from seedfolio.core.randomness import below, mix, move_key, simulation_key
    from seedfolio.core.trust import trusting
    from seedfolio.core.words import select
    from seedfolio.errors import (
        ClusterError,
        CudaError,
        EngineError,
        EquilibriumError,
        PortfolioError,
        SeedfolioError,
        SpecificationError,
        StudyError,
    )
    from seedfolio.evaluation.exploiters import Estimate
    from seedfolio.games import load_game
    from seedfolio.games.board import Board, Panel, mirrors, permutation, square_symmetries
    from seedfolio.games.hex.board import HexBoard, hexagon_symmetries
    from seedfolio.games.kind import game
    from seedfolio.games.rules import CHANCE, Parts, Repetition, Rules, StaticEvaluation, Symmetry
    from seedfolio.learning.solvers.equilibrium import Equilibrium, nash
    from seedfolio.matches.adapt import adapt
    from seedfolio.matches.exploit import Exploit, exploit
    from seedfolio.matches.match import match
    from seedfolio.matches.replay import Record, replay
    from seedfolio.matches.result import Match
    from seedfolio.matches.worth import Worth, worth
    from seedfolio.opponents.adaptive import AdaptiveFile
    from seedfolio.opponents.load import load_boosted
    from seedfolio.opponents.opponent import Opponent
    from seedfolio.papers.experiment import Outcome
    from seedfolio.papers.run import list_experiments, reproduce
    from seedfolio.people.blind.trial import BlindTrial
    from seedfolio.people.teach import teach
    from seedfolio.players import load_player
    from seedfolio.players.interface import Bound, Player
    from seedfolio.players.program import Program
    from seedfolio.portfolios.file import PortfolioFile, load_portfolio
    from seedfolio.portfolios.schema import portfolio_schema
    from seedfolio.programs.load import load_program
    from seedfolio.protocols.open_spiel import as_open_spiel_bot
    from seedfolio.protocols.serve import gtp, play, uci
    from seedfolio.report.books.polyglot import polyglot_book
    from seedfolio.report.books.show import ShownBook, show_book
    from seedfolio.report.table import Row
    from seedfolio.study.store import Study
    from seedfolio.web.application import create_app
    from seedfolio.web.serve import serve_web
    from seedfolio.web.settings import Settings

_HOMES = {
    "analysis.learner_checkup": ("LearnerCheckup",),
    "arena.cuda.arena": ("CudaArena",),
    "arena.processes": ("ProcessArena",),
    "arena.ray.arena": ("RayArena",),
    "arena.threads": ("ThreadArena",),
    "boosting.boost": ("boost",),
    "boosting.checkup": (
        "Checkup",
        "check",
    ),
    "boosting.compare": ("compare",),
    "boosting.cross_validation": (
        "CrossValidation",
        "cross_validate",
    ),
    "boosting.equilibrium": ("StudyEquilibrium",),
    "analysis.game_checkup": ("GameCheckup",),
    "boosting.learn": (
        "LearntMatrix",
        "learn",
    ),
    "boosting.look": (
        "export",
        "forfeits",
        "list_games",
        "list_learners",
        "list_players",
        "new_game",
        "new_learner",
        "new_player",
        "show",
    ),
    "boosting.online": (
        "Online",
        "online",
    ),
    "boosting.plan": (
        "Planned",
        "plan",
    ),
    "boosting.results": (
        "Boost",
        "Comparison",
    ),
    "boosting.verdict": ("Verdict",),
    "conformance.check": ("check_game",),
    "conformance.report": ("ConformanceError",),
    "core.bits": ("bit_sets",),
    "core.compiler": ("compiled",),
    "core.randomness": (
        "below",
        "mix",
        "move_key",
        "simulation_key",
    ),
    "core.trust": ("trusting",),
    "core.words": ("select",),
    "errors": (
        "ClusterError",
        "CudaError",
        "EngineError",
        "EquilibriumError",
        "PortfolioError",
        "SeedfolioError",
        "SpecificationError",
        "StudyError",
    ),
    "evaluation.exploiters": ("Estimate",),
    "games": ("load_game",),
    "games.board": (
        "Board",
        "Panel",
        "mirrors",
        "permutation",
        "square_symmetries",
    ),
    "games.hex.board": (
        "HexBoard",
        "hexagon_symmetries",
    ),
    "games.kind": ("game",),
    "games.rules": (
        "CHANCE",
        "Parts",
        "Repetition",
        "Rules",
        "StaticEvaluation",
        "Symmetry",
    ),
    "learning.solvers.equilibrium": (
        "Equilibrium",
        "nash",
    ),
    "matches.adapt": ("adapt",),
    "matches.exploit": (
        "Exploit",
        "exploit",
    ),
    "matches.match": ("match",),
    "matches.replay": (
        "Record",
        "replay",
    ),
    "matches.result": ("Match",),
    "boosting.tune": (
        "Tuned",
        "tune",
    ),
    "matches.worth": (
        "Worth",
        "worth",
    ),
    "opponents.adaptive": ("AdaptiveFile",),
    "opponents.load": ("load_boosted",),
    "opponents.opponent": ("Opponent",),
    "papers.experiment": ("Outcome",),
    "papers.run": (
        "list_experiments",
        "reproduce",
    ),
    "people.blind.trial": ("BlindTrial",),
    "people.teach": ("teach",),
    "players": ("load_player",),
    "players.interface": (
        "Bound",
        "Player",
    ),
    "players.program": ("Program",),
    "portfolios.file": (
        "PortfolioFile",
        "load_portfolio",
    ),
    "portfolios.schema": ("portfolio_schema",),
    "programs.load": ("load_program",),
    "protocols.open_spiel": ("as_open_spiel_bot",),
    "protocols.serve": (
        "gtp",
        "play",
        "uci",
    ),
    "report.books.polyglot": ("polyglot_book",),
    "report.books.show": (
        "ShownBook",
        "show_book",
    ),
    "report.table": ("Row",),
    "study.store": ("Study",),
    "web.application": ("create_app",),
    "web.serve": ("serve_web",),
    "web.settings": ("Settings",),
}
"""By module: the public names that it holds."""
_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "CHANCE",
    "AdaptiveFile",
    "BlindTrial",
    "Board",
    "Boost",
    "Bound",
    "Checkup",
    "ClusterError",
    "Comparison",
    "ConformanceError",
    "CrossValidation",
    "CudaArena",
    "CudaError",
    "EngineError",
    "Equilibrium",
    "EquilibriumError",
    "Estimate",
    "Exploit",
    "GameCheckup",
    "HexBoard",
    "LearnerCheckup",
    "LearntMatrix",
    "Match",
    "Online",
    "Opponent",
    "Outcome",
    "Panel",
    "Parts",
    "Planned",
    "Player",
    "PortfolioError",
    "PortfolioFile",
    "ProcessArena",
    "Program",
    "RayArena",
    "Record",
    "Repetition",
    "Row",
    "Rules",
    "SeedfolioError",
    "Settings",
    "ShownBook",
    "SpecificationError",
    "StaticEvaluation",
    "Study",
    "StudyEquilibrium",
    "StudyError",
    "Symmetry",
    "ThreadArena",
    "Tuned",
    "Verdict",
    "Worth",
    "__version__",
    "adapt",
    "as_open_spiel_bot",
    "below",
    "bit_sets",
    "boost",
    "check",
    "check_game",
    "compare",
    "compiled",
    "create_app",
    "cross_validate",
    "exploit",
    "export",
    "forfeits",
    "game",
    "gtp",
    "hexagon_symmetries",
    "learn",
    "list_experiments",
    "list_games",
    "list_learners",
    "list_players",
    "load_boosted",
    "load_game",
    "load_player",
    "load_portfolio",
    "load_program",
    "match",
    "mirrors",
    "mix",
    "move_key",
    "nash",
    "new_game",
    "new_learner",
    "new_player",
    "online",
    "permutation",
    "plan",
    "play",
    "polyglot_book",
    "portfolio_schema",
    "replay",
    "reproduce",
    "select",
    "serve_web",
    "show",
    "show_book",
    "simulation_key",
    "square_symmetries",
    "teach",
    "trusting",
    "tune",
    "uci",
    "worth",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'seedfolio' has no attribute {name!r}")
    return getattr(import_module(f"seedfolio.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    return __all__
