"""Matches of external engines: with themselves, each other and built-in programs; worth."""

import json
from itertools import count
from types import SimpleNamespace

import numpy as np
import pytest
from external import BREAKTHROUGH, GNU_GO, left_behind, program_of, scripted_text
from sgfmill.sgf import Sgf_game
from waiting import finish, start_command

import seedfolio
from seedfolio import EngineError, SpecificationError, load_program, match, worth
from seedfolio.engines.program import load_engine_program
from seedfolio.evaluation.sprt import Sprt
from seedfolio.matches.result import Pairing
from seedfolio.matches.worth import thinking_of
from seedfolio.opponents import referee
from seedfolio.opponents.opponent import Opponent


@pytest.fixture
def nim(tmp_path):
    program_of(tmp_path, scripted_text(tmp_path, "well"))
    yield tmp_path / "engine.toml"
    assert not left_behind(tmp_path)


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_an_engine_against_itself_and_a_built_in_program(nim, tmp_path):
    record = tmp_path / "games.jsonl"
    played = match(nim, str(nim), "nim@table", games=4, record=record, threads=2)
    assert played.names == ("engine #1", "engine #2", "table:noise=0")
    assert (played.games, played.forfeits) == (12, ())
    header, *games = lines(record)
    assert header["programs"][0]["player"]["engine"] == "scripted 1"
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


def test_a_match_follows_openings_and_adjudication(tmp_path):
    more = 'go = "nodes 5"\noptions = { Seed = "{seed}" }'
    text = scripted_text(tmp_path, "scores", seed="0", protocol="uci", more=more)
    tables = '[openings]\nmoves = ["a1 a2", "b2 a2", "c4 b4", "e4 d4"]\n'
    tables += "[adjudication]\nresign = { score = 600, moves = 2 }\n"
    program_of(tmp_path, text + tables)
    engine, record = tmp_path / "engine.toml", tmp_path / "games.jsonl"
    match(engine, "nim@table", games=12, record=record)
    header, *games = lines(record)
    assert header["follows"] == ["adjudication", "openings"]
    begun = [tuple(game["moves"][:2]) for game in games]
    assert begun[::2] == begun[1::2]
    judging = load_engine_program(engine).openings.judging
    assert begun[::2] == [judging[k % 2] for k in range(6)]
    assert "adjudicated win" in {game.get("ending") for game in games}
    assert not left_behind(tmp_path)


HEARD = {
    "gtp": ["> time_settings 60 0 0", "> time_left b 60 0"],
    "uci": ["> go wtime 60000 btime 60000 winc 1000 binc 1000"],
}


@pytest.mark.parametrize("protocol", HEARD)
def test_clocks_decide(protocol, tmp_path, monkeypatch):
    more = {
        "gtp": 'setup = ["seed {seed}"]',
        "uci": 'go = "nodes 5"\noptions = { Seed = "{seed}" }',
    }
    text = scripted_text(tmp_path, "well", seed="0", protocol=protocol, more=more[protocol])
    program_of(tmp_path, f'{text}\n[log]\nfolder = "logs"\n')
    engine, record = tmp_path / "engine.toml", tmp_path / "games.jsonl"
    played = match(engine, "nim@table", games=2, time="60+1", record=record)
    assert lines(record)[0]["time"]["increment"] == 1
    assert (played.forfeits, played.timed) == ((), True)
    logs = "".join(each.read_text() for each in (tmp_path / "logs").iterdir())
    assert all(words in logs for words in HEARD[protocol])
    # Now every move takes a second.
    seconds = SimpleNamespace(monotonic=count().__next__)
    monkeypatch.setattr(referee, "time", seconds)
    played = match(engine, "nim@table", games=4, time="2", threads=1)
    assert {each.ending for each in played.forfeits} == {"loss on time"}
    assert "takes 1.000 s for move 5." in played.text
    assert match(engine, "nim@table", games=4, time="1/move", threads=1).forfeits == ()
    assert match(engine, "nim@table", games=4, time="1/40+1", margin=9, threads=1).forfeits == ()
    with pytest.raises(SpecificationError, match="`time` must be seconds such as 60"):
        match(engine, "nim@table", games=2, time="1m")


def test_repeated_games_are_no_evidence(tmp_path):
    text = scripted_text(tmp_path, "well", seed="{number}").replace('numbering = "plain"', "")
    program_of(tmp_path, text + '[arms.grid]\nnumber = "1..2"\n')
    engine, record = tmp_path / "engine.toml", tmp_path / "games.jsonl"
    played = match(engine, str(engine), games=40, record=record)
    colours = [{tuple(game["moves"]) for game in lines(record)[1 + k :: 2]} for k in (0, 1)]
    different = sum(map(len, colours))
    (pairing,) = played.pairings
    assert (40 - pairing.repeats, len(pairing.points)) == (different, 40)
    assert different <= 8
    assert f"Of 40 games, {different} are different" in played.text
    assert played.as_data()["pairings"][0]["different"] == different
    naive, honest = Pairing(0, 1, pairing.points), pairing.success
    assert honest.mean == pytest.approx(naive.success.mean)
    assert honest.high - honest.low > 1.3 * (naive.success.high - naive.success.low)
    test = Sprt(0, 400)
    assert abs(pairing.ratio(test)) < abs(naive.ratio(test))


@pytest.mark.parametrize("different", [5, 10, 25, 60])
@pytest.mark.parametrize("opened", [False, True])
def test_intervals_of_repeated_games_cover_the_truth(different, opened):
    """Equal programs with few different games: the interval has 50 as often as it says."""
    random, covered, tries = np.random.default_rng(3), 0, 400
    for _ in range(tries):
        if opened:  # every opening comes equally often, and decides much of its two games
            better = random.normal(0, 0.4, (different, 1))
            signs = np.array([1, -1])
            results = np.clip(
                np.round(1 + better * signs + random.normal(0, 0.7, (different, 2))), 0, 2
            )
            kinds = np.arange(200) // 2 % different
            openings = tuple(kinds[::2].tolist())
        else:
            results = random.choice([0, 1, 2], (different, 2), p=[0.35, 0.3, 0.35])
            kinds, openings = random.integers(0, different, 200), ()
        points = tuple(int(results[kind, k % 2]) for k, kind in enumerate(kinds))
        success = Pairing(0, 1, points, tuple(kinds.tolist()), openings).success
        covered += success.low <= 0.5 <= success.high
    assert 0.93 <= covered / tries <= 0.97


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
    setup = 'setup = ["seed {seed}"]'
    program_of(tmp_path, scripted_text(tmp_path, "fork", bad="0", seed="0", more=setup))
    words = ["match", "engine.toml", "engine.toml", "--games", "400", "--record", "a.jsonl", "-q"]
    ended, _, err = finish(start_command(words, tmp_path, "after", "game", "3", "SIGTERM"))
    assert ended == 143
    assert "every finished game is kept. Go on with: seedfolio match engine.toml" in err
    assert len(lines(tmp_path / "a.jsonl")) == 4
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_gnu_go_against_itself_and_built_in_go(gnugo, tmp_path):
    program_of(tmp_path, GNU_GO.replace("6.5", "5.5").format(board=5, games=10), "gnugo.toml")
    gnu_go, go = tmp_path / "gnugo.toml", "go:5x5@table"
    played = match(gnu_go, gnu_go, go, games=2, sgf=tmp_path / "games")
    assert (played.games, played.forfeits) == (6, ())
    files = sorted((tmp_path / "games").iterdir())
    assert len(files) == 6
    for file in files:
        game = Sgf_game.from_string(file.read_text())
        assert game.get_komi() == 5.5
        assert game.get_winner() in ("b", "w")
        assert len(game.get_main_sequence()) > 5
    with pytest.raises(SpecificationError, match="same game"):
        match(gnu_go, "go:5x5,komi=6.5", games=2)


@pytest.mark.slow
def test_a_bot_of_open_spiel_against_a_weaker_one(open_spiel, tmp_path):
    for name, simulations in (("strong", 40), ("weak", 2)):
        (tmp_path / f"{name}.toml").write_text(BREAKTHROUGH.format(simulations=simulations))
    played = match(tmp_path / "strong.toml", tmp_path / "weak.toml", games=12)
    assert played.pairings[0].success.low > 0.5


@pytest.mark.slow
def test_a_portfolio_of_an_engine_plays_its_arms_and_is_worth_something(open_spiel, tmp_path):
    (tmp_path / "bot.toml").write_text(BREAKTHROUGH.format(simulations=4))
    sizes = {"k": 3, "kt": 3, "opponents": 2, "learners": ["best-half"]}
    outcome = seedfolio.boost(tmp_path / "bot.toml", **sizes, study=tmp_path / "bot.study")
    path, record = outcome.save_portfolios()["best-half"], tmp_path / "games.jsonl"
    match(path, load_program(tmp_path / "bot.toml"), games=4, record=record)
    for game in lines(record)[1:]:
        arms = dict(zip(game["programs"], game["arms"], strict=True))
        assert arms["boosted bot (best-half)"] < 3
        assert arms["bot"] >= 2**32
    found = worth(path, games=4, most=2, steps=1, record=tmp_path / "games")
    assert (found.parameter, found.steps[0].thinking) == ("simulations", 4)
    files = {file.name for file in (tmp_path / "games").iterdir()}
    assert files == {f"simulations-{step.thinking}.jsonl" for step in found.steps}


NIM = '[game]\nname = "nim"\n[player]\n'
GTP = f'{NIM}protocol = "gtp"\ncommand = "bot --seed {{seed}} --playouts 60 --level=3"\n'
UCI = f'{NIM}protocol = "uci"\ncommand = "bot --seed {{seed}}"\ngo = "nodes 500 depth 3"\n'


def test_the_number_that_says_how_long_an_engine_thinks(tmp_path):
    for text, parameter, base, changed in (
        (GTP, "playouts", 60, "bot --seed {seed} --playouts 90 --level=3"),
        (GTP, "--level", 3, "bot --seed {seed} --playouts 60 --level=90"),
        (UCI, None, 500, "nodes 90 depth 3"),
        (UCI, "depth", 3, "nodes 500 depth 90"),
    ):
        found = thinking_of(Opponent(program_of(tmp_path, text)), parameter)
        assert found.base == base
        player = found.original(90).program.specification.player
        assert changed in (player.go, " ".join(player.command))
    for text, parameter in ((GTP, "seed"), (UCI, "movetime"), (GTP, "go"), (GTP, None)):
        problem = "has no whole number for" if parameter else "does not show how long"
        with pytest.raises(SpecificationError, match=problem):
            thinking_of(Opponent(program_of(tmp_path, text)), parameter)
