"""Games that end by the scores which the engines give to their own positions."""

import pytest
from external import GNU_GO, Kept, left_behind, play_matrix, program_of, scripted_text

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


def test_scores_of_uci_and_gtp():
    assert uci_score("info depth 3 score cp -31 nodes 5 pv e2e4") == "-31"
    assert uci_score("info score mate 3 pv e2e4") == str(MATE)
    assert uci_score("info score mate -2") == uci_score("info score mate 0") == str(-MATE)
    for line in ("depth 3 score cp 31 lowerbound", "depth 3 score cp 31 upperbound", "score cp"):
        assert uci_score(f"info {line}") is None
    for line in ("multipv 2 score cp 31", "string score cp 31", "score cp ten"):
        assert uci_score(f"info {line}") is None
    assert uci_score("bestmove e2e4") is uci_score("") is None
    said = "W+9.0 (upper bound: -9.0, lower: -9.0)"
    assert [gtp_score(said, colour) for colour in (0, 1)] == ["-9", "9"]
    assert gtp_score("B+0.5", 0) == "0.5"
    assert gtp_score("0", 1) == gtp_score("0.0 points", 0) == gtp_score("draw", 0) == "0"
    assert gtp_score("who knows", 0) == gtp_score("", 1) == gtp_score("0x", 0) == ""


def test_the_rules():
    table = {"resign": {"score": 500, "moves": 2}, "draw": {"score": 10, "moves": 3, "after": 6}}
    for scores, moves, verdict in (
        ("-500 0 -501", 99, (Ending.ADJUDICATED_WIN, 0)),
        ("3 -700 3 -700", 99, (Ending.ADJUDICATED_WIN, 2)),
        ("-500 90 -499 90 -500", 99, None),  # only moves in a row count
        ("-500 90 ? 90 -500", 99, None),
        ("-500", 99, None),
        ("9 -10 0", 99, (Ending.ADJUDICATED_DRAW, 1)),
        ("9 -11 0 1", 99, None),  # both must agree
        ("9 ? 0 1", 99, None),
        ("9 -10 0", 5, None),
    ):
        game = Adjudicator(AdjudicationTable.model_validate(table))
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
        assert (matrix[0].tolist(), matrix[1].tolist()) == ([0, 0, 0, 0], [2, 1, 1, 2])
    for pair, game in found[True].items():
        other = found[False][pair]
        assert (game.moves, game.ending, game.points) == (other.moves, other.ending, other.points)
        assert game.ending in ADJUDICATED or len(game.moves) < 5
    assert (len(found[True][0, 1].moves), len(found[True][1, 0].moves)) == (3, 4)
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


def test_an_engine_without_scores_is_refused(tmp_path):
    with pytest.raises(EngineError, match="tells no scores with its moves"):
        check_program(uci_program(tmp_path, RESIGN, mode="well"))


@pytest.mark.slow
def test_gnu_go(tmp_path, gnugo):
    plain = GNU_GO.format(board=5, games=10)
    rules = RESIGN.replace("600", "10")
    program = program_of(tmp_path, f'{plain}score = "estimate_score"\n{rules}')
    _, (game,) = play_matrix(program, 1, remember=True)
    _, (again,) = play_matrix(program, 1)
    _, (whole,) = play_matrix(program_of(tmp_path, plain), 1)
    assert (game.moves, game.ending) == (again.moves, again.ending)
    assert game.moves == whole.moves[: len(game.moves)]
    assert game.ending is Ending.ADJUDICATED_WIN
    assert whole.detail[:2] in ("B+", "W+")  # the margin
