"""Blind series by forms alone: from the commitment to the result, and nothing before its time."""

import hashlib
import json
import random
import re
import shutil
from contextlib import closing
from dataclasses import replace

import pytest
from waiting import wait_until
from web_client import FREE, Guest, blind_address, make_app

QUICK = replace(FREE, answer_times=(0.001, 0.002))
SECRETS = re.compile(r"original|boosted|seed \d|book", re.IGNORECASE)
NAMED = re.compile(r"<fieldset>.*?</fieldset>|<tbody>.*?</tbody>", re.DOTALL)
"""The question that names the programs, and the guesses."""


@pytest.fixture(scope="module")
def blind(judged):
    with closing((app := make_app(judged, QUICK)).state.site):
        yield app


@pytest.fixture
def guest(blind):
    return Guest(blind)


@pytest.fixture
def trial(judged, guest):
    guest.settle(blind_address(judged))
    return blind_address(judged)


def begin(guest, trial, games="4"):
    answer = guest.post(trial, games=games)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def play(guest, series):
    assert guest.post(f"{series}/game").status_code == 303
    while moves := guest.moves(page := guest.settle(series)):
        assert guest.play(series, moves[0]).status_code == 303
    return page


def test_a_series_to_its_result(guest, trial):
    assert trial in guest.text("/blind")
    series = begin(guest, trial)
    commitment = re.search(r"[0-9a-f]{64}(?=</code>)", guest.text(series))[0]
    for number in range(1, 5):
        assert f"Begin game {number} of 4" in guest.text(series)
        if number == 1:
            page = play_and_look(guest, trial, series)
        elif number == 2:
            guest.post(f"{series}/game")
            guest.settle(series)
            assert guest.post(f"{series}/resign").status_code == 303
            assert "You resigned." in (page := guest.text(series))
        else:
            page = play(guest, series)
        assert guest.post(f"{series}/game").status_code == 400  # the guess comes first
        assert guest.post(f"{series}/guess", guess="white").status_code == 400
        assert "Which program was it?" in page
        assert not SECRETS.search(NAMED.sub("", page))
        assert guest.get(f"{series}/plan.txt").status_code == 400
        assert guest.post(f"{series}/guess", guess="boosted").status_code == 303
    page = guest.text(series)
    assert "The series is closed" in page
    assert page.count("<td>boosted</td></tr>") == page.count("<td>original</td></tr>") == 2
    plan = guest.text(f"{series}/plan.txt")
    assert hashlib.sha256(plan.encode()).hexdigest() == commitment
    result = json.loads(guest.text(f"{trial}/games.json"))
    assert result["guesses"]["results"] >= 4
    lines = [json.loads(line) for line in guest.text(f"{trial}/games.jsonl").splitlines()]
    assert len(lines) == result["original"]["games"] + result["boosted"]["games"]
    assert guest.text(f"{trial}/games.csv").count("\n") == len(lines) + 1
    assert "The result so far" in guest.text(trial)


def play_and_look(guest, trial, series):
    """Play a game; nothing tells the program before the series is closed."""
    guest.post(f"{series}/game")
    while moves := guest.moves(page := guest.settle(series)):
        assert not SECRETS.search(page)
        assert guest.get(f"{series}/plan.txt").status_code == 400
        for wrong in ("zz", "a1b9", ""):
            answer = guest.play(series, wrong)
            assert answer.status_code == 400
            assert not SECRETS.search(answer.text)
        assert guest.play(series, moves[0]).status_code == 303
    assert json.loads(guest.text(f"{trial}/games.json"))["waiting"] >= 1
    return page


def one_move_before_the_end(game, colour):
    draw = random.Random(1)
    while True:
        history = []
        while moves := game.position(history).moves:
            ends = not any(game.position([*history, move]).moves for move in moves)
            if ends and game.position(history).mover != colour:
                return history
            history.append(draw.choice(moves))


def test_answers_are_held_back(judged, trial):
    """Before its moment, an answer that is on disk is not on the page, nor can a move be made."""
    with closing((app := make_app(judged, replace(FREE, answer_times=(3e3, 3.5e3)))).state.site):
        guest = Guest(app)
        guest.settle(trial)
        series = begin(guest, trial)
        token = series.rpartition("/")[2]
        (opened,) = app.state.site.blind._trials.values()
        colour = opened.series(token).plan.games[0].colour
        before = one_move_before_the_end(opened.game, colour)
        opened._games.keep(opened.begin_game(token), before)
        guest.text(series)
        wait_until(lambda: app.state.site.queue.place(token) is None, "the program has moved")
        (game,) = opened.series(token).games
        assert (len(game.history), game.ending) == (len(before) + 1, "played")
        page = guest.text(series)
        assert "The program thinks" in page
        assert not guest.moves(page)
        assert page.count("The program plays") == len(before) // 2
        assert not re.search("wins|You win|Which program", page)
        for action in ("move", "resign", "guess"):
            answer = guest.post(f"{series}/{action}", move="a1a2", at="1", guess="boosted")
            assert answer.status_code == 409
        guest.post(f"{series}/end")


def test_arms_are_not_shown_while_a_series_is_open(boosted, tmp_path):
    shutil.copy(boosted / "small-nash.json", tmp_path)
    with closing((app := make_app(tmp_path, QUICK)).state.site):
        guest, trial = Guest(app), blind_address(tmp_path, "small-nash")
        portfolio = trial.replace("/blind/", "/portfolios/")
        assert "<td>seed" in guest.text(portfolio)
        guest.settle(trial)
        series = begin(guest, trial)
        assert not re.search(r"seed \d", guest.text(portfolio))
        guest.post(f"{series}/end")
        assert "<td>seed" in guest.text(portfolio)


def test_a_visitor_has_one_series_at_a_time_and_it_is_theirs(blind, guest, trial):
    series = begin(guest, trial)
    assert begin(guest, trial) == series
    assert f'href="{series}"' in guest.text(trial)
    portfolio = trial.replace("/blind/", "/portfolios/")
    closed_to_all = (
        f"{portfolio}/book/first",
        f"{portfolio}/portfolio.json",
        f"{portfolio}/book.bin",
    )
    form = {"kind": "boosted", "name": trial.rpartition("/")[2]}
    assert [guest.get(each).status_code for each in closed_to_all] == [403] * 3
    assert Guest(blind).post("/games", **form).status_code == 403
    assert 'value="boosted"' not in guest.text("/")
    other = Guest(blind)
    assert other.get(series).status_code == 404
    for action in ("game", "move", "end"):
        assert other.post(f"{series}/{action}").status_code == 404
    guest.post(f"{series}/game")
    guest.settle(series)
    assert guest.post(f"{series}/end").status_code == 303
    assert "lost (abandoned)" in guest.text(series)
    for action in ("game", "resign", "move", "guess"):
        assert guest.post(f"{series}/{action}", guess="boosted").status_code == 400
    assert "Begin a series" in guest.text(trial)
    assert begin(guest, trial) != series
    assert other.get(f"{series}/plan.txt").status_code == 404
    for wrong in ("/blind/none", f"{trial}/{'0' * 32}", f"{trial}/games.exe"):
        assert guest.get(wrong).status_code == 404
    for games in ("0", "3", "44", "x", "-4"):
        assert guest.post(trial, games=games).status_code == 400
    assert guest.post(trial, games="4", token="0" * 64).status_code == 403
