"""Matches as users of fastchess know them: openings, gauntlets, adjudication, PGN, its summary."""

import json
import re

import chess.pgn
import pytest
from external import CHESS_ENGINE, LIMITS

from seedfolio import SpecificationError, match
from seedfolio.cli import run
from seedfolio.matches.schedule import load_lines, load_pairings

GAME = "nim"
ONE, OTHER, THIRD = (f"{GAME}@table:noise={number}" for number in (30, 20, 10))
LINES = ["a1 a2", "b2 a2", "c4 b4", "e4 d4", "f4 b3"]
ENDGAMES = ["8/8/8/4k3/8/8/4P3/4K3 w - -", "8/8/8/4k3/4p3/8/8/4K3 b - -"]


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


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
    sides = tmp_path / "fish.toml", "chess@uct:simulations=20", "chess@alphabeta:depth=1"
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
    assert len(starts) == played.games == 12
    assert starts[::2] == starts[1::2]
    assert set(starts) == set(ENDGAMES)
    assert match(*sides, games=4, **rules, **kept).pairings == played.pairings
    assert pgn.read_text() == text
    (tmp_path / "gtp.toml").write_text(
        f'{LIMITS}[game]\nname = "chess"\n[player]\nprotocol = "gtp"\ncommand = "a {{seed}}"\n'
    )
    with pytest.raises(SpecificationError, match=r"has positions \(FEN\), and gtp speaks GTP"):
        match(tmp_path / "gtp.toml", "chess", games=2, openings=tmp_path / "ends.epd")
