"""The TOML file: what it may say, and one line for what it may not."""

import shutil
import sys

import pytest
from external import SCRIPTED, program_of, scripted_text

from seedfolio.engines.program import load_engine_program
from seedfolio.errors import SpecificationError

GO = """
[game]
name = "go"
board = 5
komi = 6.5
[player]
protocol = "gtp"
command = "gnugo --seed {seed} 'two words'"
"""


def refused(folder, text):
    with pytest.raises(SpecificationError) as caught:
        program_of(folder, text)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(folder))
    return message.removeprefix(f"{folder}/engine.toml: ")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("komi = 6.5", "komy = 6.5"), "game.komy: unknown key"),
        (("board = 5", "board = '5'"), "game.board: Input should be a valid integer"),
        (("board = 5\n", ""), "game: go needs board"),
        (("komi = 6.5\n", ""), "game: go needs board, the number of lines, and komi"),
        (('protocol = "gtp"\n', ""), "player.protocol: is missing"),
        (('"gtp"', '"xboard"'), "player.protocol: Input should be 'gtp', 'uci' or 'open_spiel'"),
        (('"gtp"', '"uci"'), "player: protocol uci needs go"),
        (("[player]", "[player]\nforget = true"), "player: forget is not for protocol gtp"),
        (("{seed}", "{seeds}"), "{seeds} in player is neither seed nor in arms.grid"),
        (("{seed}", "1"), "all arms are equal"),
        (("[game]", "[arms]\nseeds = '9..9'\n[game]"), "1 arms are too few"),
        (("[game]", "[arms]\nseeds = '9..1'\n[game]"), "the range of seeds 9..1 is empty"),
        (("[game]", "[arms.grid]\nlevel = [1, 2]\n[game]"), "arms.grid: level is not a flag"),
        (("[game]", "[arms.grid]\n'-x' = [1, 1]\n[game]"), "a value of -x appears twice"),
        (
            ("[game]", "[arms.grid]\n'-x' = '1..2000'\n'-y' = '1..2000'\n[game]"),
            "4000000 are too many",
        ),
        (("[player]", '[player]\nsetup = ["a\\nb"]'), "'a\\nb' has more than one line"),
        (("[player]", '[player]\nsetup = [" "]'), "setup: ' ' is not a command"),
        (('command = "gnugo', 'command = 5 # "gnugo'), "player.command: Input should be"),
        (("[game]", "limits = 5\n[game]"), "limits: is not a table"),
        (("[game]", "[limits]\nmove = 0\n[game]"), "limits.move: Input should be"),
        (("[game]", "[limits]\nmove = 'long'\n[game]"), "limits.move: Input should be"),
        (('"go"\nboard = 5\nkomi = 6.5', '"nim"\nboard = 3'), "game: board and komi are for go"),
        (('"go"\nboard = 5\nkomi = 6.5', '"nim"\n[referee]'), "a referee is for go"),
    ],
)
def test_a_mistake_is_told_in_one_line(change, message, tmp_path):
    assert message in refused(tmp_path, GO.replace(*change))


def test_what_is_no_toml_is_told(tmp_path):
    with pytest.raises(SpecificationError, match="is not TOML"):
        program_of(tmp_path, "[game")
    with pytest.raises(SpecificationError, match="there is no file"):
        load_engine_program(tmp_path / "none.toml")


@pytest.mark.parametrize(
    "name",
    [
        "no-such-game",
        "pig",
        "open_spiel:no_such_game",
        "open_spiel:kuhn_poker",
        "open_spiel:hex(board_size=",
        "open_spiel:hex(board_size=0)",
        "open_spiel:connect_four(rows=-4)",
        "open_spiel:",
    ],
)
def test_a_game_that_there_is_not_is_refused(name, tmp_path, capfd):
    with pytest.raises(SpecificationError):
        program_of(tmp_path, scripted_text(tmp_path, "well").replace('"nim"', f'"{name}"'))
    assert capfd.readouterr() == ("", "")


def test_a_command_is_split_as_a_shell_does_and_filled_in(tmp_path):
    program = program_of(tmp_path, GO)
    launch = program.launch(program.arm(0))
    assert launch.command[1:] == ("--seed", "152782197", "two words")
    assert launch.folder == tmp_path


def test_flags_are_appended_and_other_values_filled_in(tmp_path):
    text = GO.replace("'two words'", "--level {level}")
    text += (
        "[arms.grid]\n'--mirror' = [true, false]\n'--mc-games-per-level' = [10]\nlevel = '1..3'\n"
    )
    program = program_of(tmp_path, text)
    seen = set()
    for number in range(50):
        _, seed, _, level, value, *flags = program.launch(program.arm(number)).command
        assert (seed, level) == ("--seed", "--level")
        seen.add((value, tuple(flags)))
    more = ("--mc-games-per-level", "10")
    assert seen == {(n, f) for n in "123" for f in (("--mirror", *more), more)}


def test_paths_start_from_the_file(tmp_path, monkeypatch):
    bots = tmp_path / "bots"
    bots.mkdir()
    shutil.copy(SCRIPTED, bots / "bot.py")
    words = [sys.executable, "bot.py", "{seed}", "well", "9", "token"]
    text = scripted_text(tmp_path, "well")
    text = text.replace(text[text.index("command = [") :].splitlines()[0], f"command = {words}")
    monkeypatch.chdir(tmp_path)
    (bots / "engine.toml").write_text(text)
    assert load_engine_program("bots/engine.toml").engine_identity == "scripted 1"
    (tmp_path / "above.toml").write_text(text.replace("[arms]", 'cwd = "bots"\n[arms]', 1))
    assert load_engine_program("above.toml").engine_identity == "scripted 1"


def test_the_environment_reaches_the_program(tmp_path):
    (tmp_path / "bot.py").write_text(GREETING)
    text = f"""
        [game]
        name = "nim"
        [player]
        protocol = "gtp"
        command = [{sys.executable!r}, "bot.py"]
        environ = {{ GREETING = "hello{{seed}}" }}
    """
    assert program_of(tmp_path, text).engine_identity == "hello152782197 hello152782197"


def test_limits_and_sizes_are_no_part_of_the_identity(tmp_path):
    one = program_of(tmp_path, GO).specification
    other = program_of(tmp_path, GO + "[limits]\nmove = 3.0\n[study]\nk = 30\n").specification
    third = program_of(tmp_path, GO.replace("6.5", "7.5")).specification
    assert one.digest == other.digest != third.digest


GREETING = """
import os, sys
for line in sys.stdin:
    answer = "2" if line.startswith("protocol") else os.environ["GREETING"]
    print(f"= {answer}\\n", flush=True)
"""
