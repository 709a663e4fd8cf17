"""Looking into files: what a study found, what a portfolio holds, the matrix of a study."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from seedfolio.arena import no_note
from seedfolio.boosting.equilibrium import StudyEquilibrium, study_equilibrium
from seedfolio.boosting.results import (
    Boost,
    Comparison,
    Results,
    saved_boost,
    saved_comparison,
    study_of,
)
from seedfolio.boosting.saved import has_result, requests_of, saved_title
from seedfolio.boosting.session import read_study
from seedfolio.core.files import let_owner_use
from seedfolio.core.program_files import is_portfolio_name
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games import game_kinds
from seedfolio.learning.registry import LEARNERS
from seedfolio.opponents.adaptive import AdaptiveFile, is_adaptive, read_adaptive
from seedfolio.players import PLAYERS
from seedfolio.portfolios.file import PortfolioFile, load_portfolio
from seedfolio.report.plots.figures import picture_format
from seedfolio.report.records.study import Forfeit, export_games
from seedfolio.report.records.study import forfeits as all_forfeits
from seedfolio.study.arms import exported_arms
from seedfolio.study.export import export_csv, export_npz
from seedfolio.study.store import Study

_LARGEST = 25_000
"""Rows and columns of an exported matrix: it is made in memory."""


def show(
    file: str | Path | Study | Results,
    *,
    plot_seeds: str | Path | None = None,
    plot_k: str | Path | None = None,
    plot_kinds: str | Path | None = None,
) -> Boost | Comparison | StudyEquilibrium | PortfolioFile | AdaptiveFile:
    """Return what a study found, or what a portfolio file (.json) holds. Nothing is run.

    The result of a study has methods `plot_seeds`, `plot_k` and `plot_kinds`, which return the
    figures. A study that was not boosted has the last result of `compare`; without one, the
    equilibrium of the arms that all met. In place of a file it takes a study that is open, or what
    `boost` returned.

    Args:
        file: A study, a portfolio file, or the file of an adaptive program.
        plot_seeds: Draw how much seeds differ: a .png or .svg file.
        plot_k: Draw success against K: a .png or .svg file.
        plot_kinds: Draw what each of several players has against each, and how often learners draw
            it: a .png or .svg file.

    >>> from seedfolio import boost, show
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> [row.name for row in show("a.study").rows][-1]
    'sparse-nash'
    >>> show(boosted.save_portfolios()["nash"]).learner
    'nash'
    """
    source = study_of(file)
    path = None if isinstance(source, Study) else Path(source)
    if path is not None and is_portfolio_name(path):
        if plot_seeds or plot_k or plot_kinds:
            raise SpecificationError(f"plots are made from a study, and {path} is a portfolio")
        return read_adaptive(path) if is_adaptive(path) else load_portfolio(path)
    for picture in (plot_seeds, plot_k, plot_kinds):
        if picture is not None:
            picture_format(Path(picture))  # refuses an unknown one before anything is computed
    drawn = any((plot_seeds, plot_k, plot_kinds))
    with read_study(source) as study:
        found = saved_boost(study) if drawn or has_result(study) else _unboosted(study)
    if not isinstance(found, Boost):
        return found
    if path is not None:
        found = replace(found, study=path)  # as the user wrote it
    if plot_seeds:
        found.plot_seeds(plot_seeds)
    if plot_k:
        found.plot_k(plot_k)
    if plot_kinds:
        found.plot_kinds(plot_kinds)
    return found


def _unboosted(study: Study) -> Comparison | StudyEquilibrium:
    """Return the last comparison, or what the arms say that all met; StudyError without both."""
    compared = saved_comparison(study)
    return compared or study_equilibrium(study, saved_title(study), (), {})


def export(
    study: str | Path | Study | Results, to: str | Path, *, note: Callable[[str], None] = no_note
) -> int:
    """Write the training matrix of a study as .csv or .npz; return how many cells were played.

    Cells are half points of the first player: 2 for each game that it wins. Those that were not
    played are left empty, in NPZ 255. For the study of an external engine, a folder gets
    every game, in Go as SGF, and their number is returned.

    Args:
        study: A study file.
        to: Where to: a .csv or .npz file; a folder for the games of engines.
        note: Receives a line on what was written.

    >>> from seedfolio import boost, export
    >>> boosted = boost("domineering:4x4", "uct:simulations=5", k=8, opponents=17, study="a.study")
    >>> export("a.study", "matrix.csv")
    64
    """
    target = Path(to)
    writers = {".csv": export_csv, ".npz": export_npz}
    if target.suffix and target.suffix not in writers:
        raise SpecificationError(f"{target} ends in neither .csv nor .npz")
    with read_study(study_of(study)) as opened:
        if not target.suffix:
            games = export_games(opened, target)
            note(f"wrote {games:,} games to {target}")
            return games
        # What was asked last, whether or not it has been completed; a matrix, if one was.
        requests = requests_of(opened)
        if not requests:
            raise StudyError(f"{opened.path} has no matrix; make one with seedfolio boost")
        request = ([each for each in requests if each.budget is None] or requests)[-1]
        if not 1 <= request.k <= _LARGEST:
            raise SpecificationError(
                f"{opened.path} has {request.k:,} seeds, and an exported matrix {_LARGEST:,}"
            )
        rows, columns = exported_arms(opened, request.k, request.kt)
        cells = writers[target.suffix](opened, rows, columns, target)
        note(f"wrote {target}: {len(rows):,} x {len(columns):,} seeds, {cells:,} cells played")
        return cells


def forfeits(study: str | Path | Study | Results) -> list[Forfeit]:
    """Return the games of an external engine that were lost by a fault of an engine.

    With the files of docs/boost-your-engine.md:

    >>> from seedfolio import boost, forfeits
    >>> boosted = boost("bot.toml", k=2, opponents=17, learners="best-seed", study="bot.study")
    >>> forfeits(boosted)
    []
    """
    with read_study(study_of(study)) as opened:
        return all_forfeits(opened)


def list_games() -> list[dict[str, Any]]:
    """Return the built-in games, each with the player that `boost` takes where none is named.

    >>> from seedfolio import list_games
    >>> [each["name"] for each in list_games()][:3]
    ['domineering', 'atari-go', 'breakthrough']
    >>> list_games()[0]["parameters"]
    {'rows': 7, 'columns': 7}
    """
    return [
        {
            "name": game.name,
            "written": game.text,
            "version": game.version,
            # Also what a game does not name while it has its usual value; a game for more than two
            # also takes a seat.
            "parameters": {**kind.defaults, **game.parameters}
            | ({"seat": None} if "players" in kind.defaults else {}),
            "player": game.rules.player,
            "summary": kind.summary,
        }
        for kind in game_kinds()
        for game in [kind()]
    ]


def list_players() -> list[dict[str, Any]]:
    """Return the built-in players.

    >>> from seedfolio import list_players
    >>> [each["name"] for each in list_players()][:3]
    ['uct', 'flat', 'table']
    >>> list_players()[0]["parameters"]
    {'simulations': 100, 'exploration': '1.4', 'leaf': 'playout'}
    """
    return [
        {
            "name": name,
            "written": kind().text,
            "version": kind.version,
            "parameters": {**vars(kind()), **kind().parameters},
            "summary": kind.summary,
        }
        for name, kind in PLAYERS.items()
    ]


def list_learners() -> list[dict[str, Any]]:
    """Return the learners, each with its parameters and their defaults.

    >>> from seedfolio import list_learners
    >>> [each["name"] for each in list_learners()][:3]
    ['auto', 'nash', 'sparse-nash']
    >>> list_learners()[0]["parameters"]
    {'exploiters': 0, 'arms': 0, 'book': -1}
    """
    return [
        {
            "name": name,
            "games": "a matrix" if entry.takes_matrix else "of its choice",
            "parameters": entry.parameters,
            "summary": entry.summary,
        }
        for name, entry in LEARNERS.items()
    ]


def new_game(path: str | Path) -> Path:
    """Write a small complete game, with comments that say what to change; return the path.

    Never overwrites a file.

    Args:
        path: The file to write: my_game.py.

    >>> from seedfolio import load_game, new_game
    >>> load_game(new_game("my_game.py")).title
    'my-game 4x4'
    """
    return _write(Path(path), "game")


def new_player(path: str | Path) -> Path:
    """Write a small complete player, with comments that say what to change; return the path.

    Never overwrites a file.

    Args:
        path: The file to write: my_player.py.

    >>> from seedfolio import load_player, new_player
    >>> load_player(str(new_player("my_player.py"))).text
    'my_player.py:games=5'
    """
    return _write(Path(path), "player")


def new_learner(path: str | Path, *, chooses: bool = False) -> Path:
    """Write a small complete learner, with comments that say what to change; return the path.

    Never overwrites a file.

    Args:
        path: The file to write: my_learner.py.
        chooses: Write one that chooses its games, not one that takes a matrix.

    >>> from seedfolio import check, new_learner
    >>> check(new_learner("my_learner.py")).passed
    True
    """
    return _write(Path(path), "choosing" if chooses else "learner")


def _write(path: Path, kind: str) -> Path:
    if path.suffix != ".py":
        raise SpecificationError(f"{path} is not a name for a {kind} file; end it with .py")
    text = (files("seedfolio") / "templates" / f"{kind}.py.txt").read_text(encoding="utf-8")
    name = re.sub(r"[^a-z0-9]+", "-", path.stem.lower()).strip("-") or f"my-{kind}"
    text = text.replace("NAME", name).replace("FILE", path.name)
    try:
        with path.open("x", encoding="utf-8") as file:
            let_owner_use(file.fileno())
            file.write(text)
    except FileExistsError:
        raise SpecificationError(f"{path} exists already; choose another name") from None
    except OSError as error:
        raise SpecificationError(f"cannot write {path}: {error.strerror}") from error
    return path
