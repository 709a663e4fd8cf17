"""Adaptive programs: they learn from game to game, in their file, wherever they play."""

import io
import json
import re
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from gtp_process import GtpProcess
from in_process import seedfolio
from one_line import one_line, refused
from waiting import wait_until

from seedfolio import PortfolioError, StudyError, adapt, boost, load_portfolio, match, play, replay
from seedfolio.analysis.ucbt import EndlessUcbt
from seedfolio.core.seeds import FIRST_PLAY_SEED, SYMMETRY_SHIFT
from seedfolio.opponents.adaptive import read_adaptive
from seedfolio.opponents.load import load_opponent
from seedfolio.protocols.gtp import GtpServer, hex_sides
from seedfolio.protocols.uci import UciServer

WORDS = "domineering:4x4@uct:simulations=20"


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def file():
    adapt(WORDS, output="a.json")
    return Path("a.json")


def fixed(arm=3):
    return load_opponent(WORDS).with_arm(str(arm))


def games(path):
    return read_adaptive(Path(path)).games


def test_it_finds_an_arm_that_wins_and_plays_it(file):
    played = match(file, fixed(), games=80)
    learnt = games(file)
    assert [points for _, _, points in learnt] == [*played.pairings[0].points]
    for colour in (0, 1):
        own = [points for seat, _, points in learnt if seat == colour]
        assert own[20:] == [2] * 20
    assert played.pairings[0].counts == (71, 0, 9)
    assert played.text.startswith(
        "adaptive uct:simulations=20 against uct:simulations=20 of one arm: 71 wins, 0 draws, 9 "
        "losses; success 88.8%, 77.5% in the first half and 100.0% in the last"
    )
    assert "games depend on each other, and there is no interval" in played.table().caption
    data = played.as_data()
    assert (data["overall"], data["learning"]) == ([], ["adaptive uct:simulations=20"])
    assert data["pairings"][0]["last_half"] == 1


def test_its_choices_are_those_of_ucbt_and_its_games_those_that_were_played(file):
    match(file, WORDS, games=20)
    for colour in (0, 1):
        own = [(arm - FIRST_PLAY_SEED, p / 2) for c, arm, p in games(file) if c == colour]
        for number, (arm, _) in enumerate(own):
            scores = EndlessUcbt.after(own[:number]).scores()
            assert scores[arm] == max(scores.values())
    match(file, fixed(), games=6)
    for colour, arm, points in games(file)[20:]:
        pair = (arm, 3) if colour == 0 else (3, arm)
        record = replay(WORDS, *map(str, pair))
        assert points == (record.game.points if colour == 0 else 2 - record.game.points)


@pytest.mark.parametrize("options", [{"threads": 1}, {"threads": 4}, {"arena": "threads"}])
def test_the_same_file_gives_the_same_games(file, options):
    match(file, WORDS, games=10)
    shutil.copy(file, "b.json")
    first = match(file, WORDS, games=20)
    again = match("b.json", WORDS, games=20, **options)
    assert again.pairings == first.pairings
    assert file.read_bytes() == Path("b.json").read_bytes()


def test_several_matches_learn_as_one(file):
    shutil.copy(file, "b.json")
    match(file, fixed(), games=40)
    for each in (10, 2, 28):
        match("b.json", fixed(), games=each)
    assert file.read_bytes() == Path("b.json").read_bytes()


@pytest.mark.slow
def test_the_next_match_meets_other_arms():
    words = "atari-go:5x5@uct:simulations=5"
    adapt(words, output="a.json")
    for folder in ("one", "two"):
        match("a.json", words, games=4, sgf=folder)
    met = re.findall(r"arm (\d+)", "".join(each.read_text() for each in Path().glob("*/*.sgf")))
    theirs = {arm for arm in met if int(arm) >= 2 * FIRST_PLAY_SEED}
    assert (len(met), len(theirs)) == (16, 8)


def test_two_learn_at_once_and_all_meet_all(file):
    adapt(WORDS, output="b.json", discount=1.0)
    played = match(file, "b.json", WORDS, games=4)
    assert [len(games(each)) for each in (file, "b.json")] == [8, 8]
    assert played.learning == ("adaptive uct:simulations=20 #1", "adaptive uct:simulations=20 #2")
    with one_line("cannot meet itself from one file"):
        match(file, file, games=2)
    assert not [*Path().glob("*-lock")]


@pytest.mark.slow
def test_a_kill_loses_no_finished_game(file):
    adapt(WORDS, output="whole.json")
    match("whole.json", fixed(), games=200)
    code = (
        "from seedfolio import match; from seedfolio.opponents.load import load_opponent; "
        f"match('a.json', load_opponent('{WORDS}').with_arm('3'), games=2000)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL) as process:
        try:
            wait_until(lambda: len(games(file)) >= 10, "ten games")
            with one_line(f"pid {process.pid}", StudyError):
                match(file, fixed(), games=2)
        finally:
            process.kill()
    before = games(file)
    assert len(before) >= 10
    match(file, fixed(), games=20)
    after = games(file)
    assert after[: len(before)] == before
    assert len(after) == len(before) + 20
    for colour in (0, 1):
        own, whole = (
            [game for game in found if game[0] == colour] for found in (after, games("whole.json"))
        )
        assert own[: len(whole)] == whole[: len(own)]


def test_the_arms_of_a_portfolio_come_first():
    boosted = boost(
        WORDS, k=8, kt=8, opponents=2, learners=["nash"], symmetries=True, study="a.study"
    )
    portfolio = boosted.save_portfolios()["nash"]
    learnt = adapt(portfolio, output="a.json")
    weights = load_portfolio(portfolio).first
    assert any(arm >> SYMMETRY_SHIFT for arm in (*weights, *learnt.second))
    assert learnt.listed(0) == tuple(sorted(weights, key=lambda arm: (-weights[arm], arm)))
    match("a.json", WORDS, games=40)
    own = [arm for colour, arm, _ in games("a.json") if colour == 0]
    assert own[0] == learnt.listed(0)[0]
    assert {*own} <= {*learnt.listed(0), *range(FIRST_PLAY_SEED, FIRST_PLAY_SEED + 20)}


def test_what_counts_over_gtp():
    adapt("hex:3x3", "uct:simulations=5", output="h.json")
    with closing(load_opponent("h.json", learning=True)) as opponent:
        server = GtpServer(opponent, None, 1, hex_sides(opponent.game))
        row = ["play b a1", "play w b1", "play b a2", "play w b2"]
        for commands in (
            ["genmove b", "clear_board"],  # not over
            [*row, "play b a3", "clear_board"],  # played by others
            [*["genmove b", "genmove w"] * 5, "clear_board"],  # it met itself
        ):
            for command in commands:
                server.answer(command)
            assert games("h.json") == ()
        assert set(play_out(server)) == {"="}
        assert len(games("h.json")) == 1  # written when the game is over
        server.answer("undo")
        server.answer("genmove b")
        assert len(games("h.json")) == 1


def play_out(server):
    """Play to the end of the game, the program as Black; yield how its answers begin."""
    found, tries = [], []
    while server.answer("winner").startswith("= none"):
        found.append(server.answer("genmove b")[0])
        tries = [f"play w {c}{r}" for c in "abc" for r in "123"]
        while tries and server.answer(tries.pop(0)).startswith("?"):
            pass
    return found


@pytest.mark.slow
def test_gtp_keeps_a_game_that_is_over_while_its_pipe_is_open():
    adapt("hex:3x3", "uct:simulations=5", output="h.json")
    with GtpProcess(sys.executable, "-m", "seedfolio", "gtp", "h.json", cwd=Path()) as server:

        def answer(command):
            server.send(f"{command}\n".encode())
            return server.read()

        assert set(play_out(SimpleNamespace(answer=answer))) == {"="}
        assert len(games("h.json")) == 1


def test_a_result_that_cannot_be_kept_over_gtp_is_kept_later(capsys):
    adapt("hex:3x3", "uct:simulations=5", output="h.json")
    with closing(load_opponent("h.json", learning=True)) as opponent:
        server = GtpServer(opponent, None, 1, hex_sides(opponent.game))
        Path("h.json").rename("there.json")
        Path("h.json").symlink_to("there.json")  # never written through
        assert set(play_out(server)) == {"="}
        assert "error: " in capsys.readouterr().err
        assert games("there.json") == ()
        Path("there.json").rename("h.json")
        server.answer("name")
        assert len(games("h.json")) == 1


def test_what_counts_over_uci(file):
    with closing(load_opponent(file, learning=True)) as opponent:
        said: list[str] = []
        server = UciServer(opponent, ("domineering",), said.append, "", 1)
        moves = list[str]()
        game = opponent.game
        lines = []
        # The arm is known, so that the moves of the game are.
        arm = opponent.draw(0, 1)
        history = list[int]()
        while game.position(history).moves:
            mover = game.position(history).mover
            if mover == 0:
                lines += [f"position startpos moves {' '.join(moves)}", "go"]
            history.append((arm if mover == 0 else fixed().draw(1, 1)).choose(history))
            moves.append(game.move_name(history[-1]))
        server.serve([*lines, "ucinewgame"])
        assert games(file) == ()  # nobody has said how it ended
        end = f"position startpos moves {' '.join(moves)}"
        server.serve([*lines, end, end, "ucinewgame"])
    assert games(file) == ((0, arm.number, game.position(history).score),)


def test_play_counts_a_resignation_and_no_game_that_is_left(file, monkeypatch):
    for typed, count in (("quit\n", 0), ("resign\n", 1)):
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        play(file)
        assert len(games(file)) == count
    assert games(file)[0] == (1, FIRST_PLAY_SEED, 2)


def test_the_command(file):
    match(file, fixed(), games=8)
    done = seedfolio("show", "a.json", cwd=Path())
    assert (done.returncode, done.stderr) == (0, "")
    assert "adaptive uct:simulations=20" in done.stdout
    assert "last half" in done.stdout
    shown = seedfolio("show", "a.json", "--json", cwd=Path())
    assert shown.stdout == file.read_text()
    made = seedfolio("adapt", "nim", cwd=Path())
    assert made.stdout == "play it:    seedfolio play adaptive.json\n"
    assert len(read_adaptive(Path("adaptive.json")).games) == 0
    original = load_opponent(f"{file}@original")
    assert (original.name, original.memory) == ("original uct:simulations=20", None)


def test_what_it_cannot_be_made_of_and_commands_that_cannot_let_it_learn(file):
    for words, saying in (
        (["domineering:4x4"], "a.json is there already"),
        (["domineering:4x4", "--output", "b.txt"], "must end in .json"),
        (["domineering:4x4", "--output", "b.json", "--discount", "0"], "--discount must be"),
        (["kuhn-poker", "--output", "b.json"], "is played for payoffs"),
        (["a.json", "--output", "b.json"], "learns from game to game"),
    ):
        output = [] if "--output" in words else ["--output", "a.json"]
        refused("adapt", *words, *output, cwd=Path(), saying=saying)
    assert not Path("b.json").exists()
    for words in (["worth"], ["replay", "1", "2"], ["teach", "--name", "Ann"], ["exploit"]):
        name, *rest = words
        refused(name, "a.json", *rest, cwd=Path(), saying="a.json@original for its program")
    for option in (["--record", "r.jsonl"], ["--sprt", "0,30"]):
        refused("match", "a.json", WORDS, *option, cwd=Path(), saying="leave out")


@pytest.mark.parametrize(
    ("change", "saying"),
    [
        (lambda data: data | {"schema_version": 2}, "a newer Seedfolio wrote it"),
        (lambda data: data | {"discount": 2}, "discount: Input should be less than or equal to 1"),
        (lambda data: data | {"games": [[0, 5, 2]]}, "an arm that the program does not play: 5"),
        (lambda data: data | {"games": [[2, 2**33, 2]]}, "games.0.0"),
        (lambda data: data | {"first": {"1": 1.0}}, "first and second must both have arms"),
        (lambda data: data | {"behaviour": "0"}, "plays other moves here than where this adaptive"),
        (lambda data: data | {"more": 1}, "unknown key"),
    ],
)
def test_bad_files(file, change, saying):
    file.write_text(json.dumps(change(json.loads(file.read_text()))))
    refused("match", "a.json", WORDS, cwd=Path(), saying=saying)


def test_nothing_runs_that_a_file_from_elsewhere_names(file):
    Path("evil.py").write_text("raise SystemExit('it ran')  # @player(\n")
    data = json.loads(file.read_text())
    data["player"]["source"] = "evil.py"
    file.write_text(json.dumps(data))
    refused("match", "a.json", WORDS, cwd=Path(), saying="this would run")


def test_broken_files_and_another_game(file):
    refused("match", "a.json", "nim", cwd=Path(), saying="must play the same game")
    with closing(load_opponent(file, learning=True)) as opponent:
        Path("other.json").write_bytes(file.read_bytes())
        adapt("nim", output="nim.json")
        Path("nim.json").replace(file)
        with one_line("is now another program", PortfolioError):
            opponent.open()
    Path("other.json").replace(file)
    text = file.read_text()
    file.write_text(text[: len(text) // 2])
    refused("gtp", "a.json", cwd=Path(), saying="a.json is not an adaptive program")
    file.write_text("")
    refused("uci", "a.json", cwd=Path(), saying="a.json")
