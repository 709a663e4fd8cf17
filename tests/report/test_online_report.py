"""Online play on paper: the numbers shown are those of the curves, and it says what they are."""

import json
from io import StringIO
from math import nan

import pytest
from rich.console import Console

from seedfolio.analysis.online import Curve, OnlinePlay
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report import online as report

GAMES = (1, 2, 4, 8, 16, 32, 64, 128, 256)


def curve(name, last, settled, least=0.0, error=0.01):
    """Falls evenly to `last` in play, and to `least` at the mark `settled`."""
    count = len(GAMES)
    played = [0.9 + (last - 0.9) * mark / (count - 1) for mark in range(count)]
    after = [0.7 if mark < settled else least for mark in range(count)]
    rates = [tuple(Estimate(rate, error) for rate in each) for each in (played, after)]
    return Curve(name, *rates, least)


def play(colour, error=0.01, **changes):
    values = {
        "portfolios": (curve("nash", 0.479, 8, 0.478, error), curve("odd [name]", 0.25, 3)),
        "fixed": (curve("seed 0", 0, 4), curve("seed 1", 0.5, 6, 0.5)),
        "fixed_mean": curve("one fixed seed", 0.123, 6, error=error),
        "changing": curve("a seed that changes", 0.3, 6, error=error),
        "change": 64,
        **changes,
    }
    return OnlinePlay(colour, 2, 20, GAMES, **values)


def render(table):
    Console(width=80, file=(file := StringIO())).print(table)
    return file.getvalue()


def test_the_table_has_every_opponent_twice_and_the_last_numbers():
    lines = render(report.online_table("Nim 1-3-5-7", play(0))).splitlines()
    assert "Nim 1-3-5-7: UCBT as first player" in lines[0]
    assert lines[1].split()[-6:] == ["1", "4", "16", "64", "256", "least"]
    nash = [line.split() for line in lines if line.split()[:1] == ["nash"]]
    assert [words[-2:] for words in nash] == [["47.9±1.0", "47.8"], ["47.8±1.0", "47.8"]]
    assert sum("odd [name]" in line for line in lines) == 2
    assert sum("one fixed seed" in line for line in lines) == 2
    assert not any("…" in line for line in lines)
    text = render(report.online_table("Nim", play(1, error=nan)))
    assert "UCBT as second player" in text
    assert " 47.9 " in text  # without its error, which is not known
    assert "not success on unseen seeds" in report.meaning(play(0))
    assert "first 2 training seeds" in report.meaning(play(0))
    assert "20 repetitions" in report.how_to_read(play(0))


def test_when_the_answers_to_single_seeds_are_found():
    assert report.games_to_settle(play(0)) == GAMES[6]
    assert "best answer to each of the 2 fixed seeds is found within 64 games" in " ".join(
        render(report.online_table("Nim", play(0))).split()
    )
    never = play(0, fixed=(curve("seed 0", 0, 99),))
    assert report.games_to_settle(never) is None
    assert "not found yet" in render(report.online_table("Nim", never))
    back = curve("seed 0", 0, 0)
    rates = (*back.settled[:5], Estimate(0.1, 0.1), *back.settled[6:])
    assert (
        report.games_to_settle(play(0, fixed=(Curve("seed 0", back.played, rates, 0.0),)))
        == GAMES[6]
    )


def test_data_is_json_and_complete():
    plays = [play(0), play(1, error=nan)]
    data = json.loads(json.dumps(report.online_data("Nim", plays)))
    assert "not success on unseen seeds" in data["meaning"]
    first, second = data["players"]
    assert (first["ucbt"], second["ucbt"]) == ("first player", "second player")
    assert first["games"] == list(GAMES)
    assert first["portfolios"][0]["played"][-1] == {"mean": pytest.approx(0.479), "error": 0.01}
    assert second["portfolios"][0]["settled"][0]["error"] is None
    assert [each["opponent"] for each in first["fixed"]] == ["seed 0", "seed 1"]
    assert (first["fixed"][1]["least"], first["fixed_mean"]["opponent"]) == (0.5, "one fixed seed")
