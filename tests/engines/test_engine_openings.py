"""Games that begin with openings: from a list, SGF, PGN or EPD; others to learn than to judge."""

import io
from collections import Counter

import chess.pgn
import pytest
from case_files import programs
from external import CHESS_ENGINE, left_behind, play_matrix, program_of, scripted_text

from seedfolio import boost
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.engines.specification.openings import Openings, epd_lines, pgn_lines, sgf_line
from seedfolio.engines.specification.positions import begun, placed
from seedfolio.errors import SpecificationError
from seedfolio.matches.replay import replay
from seedfolio.report.records.study import export_games
from seedfolio.study.store import Study

UNSEEN = UNSEEN_SEEDS.start
SEED = 'setup = ["seed {seed}"]'
LINES = ["a1 a2", "b2 a2", "c4 b4", "e4 d4", "f4 b3"]


def program(folder, table):
    text = scripted_text(folder, "well", seed="0", more=SEED)
    return program_of(folder, f"{text}\n[openings]\n{table}\n")


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
    assert not left_behind(tmp_path)


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
    with pytest.raises(SpecificationError, match=r"here: \[Variant\] is 'Atomic', not Standard"):
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


@pytest.mark.slow
@pytest.mark.parametrize("game", ["chess", "open_spiel:chess"])
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
