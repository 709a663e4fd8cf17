"""Blind series: a balanced plan that is committed to; nothing is revealed before it is stored."""

import csv
import hashlib
import io
import json
from collections import Counter
from contextlib import closing
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import pytest
from waiting import killed

from seedfolio import BlindTrial, Opponent, SpecificationError, StudyError, load_boosted
from seedfolio.evaluation.betting import AnytimeInterval
from seedfolio.people.blind.answer_times import AnswerTimes
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.people.blind.result import BlindResult
from seedfolio.portfolios.portfolio import Distribution, Portfolio

DAY = 24 * 3600.0


@pytest.fixture(scope="module")
def portfolio(made):
    return made.portfolio("best-seed")


class Clock:
    now = 1000.0

    def __call__(self):
        self.now += 1
        return self.now


@pytest.fixture
def trial(portfolio, tmp_path):
    with closing(BlindTrial(tmp_path / "a.blind", portfolio, clock=Clock())) as opened:
        yield opened


def play_game(trial, token):
    game = trial.answer(token, trial.begin_game(token))
    while game.ending is None:
        now = trial.in_progress(trial.series(token), game)
        game = trial.move(token, trial.game.move_name(now.position.moves[0]))
        if game.ending is None:
            game = trial.answer(token)
    return game


def play_series(trial, guess, games=4):
    token = trial.begin(games).token
    for number in range(games):
        play_game(trial, token)
        trial.guess(token, guess(number))
    return token


def test_the_programs_play_as_they_always_do(trial, portfolio):
    """By the revealed key, anybody can play the game again."""
    token = play_series(trial, lambda number: "cannot tell")
    boosted = load_boosted(portfolio)
    for game, assignment in zip(trial.series(token).games, trial.reveal(token).games, strict=True):
        program = (boosted.original, boosted)[assignment.program]
        arm = program.new_game(1 - assignment.colour, assignment.key)
        history: list[int] = []
        while (position := trial.game.position(history)).moves:
            mine = position.mover == assignment.colour
            history.append(position.moves[0] if mine else arm.choose(history))
        assert game.history == tuple(history)
        assert game.points == (position.score if assignment.colour == 0 else 2 - position.score)
    result = trial.result()
    assert (result.guesses.results, result.cannot_tell) == (0, 4)
    lines = [json.loads(line) for line in result.json_lines().splitlines()]
    rows = list(csv.DictReader(io.StringIO(result.csv())))
    for line, row, counted in zip(lines, rows, result.games, strict=True):
        assert row == {key: str(value) for key, value in line.items()}
        moves = [trial.game.parse_move(move) for move in line["moves"].split()]
        assert (tuple(moves), line["half_points"]) == (counted.game.history, counted.game.points)
    wins = sum(line["half_points"] for line in lines if line["program"] == "boosted") / 4
    data = result.as_data()
    assert (data["original"]["games"], data["boosted"]["success"]["mean"]) == (2, wins)


def test_nothing_is_revealed_before_the_series_is_closed(trial):
    series = trial.begin(4)
    token = series.token
    with pytest.raises(SpecificationError, match="secret until the series is closed"):
        trial.reveal(token)
    for number in range(4):
        play_game(trial, token)
        with pytest.raises(SpecificationError, match="say first which"):
            trial.begin_game(token)
        with pytest.raises(SpecificationError, match="secret"):
            trial.reveal(token)
        assert (trial.result().games, trial.result().waiting) == ((), 1)
        trial.guess(token, "original")
        assert (trial.series(token).closed is None) == (number < 3)
    for again in (trial.begin_game, trial.resign, lambda token: trial.guess(token, "boosted")):
        with pytest.raises(SpecificationError, match="this series is closed"):
            again(token)
    assert trial.series(token).games[-1].note == "original"
    assert trial.reveal(token).commitment == series.commitment
    result = trial.result()
    assert (result.series, result.waiting) == (1, 0)
    assert result.original.games == result.boosted.games == 2
    assert (result.guesses.results, result.guesses.mean) == (4, 0.5)
    assert [each.results for each in result.boosted.by_colour] == [1, 1]
    for each in (result.original.success, result.difference, result.guesses):
        assert each.low <= each.mean <= each.high


def test_an_abandoned_game_is_lost_and_those_not_begun_do_not_count(trial):
    token = trial.begin(8).token
    first = play_game(trial, token)
    trial.guess(token, "original")
    trial.answer(token, trial.begin_game(token))
    series = trial.end(token)
    assert [game.ending for game in series.games] == ["played", "abandoned"]
    assert series.games[1].points == 0
    result = trial.result()
    assert result.original.games + result.boosted.games == 2
    assert result.original.abandoned + result.boosted.abandoned == 1
    both = (result.original, result.boosted)
    assert sum(each.without_abandoned.results for each in both) == 1
    assert sum(each.success.mean * each.games for each in both) == (first.points or 0) / 2
    assert result.guesses.results == 1


def test_a_series_is_closed_after_a_day_without_a_visit(portfolio, tmp_path):
    clock = Clock()
    with closing(BlindTrial(tmp_path / "a.blind", portfolio, clock=clock)) as trial:
        left = trial.begin(4).token
        trial.begin_game(left)
        unseen = trial.begin(4).token
        clock.now += DAY / 2
        done = play_series(trial, lambda number: "boosted")
        # What began earlier goes on, so nothing counts yet; what has no game yet holds up nobody.
        assert (trial.result().series, trial.result().waiting) == (0, 2)
        clock.now += DAY / 2
        assert (trial.result().series, trial.result().waiting) == (2, 0)
        assert trial.series(left).closed is not None
        assert trial.series(unseen).closed is not None
        games = trial.result().games
        assert [each.game.ending for each in games] == ["abandoned"] + 4 * ["played"]
        assert {each.series for each in games[1:]} == {trial.series(done).number}


def test_a_move_a_day_holds_up_the_result_for_three_days(trial):
    clock = trial._games._clock
    slow = trial.begin(4).token
    game = trial.answer(slow, trial.begin_game(slow))
    for _ in range(3):
        assert trial.series(slow).closed is None
        if game.ending is not None:  # nim is short
            trial.guess(slow, "cannot tell")
            game = trial.answer(slow, trial.begin_game(slow))
        now = trial.in_progress(trial.series(slow), game)
        trial.move(slow, trial.game.move_name(now.position.moves[0]))
        game = trial.answer(slow)
        clock.now += DAY - 10
        trial.result()
    clock.now += 30  # after less than a day without a move
    assert (trial.result().series, trial.series(slow).closed is None) == (1, False)


def test_two_windows_do_not_play_the_same_game_twice(trial, tmp_path):
    token = trial.begin(4).token
    begun = trial.begin_game(token)
    assert trial.begin_game(token) == begun
    # What a page sees of a game has no name.
    assert trial.in_progress(trial.series(token), begun).arm.name == "the program"
    for series, guess, said in (
        ("0" * 32, "boosted", "no such series"),
        (token, "boosted", "finish one first"),
        (token, "white", "`guess` must be"),
    ):
        with pytest.raises(SpecificationError, match=said):
            trial.guess(series, guess)
    old = trial.answer(token, begun)
    now = trial.in_progress(trial.series(token), old)
    trial.move(token, trial.game.move_name(now.position.moves[0]))
    with pytest.raises(SpecificationError, match="another window"):
        trial.answer(token, old)
    with pytest.raises(StudyError, match="another window"):
        trial._games.keep(old, old.history, "resigned", 0)
    other = Opponent(trial.boosted.program, Portfolio(*(Distribution((7,), (1.0,)),) * 2), "nash")
    with pytest.raises(StudyError, match="another game or portfolio"):
        BlindTrial(tmp_path / "a.blind", other)


@pytest.mark.slow
def test_a_killed_process_loses_no_result(portfolio, tmp_path):
    """It is killed right before a transaction ends: all before that are there, and it goes on."""
    script = tmp_path / "play.py"
    script.write_text(
        "import sys\n"
        f"sys.path[:0] = [{str(Path(__file__).parent)!r}]\n"
        "from test_blind_trial import BlindTrial, play_series\n"
        f"trial = BlindTrial('a.blind', {str(portfolio)!r})\n"
        "play_series(trial, lambda number: 'boosted')\n"
    )
    killed([str(script)], tmp_path, "before", "commit", "25")
    with closing(BlindTrial(tmp_path / "a.blind", portfolio)) as trial:
        (series,) = trial._games.all()
        assert series.games
        assert series.closed is None
        while trial.series(series.token).closed is None:
            if (current := trial.series(series.token).current) is None or current.ending is None:
                play_game(trial, series.token)
            trial.guess(series.token, "boosted")
        assert (trial.result().series, len(trial.result().games)) == (1, 4)


def test_the_last_guess_and_the_end_of_its_series_are_kept_together(trial, monkeypatch):
    def killed_here(_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(trial._games, "close_series", killed_here)
        with pytest.raises(KeyboardInterrupt):
            play_series(trial, lambda number: "boosted")
    (token,) = [each.token for each in trial._games.all()]
    with pytest.raises(SpecificationError, match="say first which program"):
        trial.begin_game(token)
    trial.guess(token, "original")
    assert trial.series(token).closed is not None
    assert trial.series(token).games[-1].note == "original"


def test_two_guesses_about_a_pair_of_games_are_one_result_of_twice_the_range():
    """Of two games of a block with one colour, exactly one is the boosted program's."""
    games = tuple(
        SimpleNamespace(
            series=s, right=n % 2 == 0, number=n + 1, assignment=Assignment(0, n // 2, 0)
        )
        for s, n in product(range(100), range(4))
    )
    found = BlindResult("a trial", games, 100, 0).guesses
    assert (found.results, found.mean) == (400, 0.5)
    assert found.high == AnytimeInterval.of([0.5] * 200).high


def test_all_orders_are_equally_likely():
    orders = Counter(
        tuple((each.program, each.colour) for each in SeriesPlan.draw("t", 4).games)
        for _ in range(4800)
    )
    assert len(orders) == 24
    # The 0.9999 quantile of chi-squared with 23 degrees of freedom.
    assert sum((count - 200) ** 2 / 200 for count in orders.values()) < 57


def test_blocks_of_four_and_a_commitment_that_is_the_hash_of_the_text():
    plan = SeriesPlan.draw("t", 8)
    for begin in (0, 4):
        block = {(each.program, each.colour) for each in plan.games[begin : begin + 4]}
        assert block == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert len({each.key for each in plan.games}) == 8
    assert plan.commitment == hashlib.sha256(plan.text.encode()).hexdigest()
    assert SeriesPlan.parse(plan.text) == plan
    assert SeriesPlan.draw("t", 8).commitment != plan.commitment
    assert len(plan.nonce) == 64


def test_what_is_no_plan():
    text = SeriesPlan.draw("t", 4).text
    changed = (text.replace(*each) for each in (("seedfolio", "another"), ("first", "third", 1)))
    for other in (*changed, text + "\n", ""):
        with pytest.raises(SpecificationError, match="not the plan"):
            SeriesPlan.parse(other)
    for games in (0, 3, 6, 44, -4, 4.0, True):
        with pytest.raises(SpecificationError, match="`games` must be"):
            SeriesPlan.draw("t", games)


def test_answers_are_due_at_moments_that_do_not_depend_on_the_work():
    times = AnswerTimes(0.8, 1.6)
    quick = [times.due(100.0, 100.001, key) - 100 for key in range(2000)]
    slower = [times.due(100.0, 100.7, key) - 100 for key in range(2000)]
    assert quick == slower
    assert min(quick) >= 0.8
    assert max(quick) <= 1.6
    assert sum(quick) / 2000 == pytest.approx(1.2, abs=0.03)
    for key in range(100):  # work that takes longer is due at the next moment
        first = times.due(0.0, 0.0, key)
        second = times.due(0.0, first + 0.001, key)
        assert 0.8 <= second - first <= 1.6
    assert len({times.due(0.0, 0.0) for _ in range(10)}) == 10
    for least, most in ((0, 1), (2, 1), (1, float("nan"))):
        with pytest.raises(SpecificationError, match="answer times"):
            AnswerTimes(least, most)
