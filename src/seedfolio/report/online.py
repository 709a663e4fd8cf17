"""Online play for people: the losing rate of UCBT over the games, as table, plot and data."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from seedfolio.analysis.online import Curve, OnlinePlay
from seedfolio.core.table import Italic, Table, percent
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.plots.figures import drawn_figure, panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_Rate = Literal["played", "settled"]

_TITLES: dict[_Rate, str] = {"played": "in play", "settled": "if it settles"}
_PLAYERS = ("first player", "second player")
_COLUMNS = 5  # more would not fit a terminal
_COLOURS = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


def meaning(play: OnlinePlay) -> str:
    """Return what online play shows and what it does not: a text below a table or a plot."""
    return (
        f"{play.variant} chooses among the first {play.arms} training seeds of its colour and "
        "learns from game to game which to play; its opponents were learnt from the same study. So "
        "this is learning against a known set of seeds: how well a portfolio resists an opponent "
        "that learns, and not success on unseen seeds."
    )


def how_to_read(play: OnlinePlay) -> str:
    """Return what the numbers of a table mean."""
    return (
        "Losing rates after that many games. In play: in the games since the last power of two. If "
        "it settles: with the arm of the best mean so far. A draw is half a loss. Least: with the "
        f"best of its arms. One fixed seed: mean over {len(play.fixed)} of them; one that changes: "
        f"another of these after every {play.change:,} games. ± is one standard error over "
        f"{play.repetitions} repetitions, which all have the same seeds, also where a book ends."
    )


def online_table(title: str, play: OnlinePlay) -> Table:
    """Return the table of one colour: losing rates in percent."""
    shown = _shown(len(play.games))
    rows: list[Sequence[str]] = []
    for rate, heading in _TITLES.items():
        rows.append([Italic(heading)])
        for curve in (*play.portfolios, play.fixed_mean, play.changing):
            rates = _rates(curve, rate)
            cells = [rates[mark].text for mark in shown]
            rows.append([f"  {curve.opponent}", *cells, percent(curve.least)])
        rows.append(())
    return Table(
        ["UCBT loses, in %", *(f"{play.games[mark]:,}" for mark in shown), "least"],
        rows,
        title=f"{title}: {play.variant} as {_PLAYERS[play.colour]}",
        caption=_caption(play),
        firm=True,
    )


def _caption(play: OnlinePlay) -> str:
    games = games_to_settle(play)
    found = "not found yet" if games is None else f"found within {games:,} games"
    return f"Its best answer to each of the {len(play.fixed)} fixed seeds is {found}."


def games_to_settle(play: OnlinePlay) -> int | None:
    """Return after how many games UCBT settles for good on a best arm against every single arm.

    None if it does not in some repetitions.
    """
    found = None
    for mark in reversed(range(len(play.games))):
        if any(curve.settled[mark].mean > curve.least + 1e-9 for curve in play.fixed):
            break
        found = play.games[mark]
    return found


def online_data(title: str, plays: Sequence[OnlinePlay]) -> dict[str, Any]:
    """Return the same as plain data, in fractions of 1; an error that is not known is None."""
    return {
        "title": title,
        "meaning": meaning(plays[0]),
        "players": [
            {
                "ucbt": _PLAYERS[play.colour],
                "variant": play.variant,
                "arms": play.arms,
                "repetitions": play.repetitions,
                "games": list(play.games),
                "portfolios": [_curve_data(curve) for curve in play.portfolios],
                "fixed": [_curve_data(curve) for curve in play.fixed],
                "fixed_mean": _curve_data(play.fixed_mean),
                "changing": _curve_data(play.changing),
                "change": play.change,
            }
            for play in plays
        ],
    }


def online_records(plays: Sequence[OnlinePlay]) -> list[dict[str, Any]]:
    """Return the curves as the rows of a frame, in fractions of 1: a row for each point."""
    return [
        {
            "ucbt": _PLAYERS[play.colour],
            "opponent": curve.opponent,
            "games": games,
            "loses": rate,
            "mean": estimate.mean,
            "error": estimate.error,
            "least": curve.least,
        }
        for play in plays
        for curve in (*play.portfolios, play.fixed_mean, play.changing)
        for rate in _TITLES
        for games, estimate in zip(play.games, _rates(curve, rate), strict=True)
    ]


def _curve_data(curve: Curve) -> dict[str, Any]:
    rates: dict[str, Any] = {
        rate: [
            {"mean": each.mean, "error": None if isnan(each.error) else each.error}
            for each in _rates(curve, rate)
        ]
        for rate in _TITLES
    }
    return {"opponent": curve.opponent, "least": curve.least, **rates}


def plot_online(path: Path | None, title: str, plays: Sequence[OnlinePlay]) -> Figure:
    """Plot losing rates against the games: a column a colour, one curve an opponent.

    SpecificationError if drawing or writing fails, see `drawn_figure`.
    """
    return drawn_figure(lambda: _figure(title, plays), path)


def _figure(title: str, plays: Sequence[OnlinePlay]) -> Figure:
    figure, axes = panels(2 * len(plays), share_y=True)
    variant = plays[0].variant
    figure.suptitle(f"{title}: {variant} learns its opponent", x=0.01, horizontalalignment="left")
    drawn = [(rate, play) for rate in _TITLES for play in plays]
    for axis, (rate, play) in zip(axes, drawn, strict=True):
        _draw(axis, play, rate)
        axis.set_title(f"{_PLAYERS[play.colour]}, {_TITLES[rate]}")
    for left in axes[:: len(plays)]:
        left.set_ylabel("UCBT loses, in %")
    figure.legend(
        *axes[0].get_legend_handles_labels(),
        title="against seeds and portfolios of the same study, not unseen seeds (band: ±1 "
        "standard error)",
        loc="outside lower center",
        ncols=4,
    )
    return figure


def _draw(axis: Axes, play: OnlinePlay, rate: _Rate) -> None:
    from matplotlib.ticker import NullLocator

    for number, curve in enumerate(play.fixed):
        axis.plot(
            play.games,
            [100 * each.mean for each in _rates(curve, rate)],
            color="#999999",
            linewidth=0.5,
            alpha=0.35,
            label=None if number else f"each of {len(play.fixed)} fixed seeds",
        )
    for number, curve in enumerate((*play.portfolios, play.changing)):
        mean = np.array([100 * each.mean for each in _rates(curve, rate)])
        error = np.array([100 * each.error for each in _rates(curve, rate)])
        colour = _COLOURS[number % len(_COLOURS)]
        axis.fill_between(play.games, mean - error, mean + error, color=colour, alpha=0.2, lw=0)
        axis.plot(
            play.games,
            mean,
            color=colour,
            marker="os^Dvp"[number % len(_COLOURS)],
            markersize=3.5,
            label=curve.opponent,
        )
    axis.set_xscale("log", base=2)
    shown = [play.games[mark] for mark in _shown(len(play.games))]
    axis.set_xticks(shown, [f"{games:,}" for games in shown])
    axis.xaxis.set_minor_locator(NullLocator())
    axis.set_xlabel("games played")


def _rates(curve: Curve, rate: _Rate) -> tuple[Estimate, ...]:
    return curve.played if rate == "played" else curve.settled


def _shown(marks: int) -> list[int]:
    """Return the numbers of games to print, evenly spread and the last one among them."""
    step = -(-marks // _COLUMNS)
    return list(range((marks - 1) % step, marks, step))
