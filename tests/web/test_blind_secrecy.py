"""Nothing that a client can see tells the original from the boosted program, moves aside."""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import replace
from math import log
from time import thread_time

import numpy as np
import pytest
from blind_visitor import WAITS, BlindVisitor, SeenByClient
from guesser import p_value
from web_browser import served
from web_client import FREE, PROGRAM, Guest, make_app

from seedfolio.opponents.load import load_boosted
from seedfolio.opponents.opponent import Opponent
from seedfolio.people.blind.design import Assignment
from seedfolio.people.blind.trial import BlindTrial
from seedfolio.programs.built_in import load_built_in
from seedfolio.web.library import PORTFOLIO, Library

SETTINGS = replace(FREE, answer_times=(0.03, 0.06))
THINKING = "uct:simulations=3000"
"""So slow that a book which answers at once would stand out."""


@pytest.fixture(scope="module")
def slow(boosted):
    """The book of a quick program, played by one that thinks for some milliseconds."""
    (file,) = [each for each in Library(boosted).files(PORTFOLIO) if each.name == "small-book"]
    quick = load_boosted(file.path)
    made = Opponent(load_built_in(PROGRAM[0], THINKING), quick.plays, "book")
    return file, made


def features(seen: SeenByClient) -> list[float]:
    """Return numbers of one game: its times, and the sizes of what came."""
    times = np.array(seen.answers)
    return [
        times.mean(),
        times.min(),
        times.max(),
        times.std(),
        times[0],
        times[-1],
        float(np.mean(seen.requests)),
        float(np.mean([len(body) for body in seen.bodies])),
        float(np.mean([len(str(each)) for each in seen.headers])),
    ]


def play(boosted, slow, tmp_path, games, monkeypatch):
    """Play games of series over a real server; return what was seen, and whose it was."""
    file, made = slow
    monkeypatch.setattr("seedfolio.web.kinds.BlindTrial", lambda path, _: trial)
    trial = BlindTrial(tmp_path / "a.blind", made)
    seen, programs = [], []
    with served(boosted, SETTINGS) as address:
        for begun in range(0, games, 20):
            visitor = BlindVisitor(address, seed=begun)
            length = min(20, games - begun)
            series = visitor.begin_series(f"/blind/{file.id}", length)
            seen += [visitor.play_game(series) for _ in range(length)]
            plan = trial.reveal(series.rpartition("/")[2])
            programs += [each.program == 1 for each in plan.games]
    return seen, np.array(programs)


def check(seen, programs):
    mine, other = (
        [game for game, each in zip(seen, programs, strict=True) if each == whose]
        for whose in (True, False)
    )
    # On a busy machine an answer may be late; then one group alone has pages that wait for it.
    assert settled(mine) == settled(other)
    assert len({body for game in seen for body in game.bodies if WAITS in body}) <= 2
    assert {each for game in mine for each in game.headers} == {
        each for game in other for each in game.headers
    }
    found = p_value(np.array([features(game) for game in seen]), programs)
    print(f"{len(seen)} games, {sum(len(game.answers) for game in seen)} answers: p = {found:.3f}")
    assert found > 0.001


def settled(games):
    return {body for game in games for body in game.bodies if WAITS not in body}


@pytest.mark.slow
def test_a_classifier_finds_nothing_in_a_few_games(boosted, slow, tmp_path, monkeypatch):
    check(*play(boosted, slow, tmp_path, 12, monkeypatch))


@pytest.mark.long
def test_a_classifier_finds_nothing_in_200_games(boosted, slow, tmp_path, monkeypatch):
    check(*play(boosted, slow, tmp_path, 200, monkeypatch))


def test_the_classifier_finds_times_that_are_not_held_back(slow):
    """The same programs, asked directly: a book's answers are told from a search at once."""
    _, made = slow
    rows, groups = [], []
    for key in range(12):
        for mine, each in enumerate((made.original, made)):
            # The processor's time, which other processes do not lengthen.
            begun = thread_time()
            each.new_game(0, key).choose([])
            rows.append([log(thread_time() - begun)])
            groups.append(bool(mine))
    assert p_value(np.array(rows), np.array(groups)) < 0.01


def test_a_page_is_the_same_whichever_program_plays(slow, tmp_path, boosted):
    """Byte for byte, for the same moves; the commitment is a hash with a nonce."""
    file, made = slow
    app = make_app(boosted, SETTINGS)
    with closing(app.state.site), closing(BlindTrial(tmp_path / "a.blind", made)) as trial:
        choice = app.state.site.opponents.boosted(file)
        app.state.site.blind._trials[choice] = trial
        series, guest = trial.begin(4), Guest(app)
        guest.text("/blind")
        site = app.state.site
        visitor = site.visitors.of_cookie(guest.client.cookies["seedfolio"]).id
        site.blind.add(visitor, choice, series)
        game = trial.begin_game(series.token)
        colour = series.assignment(game).colour
        history: list[int] = []
        while len(history) < 4 - (1 - colour) * 2 or trial.game.position(history).mover != colour:
            history.append(trial.game.position(history).moves[0])
        trial._games.keep(game, history)
        texts = []
        for program in (0, 1):
            plan = replace(series.plan, games=(Assignment(program, colour, 7),) * 4)
            with trial._games._file.transaction() as connection:
                connection.execute(
                    "UPDATE series SET plan = ?, commitment = ?", (plan.text, plan.commitment)
                )
            answer = guest.get(f"/blind/{file.id}/{series.token}")
            assert answer.status_code == 200
            assert "Your turn" in answer.text
            headers = sorted((k, v) for k, v in answer.headers.items() if k != "set-cookie")
            texts.append((headers, re.sub("[0-9a-f]{64}", "#", answer.text)))
        assert texts[0] == texts[1]
