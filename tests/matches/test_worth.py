"""What a boosted program is worth: the search, the interpolation, the sentence."""

import json
from math import log2

import pytest
from waiting import killed

from seedfolio import Opponent, SeedfolioError, load_boosted, load_player, load_program, worth
from seedfolio.boosting.look import new_player
from seedfolio.evaluation.intervals import SuccessInterval
from seedfolio.matches.worth import Worth, WorthStep, search
from seedfolio.portfolios.portfolio import Distribution, Portfolio


@pytest.fixture
def portfolio(made):
    return made.portfolio("best-seed")


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
def test_the_search_finds_where_both_are_equal(equal_at):
    for steps in (0, 2, 5):
        found = worth_of(search(simulated(equal_at), 100, 64, steps))
        assert found.times == pytest.approx(equal_at, rel=0.02)
        # Half an interval is half a doubling.
        if equal_at > 2:
            assert found.low == pytest.approx(equal_at / 2**0.5, rel=0.03)
        if equal_at < 40:
            assert found.high == pytest.approx(equal_at * 2**0.5, rel=0.03)


def test_sentences():
    for equal_at, said in (
        (6.1, "worth about 6.1 times the thinking, 95% interval 4.3 to 8.6"),
        (1.2, "worth about 1.2 times the thinking, 95% interval below 1 to 1.7"),
        (60, "worth about 60 times the thinking, 95% interval 42.4 to more than 64"),
        (1000, "worth more than 64 times the thinking"),
        (0.8, "worth less than once the thinking: "),
    ):
        found = worth_of(search(simulated(equal_at), 100, 64, 2))
        assert found.text.startswith(said)
        if "about" not in said:
            beyond = (None, 64, None, 7) if equal_at > 1 else (None, None, found.high, 1)
            assert (found.times, found.low, found.high, len(found.steps)) == beyond
    found = worth_of(search(simulated(1.5, base=1), 1, 64, 10))  # little thinking: few numbers
    assert [step.thinking for step in found.steps][:2] == [1, 2]
    assert 1 <= found.times <= 2


def test_a_boosted_program_has_an_answer_and_worth_goes_on_from_its_record(portfolio, tmp_path):
    folder = tmp_path / "games"
    expected = worth(load_boosted(portfolio), games=10, most=4, record=folder, threads=1)
    assert expected.text.startswith("worth ")
    assert (expected.steps[0].thinking, expected.parameter) == (5, "simulations")
    data = expected.as_data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert len(expected.table().rows) == len(expected.steps)
    whole = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {*whole} == {f"simulations-{step.thinking}.jsonl" for step in expected.steps}
    *_, last = sorted(folder.iterdir())
    last.write_bytes(whole[last.name][:-300])
    assert worth(portfolio, games=10, most=4, record=folder) == expected
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == whole
    with pytest.raises(SeedfolioError, match="not the record of this match"):
        worth(portfolio, games=10, most=4, record=folder, key=1)
    (tmp_path / "file").write_text("")
    with pytest.raises(SeedfolioError, match="name another with `record`"):
        worth(portfolio, games=10, most=4, record=tmp_path / "file")


@pytest.mark.slow
def test_a_search_that_was_killed_goes_on(portfolio, tmp_path):
    words = ["worth", str(portfolio), "--games", "10", "--most", "4", "-q", "--record", "games"]
    killed(words, tmp_path, "before", "game", "7")
    (file,) = (tmp_path / "games").glob("*.jsonl")
    assert len(file.read_text().splitlines()) == 7
    expected = worth(portfolio, games=10, most=4)
    assert worth(portfolio, games=10, most=4, record=tmp_path / "games") == expected


ONE_ARM = Portfolio(Distribution((1,), (1.0,)), Distribution((2,), (1.0,)))


def refused(program, message, **more):
    with pytest.raises(SeedfolioError, match=message):
        worth(program, **more)


def test_bad_requests(portfolio):
    for more, message in (
        ({"games": 5}, "`games` must be an even number"),
        ({"most": 1}, "`most` must be above 1"),
        ({"most": 100_000}, "is not between 1 and 100000; choose a smaller `most`"),
        ({"steps": -1}, "`steps` must be from 0"),
        ({"parameter": "nodes"}, "no whole number nodes of 1 or more .*`parameter`: simulations"),
    ):
        refused(portfolio, message, **more)
    table = Opponent(load_program("nim", "table"), ONE_ARM, "best-seed")
    refused(table, "table:noise=0 has no amount of thinking")
    refused(table, "no whole number noise of 1 or more to multiply$", parameter="noise")
    for player in map(load_player, ("uct", "rave", "flat")):
        assert player.thinking in player.parameters


@pytest.mark.slow
def test_a_player_of_ones_own_thinks(tmp_path):
    file = new_player(tmp_path / "my_player.py")
    text = file.read_text(encoding="utf-8")

    def boosted():
        return Opponent(load_program("nim", f"{file}:games=1"), ONE_ARM, "best-seed")

    for parameter in (None, "games"):
        found = worth(boosted(), games=4, most=2, steps=0, parameter=parameter)
        assert (found.parameter, found.steps[0].thinking) == ("games", 1)
        refused(boosted(), "not between 1 and 10000", most=20_000, parameter=parameter)
    line = '    thinking: ClassVar[str] = "games"\n'
    assert text.count(line) == 1
    file.write_text(text.replace(line, ""), encoding="utf-8")
    refused(boosted(), r"no amount of thinking.*name a `parameter`: games")
    assert worth(boosted(), games=2, most=2, steps=0, parameter="games").parameter == "games"
    file.write_text(text.replace('ClassVar[str] = "games"', 'ClassVar[str] = "gmes"'), "utf-8")
    with pytest.raises(SeedfolioError, match="thinking names 'gmes', which is no parameter"):
        boosted()
