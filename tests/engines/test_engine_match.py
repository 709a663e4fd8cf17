"""Matches of engines, each other and built-in programs; and as users of fastchess know them."""

import json
import re
from itertools import count
from types import SimpleNamespace

import chess.pgn
import numpy as np
import pytest
from external import (
    BREAKTHROUGH,
    CHESS_ENGINE,
    LIMITS,
    SEED,
    SEEDED_UCI,
    numbered_text,
    program_of,
    scripted_text,
    seeded_text,
)
from waiting import finish, start_command

import seedfolio
from seedfolio import EngineError, Opponent, SpecificationError, load_program, match, worth
from seedfolio.cli import run
from seedfolio.engines.program import load_engine_program
from seedfolio.evaluation.sprt import Sprt
from seedfolio.matches.result import Pairing
from seedfolio.matches.schedule import load_lines, load_pairings
from seedfolio.matches.worth import thinking_of
from seedfolio.opponents import referee


@pytest.fixture
def nim(tmp_path):
    program_of(tmp_path, scripted_text(tmp_path, "well"))
    return tmp_path / "engine.toml"


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


def test_a_match_follows_openings_and_adjudication(tmp_path):
    text = seeded_text(tmp_path, "scores", protocol="uci", more=SEEDED_UCI)
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


HEARD = {
    "gtp": ["> time_settings 60 0 0", "> time_left b 60 0"],
    "uci": ["> go wtime 60000 btime 60000 winc 1000 binc 1000"],
}


@pytest.mark.parametrize("protocol", HEARD)
def test_clocks_decide(protocol, tmp_path, monkeypatch):
    more = {"gtp": SEED, "uci": SEEDED_UCI}[protocol]
    text = scripted_text(tmp_path, "well", seed="0", protocol=protocol, more=more)
    program_of(tmp_path, f'{text}\n[log]\nfolder = "logs"\n')
    engine, record = tmp_path / "engine.toml", tmp_path / "games.jsonl"
    played = match(engine, "nim@table", games=2, time="60+1", record=record)
    assert lines(record)[0]["time"]["increment"] == 1
    assert (played.forfeits, played.timed) == ((), True)
    logs = "".join(each.read_text() for each in (tmp_path / "logs").iterdir())
    assert all(words in logs for words in HEARD[protocol])
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
    program_of(tmp_path, numbered_text(tmp_path, 2))
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


ON_NIM = "nim"
ONE, OTHER, THIRD = (f"{ON_NIM}@table:noise={number}" for number in (30, 20, 10))
LINES = ["a1 a2", "b2 a2", "c4 b4", "e4 d4", "f4 b3"]
ENDGAMES = ["8/8/8/4k3/8/8/4P3/4K3 w - -", "8/8/8/4k3/4p3/8/8/4K3 b - -"]


@pytest.fixture
def openings(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("\n".join(LINES))
    return path


def test_each_opening_is_played_with_both_colours(openings, tmp_path):
    record = tmp_path / "games.jsonl"
    played = match(ONE, OTHER, games=20, openings=openings, record=record)
    header, *games = lines(record)
    begun = [" ".join(game["moves"][:2]) for game in games]
    assert begun[::2] == begun[1::2]
    assert sorted(begun[:10:2]) == sorted(LINES)  # all come before one comes again
    assert begun[:10] == begun[10:]
    assert [game["programs"] for game in games[:2]] == [
        ["table:noise=30", "table:noise=20"],
        ["table:noise=20", "table:noise=30"],
    ]
    again = match(ONE, OTHER, games=20, openings=openings, record=record, threads=1)
    assert again == played
    one = match(ONE, OTHER, games=2, openings=openings, plies=1, record=tmp_path / "one.jsonl")
    assert one.games == 2
    assert lines(tmp_path / "one.jsonl")[0]["openings"] != header["openings"]
    orders = {load_lines(openings, 8, load_pairings((ONE, OTHER), key))[0] for key in range(9)}
    assert len(orders) > 1
    for text, games in (("a1 a1", 2), ("a1\nb3 b3\nc4", 6)):
        openings.write_text(text)
        kept = tmp_path / f"{games}.jsonl"
        with pytest.raises(SpecificationError, match=r"openings: (..) is illegal in \1 \1"):
            match(ONE, OTHER, games=games, openings=openings, record=kept)
        assert not kept.exists()  # no game has begun
    openings.write_text("# none\n")
    with pytest.raises(SpecificationError, match="has no openings for nim"):
        match(ONE, OTHER, games=2, openings=openings)


def test_a_gauntlet(openings, tmp_path, capsys):
    played = match(ONE, OTHER, THIRD, games=6, gauntlet=True, openings=openings)
    assert [(each.first, each.second) for each in played.pairings] == [(0, 1), (0, 2)]
    ranks = played.ranking().rows
    assert sorted(row[4] for row in ranks) == ["12", "6", "6"]
    first = next(row for row in ranks if row[1] == "table:noise=30")
    assert sum(json.loads(first[-1])) == 6
    assert played.table().rows[1][3] == ""  # the others do not meet
    words = ["match", ONE, OTHER, THIRD, "--gauntlet", "--games", "4", "--concurrency", "1", "-q"]
    assert run([*words, "--openings", str(openings)]) == 0
    assert "Ptnml(0-2)" in capsys.readouterr().out


def test_the_summary_is_that_of_fastchess(capsys):
    words = ["match", ONE, OTHER, "--games", "40", "-q", "--sprt", "0,150", "--alpha", "0.1"]
    assert run([*words, "--model", "normalized"]) == 0
    out = capsys.readouterr().out
    for line in (
        r"Elo: -?[\d.]+ \+/- [\d.]+, nElo: -?[\d.]+ \+/- [\d.]+",
        r"LOS: [\d.]+ %, DrawRatio: [\d.]+ %, PairsRatio: [\d.]+",
        r"Games: \d+, Wins: \d+, Losses: \d+, Draws: 0, Points: [\d.]+ \([\d.]+ %\)",
        r"Ptnml\(0-2\): \[\d+, 0, \d+, 0, \d+\], WL/DD Ratio: inf",
        r"LLR: -?[\d.]+ \(-2\.89, 2\.25\) \[0\.00, 150\.00\]",
    ):
        assert re.search(f"^{line}$", out, re.MULTILINE), line
    assert "normalized Elo 0 against +150, alpha 10%, beta 5%" in " ".join(out.split())
    assert run([*words[:6], "--json"]) == 0
    (pairing,) = json.loads(capsys.readouterr().out)["pairings"]
    assert 4 * sum(pairing["pentanomial"]) == 80
    assert 0 <= pairing["los"] <= 1


def test_wrong_rules(openings):
    for more, message in (
        ({"resign": "600"}, "`resign` must be whole numbers, score, moves, such as 600,3"),
        ({"draw": "10,8"}, "`draw` must be whole numbers, score, moves, after, such as 10,8,60"),
        ({"resign": "0,3"}, "`score` of `resign`: input should be greater than 0"),
        ({"openings": "none.txt"}, "cannot read none.txt"),
        ({"openings": "none.pgn"}, "cannot read none.pgn"),
        ({"sprt": (0, 5), "alpha": 2}, "`alpha` must be a probability"),
    ):
        with pytest.raises(SpecificationError) as raised:
            match(ONE, OTHER, games=2, **more)
        assert message in str(raised.value)
    openings.rename(openings.with_suffix(".epd"))
    with pytest.raises(SpecificationError, match="EPD is for chess, not for nim"):
        match(ONE, OTHER, games=2, openings=openings.with_suffix(".epd"))


@pytest.mark.slow
def test_chess_from_positions_with_comments_and_adjudication(tmp_path, stockfish):
    (tmp_path / "ends.epd").write_text("\n".join(ENDGAMES))
    (tmp_path / "fish.toml").write_text(
        CHESS_ENGINE.format(game="chess", moves=60, nodes="2000..2001")
    )
    sides = tmp_path / "fish.toml", "chess@alphabeta:depth=1"
    pgn, record = tmp_path / "games.pgn", tmp_path / "games.jsonl"
    rules = {"resign": "500,2", "draw": "20,6,10"}
    kept = {"pgn": pgn, "record": record, "openings": tmp_path / "ends.epd"}
    played = match(*sides, games=4, **rules, **kept)
    assert played.forfeits == ()
    endings = {game.get("ending") for game in lines(record)[1:]}
    assert endings & {"adjudicated win", "adjudicated draw"}
    text = pgn.read_text()
    starts = []
    with pgn.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert game.errors == []
            starts.append(game.headers["FEN"][:-4])
            for node in game.mainline():
                assert re.fullmatch(r"([+-](\d+\.\d\d|M\d+)(/\d+)? )?\d+\.\d{3}s", node.comment)
    assert len(starts) == played.games == 4
    assert starts[::2] == starts[1::2]
    assert set(starts) == set(ENDGAMES)
    assert match(*sides, games=4, **rules, **kept).pairings == played.pairings
    assert pgn.read_text() == text
    (tmp_path / "gtp.toml").write_text(
        f'{LIMITS}[game]\nname = "chess"\n[player]\nprotocol = "gtp"\ncommand = "a {{seed}}"\n'
    )
    with pytest.raises(SpecificationError, match=r"has positions \(FEN\), and gtp speaks GTP"):
        match(tmp_path / "gtp.toml", "chess", games=2, openings=tmp_path / "ends.epd")


@pytest.mark.slow
def test_no_engine_is_left_when_a_match_ends_early(tmp_path):
    # Each engine has a child that is deaf to SIGTERM and would live on if the command just died.
    program_of(tmp_path, seeded_text(tmp_path, "fork", bad="0"))
    words = ["match", "engine.toml", "engine.toml", "--games", "400", "--record", "a.jsonl", "-q"]
    ended, _, err = finish(start_command(words, tmp_path, "after", "game", "3", "SIGTERM"))
    assert ended == 143
    assert "every finished game is kept. Go on with: seedfolio match engine.toml" in err
    assert len(lines(tmp_path / "a.jsonl")) == 4
