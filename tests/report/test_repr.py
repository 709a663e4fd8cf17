"""What public objects look like at the prompt: one line of at most 100 characters."""

import inspect

import pytest

import seedfolio
from seedfolio import Opponent, load_boosted, load_game, load_player, load_program
from seedfolio.games import BUILT_IN

PROGRAM = "domineering:4x4", "uct:simulations=5"
LEARNERS = "book", "nash"
ELSEWHERE = {
    *("BlindTrial", "Checkup", "CudaArena", "Equilibrium", "LearnerCheckup", "LearntMatrix"),
    *("Exploit", "Outcome", "Player", "ProcessArena", "RayArena", "Tuned"),
}
"""Public classes that are not cheap to make, or that are protocols."""


@pytest.fixture(scope="module")
def boosted(made, tmp_path_factory):
    name = "a_folder_whose_name_is_long_enough_to_leave_no_room_on_a_line"
    return made.copy(tmp_path_factory.mktemp(name)).boosted()


@pytest.fixture(scope="module")
def values(boosted):
    sf, study, folder = seedfolio, boosted.study, boosted.study.parent
    program, (book, nash) = load_program(*PROGRAM), (load_boosted(boosted, n) for n in LEARNERS)
    opponents = [book, nash, Opponent(program)]
    asked = {"budget": 200, "learners": "halving", "opponents": 17}
    compared = sf.compare(*PROGRAM, **asked, study=folder / "b.study")
    with sf.Study.read(study) as opened:
        yield [
            *(boosted, boosted.rows[0], boosted.verdict, boosted.request, boosted.luck, opened),
            *(*boosted.rows[0].estimates, compared, compared.learnt["halving"]),
            *(*opponents, *(each.new_game(0, 2026) for each in opponents)),
            *(book.plays, book.plays.first, book.plays.first.books[0]),
            *(nash.plays, nash.plays.first, program, program.bound, program.for_books),
            *(program.game.position([]), program.game.information([], 0)),
            *(load_player(each) for each in ("uct", "rave", "flat", "table", "alphabeta")),
            load_player(str(sf.new_player(folder / "my_player.py"))),
            *boosted.portfolios.values(),
            *(vars(sf.load_portfolio(boosted.save_portfolios()["book"])).values()),
            *(boosted.equilibrium(), sf.cross_validate(study, redraws=5), sf.show_book(boosted)),
            *(sf.match(nash, Opponent(program), games=2), sf.online(study, games=64)),
            *(sf.worth(nash, games=2, most=2, steps=0), sf.plan(*PROGRAM), sf.check(PROGRAM[0])),
            *(sf.replay(PROGRAM[0], 3, 5, PROGRAM[1]), sf.Settings(), sf.ThreadArena()),
        ]


def assert_brief(value):
    text = repr(value)
    assert "\n" not in text
    assert len(text) <= 100, text


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_and_its_parts(name):
    kind, game = BUILT_IN[name], load_game(name)
    rules = game.rules
    parts = [rules.board, rules.rollout, rules.repetition, rules.evaluation, *rules.symmetries]
    for value in (kind, game, rules, *parts):
        assert_brief(value)


@pytest.mark.slow
def test_what_jobs_return(values, boosted):
    for value in values:
        if not isinstance(value, dict | list | tuple):
            assert_brief(value)
    assert repr(load_game("domineering:4x4")) == "<Game domineering 4x4>"
    assert repr(load_program(*PROGRAM)) == "<Program domineering 4x4, uct:simulations=5>"
    sizes = load_boosted(boosted, "nash").plays.sizes
    assert repr(load_boosted(boosted, "nash").plays) == f"<Portfolio {sizes[0]}+{sizes[1]} arms>"
    arm = load_boosted(boosted, "book").new_game(0, 2026)
    assert "uct:simulations=5, with books" in repr(arm)

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
