"""An answer in a blind game costs the same searches, whichever program plays."""

from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from seedfolio import BlindTrial, Opponent, Program, SpecificationError
from seedfolio.people.blind.design import Assignment, SeriesPlan
from seedfolio.portfolios.book.book import Book, BookPortfolio, one_book
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.programs.built_in import load_built_in

PERFECT = "domineering:4x4", "uct:simulations=5"
HIDDEN = "phantom-tic-tac-toe", "table"
SEEDS = Portfolio(Distribution((3, 5), (0.5, 0.5)), Distribution((4,), (1.0,)))
KEYS = range(4)


class Searched(list):
    from_book = 0

    def taken(self):
        taken = [*self]
        self.clear()
        return taken


@pytest.fixture
def searched(monkeypatch):
    searches, choose = Searched(), Program.choose_noting

    def noted(program, history, arm, *more):
        found = choose(program, history, arm, *more)
        if found[1]:
            searches.from_book += 1
        else:
            searches.append((arm, tuple(history)))
        return found

    monkeypatch.setattr(Program, "choose_noting", noted)
    return searches


def book(game, lines, colour):
    states = [game.information(line[:-1], colour).history for line in lines]
    moves = np.array([line[-1] for line in lines], np.int64)
    return one_book(replace(Book.none(), states=np.array(states, np.uint64), moves=moves))


def booked(case, *, behind=None):
    program = load_built_in(*case)
    game = program.game
    first = book(game, [[2], [2, game.position([2]).moves[-1], 0]], 0)
    second = book(game, [[0, game.position([0]).moves[1]]], 1)
    return Opponent(program, BookPortfolio(first, second, symmetric=False, behind=behind), "book")


def opened(tmp_path, boosted):
    return closing(BlindTrial(tmp_path / "a.blind", boosted))


def answer(trial, assignment, history):
    token = trial._games.add(SeriesPlan("0", "0", (assignment,))).token
    trial._games.keep(trial.begin_game(token), history)
    return trial.answer(token).history


def positions(trial):
    for key in KEYS:
        for colour in (0, 1):
            one, history = Assignment(key % 2, colour, key), (0,) * (1 - colour)
            while trial.game.position(history).moves:
                yield one, history
                history = answer(trial, one, history)
                while trial.game.position(history).mover == colour and (
                    moves := trial.game.position(history).moves
                ):
                    history = (*history, moves[-1 - key % len(moves)])


def work(trial, searched):
    """Return the searches for each answer, after both programs were seen to need the same."""
    found = []
    for one, history in positions(trial):
        searched.taken()
        each = []
        for program in (0, 1):
            played = answer(trial, replace(one, program=program), history)
            each.append(searched.taken())
            arm = trial._arms(one)[program]
            for ply in range(len(history), len(played)):
                assert played[ply] == arm.choose(played[:ply])
            searched.taken()
        assert each[0] == each[1]
        found.append(each[0])
    return found


def test_with_a_book_each_answer_is_one_search_of_the_original(tmp_path, searched):
    with opened(tmp_path, booked(PERFECT)) as trial:
        found = work(trial, searched)
        originals = {trial._arms(Assignment(0, c, key))[0].number for c in (0, 1) for key in KEYS}
    assert searched.from_book > 5
    assert all(len(each) == 1 for each in found)
    assert {arm for ((arm, _),) in found} == originals


@pytest.mark.parametrize("books", [pytest.param(False, marks=pytest.mark.slow), True])
def test_with_seeds_both_programs_search_once(tmp_path, searched, books):
    """Seeds differ in how long they search; a book before them changes nothing."""
    boosted = booked(PERFECT, behind=SEEDS)
    if not books:
        boosted = Opponent(boosted.program, SEEDS, "nash")
    with opened(tmp_path, boosted) as trial:
        found = work(trial, searched)
    assert (searched.from_book > 5) == books
    for one, other in found:
        assert one[1] == other[1]
        assert one[0] not in SEEDS.first.arms + SEEDS.second.arms
        assert other[0] in SEEDS.first.arms + SEEDS.second.arms


@pytest.mark.slow  # compiles a player
def test_refused_tries_are_searched_for_by_both_programs(tmp_path, searched):
    """The visitor may not see them, and one program may need more of them than the other."""
    with opened(tmp_path, booked(HIDDEN)) as trial:
        found = work(trial, searched)
    assert searched.from_book > 5
    assert {len(each) for each in found} >= {2, 3}


def test_a_search_that_fails_does_so_for_both_programs(tmp_path, monkeypatch):
    """Also where the book has a move, and the search is thrown away."""
    with opened(tmp_path, booked(PERFECT)) as trial:
        choose = Program.choose_noting

        def failing(program, *position):
            found = choose(program, *position)
            if not found[1]:
                raise SpecificationError("the rules raise an error")
            return found

        monkeypatch.setattr(Program, "choose_noting", failing)
        for program in (0, 1):
            with pytest.raises(SpecificationError, match="the rules raise an error"):
                answer(trial, Assignment(program, 1, 7), ())
        (*_, last) = trial._games.all()
        assert last.games[0].history == ()


def test_a_book_with_seeds_behind_it_is_told_from_its_seeds():
    seeds = Opponent(load_built_in(*PERFECT), SEEDS, "seeds")
    digests = {each.digest() for each in (booked(PERFECT, behind=SEEDS), booked(PERFECT), seeds)}
    assert len(digests - {None}) == 3
