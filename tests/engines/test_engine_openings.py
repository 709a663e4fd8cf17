"""How games begin and end: openings of many formats, and the scores of the engines themselves."""

import io
from collections import Counter

import chess.pgn
import pytest
from case_files import programs
from external import CHESS_ENGINE, SEEDED_UCI, Kept, play_matrix, program_of, seeded_text
from sparing import levels

from seedfolio import EngineError, SpecificationError, Study, boost, replay
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.engines.endings import ADJUDICATED, Ending
from seedfolio.engines.play.adjudication import MATE, Adjudicator, gtp_score, uci_score
from seedfolio.engines.play.check import check_program
from seedfolio.engines.specification.openings import Openings, epd_lines, pgn_lines, sgf_line
from seedfolio.engines.specification.positions import begun, placed
from seedfolio.engines.specification.tables import AdjudicationTable
from seedfolio.report.records.study import export_games

UNSEEN = UNSEEN_SEEDS.start
LINES = ["a1 a2", "b2 a2", "c4 b4", "e4 d4", "f4 b3"]


def program(folder, table):
    return program_of(folder, f"{seeded_text(folder)}\n[openings]\n{table}\n")


def test_each_game_has_one():
    openings = Openings.of([(str(n),) for n in range(11)])
    assert len(openings.learning) == 6
    assert not set(openings.learning) & set(openings.judging)
    for arms in ((3, 4), (0, 90)):
        assert openings.line(*arms) in openings.learning
    for arms in ((3, UNSEEN + 4), (UNSEEN, 9), (1, UNSEEN + (2 << 40))):
        assert openings.line(*arms) in openings.judging
    for one, other in ((3, 9), (5, UNSEEN + 7)):  # both colours have each
        assert openings.line(one, other) == openings.line(other, one)
    found = Counter(openings.line(a, b) for a in range(12) for b in range(12))
    assert set(found.values()) == {24}


def test_games_begin_with_them(tmp_path):
    (tmp_path / "lines.txt").write_text("\n".join(LINES) + "  # comment\n")
    opened = program(tmp_path, 'file = "lines.txt"')
    for options in ({"remember": True}, {}):
        _, games = play_matrix(opened, 3, **options)
        for game in games:
            assert game.moves[:2] == opened.opening(*game.arms)
            assert len(game.moves) > 2
    assert len({game.moves[:2] for game in games}) == 3
    before = opened.identity_of_parts()  # results depend on them
    (tmp_path / "lines.txt").write_text("\n".join(LINES[1:]))
    assert program(tmp_path, 'file = "lines.txt"').identity_of_parts() != before
    illegal = program(tmp_path, 'moves = ["a1 a1", "a1 b1", "a1 c1"]')
    with pytest.raises(SpecificationError, match=r"openings: [abc]1 is illegal in a1 [abc]1"):
        play_matrix(illegal, 1)


@pytest.mark.slow
def test_a_study_has_them(tmp_path):
    program(tmp_path, f"moves = {LINES}")
    sizes = {"k": 3, "kt": 3, "opponents": 4, "learners": ["best-seed"]}
    boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")
    with Study.read(tmp_path / "a.study") as study:
        games = list(study.engine_games().games())
    begun = [
        {game.moves[:2] for game in games if (max(game.arms) >= UNSEEN) is judged}
        for judged in (False, True)
    ]
    assert [len(each) for each in begun] == [3, 2]
    assert not begun[0] & begun[1]
    # The same command goes on: it compares answers of the engine, not moves of the openings.
    boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")
    with pytest.raises(SpecificationError, match="a book begins at the start"):
        boost(tmp_path / "engine.toml", learners="book", study=tmp_path / "a.study")


def test_sgf():
    text = "(;FF[4]SZ[9]C[a ; B[aa\\] ) here]KM[7];B[ee];W[cg]C[)](;B[gc];W[])(;B[aa]))"
    assert sgf_line(text, 9, 8) == ("e5", "c3", "g7", "pass")
    assert (sgf_line(text, 9, 2), sgf_line(text, 19, 8)) == (("e5", "c3"), ())
    text = "(;SZ[9]C[AB[ii\\]]HA[3]AB[gc][cg]\n[gg]KM[0.5];W[ee]AB[aa];B[ec])"
    assert sgf_line(text, 9, 1) == ("g7", "pass", "c3", "pass", "g3", "e5")


(PGN,) = programs(__file__)

ENDGAME = "8/8/8/4k3/8/8/4P3/4K3"
EPD = f"""
{ENDGAME} w - - bm e2e4; id "pawn; one";
{ENDGAME} b - - hmvc 3;  # White waits
8/8/4k3/8/8/8/3R4/4K3 w - - 4 40
r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O;
"""
FROM_POSITIONS = f"""[Event "a; b [c"]
[FEN "{ENDGAME} w - - 0 1"]

1. Kd2 {{; [Event "no"] }} Kd4 2. e3+ Kc4 *

[SetUp "1"]
[FEN "{ENDGAME} b - - 0 7"]

7... Ke4 8. Kf2 1/2-1/2

[FEN "{ENDGAME} b - - 0 9"]

*
"""


@pytest.mark.slow
def test_pgn():
    one, two = pgn_lines(PGN, "here", 20)
    assert " ".join(one) == "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1"
    assert " ".join(two) == "d2d4 d7d5 c2c4 d5c4 e2e4 b7b5 a2a4 a7a6 a4b5 a6b5 a1a8"
    assert pgn_lines(PGN, "here", 3)[1] == ("d2d4", "d7d5", "c2c4")
    with pytest.raises(SpecificationError, match=r"here: game 1: \[Variant\] is 'Atomic', not"):
        pgn_lines('[Variant "Atomic"]\n\n1. e4 *\n', "here", 4)
    with pytest.raises(SpecificationError, match=r"here: game 1: 'Ke5' is no move after e2e4"):
        pgn_lines("1. e4 Ke5", "here", 8)
    one, two, three = pgn_lines(FROM_POSITIONS, "here", 3)
    assert begun(one) == (f"{ENDGAME} w - - 0 1", ("e1d2", "e5d4", "e2e3"))
    assert begun(two) == (f"{ENDGAME} b - - 0 7", ("e5e4", "e1f2"))
    assert begun(three) == (f"{ENDGAME} b - - 0 9", ())


def test_epd():
    lines = epd_lines(EPD, "here")
    assert [begun(line) for line in lines] == [
        (f"{ENDGAME} w - - 0 1", ()),
        (f"{ENDGAME} b - - 0 1", ()),
        ("8/8/4k3/8/8/8/3R4/4K3 w - - 4 40", ()),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", ()),
    ]
    with pytest.raises(SpecificationError, match="here: line 2: fen: White has 0 kings"):
        epd_lines(f"{ENDGAME} w - -\n8/8/8/8/8/8/8/8 w - -", "here")


@levels("game", slow=["chess"], long=["open_spiel:chess"])
def test_stockfish_begins_at_positions(game, tmp_path, stockfish, open_spiel):
    (tmp_path / "a.epd").write_text(EPD)
    engine = CHESS_ENGINE.format(game=game, moves=12, nodes="100..110")
    program = program_of(tmp_path, f'{engine}[openings]\nfile = "a.epd"\n')
    _, games = play_matrix(program, 2, remember=True)
    starts = {begun(record.moves)[0] for record in games}
    assert starts == {begun(line)[0] for line in program.openings.learning}
    for record in games:
        fen, moves = begun(record.moves)
        assert record.moves[:1] == program.opening(*record.arms) == (placed(fen),)
        assert len(moves) >= 2
        board = chess.Board(fen)  # the one to move is that of the position
        for move in moves:
            assert chess.Move.from_uci(move) in board.legal_moves
            board.push_uci(move)
    with Study.open(tmp_path / "a.study", program.identity()) as study:
        study.engine_games().keep(games, [])
        export_games(study, tmp_path / "out")
    written = (tmp_path / "out" / "games.pgn").read_text()
    assert all(f'[FEN "{fen}"]' in written for fen in starts)
    again = replay(program, 1, 0)
    read = chess.pgn.read_game(io.StringIO(again.pgn))
    fen, moves = begun(again.moves)
    assert (read.headers["FEN"], read.errors) == (fen, [])
    assert [move.uci() for move in read.mainline_moves()] == list(moves)


RESIGN = "[adjudication]\nresign = { score = 600, moves = 2 }\n"
DRAW = "[adjudication]\ndraw = { score = 10, moves = 4, after = 5 }\n"


def uci_program(folder, rules, mode="scores"):
    text = seeded_text(folder, mode, bad="-", protocol="uci", more=SEEDED_UCI)
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


def test_an_engine_of_gtp_needs_a_command_for_scores(tmp_path):
    text = seeded_text(tmp_path)
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


def test_an_engine_without_scores_is_refused(tmp_path):
    with pytest.raises(EngineError, match="tells no scores with its moves"):
        check_program(uci_program(tmp_path, RESIGN, mode="well"))
