"""Matches: both colours, the same games on any number of threads, records that continue."""

import json
from collections import Counter

import pytest
from sessions import Bar

import seedfolio
from seedfolio import Opponent, SpecificationError, StudyError, load_boosted, load_program, match
from seedfolio.core.seeds import FIRST_PLAY_SEED
from seedfolio.opponents.load import load_opponent

GAME = "domineering:4x4"
WEAK, MIDDLE, STRONG = (f"{GAME}@uct:simulations={number}" for number in (2, 5, 50))


@pytest.fixture
def portfolio(made):
    return made.portfolio("nash")


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


class Interrupting(Bar):
    def advance(self, cells):
        super().advance(cells)
        if self.done == 5:
            raise KeyboardInterrupt


def test_the_sequential_test_stops_early_and_continues_to_the_same_end(tmp_path):
    path = tmp_path / "games.jsonl"
    played = match(STRONG, WEAK, games=400, sprt=(0, 30), record=path)
    assert played.decision == "elo1"
    assert played.games < 100
    assert len(lines(path)) == played.games + 1
    assert "accepts Elo +30 or more" in played.verdict
    path.write_bytes(path.read_bytes()[:700])
    assert match(STRONG, WEAK, games=400, sprt=(0, 30), record=path, threads=1) == played
    assert match(WEAK, STRONG, games=400, sprt=(0, 30)).decision == "elo0"
    assert match(STRONG, WEAK, games=2, sprt=(0, 30)).decision is None


def test_programs_from_python(portfolio):
    boosted = load_boosted(portfolio)
    program = load_program(GAME, "uct:simulations=5")
    played = match(boosted, boosted.original, program, games=4)
    assert played.names[0] == "boosted uct:simulations=5 (nash)"
    assert played.names[1:] == ("original uct:simulations=5", "uct:simulations=5")
    own = f"{portfolio}@original"
    assert played == match(portfolio, own, MIDDLE, games=4)
    others = match(portfolio, Opponent(program), MIDDLE, games=4)
    assert others.names[1:] == ("uct:simulations=5 #2", "uct:simulations=5 #3")
    assert others.pairings == played.pairings
    assert load_opponent(GAME).name == "uct:simulations=100,exploration=0.3"  # its own player


def test_the_same_games_on_any_number_of_threads(tmp_path, portfolio):
    records = []
    for threads in (1, 3):
        path = tmp_path / f"{threads}.jsonl"
        match(portfolio, MIDDLE, WEAK, games=10, threads=threads, record=path)
        records.append(path.read_bytes())
    assert records[0] == records[1]
    assert match(MIDDLE, WEAK, games=20) != match(MIDDLE, WEAK, games=20, key=1)


def test_both_colours_equally_often_and_seeds_that_no_study_plays(tmp_path, portfolio):
    path = tmp_path / "games.jsonl"
    played = match(portfolio, MIDDLE, STRONG, games=12, record=path)
    header, *games = lines(path)
    assert header["format"] == "seedfolio match"
    assert [game["game"] for game in games] == list(range(36))
    sides = Counter(tuple(game["programs"]) for game in games)
    assert (len(sides), set(sides.values())) == (6, {6})
    boosted = load_boosted(portfolio)
    seen = []
    for game in games:
        for colour, (name, arm) in enumerate(zip(game["programs"], game["arms"], strict=True)):
            if name == boosted.name:
                assert arm in boosted.plays[colour].arms
            else:
                assert arm >= FIRST_PLAY_SEED
                seen.append(arm)
        if set(game["programs"]) == {boosted.name, "uct:simulations=5"}:
            again = seedfolio.replay(GAME, *game["arms"], "uct:simulations=5")
            assert (again.moves, again.half_points) == (game["moves"], game["half_points"])
    assert len(set(seen)) == len(seen)
    for pairing in played.pairings:
        mine = played.names[pairing.first]
        points = sum(
            game["half_points"] if game["programs"][0] == mine else 2 - game["half_points"]
            for game in games
            if set(game["programs"]) == {mine, played.names[pairing.second]}
        )
        assert points == sum(pairing.points)
    assert (played.games, len(played.table().rows)) == (36, 3)
    assert played.text.count("\n") == 2
    assert sum(played.overall(number).mean for number in range(3)) == pytest.approx(1.5)
    data = played.as_data()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert sum(data["pairings"][0][key] for key in ("wins", "draws", "losses")) == 12


def test_a_record_that_was_cut_continues_to_the_same_file(tmp_path, monkeypatch):
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    expected = match(STRONG, WEAK, games=10, record=whole)
    with pytest.raises(KeyboardInterrupt):
        match(STRONG, WEAK, games=10, record=cut, progress=Interrupting())
    assert len(lines(cut)) == 6
    assert not list(tmp_path.glob("*-lock"))
    for kept in (None, 0, 20, 400, 1000, -30, -1):
        if kept is not None:
            cut.write_bytes(whole.read_bytes()[:kept])
        bar = Bar()
        found = match(STRONG, WEAK, games=10, record=cut, progress=bar)
        assert (cut.read_bytes(), found.pairings) == (whole.read_bytes(), expected.pairings)
        assert (bar.done, bar.ended) == (10, 1)
        assert sorted(path.name for path in tmp_path.iterdir()) == ["cut.jsonl", "whole.jsonl"]
    monkeypatch.setattr("seedfolio.matches.host.Host.play", None)
    assert match(STRONG, WEAK, games=10, record=whole) == expected
    assert match(STRONG, WEAK, games=4, record=whole).games == 4
    assert whole.read_bytes() == cut.read_bytes()


def test_other_and_damaged_records_are_refused(tmp_path, portfolio):
    path, notes = tmp_path / "games.jsonl", tmp_path / "notes.txt"
    notes.write_text("mine")
    match(STRONG, WEAK, games=4, record=path)
    header, *games = path.read_text().splitlines(keepends=True)
    for programs, more in (
        *(((WEAK, STRONG), {}), ((STRONG, MIDDLE), {}), ((portfolio, WEAK), {})),
        *(((STRONG, WEAK), {"key": 1}), ((STRONG, WEAK), {"record": notes})),
    ):
        with pytest.raises(SpecificationError, match="not the record of this match"):
            match(*programs, games=4, **{"record": path, **more})
    assert (path.read_text(), notes.read_text()) == ("".join([header, *games]), "mine")
    wrong = ({"ending": "unfinished"}, {"ending": "void"}, {"moves": [5]})
    damaged = [f"{json.dumps({**json.loads(games[0]), **each})}\n" for each in wrong]
    for number, content in (
        (0, [games[1], games[0], *games[2:]]),
        (1, [games[0], "{}\n", *games[2:]]),
        *((0, [each]) for each in damaged),
    ):
        path.write_text("".join([header, *content]))
        with pytest.raises(SpecificationError, match=rf"line {number + 2} .* not game {number}"):
            match(STRONG, WEAK, games=4, record=path)
    with pytest.raises(StudyError, match="does not exist"):
        match(STRONG, WEAK, games=4, record=tmp_path / "none" / "games.jsonl")
    with pytest.raises(SpecificationError, match="not a regular file"):
        match(STRONG, WEAK, games=4, record=tmp_path)


BOTH = (GAME, GAME)


def test_bad_requests(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for programs, more, message in (
        ((GAME,), {}, "needs 2 to 100 programs, and 1 is given"),
        ((GAME, "domineering:5x5"), {}, "same game, not domineering 4x4 and domineering 5x5"),
        ((GAME, "engine.toml@uct"), {}, "engine.toml names the engine; leave out @uct"),
        (BOTH, {"games": 3}, "`games` must be an even number"),
        (BOTH, {"games": 2.0}, "`games` must be a whole number"),
        (BOTH, {"key": -1}, "`key` must be from 0"),
        (BOTH, {"threads": 0}, "`threads` must be 1 or more"),
        (BOTH, {"plies": 0}, "`plies` must be 1 or more"),
        (BOTH, {"sprt": (30, 0)}, "the lower one first"),
        (BOTH, {"sprt": "0,30"}, "such as (0, 30), not '0,30'"),
        ((*BOTH, GAME), {"sprt": (0, 30)}, "`sprt` is for a match of two"),
    ):
        with pytest.raises(seedfolio.SeedfolioError) as raised:
            match(*programs, **more)
        assert message in str(raised.value)
        assert "\n" not in str(raised.value)
