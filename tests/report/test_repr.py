"""What public objects look like at the prompt: one line of at most 100 characters."""

from __future__ import annotations

import inspect

import pytest

import seedfolio
from seedfolio import (
    Opponent,
    Settings,
    Study,
    ThreadArena,
    check,
    compare,
    cross_validate,
    load_boosted,
    load_game,
    load_player,
    load_portfolio,
    load_program,
    match,
    new_player,
    online,
    plan,
    replay,
    show_book,
    worth,
)
from seedfolio.games import BUILT_IN

PROGRAM = "domineering:4x4", "uct:simulations=5"
ELSEWHERE = {"BlindTrial", "Checkup", "CudaArena", "Outcome", "Player", "ProcessArena", "RayArena"}
"""Public classes that are not cheap to make, or that are protocols."""


@pytest.fixture(scope="module")
def boosted(made, tmp_path_factory):
    name = "a_folder_whose_name_is_long_enough_to_leave_no_room_on_a_line"
    return made.copy(tmp_path_factory.mktemp(name)).boosted()


@pytest.fixture(scope="module")
def values(boosted):
    """Public objects, and what they hold."""
    study, folder, program = boosted.study, boosted.study.parent, load_program(*PROGRAM)
    book, nash = load_boosted(boosted, "book"), load_boosted(boosted, "nash")
    opponents = [book, nash, Opponent(program)]
    compared = compare(
        *PROGRAM, budget=200, learners="halving", opponents=17, study=folder / "b.study"
    )
    played = boosted.rows[0].estimates
    with Study.read(study) as opened:
        yield [
            *(boosted, boosted.rows[0], *played, boosted.verdict, boosted.request, boosted.luck),
            *(compared, compared.learnt["halving"]),
            *(*opponents, *(each.new_game(0, 2026) for each in opponents)),
            *(
                book.plays,
                book.plays.first,
                book.plays.first.books[0],
                nash.plays,
                nash.plays.first,
            ),
            *(program.game.position([]), program.game.information([], 0)),
            *(program, program.bound, load_program(*PROGRAM).for_books),
            *(load_player(each) for each in ("uct", "rave", "flat", "table", "alphabeta")),
            load_player(str(new_player(folder / "my_player.py"))),
            *boosted.portfolios.values(),
            *(vars(load_portfolio(boosted.save_portfolios()["book"])).values()),
            *(boosted.equilibrium(), cross_validate(study, redraws=5), online(study, games=64)),
            *(match(nash, Opponent(program), games=2), worth(nash, games=2, most=2, steps=0)),
            *(plan(*PROGRAM), check(PROGRAM[0]), replay(PROGRAM[0], 3, 5, PROGRAM[1])),
            *(show_book(boosted), Settings(), ThreadArena(), opened),
        ]


def assert_brief(value):
    text = repr(value)
    assert "\n" not in text
    assert len(text) <= 100, text


@pytest.mark.slow
def test_what_jobs_return(values):
    for value in values:
        if not isinstance(value, dict | list | tuple):
            assert_brief(value)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_and_its_parts(name):
    kind, game = BUILT_IN[name], load_game(name)
    rules = game.rules
    parts = [rules.board, rules.rollout, rules.repetition, rules.evaluation, *rules.symmetries]
    for value in (kind, game, rules, *parts):
        assert_brief(value)


def test_what_it_says(values, boosted):
    assert repr(load_game("domineering:4x4")) == "<Game domineering 4x4>"
    assert repr(load_program(*PROGRAM)) == "<Program domineering 4x4, uct:simulations=5>"
    sizes = load_boosted(boosted, "nash").plays.sizes
    assert repr(load_boosted(boosted, "nash").plays) == f"<Portfolio {sizes[0]}+{sizes[1]} arms>"
    arm = load_boosted(boosted, "book").new_game(0, 2026)
    assert "uct:simulations=5, with books" in repr(arm)


def test_every_public_class_is_tried(values):
    seen = {base.__name__ for value in values for base in type(value).__mro__}
    for name in BUILT_IN:
        rules = load_game(name).rules
        parts = [rules, rules.board, rules.rollout, rules.repetition, rules.evaluation]
        seen |= {type(each).__name__ for each in (*parts, *rules.symmetries)}
    public = {
        name
        for name in dir(seedfolio)
        if inspect.isclass(each := getattr(seedfolio, name)) and not issubclass(each, Exception)
    }
    assert public - seen == ELSEWHERE
