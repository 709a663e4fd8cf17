"""Matches of external engines: with themselves, each other and built-in programs; worth."""

import json

import pytest
from external import (
    BREAKTHROUGH,
    GNU_GO,
    left_behind,
    need,
    need_open_spiel,
    program_of,
    scripted_text,
)
from sgfmill.sgf import Sgf_game
from waiting import finish, start_command

import seedfolio
from seedfolio import EngineError, SpecificationError, load_program, match, worth
from seedfolio.matches.worth import thinking_of
from seedfolio.opponents.opponent import Opponent

SEEDED = {"seed": "0", "more": 'setup = ["seed {seed}"]'}
"""Of the scripted engine: the seed comes by a command of the protocol."""


@pytest.fixture
def nim(tmp_path):
    """Return the file of an engine that behaves."""
    program_of(tmp_path, scripted_text(tmp_path, "well"))
    yield tmp_path / "engine.toml"
    assert not left_behind(tmp_path)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_engine_against_itself_and_a_built_in_program(nim, tmp_path):
    record = tmp_path / "games.jsonl"
    played = match(nim, str(nim), "nim@table", games=4, record=record, threads=2)
    assert played.names == ("engine #1", "engine #2", "table:noise=0")
    assert played.games == 12
    assert played.forfeits == ()
    header, *games = lines(record)
    assert header["programs"][0]["player"]["engine"] == "scripted 1"
    assert header["game"]["name"] == "nim"
    assert len({tuple(game["moves"]) for game in games}) > 6
    rules = seedfolio.load_game("nim")
    for game in games:
        history = [rules.parse_move(move) for move in game["moves"]]
        assert rules.position(history).score == game["half_points"]
    # The same match with one game at once, continued in the middle.
    again = tmp_path / "again.jsonl"
    again.write_bytes(record.read_bytes()[:-500])
    assert match(nim, str(nim), "nim@table", games=4, record=again, threads=1).pairings == (
        played.pairings
    )
    assert again.read_bytes() == record.read_bytes()


def test_forfeits_are_counted_and_explained(tmp_path):
    # Every arm is the one that dies.
    more = 'environ = { SEED = "{seed}" }'
    program_of(tmp_path, scripted_text(tmp_path, "die", seed="2", more=more), "bad.toml")
    program_of(tmp_path, scripted_text(tmp_path, "well"), "good.toml")
    record = tmp_path / "games.jsonl"
    sides = tmp_path / "good.toml", tmp_path / "bad.toml"
    played = match(*sides, games=4, record=record)
    assert played.pairings[0].counts == (4, 0, 0)
    (lost,) = played.forfeits
    assert (lost.program, lost.ending, lost.games) == ("bad", "crash", 4)
    assert "something broke inside" in lost.detail
    assert "bad forfeited 4 games by crash: " in played.text
    assert played.as_data()["forfeits"][0]["games"] == 4
    assert {game["ending"] for game in lines(record)[1:]} == {"crash"}
    assert match(*sides, games=4, record=record) == played
    assert not left_behind(tmp_path)


def test_what_ends_a_match_before_its_first_game(nim, tmp_path):
    (tmp_path / "missing.toml").write_text(GTP.replace('"bot', '"no-such-bot'))
    with pytest.raises(EngineError, match="no-such-bot"):
        match(nim, tmp_path / "missing.toml", games=2)
    with pytest.raises(SpecificationError, match="same game, not nim and domineering 4x4"):
        match(nim, "domineering:4x4", games=2)
    with pytest.raises(SpecificationError, match="leave out `arena`"):
        match(nim, nim, games=2, arena=object())


@pytest.mark.slow
def test_no_engine_is_left_when_a_match_ends_early(tmp_path):
    # Each engine has a child that is deaf to SIGTERM and would live on if the command just died.
    program_of(tmp_path, scripted_text(tmp_path, "fork", bad="0", **SEEDED))
    words = ["match", "engine.toml", "engine.toml", "--games", "400", "--record", "a.jsonl", "-q"]
    ended, _, err = finish(start_command(words, tmp_path, "after", "game", "3", "SIGTERM"))
    assert ended == 143
    assert "every finished game is kept. Go on with: seedfolio match engine.toml" in err
    assert len(lines(tmp_path / "a.jsonl")) == 4
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_gnu_go_against_itself_and_built_in_go(tmp_path):
    need("gnugo")
    program_of(tmp_path, GNU_GO.replace("6.5", "5.5").format(board=5, games=10), "gnugo.toml")
    gnu_go, go = tmp_path / "gnugo.toml", "go:5x5@table"
    played = match(gnu_go, gnu_go, go, games=2, sgf=tmp_path / "games")
    assert played.games == 6
    assert played.forfeits == ()
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 6
    for file in files:
        game = Sgf_game.from_string(file.read_text())
        assert game.get_komi() == 5.5
        assert game.get_winner() in ("b", "w")
        assert len(game.get_main_sequence()) > 5
    with pytest.raises(SpecificationError, match=r"go 5x5: komi 5\.5 and komi 6\.5|same game"):
        match(gnu_go, "go:5x5,komi=6.5", games=2)


def test_a_bot_of_open_spiel_against_a_weaker_one(tmp_path):
    need_open_spiel()
    strong, weak = tmp_path / "strong.toml", tmp_path / "weak.toml"
    strong.write_text(BREAKTHROUGH.format(simulations=60))
    weak.write_text(BREAKTHROUGH.format(simulations=2))
    assert match(strong, weak, games=20).pairings[0].success.low > 0.5


@pytest.mark.slow
def test_a_portfolio_of_an_engine_plays_its_arms_and_is_worth_something(tmp_path):
    need_open_spiel()
    (tmp_path / "bot.toml").write_text(BREAKTHROUGH.format(simulations=4))
    sizes = {"k": 3, "kt": 3, "opponents": 17, "learners": ["best-half"]}
    outcome = seedfolio.boost(tmp_path / "bot.toml", **sizes, study=tmp_path / "bot.study")
    path, record = outcome.save_portfolios()["best-half"], tmp_path / "games.jsonl"
    played = match(path, load_program(tmp_path / "bot.toml"), games=6, record=record)
    assert played.names == ("boosted bot (best-half)", "bot")
    for game in lines(record)[1:]:
        arms = dict(zip(game["programs"], game["arms"], strict=True))
        assert arms["boosted bot (best-half)"] < 3
        assert arms["bot"] >= 2**32
    found = worth(path, games=6, most=4, record=tmp_path / "games")
    assert (found.parameter, found.steps[0].thinking) == ("simulations", 4)
    files = {file.name for file in (tmp_path / "games").iterdir()}
    assert files == {f"simulations-{step.thinking}.jsonl" for step in found.steps}


GTP = """
[game]
name = "nim"
[player]
protocol = "gtp"
command = "bot --seed {seed} --playouts 60 --level=3"
"""
UCI = """
[game]
name = "nim"
[player]
protocol = "uci"
command = "bot --seed {seed}"
go = "nodes 500 depth 3"
"""


@pytest.mark.parametrize(
    ("text", "parameter", "base", "changed"),
    [
        (GTP, "playouts", 60, "bot --seed {seed} --playouts 90 --level=3"),
        (GTP, "--level", 3, "bot --seed {seed} --playouts 60 --level=90"),
        (UCI, None, 500, "nodes 90 depth 3"),
        (UCI, "depth", 3, "nodes 500 depth 90"),
        (GTP, "seed", None, "has no whole number for"),
        (UCI, "movetime", None, "has no whole number for"),
        (GTP, "go", None, "has no whole number for"),
        (GTP, None, None, "does not show how long the engine thinks"),
    ],
)
def test_the_number_that_says_how_long_an_engine_thinks(text, parameter, base, changed, tmp_path):
    opponent = Opponent(program_of(tmp_path, text))
    if base is None:
        with pytest.raises(SpecificationError, match=changed):
            thinking_of(opponent, parameter)
        return
    found = thinking_of(opponent, parameter)
    assert found.base == base
    player = found.original(90).program.specification.player
    assert changed in (player.go, " ".join(player.command))
