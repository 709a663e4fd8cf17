"""Blind games of an external engine: the same work for each answer, whichever program plays."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest
from external import left_behind, plays_alone, program_of, scripted_text

from seedfolio.engines.play.book_side import state_after
from seedfolio.opponents.opponent import Opponent
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.people.blind.trial import BlindTrial
from seedfolio.portfolios.book.book import Book, BookPortfolio, one_book
from seedfolio.portfolios.portfolio import Distribution, Portfolio

SEEDS = Portfolio(Distribution((7,), (1.0,)), Distribution((9,), (1.0,)))
LOGS = '\n[log]\nfolder = "logs"\n'


def booked(game, behind):
    """A book for the first moves of both colours."""
    openings = {0: [()], 1: [(move,) for move in game.position([]).moves]}
    books = []
    for lines in openings.values():
        states = np.array([state_after(line) for line in lines], np.uint64)
        moves = np.array([game.position(line).moves[-1] for line in lines], np.int64)
        books.append(one_book(replace(Book.none(), states=states, moves=moves)))
    return BookPortfolio(*books, symmetric=False, behind=behind)


def opened(tmp_path, kind, mode="well"):
    program = program_of(tmp_path, scripted_text(tmp_path, mode, bad="7") + LOGS)
    if kind == "seeds":
        learnt = SEEDS
    else:
        learnt = booked(program.board_game(), SEEDS if kind == "book before seeds" else None)
    return closing(BlindTrial(tmp_path / "a.blind", Opponent(program, learnt, "nash")))


def begun(trial, program, colour=1):
    plan = SeriesPlan("0", "0", (Assignment(program, colour, 5),))
    token = trial._games.add(plan).token
    trial.begin_game(token)
    return token


def work(folder):
    """Return how many engines have started, and how many moves they were asked for."""
    logs = [each.read_text() for each in (folder / "logs").glob("*")]
    return len(logs), sum(log.count("> genmove") for log in logs)


def whole_game(trial, token, folder):
    """Play the visitor's last move each time; return the moves, and the work for each answer."""
    done, before = [], work(folder)  # one was asked for its name
    game = trial.answer(token)
    while True:
        after = work(folder)
        done.append((after[0] - before[0], after[1] - before[1]))
        before = after
        if game.ending is not None:
            return game.history, done
        moves = trial.game.position(game.history).moves
        game = trial.move(token, trial.game.move_name(moves[-1]))
        if game.ending is not None:
            return game.history, done
        game = trial.answer(token)


@pytest.mark.parametrize("kind", ["seeds", "book", "book before seeds"])
@pytest.mark.parametrize("program", [0, 1])
def test_an_answer_costs_the_same_searches_whichever_program_plays(tmp_path, kind, program):
    with opened(tmp_path, kind) as trial:
        history, done = whole_game(trial, begun(trial, program), tmp_path)
        names = [trial.game.move_name(move) for move in history]
        in_book = kind != "seeds" and program == 1
        if in_book:
            assert history[0] == trial.game.position([]).moves[-1]
        arm = trial._arms(Assignment(program, 1, 5))[program].number
        assert (arm == 7) == (program == 1 and kind != "book")
        if not in_book:
            plays_alone(trial.boosted.program, arm, 0, names)
    searches = 1 if kind == "book" else 2
    assert {moves for _, moves in done} == {searches}
    starts = [started for started, _ in done]
    if kind == "seeds":  # the one that plays is told nothing twice
        assert starts[0] == 2
        assert set(starts[1:]) <= {0, 1}
    else:
        assert set(starts) == {searches}
    assert len(done) > 1
    assert not left_behind(tmp_path)


def test_a_program_that_resigns_does_so_when_both_have_searched(tmp_path):
    with opened(tmp_path, "seeds", "resign") as trial:
        ended = []
        for program in (0, 1):
            token = begun(trial, program)
            game = trial.answer(token)
            moves = trial.game.position(game.history).moves
            before = work(tmp_path)[1]
            trial.move(token, trial.game.move_name(moves[-1]))
            game = trial.answer(token)
            assert work(tmp_path)[1] == before + 2
            ended.append((game.ending, game.points))
    assert ended == [(None, None), ("resigned", 2)]
