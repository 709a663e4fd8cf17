"""An engine that misbehaves: each fault has its ending, no process stays, the study goes on."""

import math
import os
import signal
import subprocess
import sys
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from case_files import cases, programs
from external import (
    GTP_GO,
    LIMITS,
    Kept,
    numbered_text,
    play_matrix,
    program_of,
    scripted_text,
    seeded_text,
)
from waiting import PATIENCE, end_command, finish, ran, start_command, wait_until

from seedfolio import EngineError, ProcessArena, SpecificationError, Study, boost, match
from seedfolio.cli import run
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.play.check import check_program
from seedfolio.engines.play.pool import EnginePool
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols import channel
from seedfolio.engines.protocols.channel import Channel
from seedfolio.engines.protocols.gtp import GtpEngine
from seedfolio.engines.protocols.process import end_family, marked, new_mark, start_process

ENDINGS = {
    protocol: {mode: Ending(ending) for mode, ending in cases(__file__, protocol)}
    for protocol in ("gtp", "uci")
}
WELL = "well"
LATE = {"silent": "start", "no greeting": "start", "never ready": "command"}
"""The limits that pass where engines hang; for all other modes it is that of a move."""


@dataclass(frozen=True)
class Impatient(EngineProgram):
    """A program with short limits where it hangs, and nowhere else: a machine may be busy."""

    protocol: str = ""

    def open(self, arm):
        mode = arm.values["mode"]
        if ENDINGS[self.protocol].get(mode) is not Ending.TIMEOUT:
            return super().open(arm)
        limits = self.specification.limits.model_copy(update={LATE.get(mode, "move"): 1.0})
        hasty = self.specification.model_copy(update={"limits": limits})
        return EngineProgram(hasty, self.folder, self.file, claim=self.claim).open(arm)


def play_modes(folder, protocol, modes):
    """Let each mode meet the one that behaves, as either colour; return games and results."""
    more = 'go = "nodes 5"' if protocol == "uci" else ""
    text = scripted_text(folder, "{mode}", seed="0", bad="0", protocol=protocol, more=more)
    patient = program_of(folder, f"{text}[arms.grid]\nmode = {[WELL, *ENDINGS[protocol]]}\n")
    parts = patient.specification, patient.folder, patient.file
    program = Impatient(*parts, claim=patient.claim, protocol=protocol)
    arms = program.specification.all_arms
    mode_of = {n: program.arm(n).values["mode"] for n in arms.some(arms.training + arms.unseen)}
    number = {mode: n for n, mode in mode_of.items()}
    pairs = [(WELL, WELL), *((WELL, mode) for mode in modes), *((mode, WELL) for mode in modes)]
    rows, columns = np.array([[number[mode] for mode in pair] for pair in pairs], np.uint64).T
    kept, results = Kept(), {}
    with ProcessArena(program, games=8, archive=kept) as arena:
        for block in arena.play(program, rows, columns):
            cells = zip(block.rows.tolist(), block.columns.tolist(), strict=True)
            both = [(mode_of[first], mode_of[second]) for first, second in cells]
            results.update(zip(both, block.results.tolist(), strict=True))
    games = {(mode_of[game.arms[0]], mode_of[game.arms[1]]): game for game in kept.games}
    assert games.keys() == results.keys() == {*pairs}
    return games, results


def expect(folder, protocol, modes):
    """A fault ends the games of its own arm and nothing else."""
    games, results = play_modes(folder, protocol, modes)
    good = games.pop((WELL, WELL))
    assert good.ending is Ending.NORMAL
    for modes_of_both, game in games.items():
        (mode,) = {*modes_of_both} - {WELL}
        ending = ENDINGS[protocol][mode]
        assert game.ending is ending, (mode, game)
        assert results[modes_of_both] == game.points
        if ending is Ending.NORMAL:
            assert game.moves == good.moves, mode
        else:
            assert game.points == 2 * modes_of_both.index(mode), mode


FAST = {"gtp": ["bells", "die", "escape"], "uci": ["hang"]}


@pytest.mark.parametrize("protocol", FAST)
def test_a_fault_ends_its_own_games_and_nothing_else(protocol, tmp_path):
    expect(tmp_path, protocol, FAST[protocol])


@pytest.mark.slow
@pytest.mark.parametrize("protocol", FAST)
def test_so_does_every_other_fault(protocol, tmp_path):
    expect(tmp_path, protocol, [mode for mode in ENDINGS[protocol] if mode not in FAST[protocol]])


def test_a_program_that_does_not_start_is_refused_at_once(tmp_path):
    text = scripted_text(tmp_path, "well", bad="0", limits={"start": 1e15, "command": 1e15})
    assert program_of(tmp_path, text).engine_identity == "scripted 1"
    for old, new, problem in (
        ("'well'", "'another protocol'", r"Welcome to my program.*does it speak gtp"),
        (repr(sys.executable), '"no-such-engine"', r"cannot start .*no-such-engine"),
        ("'well'", r'"we\u0000ll"', r"cannot start .*null byte"),
    ):
        with pytest.raises(EngineError, match=problem):
            program_of(tmp_path, text.replace(old, new)).identity()


@pytest.mark.slow
def test_a_program_that_drifts_is_found_out(tmp_path):
    """It passes the check; an answer asked for again in a new process gives it away."""
    program = program_of(tmp_path, seeded_text(tmp_path))
    remembered, games = play_matrix(program, 12, remember=True)
    assert sum(game.asked for game in games) < sum(len(game.moves) for game in games)
    assert (remembered == play_matrix(program, 12)[0]).all()
    program = program_of(tmp_path, seeded_text(tmp_path, "drift"))
    assert check_program(program).remember
    advice = r"arm \d+ played .* although it passed.*reuse = false.*`despite_check`"
    with pytest.raises(EngineError, match=advice):
        play_matrix(program, 12, remember=True)


def test_stopping_early_ends_engines_that_think(tmp_path):
    text = scripted_text(tmp_path, "hang", bad="0")
    program = program_of(tmp_path, text)
    with ProcessArena(program, games=2) as arena:
        rows, columns = np.array([[1, 1], [0, 1], [0, 1], [0, 0]], np.uint64).T
        blocks = arena.play(program, rows, columns)
        first = next(blocks)
        assert first.rows.tolist() == [1]
        blocks.close()
        one = np.ones(1, np.uint64)
        (block,) = arena.play(program, one, one)
        assert block.results.tolist() == first.results.tolist()


GO = (
    GTP_GO
    + """\
command = [{python!r}, "bot.py", "{{seed}}"]
[referee]
command = [{python!r}, "referee.py", {fails!r}]
setup = []
"""
)
PASSING, FAILING = programs(__file__)


def refereed(folder, fails):
    (folder / "bot.py").write_text(PASSING)
    (folder / "referee.py").write_text(FAILING)
    return program_of(folder, LIMITS + GO.format(python=sys.executable, fails=fails))


@pytest.mark.parametrize(("fails", "said"), [("2", ""), ("1", "first game"), ("3,4", "two games")])
def test_a_game_whose_referee_fails_is_played_again_but_not_for_ever(fails, said, tmp_path):
    if not said:
        matrix, games = play_matrix(refereed(tmp_path, fails), 2)
        assert (matrix == 0).all()
        assert [game.ending for game in games] == [Ending.NORMAL] * 4
        assert len((tmp_path / "scores").read_text().split()) == 5
        return
    with pytest.raises(EngineError, match=rf"{said} .* the referee: .*code 7"):
        play_matrix(refereed(tmp_path, fails), 2)


def test_stopping_early_ends_a_referee_that_thinks(tmp_path):
    program = refereed(tmp_path, "hang 2")
    with ProcessArena(program, games=2) as arena:
        blocks = arena.play(program, np.zeros(2, np.uint64), np.arange(2, dtype=np.uint64))
        assert len(next(blocks).rows) == 1
        blocks.close()


def game(folder, mode, more="", **limits):
    text = seeded_text(folder, mode, bad="1", limits=limits.items())
    _, games = play_matrix(program_of(folder, text + more), 2, reuse=False)
    (found,) = (each for each in games if each.arms == (1, 0))
    return found


@pytest.mark.parametrize(
    ("mode", "limits", "ending", "said"),
    [
        ("closes input", {}, Ending.CRASH, "closed its standard input"),
        ("hang", {"move": 0.5}, Ending.TIMEOUT, "within 0.5 s (limits.move) after 'genmove b'"),
        ("eats memory", {"memory": 200}, Ending.CRASH, "MemoryError"),
        ("illegal", {}, Ending.ILLEGAL_MOVE, "seed 1 plays g1, which is illegal after "),
        pytest.param("eats memory", {}, Ending.NORMAL, "", marks=pytest.mark.slow),
    ],
)
def test_what_is_said_of_a_fault(mode, limits, ending, said, tmp_path):
    found = game(tmp_path, mode, **limits)
    assert found.ending is ending
    assert said in found.detail
    assert mode != "illegal" or found.detail.endswith(f" after {' '.join(found.moves)}")


@pytest.fixture
def late_once(monkeypatch):
    choose, asked = GtpEngine.choose, []

    def late(self, colour):
        asked.append(colour)
        if len(asked) == 1:
            raise EngineFaultError(Ending.TIMEOUT, "thinks for too long")
        return choose(self, colour)

    monkeypatch.setattr(GtpEngine, "choose", late)


@pytest.mark.usefixtures("late_once")
def test_a_game_with_a_timeout_is_played_once_more_and_counts_then(tmp_path):
    _, games = play_matrix(program_of(tmp_path, scripted_text(tmp_path, "well")), 1)
    assert [(game.ending, game.late) for game in games] == [(Ending.NORMAL, "thinks for too long")]
    with Study.open(tmp_path / "a.study", {}) as study:
        study.engine_games().keep(games, [])
        assert "1, none forfeited, 1 played once more" in study.engine_games().summary().text


@pytest.mark.usefixtures("late_once")
def test_so_it_is_in_a_match(tmp_path):
    (tmp_path / "engine.toml").write_text(scripted_text(tmp_path, "well"))
    twice = [tmp_path / "engine.toml"] * 2
    for _ in range(2):
        played = match(*twice, games=2, threads=1, record=tmp_path / "games.jsonl")
        assert (played.late, played.forfeits) == (1, ())
        assert "1 game was played once more after a timeout." in played.text


def launch(folder, *command, **more):
    program = program_of(folder, scripted_text(folder, "well"))
    return replace(program.launch(program.arm(0)), command=command, **more)


def test_the_limit_on_memory_comes_before_the_engine(tmp_path):
    with start_process(launch(tmp_path, "sh", "-c", "ulimit -v", memory=300), "") as process:
        assert process.stdout.read() == b"307200\n"
    for name, why in {"./none": "No such file", "none": "No such file", "./": "denied"}.items():
        with pytest.raises(EngineError, match=f"cannot start {name} .*{why}"):
            start_process(launch(tmp_path, name, memory=300), "")


def test_no_signal_goes_to_the_number_of_a_process_that_is_reaped(tmp_path, monkeypatch):
    send, sent = os.killpg, []

    def watched(group, number):
        os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)  # an error if it is reaped
        sent.append(number)
        send(group, number)

    monkeypatch.setattr(os, "killpg", watched)
    engine = Channel(launch(tmp_path, "cat"))
    engine.close()
    engine.kill()
    assert sent == [signal.SIGTERM, signal.SIGKILL]


def test_an_engine_that_has_ended_is_not_waited_for_though_its_child_has_its_pipe(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(channel, "_FAREWELL", math.inf)
    engine = Channel(launch(tmp_path, "sh", "-c", "sleep 10000 & read quit"))
    engine.close("quit")
    assert not engine.habits


def test_a_fault_quotes_standard_error_and_a_log_has_all_that_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(channel, "_FAREWELL", 60.0)  # its code is known once it has ended
    found = game(tmp_path, "die", '[log]\nfolder = "logs"\n')
    assert found.ending is Ending.CRASH
    for part in ("scripted.py 0 die 1", "after 'genmove", "something broke inside", "code 3"):
        assert part in found.detail
    assert "\n" not in found.detail
    logs = [each.read_text() for each in sorted((tmp_path / "logs").iterdir())]
    crashed = next(text for text in logs if "something broke inside" in text)
    signs = [line.split()[1] for line in crashed.splitlines()]
    assert signs[:3] == ["$", ">", "<"]
    assert crashed.splitlines()[1].endswith("> protocol_version")
    assert "! something broke inside" in crashed
    assert crashed.splitlines()[-1].endswith("$ ended with code 3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "named"),
    [
        ("ignores quit", "it runs on for two seconds after quit"),
        ("noisy errors", "it writes more than 256 KiB to its standard error"),
        ("die once", "by crash (2 also when played again)"),
        ("hang once", "by timeout (2 also when played again)"),
        ("late once", "by timeout (2 also when played again)"),
        ("random crash", "crash"),
    ],
)
def test_no_engine_with_a_fault_passes_the_check(mode, named, tmp_path, monkeypatch, capsys):
    """`once`: one in ten games meets the fault, and none of those that look for determinism."""
    bad = "13" if mode.endswith(" once") else "{seed}"
    text = scripted_text(tmp_path, mode.removesuffix(" once"), seed="{seed}", bad=bad)
    (tmp_path / "engine.toml").write_text(text.replace(f"move = {PATIENCE}", "move = 2"))
    monkeypatch.chdir(tmp_path)
    if mode == "ignores quit":  # all its processes do, so none needs as long as others
        monkeypatch.setattr(channel, "_FAREWELL", 0.2)
        monkeypatch.setattr(channel, "_GRACE", 0.0)
    words = ["check", "engine.toml", "--threads", "2", "--games", "20"]
    assert run(words) == 1
    out = " ".join(capsys.readouterr().out.split())
    assert named in out
    assert "verdict failed: " in out
    assert mode == "random crash" or "failed: boost plays it" in out
    assert "reuse = true" not in out


def test_a_learner_that_needs_more_arms_is_refused_before_any_game(tmp_path):
    program_of(tmp_path, numbered_text(tmp_path, 40))
    for learner, budget, problem in (
        ("halving", 100, "halving tries ever more arms"),
        ("nash", 2000, "learns from 44 arms of each colour"),
    ):
        with pytest.raises(SpecificationError, match=problem):
            boost(tmp_path / "engine.toml", learners=learner, budget=budget, study=":memory:")


BOOST = ["boost", "engine.toml", "--k", "60", "--kt", "60", "--opponents", "60", "--quiet"]


def write(folder, mode, bad="0"):
    program_of(folder, seeded_text(folder, mode, bad=bad))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sent", "mode", "code", "how"),
    [(signal.SIGINT, "fork", 130, "interrupted"), (signal.SIGKILL, "escape", -9, "")],
)
def test_engines_end_with_the_command(sent, mode, code, how, tmp_path):
    # Each program has a child that is deaf to SIGTERM and would live on if the command just died.
    write(tmp_path, mode)
    found, errors = end_command(BOOST, tmp_path, sent)
    assert found == code
    if how:
        assert errors.startswith(f"{how}; every finished block of games is kept. Go on with: ")


@pytest.mark.slow
def test_an_interrupt_ends_engines_that_think(tmp_path):
    write(tmp_path, "hang", bad="20")  # an arm that the check does not play
    process = start_command(["boost", "engine.toml", "--quiet", "--k", "40"], tmp_path)
    try:
        hanging = tmp_path / "hanging"
        wait_until(lambda: hanging.exists() or process.poll() is not None, "an engine thinks")
        process.send_signal(signal.SIGINT)
        code, _, errors = finish(process)
    finally:
        process.kill()
    assert code == 130, errors
    assert "Go on with: seedfolio boost engine.toml" in errors.splitlines()[-1]


def test_an_engine_that_waits_for_its_next_move_ends_when_the_pool_stops(tmp_path):
    program = program_of(tmp_path, scripted_text(tmp_path, "well"))
    with closing(EnginePool(program)) as pool:
        pool.keep(pool.engine(program.arm(1)), "a game", ())
        pool.stop()
        engine, _ = pool.resume("a game")
        with pytest.raises(EngineFaultError):
            engine.new_game(program.arm(1))
        pool.discard(engine)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
def test_who_bears_a_mark_is_ended_and_nobody_else():
    outer, inner, other = (new_mark() for _ in range(3))
    theirs = marked(marked(os.environ, outer), inner)  # an engine of an engine of ours
    waits = ["sleep", "1000"]
    one = subprocess.Popen(waits, env=theirs, start_new_session=True)
    two = subprocess.Popen(waits, env=marked(os.environ, other))
    try:
        end_family(outer)
        assert one.wait(PATIENCE) == -signal.SIGKILL
        assert two.poll() is None
        end_family(other)
        assert two.wait(PATIENCE) == -signal.SIGKILL
    finally:
        one.kill()
        two.kill()


@pytest.mark.slow
def test_nothing_in_the_current_folder_runs(tmp_path):
    """The command starts Python again, to end engines after it."""
    (tmp_path / "seedfolio").mkdir()
    for name in ("subprocess", "secrets", "seedfolio/__init__"):
        (tmp_path / f"{name}.py").write_text("open('it-ran', 'w')")
    write(tmp_path, "well")
    # -P, as the command `seedfolio` does not look there itself.
    done = ran("-P", "-m", "seedfolio", "check", "engine.toml", cwd=tmp_path)
    assert "verdict       passed" in done.stdout, done
    assert not (tmp_path / "it-ran").exists()
