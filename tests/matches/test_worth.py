"""What a boosted program is worth: the search, the interpolation, the sentence."""

import json
from math import log2

import pytest
from waiting import killed

import seedfolio
from seedfolio import (
    Opponent,
    SeedfolioError,
    load_boosted,
    load_player,
    load_program,
    new_player,
    worth,
)
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.matches.worth import Worth, WorthStep, search
from seedfolio.portfolios.portfolio import Distribution, Portfolio

GAME = "domineering:4x4"


@pytest.fixture(scope="module")
def portfolio(tmp_path_factory):
    folder = tmp_path_factory.mktemp("worth")
    sizes = {"k": 30, "kt": 10, "opponents": 20}
    outcome = seedfolio.boost(
        GAME, "uct:simulations=20", **sizes, learners=["best-seed"], study=folder / "a.study"
    )
    return outcome.save_portfolios()["best-seed"]


def simulated(equal_at, slope=0.1, half=0.05, base=100):
    """Return a match whose success falls by `slope` with each doubling, 50% at `equal_at`."""

    def play(thinking):
        mean = min(1.0, max(0.0, 0.5 + slope * (log2(equal_at) - log2(thinking / base))))
        interval = SuccessInterval(mean, max(0.0, mean - half), min(1.0, mean + half))
        return WorthStep(thinking / base, thinking, interval)

    return play


def worth_of(steps, most=64):
    return Worth("a game", "simulations", 100, most, tuple(steps))


@pytest.mark.parametrize("equal_at", [1.0, 1.3, 2, 6.1, 50])
@pytest.mark.parametrize("steps", [0, 2, 5])
def test_the_search_finds_where_both_are_equal(equal_at, steps):
    found = worth_of(search(simulated(equal_at), 100, 64, steps))
    assert found.times == pytest.approx(equal_at, rel=0.02)
    # Half an interval is half a doubling.
    if equal_at > 2:
        assert found.low == pytest.approx(equal_at / 2**0.5, rel=0.03)
    if equal_at < 40:
        assert found.high == pytest.approx(equal_at * 2**0.5, rel=0.03)
    assert found.text.startswith(f"worth about {equal_at:.2g} times the thinking, 95% interval ")


def test_sentences():
    text = worth_of(search(simulated(6.1), 100, 64, 2)).text
    assert text == "worth about 6.1 times the thinking, 95% interval 4.3 to 8.6"
    text = worth_of(search(simulated(1.2), 100, 64, 2)).text
    assert text == "worth about 1.2 times the thinking, 95% interval below 1 to 1.7"
    text = worth_of(search(simulated(60), 100, 64, 2)).text
    assert text.endswith("interval 42.4 to more than 64")
    found = worth_of(search(simulated(1000), 100, 64, 2))
    assert found.text.startswith("worth more than 64 times the thinking")
    assert (found.times, found.low, found.high) == (None, 64, None)
    assert len(found.steps) == 7
    found = worth_of(search(simulated(0.8), 100, 64, 2))
    assert found.text.startswith("worth less than once the thinking: ")
    assert (found.times, found.low, len(found.steps)) == (None, None, 1)


def test_little_thinking_has_few_whole_numbers():
    found = worth_of(search(simulated(1.5, base=1), 1, 64, 10))
    assert [step.thinking for step in found.steps][:2] == [1, 2]
    assert 1 <= found.times <= 2


def test_a_boosted_program_has_an_answer(portfolio):
    found = worth(portfolio, games=20, most=8)
    assert found.text.startswith("worth ")
    assert found.steps[0].thinking == 20
    assert found.parameter == "simulations"
    assert found.times is None or found.times >= 1
    data = found.as_data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert len(found.table().rows) == len(found.steps)
    assert worth(load_boosted(portfolio), games=20, most=8, threads=1) == found


def test_worth_goes_on_from_its_record(portfolio, tmp_path):
    expected = worth(portfolio, games=20, most=4)
    folder = tmp_path / "games"
    assert worth(portfolio, games=20, most=4, record=folder) == expected
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert list(whole)
    assert {*whole} == {f"simulations-{step.thinking}.jsonl" for step in expected.steps}
    *_, last = sorted(folder.iterdir())
    last.write_bytes(whole[last.name][:-300])
    assert worth(portfolio, games=20, most=4, record=folder) == expected
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == whole
    with pytest.raises(SeedfolioError, match="not the record of this match"):
        worth(portfolio, games=20, most=4, record=folder, key=1)
    (tmp_path / "file").write_text("")
    with pytest.raises(SeedfolioError, match="name another with `record`"):
        worth(portfolio, games=20, most=4, record=tmp_path / "file")


@pytest.mark.slow
def test_a_search_that_was_killed_goes_on(portfolio, tmp_path):
    words = ["worth", str(portfolio), "--games", "20", "--most", "4", "-q", "--record", "games"]
    killed(words, tmp_path, "before", "game", "15")
    (file,) = (tmp_path / "games").glob("*.jsonl")
    assert len(file.read_text().splitlines()) == 15
    expected = worth(portfolio, games=20, most=4)
    assert worth(portfolio, games=20, most=4, record=tmp_path / "games") == expected


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"games": 5}, "`games` must be an even number"),
        ({"games": "5"}, "`games` must be a whole number"),
        ({"most": 1}, "`most` must be above 1"),
        ({"most": "2"}, "`most` must be a number"),
        ({"most": 10_000}, "is not between 1 and 100000; choose a smaller `most`"),
        ({"steps": -1}, "`steps` must be from 0"),
        ({"key": -1}, "`key` must be from 0"),
        ({"threads": 0}, "`threads` must be 1 or more"),
        (
            {"parameter": "nodes"},
            "uct:simulations=20 has no whole number nodes of 1 or more to multiply; name a "
            "`parameter`: simulations",
        ),
    ],
)
def test_bad_numbers(portfolio, more, message):
    with pytest.raises(SeedfolioError) as raised:
        worth(portfolio, **more)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (GAME, "is not boosted, so it is worth its own thinking; name a portfolio"),
        ("missing.json", "there is no portfolio file"),
        (3, "a program is a portfolio file"),
    ],
)
def test_what_is_no_portfolio(program, message):
    with pytest.raises(SeedfolioError, match=message):
        worth(program)


def test_a_player_that_does_not_think():
    plays = Portfolio(Distribution((1,), (1.0,)), Distribution((2,), (1.0,)))
    boosted = Opponent(load_program("nim", "table"), plays, "best-seed")
    with pytest.raises(SeedfolioError, match="table:noise=0 has no amount of thinking"):
        worth(boosted)


def test_a_number_that_cannot_be_multiplied():
    plays = Portfolio(Distribution((1,), (1.0,)), Distribution((2,), (1.0,)))
    boosted = Opponent(load_program("nim", "table"), plays, "best-seed")
    with pytest.raises(SeedfolioError, match=r"no whole number noise of 1 or more to multiply$"):
        worth(boosted, parameter="noise")


@pytest.mark.parametrize("player", ["uct", "rave", "flat"])
def test_built_in_players_declare_their_thinking(player):
    loaded = load_player(player)
    assert loaded.thinking in loaded.parameters


@pytest.fixture(scope="module")
def of_an_own_player(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    player = f"{new_player(folder / 'my_player.py')}:games=1"
    sizes = {"k": 10, "opponents": 17, "learners": "best-seed", "study": folder / "a.study"}
    return seedfolio.boost(GAME, player, **sizes).save_portfolios()["best-seed"]


@pytest.mark.parametrize("parameter", [None, "games"])
def test_a_player_of_ones_own_thinks(of_an_own_player, parameter):
    found = worth(of_an_own_player, games=20, most=2, steps=0, parameter=parameter)
    assert found.parameter == "games"
    assert [step.thinking for step in found.steps][:1] == [1]
    with pytest.raises(SeedfolioError, match="not between 1 and 10000; choose a smaller `most`"):
        worth(of_an_own_player, most=20_000, parameter=parameter)


def test_an_own_player_without_a_declaration_names_its_numbers(of_an_own_player, tmp_path):
    line = '    thinking: ClassVar[str] = "games"\n'
    text = (of_an_own_player.parent / "my_player.py").read_text(encoding="utf-8")
    assert text.count(line) == 1
    file = tmp_path / "my_player.py"
    file.write_text(text.replace(line, ""), encoding="utf-8")
    plays = Portfolio(Distribution((1,), (1.0,)), Distribution((2,), (1.0,)))
    boosted = Opponent(load_program(GAME, str(file)), plays, "best-seed")
    with pytest.raises(SeedfolioError, match=r"no amount of thinking.*name a `parameter`: games"):
        worth(boosted)
    assert worth(boosted, games=2, most=2, steps=0, parameter="games").parameter == "games"


def test_a_declaration_that_names_nothing(of_an_own_player, tmp_path):
    text = (of_an_own_player.parent / "my_player.py").read_text(encoding="utf-8")
    file = tmp_path / "my_player.py"
    file.write_text(text.replace('ClassVar[str] = "games"', 'ClassVar[str] = "gmes"'), "utf-8")
    with pytest.raises(SeedfolioError, match="thinking names 'gmes', which is no parameter"):
        load_player(str(file))
