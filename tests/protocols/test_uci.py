"""UCI with the moves of other games: dialogues as referees hold them, and what goes wrong."""

import re
import weakref
from random import Random
from threading import Event, Thread, get_ident
from time import sleep
from types import SimpleNamespace

import pytest
from case_files import cases
from one_line import refused
from waiting import PATIENCE, wait_until

from seedfolio import Opponent, boost, load_boosted, load_game, load_program
from seedfolio.engines.clock import Clock, Reserve
from seedfolio.opponents import go_limits
from seedfolio.opponents.background import in_background
from seedfolio.protocols import uci
from seedfolio.protocols.gtp import GtpServer, go_board
from seedfolio.protocols.uci import UciServer

PLAYER = "uct:simulations=20"


@pytest.fixture(scope="module")
def program():
    return load_program("domineering:4x4", PLAYER)


def make(program, said, **options):
    names = (program.game.text, program.game.name)
    return UciServer(Opponent(program), names, said.append, **options)


def talk(program, text, **options):
    said: list[str] = []
    make(program, said, **options).serve(line.strip() for line in text.strip().splitlines())
    return said


def answers(said):
    return [line for line in said if not line.startswith(("info string seed ", "info nodes "))]


def best(program, moves, arm):
    history = [program.game.parse_move(move) for move in moves.split()]
    return f"bestmove {program.game.move_name(program.choose(history, arm))}"


def test_cutechess_plays_a_game(program):
    """What cutechess-cli sends to an engine, in its order."""
    said = talk(
        program,
        """
        uci
        setoption name Arm value 11
        isready
        ucinewgame
        position startpos
        isready
        go wtime 60000 btime 60000 winc 600 binc 600
        position startpos moves a1a2 c1d1
        go wtime 59000 btime 60000 winc 600 binc 600
        position startpos moves a1a2 c1d1 b1b2
        go wtime 58000 btime 60000 winc 600 binc 600
        stop
        """,
    )
    assert answers(said) == [
        "id name Seedfolio uct:simulations=20 0.3.0",
        "id author the Seedfolio maintainers",
        "option name UCI_Variant type combo default domineering:4x4 var domineering:4x4"
        " var domineering",
        "option name Arm type string default <empty>",
        "option name Key type string default <empty>",
        "option name Portfolio type string default <empty>",
        "option name Move Overhead type spin default 50 min 0 max 5000",
        *("uciok", "readyok", "readyok"),
        *(best(program, moves, 11) for moves in ("", "a1a2 c1d1", "a1a2 c1d1 b1b2")),
    ]
    assert said.count("info string seed 11") == 3


def test_go_infinite_thinks_until_stop(program):
    said: list[str] = []

    def lines():
        yield "stop"
        yield "go infinite"
        wait_until(lambda: len(said) > 2, "searches")
        yield "isready"
        yield ""  # neither an empty line nor what UCI does not know ends a search
        yield "debug on"
        yield "isready"
        assert said.count("readyok") == 2
        assert not said[-1].startswith("bestmove")
        yield "stop"
        wait_until(lambda: said[-1].startswith("bestmove "), "the answer")
        yield "stop"
        yield "go ponder wtime 1 btime 1"
        yield "ponderhit"

    make(program, said, arm="9").serve(lines())
    assert said[-1].startswith("bestmove "), "the end of input waits for the last answer"


def test_searchmoves_choose_among_them_alone(program):
    for wanted, goes in (("a1a2 b3b4", "searchmoves a1a2 b3b4"), ("c1c2", "searchmoves C1C2")):
        info, _, move = talk(program, f"go {goes} nodes 30", arm="5")
        assert move.split()[1] in wanted.split()
        assert info.endswith(f" pv {move.split()[1]}")
    error, _ = talk(program, "go searchmoves c1d1", arm="5")
    assert error == "info string error: searchmoves names no legal move"


def test_the_clock_begins_with_go_and_no_search_outlives_it(program, monkeypatch):
    history, seat = [], Opponent(program, arm=9).draw_compiled(0, 0)
    said, seconds, may_end = [], [0.0], Event()
    run, make_program = go_limits._Searches.run, go_limits.thinking

    def slowly(*arguments):
        seconds[0] += 7  # all that comes before a search counts
        return make_program(*arguments)

    monkeypatch.setattr(go_limits, "thinking", slowly)
    limits = go_limits.Limits(said.append, numbers={"nodes": 61}, now=lambda: seconds[0])
    limits.choose(seat, history)
    assert " time 7000 " in said[-1]

    def hanging(searches, program, room):
        if program.player.simulations > 50:
            seconds[0] += 100
            may_end.wait()
        return run(searches, program, room)

    monkeypatch.setattr(go_limits, "thinking", make_program)
    monkeypatch.setattr(go_limits._Searches, "run", hanging)
    for clock in ("movetime 40", "wtime 40 btime 1 nodes 10000"):
        limits = go_limits.Limits.parse(clock.split(), said.append)
        limits._now = lambda: seconds[0]
        limits.begin()
        move = limits.choose(seat, history)
        assert said[-1].endswith(f" pv {program.game.move_name(move)}")
        assert said[-1].startswith("info nodes 50 ")
    may_end.set()
    # With enough time, a clock changes nothing.
    said = talk(program, "go wtime 6000000 btime 6000000", arm="9")
    assert said[-1] == best(program, "", 9)


def test_where_threads_get_a_core_late_more_time_is_kept(program, monkeypatch):
    assert Clock(0.1).last(reserve=9) == pytest.approx(0.01)
    assert Clock(60, 1).soon(0.55) == pytest.approx(2.25)
    reserve = Reserve(0.05)
    for lag, kept in ((-1, 0.05), (0.01, 0.08), (0.06, 0.23), (0.01, 0.23)):
        reserve.note(lag)
        assert reserve.seconds == pytest.approx(kept)
    seat, may_end, seconds = Opponent(program, arm=9).draw_compiled(0, 0), Event(), [0.0]
    monkeypatch.setattr(go_limits._Searches, "run", lambda *_: may_end.wait() or (0, True, None))
    limits = go_limits.Limits.parse(["movetime", "9000"], str, reserve)
    limits._now = lambda: seconds[0]
    limits.begin()

    def late(wanted):
        seconds[0] += wanted + 0.4
        may_end.set()

    monkeypatch.setattr(limits._wake, "wait", late)
    limits.choose(seat, [])
    assert reserve.seconds == pytest.approx(0.05 + 3 * 0.4)
    reserve.begin()
    assert reserve.seconds == pytest.approx(0.05 + 3 * 0.98 * 0.4)


def test_setting_up_a_position_takes_time_of_a_go_that_waits_for_it(program, monkeypatch):
    server, seconds, begun = make(program, []), [0.0], []
    monkeypatch.setattr(uci, "time", SimpleNamespace(monotonic=lambda: seconds[0]))

    def set_up(_):
        seconds[0] += 7

    def lines():
        for later in (0, 1):
            yield "position startpos"
            seconds[0] += later
            yield "go movetime 40"
            begun.append(server._limits._begun)
            server._search.wait()

    server._commands["position"] = set_up
    server.serve(lines())
    assert begun == [0, 15]


def test_a_thread_that_waits_searches_again_and_keeps_nothing():
    threads: list[int] = []
    for _ in range(20):
        assert in_background(lambda: threads.append(get_ident())).wait(PATIENCE)
    assert len({*threads}) < 10  # those of earlier tests may come back in between
    limits = go_limits.Limits(print)
    kept = weakref.ref(limits)
    assert in_background(limits.stop).wait(PATIENCE)
    del limits
    assert kept() is None


def test_moves_share_what_is_known_of_lags(program, monkeypatch):
    found, limits = set(), go_limits.Limits
    begin = limits.__init__

    def begun(self, *given, reserve=None, **more):
        found.add(reserve)
        begin(self, *given, reserve=reserve, **more)

    monkeypatch.setattr(limits, "__init__", begun)
    talk(program, "go wtime 9000\nposition startpos\ngo wtime 9000")
    board = go_board(load_game("go:5x5"))
    player = load_program("go:5x5", "uct:simulations=2")
    server = GtpServer(Opponent(player), board)
    for line in ("time_settings 60 0 0", "genmove b", "genmove w"):
        server.answer(line)
    assert len(found - {None}) == 2  # one for each server


def test_commands_wait_for_a_search_and_the_server_does_not(program, monkeypatch):
    said: list[str] = []
    server = make(program, said, arm="9")
    may_end, found = Event(), server._found

    def slowly(limits):
        may_end.wait()
        return found(limits)

    monkeypatch.setattr(server, "_found", slowly)

    def lines():
        yield "go"
        yield "stop"
        yield "position startpos moves a1a2"
        yield "go"
        yield "isready"
        assert said[-1] == "readyok"
        may_end.set()

    server.serve(lines())
    moves = [line for line in said if line.startswith("bestmove")]
    assert moves == [best(program, "", 9), best(program, "a1a2", 9)]


def test_arms_are_drawn_once_a_game(program):
    def arms(key, games):
        text = "ucinewgame\nposition startpos moves a1a2\ngo\ngo\n" * games
        said = [line for line in talk(program, text, key=key) if line.startswith("info string")]
        assert said[::2] == said[1::2]
        return said[::2]

    assert (arms(4, 3), len(set(arms(4, 3)))) == (arms(4, 3), 3)
    assert arms(None, 3) != arms(None, 3)
    again = talk(program, "setoption name Key value 4\nposition startpos moves a1a2\ngo")
    assert again[1] == arms(4, 1)[0]


@pytest.mark.slow
def test_limits(program):
    """With `nodes` it thinks more or less; a program of another size has the same code."""
    for nodes in (3, 60):
        other = load_program("domineering:4x4", f"uct:simulations={nodes}")
        info, _, move = talk(program, f"position startpos moves a1a2\ngo nodes {nodes}", arm="5")
        assert move == best(other, "a1a2", 5)
        form = rf"info nodes {nodes} time \d+ nps \d+ score cp -?\d+ pv {move[9:]}"
        assert re.fullmatch(form, info)
    *infos, seed, move = talk(program, "position startpos moves a1a2\ngo movetime 60000", arm="5")
    counts = [int(info.split()[2]) for info in infos]
    assert len(counts) > 1
    assert counts == sorted(counts)
    assert (seed, infos[-1].split()[-1]) == ("info string seed 5", move.split()[1])
    plain = talk(program, "position startpos moves a1a2\ngo", arm="5")
    assert re.fullmatch(r"info nodes 20 score cp -?\d+ pv \w+", plain[0])
    # A limit that this player does not have, and one that is no number.
    assert talk(program, "position startpos moves a1a2\ngo depth 3", arm="5") == plain
    wrong = talk(program, "position startpos moves a1a2\ngo nodes many", arm="5")
    expected = "info string error: go nodes takes a whole number of 1 or more, not 'many'"
    assert wrong == [expected, *plain]


@pytest.mark.slow
def test_stop_ends_a_search_of_alphabeta_that_would_take_days():
    program, said = load_program("breakthrough:6x6", "alphabeta:depth=12"), []

    def lines():
        for go in ("go", "go infinite", "go movetime 1", "go wtime 1 btime 1"):
            yield go
            yield "stop"
            wait_until(lambda go=go: len(moves()) == len(told) + 1, go)
            told.append(go)

    def moves():
        return [line for line in said if line.startswith("bestmove ")]

    told: list[str] = []
    UciServer(Opponent(program), ("breakthrough",), said.append, arm="3").serve(lines())
    assert all(len(move) == len("bestmove a2a3") for move in moves())


class Compiling(Opponent):
    def prepare(self):
        self.may_end.wait(PATIENCE)
        super().prepare()


@pytest.mark.parametrize("left", [True, False], ids=["quit", "move"])
def test_nobody_needs_to_wait_while_it_compiles(program, left):
    said, may_end = [], Event()
    slow = Compiling(program)
    object.__setattr__(slow, "may_end", may_end)

    def lines():
        yield from ("uci", "isready", "position startpos", "go infinite", "stop")
        if left:
            yield "quit"
        assert "uciok" in said
        assert "readyok" not in said
        may_end.set()

    UciServer(slow, ("domineering",), said.append).serve(lines())  # with_arm: another program
    may_end.set()
    if left:
        assert said[-1] == "uciok"
        return
    ready = said.index("readyok")
    assert said[ready + 1].startswith("info nodes ")
    assert said[-1].startswith("bestmove ")


def test_games_with_secrets_or_chance(tmp_path):
    for text in ("phantom-tic-tac-toe", "pig", "morra", "batoo:5x5"):
        refused("uci", text, cwd=tmp_path, saying="UCI shows all moves")


def test_positions_forward_and_back(program):
    lines = ["a1a2 c1d1 b1b2", "a1a2 c2d2", "A1A2 c2d2"]
    text = "".join(f"position startpos moves {line}\ngo\n" for line in lines)
    said = talk(program, f"{text}position startpos\ngo", arm="6")
    assert answers(said) == [best(program, line, 6) for line in (*lines, "")]
    (board,) = talk(program, "position startpos moves a1a2\nd")
    assert board == program.game.draw([program.game.parse_move("a1a2")])
    options = "setoption name Key value 3\nsetoption name Arm value 9"
    said = talk(program, f"position startpos moves a1a2\n{options}\ngo")
    assert said[-1] == best(program, "a1a2", 9)
    history = []
    while moves := program.game.position(history).moves:
        history.append(moves[0])
    names = " ".join(program.game.move_name(move) for move in history)
    assert talk(program, f"position startpos moves {names}\ngo") == ["bestmove (none)"]
    said = talk(program, f"position startpos moves {names[:-5]}\ngo nodes 100001")
    assert said[0] == "info string go nodes 100001 is above the limit 100000, which is taken"
    assert said[-3].startswith("info nodes 100000 ")


def test_what_is_not_understood(program):
    for line, problem in cases(__file__, "not understood by uci"):
        told, *said = talk(program, f"position startpos moves a1a2\n{line}\ngo\nisready", arm="2")
        assert told.startswith("info string error: ")
        assert problem in told
        if line.startswith("position"):
            assert "bestmove (none)" in said
        assert "readyok" in said
    assert talk(program, "xboard\nisready") == ["info string unknown command xboard", "readyok"]
    for fine in ("UCI_Variant value domineering", "Arm value <empty>"):
        assert talk(program, f"setoption name {fine}") == []


def test_portfolios_take_turns(program, tmp_path):
    """So a boosted program can be an arm of another study."""
    given = {"k": 8, "opponents": 17, "learners": ["nash", "best-half"]}
    files = boost("domineering:4x4", PLAYER, study=tmp_path / "a.study", **given).save_portfolios()
    (tmp_path / "other").mkdir()
    other = boost("domineering:5x5", PLAYER, study=tmp_path / "other/b.study", **given)
    games = [(files["nash"], 7), (files["best-half"], 7), (None, 7), (files["nash"], 8)]
    lines = []
    for file, key in games:
        lines += [f"setoption name Portfolio value {file or '<empty>'}"]
        # As Seedfolio sends them: after a game the options of the next one, then `ucinewgame`.
        lines += [f"setoption name Key value {key}", "ucinewgame", "position startpos", "go"]
        lines += ["position startpos moves a1a2", "go"]
    said = talk(program, "\n".join(lines))
    expected = []
    for file, key in games:
        opponent = Opponent(program) if file is None else load_boosted(file)
        for colour, moves in enumerate(([], [program.game.parse_move("a1a2")])):
            seat = opponent.draw(colour, key)
            expected += [f"info string {seat.name}"]
            expected += [f"bestmove {program.game.move_name(seat.choose(moves))}"]
    assert [line for line in said if not line.startswith("info nodes ")] == expected
    wrong = other.save_portfolios()["nash"]
    ask = "go\nsetoption name Portfolio value <empty>\ngo"
    *said, last = talk(program, f"setoption name Portfolio value {wrong}\n{ask}", key=7)
    error = f"info string error: {wrong} is not a portfolio of domineering 4x4"
    assert said[:2] == [error, "bestmove (none)"]
    assert last == expected[9]


@pytest.mark.slow
def test_a_win_that_is_certain_is_told_as_a_mate_with_its_sign():
    program = load_program("breakthrough:5x5,pawn_rows=1", "alphabeta:depth=2")
    game, random, found = program.game, Random(3), set()

    def mate(history):
        """The moves to a win of the mover, negative to one of the other, by trying all."""
        after = [game.position([*history, move]) for move in game.position(history).moves]
        mover = game.position(history).mover
        return 1 if any(each.score == 2 * (1 - mover) for each in after) else None

    while len(found) < 3:
        history, forced = [], None
        while forced is None:
            history.append(random.choice(game.position(history).moves))
            moves = game.position(history).moves
            lost = all(mate([*history, move]) for move in moves)
            forced = mate(history) or (-1 if lost else None)
            names = " ".join(map(game.move_name, history))
            info = talk(program, f"position startpos moves {names}\ngo depth 2")[0]
            assert (f"score mate {forced} " in info) is (forced is not None)
            found.add(forced)


@pytest.mark.slow
def test_a_search_that_gets_a_core_too_late_is_still_ended(monkeypatch):
    program = load_program("breakthrough:5x5", "alphabeta:depth=3")
    seat, seconds = Opponent(program, arm=9).draw_compiled(0, 0), [0.0]
    waits, may_begin, ended = Event(), Event(), Event()
    run = go_limits._Searches.run

    def late(searches, deeper, room):
        if deeper.player.depth == 1:
            return run(searches, deeper, room)
        waits.set()
        may_begin.wait()
        stop = deeper.bound.stop
        room[stop] = 0  # as a search does when it begins
        while room[stop] == 0:
            sleep(0.001)
        ended.set()
        return 0, False, None

    monkeypatch.setattr(go_limits._Searches, "run", late)
    limits = go_limits.Limits.parse(["movetime", "9000"], str)
    limits._now = lambda: seconds[0]
    limits.begin()
    thinks = Thread(target=limits.choose, args=(seat, []))
    thinks.start()
    assert waits.wait(PATIENCE)
    while thinks.is_alive():
        seconds[0] += 1  # its patience passes
        thinks.join(0.001)
    may_begin.set()
    assert ended.wait(PATIENCE)
