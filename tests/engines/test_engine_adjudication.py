"""Games that end by the scores which the engines give to their own positions."""

import pytest
from external import GNU_GO, Kept, left_behind, need, play_matrix, program_of, scripted_text

from seedfolio import boost
from seedfolio.engines.endings import ADJUDICATED, Ending
from seedfolio.engines.play.adjudication import MATE, Adjudicator, gtp_score, uci_score
from seedfolio.engines.play.check import check_program
from seedfolio.engines.specification.tables import AdjudicationTable
from seedfolio.errors import EngineError, SpecificationError

RESIGN = "[adjudication]\nresign = { score = 600, moves = 2 }\n"
DRAW = "[adjudication]\ndraw = { score = 10, moves = 4, after = 5 }\n"
GO = 'go = "nodes 1"'


def uci_program(folder, rules, mode="scores"):
    text = scripted_text(folder, mode, bad="-", seed="0", protocol="uci", more=GO)
    text = text.replace(GO, f'{GO}\noptions = {{ Seed = "{{seed}}" }}')
    return program_of(folder, text + rules)


def test_scores_of_uci():
    assert uci_score("info depth 3 score cp -31 nodes 5 pv e2e4") == "-31"
    assert uci_score("info score mate 3 pv e2e4") == str(MATE)
    assert uci_score("info score mate -2") == uci_score("info score mate 0") == str(-MATE)
    for line in ("depth 3 score cp 31 lowerbound", "depth 3 score cp 31 upperbound", "score cp"):
        assert uci_score(f"info {line}") is None
    for line in ("multipv 2 score cp 31", "string score cp 31", "score cp ten"):
        assert uci_score(f"info {line}") is None
    assert uci_score("bestmove e2e4") is uci_score("") is None


def test_scores_of_gtp():
    said = "W+9.0 (upper bound: -9.0, lower: -9.0)"
    assert [gtp_score(said, colour) for colour in (0, 1)] == ["-9", "9"]
    assert gtp_score("B+0.5", 0) == "0.5"
    assert gtp_score("0", 1) == gtp_score("0.0 points", 0) == gtp_score("draw", 0) == "0"
    assert gtp_score("who knows", 0) == gtp_score("", 1) == gtp_score("0x", 0) == ""


TABLE = AdjudicationTable.model_validate(
    {"resign": {"score": 500.0, "moves": 2}, "draw": {"score": 10.0, "moves": 3, "after": 6}}
)
LOST, WON, DRAWN = (
    *((Ending.ADJUDICATED_WIN, points) for points in (0, 2)),
    (Ending.ADJUDICATED_DRAW, 1),
)


@pytest.mark.parametrize(
    ("scores", "moves", "verdict"),
    [
        ("-500 0 -501", 99, LOST),
        ("3 -700 3 -700", 99, WON),
        ("-500 90 -499 90 -500", 99, None),  # only moves in a row count
        ("-500 90 ? 90 -500", 99, None),
        ("-500", 99, None),
        ("9 -10 0", 99, DRAWN),
        ("9 -11 0 1", 99, None),  # both must agree
        ("9 ? 0 1", 99, None),
        ("9 -10 0", 5, None),
    ],
)
def test_the_rules(scores, moves, verdict):
    game = Adjudicator(TABLE)
    for ply, score in enumerate(scores.split()):
        game.note(ply % 2, score.strip("?"))
    assert game.verdict(moves) == verdict


def test_a_game_ends_by_the_scores(tmp_path):
    program = uci_program(tmp_path, RESIGN + DRAW.partition("\n")[2])
    found = {}
    for options in ({"remember": True}, {}):
        matrix, games = play_matrix(program, 4, **options)
        found[bool(options)] = {game.arms: game for game in games}
        # Arms 0 and 3 give every game up with their second move; the first player is first.
        assert matrix[0].tolist() == [0, 0, 0, 0]
        assert matrix[1].tolist() == [2, 1, 1, 2]
    for pair, game in found[True].items():
        other = found[False][pair]
        assert (game.moves, game.ending, game.points) == (other.moves, other.ending, other.points)
        assert game.ending in ADJUDICATED or len(game.moves) < 5
    assert len(found[True][0, 1].moves) == 3
    assert len(found[True][1, 0].moves) == 4
    assert len(found[True][1, 2].moves) == 5
    assert not left_behind(tmp_path)


def test_a_known_answer_keeps_its_score(tmp_path):
    program, kept = uci_program(tmp_path, RESIGN), Kept()
    play_matrix(program, 2, remember=True, archive=kept)
    texts = {each.text for each in kept.kept if each.arm == 0}
    assert texts
    assert all(text.endswith(" -900") for text in texts)
    played = len(kept.games)
    matrix, _ = play_matrix(program, 2, remember=True, archive=kept)
    asked = sum(game.asked for game in kept.games[played:])
    assert asked <= 1  # one in fifty is confirmed
    assert matrix[0].tolist() == [0, 0]
    other = uci_program(tmp_path, RESIGN.replace("600", "700")).identity_of_parts()
    none = uci_program(tmp_path, "").identity_of_parts()
    assert program.identity_of_parts() != other
    assert "adjudication" not in none["specification"]
    assert "score" not in none["specification"]["player"]


@pytest.mark.slow
def test_the_summary_counts_them(tmp_path):
    uci_program(tmp_path, RESIGN + DRAW.partition("\n")[2])
    sizes = {"k": 4, "kt": 4, "opponents": 6, "learners": ["best-seed"]}
    outcome = boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")
    endings = outcome.engine.endings
    won, drawn = (endings[each] for each in (Ending.ADJUDICATED_WIN, Ending.ADJUDICATED_DRAW))
    assert f"adjudicated {won} as won and {drawn} as drawn" in outcome.engine.text
    # Six opponents show the columns up to K'=4, and the verdict is about these.
    assert [len(row.estimates) for row in outcome.rows] == [3, 3, 3]
    assert "K'=4" in outcome.verdict.text
    assert "K'=8" not in outcome.verdict.text
    assert outcome.save_portfolios()["best-seed"].is_file()


def test_an_engine_of_gtp_needs_a_command(tmp_path):
    text = scripted_text(tmp_path, "well", seed="0", more='setup = ["seed {seed}"]')
    with pytest.raises(SpecificationError, match=r"GTP has none: .*estimate_score"):
        program_of(tmp_path, text + RESIGN)
    scored = text.replace("[arms]", 'score = "guess"\n[arms]')
    with pytest.raises(SpecificationError, match=r"score in player is for \[adjudication\]"):
        program_of(tmp_path, scored)
    rules = RESIGN.replace("600", "20.5")
    matrix, games = play_matrix(program_of(tmp_path, scored + rules), 2, remember=True)
    assert matrix.tolist() == [[0, 0], [2, matrix[1, 1]]]
    assert {game.ending for game in games[:3]} == {Ending.ADJUDICATED_WIN}
    assert check_program(program_of(tmp_path, scored + rules)).remember
    assert not left_behind(tmp_path)


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("[adjudication]\n", "adjudication needs resign or draw"),
        (RESIGN.replace("600", "0"), "adjudication.resign.score"),
        (RESIGN.replace("moves = 2", "moves = 0"), "adjudication.resign.moves"),
        (
            f"{RESIGN}[[opponents]]\nprotocol = 'gtp'\ncommand = 'bot'\n",
            "opponent bot: adjudication needs scores",
        ),
    ],
)
def test_mistakes_are_named(rules, problem, tmp_path):
    with pytest.raises(SpecificationError, match=problem):
        uci_program(tmp_path, rules)


def test_an_engine_without_scores_is_refused(tmp_path):
    with pytest.raises(EngineError, match="tells no scores with its moves"):
        check_program(uci_program(tmp_path, RESIGN, mode="well"))
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_gnu_go(tmp_path):
    need("gnugo")
    plain = GNU_GO.format(board=5, games=10)
    scored = (
        f'{plain}score = "estimate_score"\n[adjudication]\nresign = {{ score = 10, moves = 2 }}\n'
    )
    program = program_of(tmp_path, scored)
    _, games = play_matrix(program, 1, remember=True)
    _, again = play_matrix(program, 1)
    _, whole = play_matrix(program_of(tmp_path, plain), 1)
    for game, repeated, full in zip(games, again, whole, strict=True):
        assert (game.moves, game.ending) == (repeated.moves, repeated.ending)
        assert game.moves == full.moves[: len(game.moves)]
        assert game.ending is Ending.ADJUDICATED_WIN
