"""An engine that misbehaves: each fault has its ending, no process stays, the study goes on."""

import sys

import numpy as np
import pytest
from outside import Kept, left_behind, play_matrix, program_of, scripted_text

from seedfolio.arena.processes import ProcessArena
from seedfolio.engines.checking import check_program
from seedfolio.engines.endings import Ending
from seedfolio.errors import EngineError

FAULTS = {
    "hang": Ending.TIMEOUT,
    "die": Ending.CRASH,
    "killed": Ending.CRASH,
    "closed": Ending.CRASH,
    "flood": Ending.PROTOCOL_ERROR,
    "long line": Ending.PROTOCOL_ERROR,
    "flood errors": Ending.TIMEOUT,
    "garbage": Ending.PROTOCOL_ERROR,
    "half line": Ending.TIMEOUT,
    "half line and die": Ending.CRASH,
    "no end": Ending.TIMEOUT,
    "error": Ending.PROTOCOL_ERROR,
    "two words": Ending.PROTOCOL_ERROR,
    "nothing": Ending.PROTOCOL_ERROR,
    "unasked": Ending.PROTOCOL_ERROR,
    "illegal": Ending.ILLEGAL_MOVE,
    "fork and hang": Ending.TIMEOUT,
    "no start": Ending.CRASH,
    "another protocol": Ending.PROTOCOL_ERROR,
}
UCI_FAULTS = {
    "hang": Ending.TIMEOUT,
    "die": Ending.CRASH,
    "killed": Ending.CRASH,
    "closed": Ending.CRASH,
    "flood": Ending.PROTOCOL_ERROR,
    "long line": Ending.PROTOCOL_ERROR,
    "garbage": Ending.TIMEOUT,  # what is not UCI is passed over
    "half line": Ending.TIMEOUT,
    "half line and die": Ending.CRASH,
    "nothing": Ending.PROTOCOL_ERROR,
    "illegal": Ending.ILLEGAL_MOVE,
    "none": Ending.ILLEGAL_MOVE,
    "never ready": Ending.TIMEOUT,
    "no greeting": Ending.TIMEOUT,
    "fork and hang": Ending.TIMEOUT,
    "no start": Ending.CRASH,
}
HARMLESS = ("resign", "fork", "ignores quit")
BAD = 2
SEED = 'setup = ["seed {seed}"]'
UCI = {"protocol": "uci", "more": 'go = "nodes 5"'}


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The games of the engine when it behaves, by their arms."""
    folder = tmp_path_factory.mktemp("good")
    return {cell: game for cell, game, _ in play_cells(folder, "well")}


@pytest.fixture(scope="module")
def good_uci(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    return {cell: game for cell, game, _ in play_cells(folder, "well", **UCI)}


CELLS = [[0, 0], [0, BAD], [BAD, 0]]


def play_cells(folder, mode, cells=CELLS, **options):
    """Play arms 0 and BAD against each other; return cells, games and results."""
    text = scripted_text(folder, mode, **options)
    # Deadlines are short only where they are to pass: the machine may have other things to do.
    if mode in ("never ready", "no greeting"):
        text = text.replace("start = 5.0", "start = 2.0").replace("command = 5.0", "command = 2.0")
    elif Ending.TIMEOUT not in (FAULTS.get(mode), UCI_FAULTS.get(mode)):
        text = text.replace("move = 1.0", "move = 30.0")
    program = program_of(folder, text)
    kept = Kept()
    rows, columns = np.array(cells, np.uint64).T
    results = {}
    with ProcessArena(program, games=2, archive=kept) as arena:
        for block in arena.play(program, rows, columns):
            played = zip(block.rows.tolist(), block.columns.tolist(), strict=True)
            results.update(zip(played, block.results.tolist(), strict=True))
    return [
        (cell, game, results[cell]) for game in kept.games for cell in [(game.first, game.second)]
    ]


FAST = ("gtp die", "gtp fork", "uci hang", "uci illegal")


def modes(protocol, *names):
    slow = {name: () if f"{protocol} {name}" in FAST else pytest.mark.slow for name in names}
    return pytest.mark.parametrize("mode", [pytest.param(name, marks=slow[name]) for name in names])


@modes("gtp", *FAULTS, *HARMLESS)
def test_a_fault_ends_its_own_games_and_nothing_else(mode, tmp_path, good):
    expect(play_cells(tmp_path, mode), mode, FAULTS, good)
    assert not left_behind(tmp_path)


@modes("uci", *UCI_FAULTS, "fork", "ignores quit")
def test_a_fault_of_a_uci_engine_ends_its_own_games_and_nothing_else(mode, tmp_path, good_uci):
    expect(play_cells(tmp_path, mode, **UCI), mode, UCI_FAULTS, good_uci)
    assert not left_behind(tmp_path)


def expect(played, mode, faults, good):
    assert len(played) == 3
    for cell, game, result in played:
        if BAD not in cell or mode in ("fork", "ignores quit"):
            assert (game.moves, game.ending) == (good[cell].moves, Ending.NORMAL)
        else:
            assert game.ending is faults.get(mode, Ending.RESIGNATION), game
            loser = cell[0] if game.points == 0 else cell[1]
            assert loser == BAD
            assert result == game.points


def test_a_fault_names_the_command_and_quotes_standard_error(tmp_path):
    ((_, game, _),) = play_cells(tmp_path, "die", cells=[[0, BAD]])
    detail = game.detail
    assert "scripted.py 2 die 2" in detail
    assert "after 'genmove" in detail
    assert "something broke inside" in detail
    assert "code 3" in detail
    assert "\n" not in detail


def test_a_program_that_does_not_speak_the_protocol_is_refused_at_once(tmp_path):
    program = program_of(tmp_path, scripted_text(tmp_path, "another protocol", bad="0"))
    with pytest.raises(EngineError, match=r"Welcome to my program.*speaks gtp"):
        program.identity()
    assert not left_behind(tmp_path)


def test_a_command_that_is_not_there_is_refused_in_one_line(tmp_path):
    text = scripted_text(tmp_path, "well").replace(repr(sys.executable), '"no-such-engine"')
    with pytest.raises(EngineError, match=r"no-such-engine .*cannot be started"):
        program_of(tmp_path, text).identity()


@pytest.mark.slow
def test_a_program_that_drifts_is_found_out(tmp_path):
    """It passes the check; an answer asked for again in a new process gives it away."""
    program = program_of(tmp_path, scripted_text(tmp_path, "drift", seed="0", more=SEED))
    assert check_program(program).remember
    with pytest.raises(EngineError, match=r"arm \d+ played .* although it passed") as caught:
        play_matrix(program, 12, remember=True)
    message = str(caught.value)
    assert "\n" not in message
    assert "reuse = false" in message
    assert "--despite-check" in message
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_a_program_that_keeps_to_its_answers_is_not(tmp_path):
    program = program_of(tmp_path, scripted_text(tmp_path, "well", seed="0", more=SEED))
    remembered, games = play_matrix(program, 12, remember=True)
    assert sum(game.asked for game in games) < sum(len(game.moves) for game in games)
    assert (remembered == play_matrix(program, 12)[0]).all()


def test_stopping_early_ends_engines_that_think(tmp_path):
    text = scripted_text(tmp_path, "hang", bad="0").replace("move = 1.0", "move = 500.0")
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
        [limits]
        move = 5.0
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
        return program_of(folder, text)

    @pytest.mark.slow
    def test_one_void_game_is_played_again(self, tmp_path):
        matrix, games = play_matrix(self.program(tmp_path, "2"), 2)
        assert (matrix == 0).all()
        assert [game.ending for game in games] == [Ending.NORMAL] * 4
        scores = (tmp_path / "scores").read_text().split()
        assert len(scores) == 5

    def test_the_first_void_game_ends_it(self, tmp_path):
        with pytest.raises(EngineError, match=r"the first game .* the referee: .*code 7"):
            play_matrix(self.program(tmp_path, "1"), 2)

    def test_two_void_games_in_a_row_end_it(self, tmp_path):
        with pytest.raises(EngineError, match=r"two games in a row .* the referee: .*code 7"):
            play_matrix(self.program(tmp_path, "3,4"), 2)


PASSING = """
import sys
for line in sys.stdin:
    command = line.split()[0]
    answer = {"protocol_version": "2", "genmove": "PASS"}.get(command, "")
    print(f"= {answer}\\n", flush=True)
"""
FAILING = """
import os, sys
from pathlib import Path
count = Path(sys.argv[1]) / "scores"
for line in sys.stdin:
    command = line.split()[0]
    answer = {"protocol_version": "2"}.get(command, "")
    if command == "final_score":
        with count.open("a") as file:
            file.write("score\\n")
        if str(len(count.read_text().split())) in sys.argv[2].split(","):
            os._exit(7)
        answer = "W+6.5"
    print(f"= {answer}\\n", flush=True)
"""
