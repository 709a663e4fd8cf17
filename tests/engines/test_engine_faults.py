"""An engine that misbehaves: each fault has its ending, no process stays, the study goes on."""

import sys
from dataclasses import dataclass

import numpy as np
import pytest
from external import LIMITS, Kept, left_behind, play_matrix, program_of, scripted_text

from seedfolio.arena.processes import ProcessArena
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.engines.play.check import check_program
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.protocols import channel
from seedfolio.errors import EngineError

ENDINGS = {
    protocol: {mode: ending for ending, modes in table.items() for mode in modes.split(", ")}
    for protocol, table in {
        "gtp": {
            Ending.NORMAL: "fork, escape, ignores quit, talks on",
            Ending.TIMEOUT: "hang, flood errors, half line, no end, fork and hang, silent",
            Ending.CRASH: "die, killed, closed, half line and die, escape and die, no start",
            Ending.PROTOCOL_ERROR: "flood, long line, garbage, error, two words, nothing, unasked, "
            "another protocol",
            Ending.ILLEGAL_MOVE: "illegal",
            Ending.RESIGNATION: "resign",
        },
        "uci": {
            Ending.NORMAL: "fork, ignores quit",
            # What is not UCI is passed over, so that garbage is no answer.
            Ending.TIMEOUT: "hang, garbage, half line, never ready, no greeting, fork and hang",
            Ending.CRASH: "die, killed, closed, half line and die, no start",
            Ending.PROTOCOL_ERROR: "flood, long line, nothing",
            Ending.ILLEGAL_MOVE: "illegal, none",
        },
    }.items()
}
WELL = "well"
SEED = 'setup = ["seed {seed}"]'
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
    """Let the engine of each mode meet the one that behaves, as either colour, all in one arena.

    Return the games by the modes of both, and the results.
    """
    text = scripted_text(
        folder,
        "{mode}",
        seed="0",
        bad="0",
        protocol=protocol,
        more='go = "nodes 5"' if protocol == "uci" else "",
    )
    text += f"[arms.grid]\nmode = {[WELL, *ENDINGS[protocol]]}\n"
    patient = program_of(folder, text)
    program = Impatient(
        patient.specification, patient.folder, patient.file, claim=patient.claim, protocol=protocol
    )
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
    """A fault ends the games of its own arm and nothing else, and no process stays."""
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
    assert not left_behind(folder)


FAST = {"gtp": ["die", "escape"], "uci": ["hang"]}


@pytest.mark.parametrize("protocol", FAST)
def test_a_fault_ends_its_own_games_and_nothing_else(protocol, tmp_path):
    expect(tmp_path, protocol, FAST[protocol])


@pytest.mark.slow
@pytest.mark.parametrize("protocol", FAST)
@pytest.mark.parametrize("late", [True, False])
def test_so_does_every_other_fault(protocol, late, tmp_path):
    endings = ENDINGS[protocol].items()
    modes = [mode for mode, ending in endings if (ending is Ending.TIMEOUT) == late]
    expect(tmp_path, protocol, [mode for mode in modes if mode not in FAST[protocol]])


def test_a_fault_names_the_command_and_quotes_standard_error(tmp_path, monkeypatch):
    monkeypatch.setattr(channel, "_GRACE", 60.0)  # its code is known once it has ended
    games, _ = play_modes(tmp_path, "gtp", ["die"])
    detail = games[WELL, "die"].detail
    assert "scripted.py 0 die 0" in detail
    assert "after 'genmove" in detail
    assert "something broke inside" in detail
    assert "code 3" in detail
    assert "\n" not in detail


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("'well'", "'another protocol'"), r"Welcome to my program.*does it speak gtp"),
        ((repr(sys.executable), '"no-such-engine"'), r"cannot start .*no-such-engine"),
        (("'well'", r'"we\u0000ll"'), r"cannot start .*null byte"),
    ],
)
def test_a_program_that_does_not_start_is_refused_at_once(change, problem, tmp_path):
    text = scripted_text(tmp_path, "well", bad="0", limits={"start": 1e15, "command": 1e15})
    assert program_of(tmp_path, text).engine_identity == "scripted 1"
    with pytest.raises(EngineError, match=problem) as caught:
        program_of(tmp_path, text.replace(*change)).identity()
    assert "\n" not in str(caught.value)
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_few_arms_that_are_all_alike_are_told(tmp_path):
    text = scripted_text(tmp_path, "deaf").replace("[arms]", '[arms]\nseeds = "1..18"')
    program = program_of(tmp_path, text)
    assert program.specification.all_arms.training == 18
    found = check_program(program)
    assert found.deterministic
    assert found.failures() == [
        "all arms play the same game: the seed and the options have no effect"
    ]


@pytest.mark.slow
def test_a_program_that_drifts_is_found_out(tmp_path):
    """It passes the check; an answer asked for again in a new process gives it away."""
    program = program_of(tmp_path, scripted_text(tmp_path, "well", seed="0", more=SEED))
    remembered, games = play_matrix(program, 12, remember=True)
    assert sum(game.asked for game in games) < sum(len(game.moves) for game in games)
    assert (remembered == play_matrix(program, 12)[0]).all()
    program = program_of(tmp_path, scripted_text(tmp_path, "drift", seed="0", more=SEED))
    assert check_program(program).remember
    with pytest.raises(EngineError, match=r"arm \d+ played .* although it passed") as caught:
        play_matrix(program, 12, remember=True)
    message = str(caught.value)
    assert "\n" not in message
    assert "reuse = false" in message
    assert "`despite_check`" in message
    assert not left_behind(tmp_path)


def test_stopping_early_ends_engines_that_think(tmp_path):
    text = scripted_text(tmp_path, "hang", bad="0")
    program = program_of(tmp_path, text)
    with ProcessArena(program, games=2) as arena:
        rows, columns = np.array([[1, 1], [0, 1], [0, 1], [0, 0]], np.uint64).T
        blocks = arena.play(program, rows, columns)
        first = next(blocks)
        assert first.rows.tolist() == [1]
        blocks.close()
        # The arena is as good as new.
        one = np.ones(1, np.uint64)
        (block,) = arena.play(program, one, one)
        assert block.results.tolist() == first.results.tolist()
    assert not left_behind(tmp_path)


class TestVoid:
    """A referee that fails is our failure: the game is played again, but not for ever."""

    GO = """
        [game]
        name = "go"
        board = 5
        komi = 6.5
        [player]
        protocol = "gtp"
        command = [{python!r}, {bot!r}, "{{seed}}", {folder!r}]
        [referee]
        command = [{python!r}, {referee!r}, {folder!r}, {fails!r}]
        setup = []
    """

    def program(self, folder, fails):
        bot, referee = folder / "bot.py", folder / "referee.py"
        bot.write_text(PASSING)
        referee.write_text(FAILING)
        text = self.GO.format(
            python=sys.executable,
            bot=str(bot),
            referee=str(referee),
            folder=str(folder),
            fails=fails,
        )
        return program_of(folder, LIMITS + text)

    @pytest.mark.slow
    def test_one_void_game_is_played_again(self, tmp_path):
        matrix, games = play_matrix(self.program(tmp_path, "2"), 2)
        assert (matrix == 0).all()
        assert [game.ending for game in games] == [Ending.NORMAL] * 4
        scores = (tmp_path / "scores").read_text().split()
        assert len(scores) == 5

    @pytest.mark.parametrize(
        ("fails", "said"), [("1", "the first game"), ("3,4", "two games in a row")]
    )
    def test_the_first_one_or_two_in_a_row_end_it(self, fails, said, tmp_path):
        with pytest.raises(EngineError, match=rf"{said} .* the referee: .*code 7"):
            play_matrix(self.program(tmp_path, fails), 2)

    def test_stopping_early_ends_a_referee_that_thinks(self, tmp_path):
        program = self.program(tmp_path, "hang 2")
        with ProcessArena(program, games=2) as arena:
            rows, columns = np.array([[0, 0], [0, 1]], np.uint64).T
            blocks = arena.play(program, rows, columns)
            assert len(next(blocks).rows) == 1
            blocks.close()


PASSING = """
import sys
for line in sys.stdin:
    command = line.split()[0]
    answer = {"protocol_version": "2", "genmove": "PASS"}.get(command, "")
    print(f"= {answer}\\n", flush=True)
"""
FAILING = """
import os, sys, time
from pathlib import Path
count = Path(sys.argv[1]) / "scores"
for line in sys.stdin:
    command = line.split()[0]
    answer = {"protocol_version": "2"}.get(command, "")
    if command == "final_score":
        with count.open("a") as file:
            file.write("score\\n")
        number = str(len(count.read_text().split()))
        if number in sys.argv[2].split(","):
            os._exit(7)
        if sys.argv[2] == f"hang {number}":
            time.sleep(1000)
        answer = "W+6.5"
    print(f"= {answer}\\n", flush=True)
"""


def game(folder, mode, more="", **limits):
    text = scripted_text(folder, mode, bad="1", seed="0", more=SEED, limits=limits.items())
    _, games = play_matrix(program_of(folder, text + more), 2, reuse=False)
    (found,) = (each for each in games if each.arms == (1, 0))
    assert not left_behind(folder)
    return found


@pytest.mark.parametrize(
    ("mode", "limits", "ending", "said"),
    [
        ("closes input", {}, Ending.CRASH, "closed its standard input"),
        (
            "hang",
            {"move": 0.5},
            Ending.TIMEOUT,
            "does not answer within 0.5 s (limits.move) after 'genmove b'",
        ),
        ("eats memory", {"memory": 500}, Ending.CRASH, "MemoryError"),
        pytest.param("eats memory", {}, Ending.NORMAL, "", marks=pytest.mark.slow),
    ],
)
def test_what_is_said_of_a_fault(mode, limits, ending, said, tmp_path):
    found = game(tmp_path, mode, **limits)
    assert found.ending is ending
    assert said in found.detail


def test_a_log_has_all_that_is_said(tmp_path):
    found = game(tmp_path, "die", '[log]\nfolder = "logs"\n')
    assert found.ending is Ending.CRASH
    logs = [each.read_text() for each in sorted((tmp_path / "logs").iterdir())]
    crashed = next(text for text in logs if "something broke inside" in text)
    signs = [line.split()[1] for line in crashed.splitlines()]
    assert signs[:3] == ["$", ">", "<"]
    assert crashed.splitlines()[1].endswith("> protocol_version")
    assert "! something broke inside" in crashed
    assert crashed.splitlines()[-1].endswith("$ ended with code 3")


@pytest.mark.slow
def test_an_engine_that_ignores_quit_is_named(tmp_path, monkeypatch, capsys):
    text = scripted_text(tmp_path, "ignores quit", seed="0", bad="0", more=SEED)
    (tmp_path / "engine.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run(["check", "engine.toml", "--threads", "1"]) == 0
    assert "quit          it runs on for half a second after quit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--learner", "halving", "--budget", "100"], "halving tries ever more arms"),
        (["--learner", "nash", "--budget", "2000"], "learns from 44 arms of each colour"),
    ],
)
def test_a_learner_that_needs_more_arms_is_refused_before_any_game(
    words, problem, tmp_path, monkeypatch, capsys
):
    text = scripted_text(tmp_path, "well", seed="{number}").replace('numbering = "plain"', "")
    (tmp_path / "engine.toml").write_text(text + '[arms.grid]\nnumber = "1..40"\n')
    monkeypatch.chdir(tmp_path)
    assert run(["boost", "engine.toml", *words]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "studies").exists()
