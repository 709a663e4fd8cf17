"""The TOML file: what it may say, and one line for what it may not."""

import shutil
import sys

import pytest
from external import SCRIPTED, program_of, scripted_text
from hypothesis import given
from hypothesis import strategies as st

from seedfolio.engines.program import load_engine_program
from seedfolio.engines.specification.arms import Arms, hashed_seed, parse_seeds
from seedfolio.errors import SpecificationError
from seedfolio.study.arms import TrainingArms, UnseenArms

GO = """
[game]
name = "go"
board = 5
komi = 6.5
[player]
protocol = "gtp"
command = "gnugo --seed {seed} 'two words'"
"""


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("komi = 6.5", "komy = 6.5"), "game.komy: unknown key"),
        (("board = 5", "board = '5'"), "game.board: Input should be a valid integer"),
        (("board = 5\n", ""), "game: go needs board"),
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
        (("[game]", "[game"), "is not TOML"),
        (('"go"\nboard = 5\nkomi = 6.5', '"nim"\nboard = 3'), "game: board and komi are for go"),
        (('"go"\nboard = 5\nkomi = 6.5', '"nim"\n[referee]'), "a referee is for go"),
    ],
)
def test_a_mistake_is_told_in_one_line(change, message, tmp_path):
    with pytest.raises(SpecificationError) as caught:
        program_of(tmp_path, GO.replace(*change))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}/engine.toml")


@pytest.mark.parametrize(
    "name",
    ["no-such-game", "pig", *(f"open_spiel:{n}" for n in ("kuhn_poker", "hex(board_size=", ""))],
)
def test_a_game_that_there_is_not_is_refused(name, tmp_path, capfd):
    with pytest.raises(SpecificationError):
        program_of(tmp_path, scripted_text(tmp_path, "well").replace('"nim"', f'"{name}"'))
    assert capfd.readouterr() == ("", "")


def test_flags_are_appended_and_other_values_filled_in(tmp_path):
    text = GO.replace("'two words'", "--level {level}")
    text += (
        "[arms.grid]\n'--mirror' = [true, false]\n'--mc-games-per-level' = [10]\nlevel = '1..3'\n"
    )
    program = program_of(tmp_path, GO)
    launch = program.launch(program.arm(0))
    assert launch.command[1:] == ("--seed", "152782197", "two words")  # as a shell splits them
    assert launch.folder == tmp_path
    digest = program.specification.digest
    limits = "[limits]\nmove = 3.0\n[study]\nk = 30\n"  # no part of the identity
    assert program_of(tmp_path, GO + limits).specification.digest == digest
    assert program_of(tmp_path, GO.replace("6.5", "7.5")).specification.digest != digest
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
    with pytest.raises(SpecificationError, match="there is no file"):
        load_engine_program(tmp_path / "none.toml")


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


GREETING = """
import os, sys
for line in sys.stdin:
    answer = "2" if line.startswith("protocol") else os.environ["GREETING"]
    print(f"= {answer}\\n", flush=True)
"""


ENDLESS = Arms(parse_seeds("0..", hashed=True), {})
FLAGS = ("--cosmic-gnugo", "--nofusekidb", "--mirror", "--large-scale", "--without-break-in")
VARIANTS = Arms(None, {flag: [False, True] for flag in FLAGS})


def values(arms, count, kind):
    return [tuple(arms.arm(int(n)).values.items()) for n in kind(0, count).seeds()]


def test_hashed_seeds_are_31_bits_never_0_and_never_twice():
    seeds = [hashed_seed(number) for number in range(200_000)]
    assert seeds[:4] == [152782197, 305564395, 1463612860, 548326168]  # of all studies so far
    assert len({*seeds}) == 200_000
    assert min(seeds) > 0
    assert max(seeds) < 2**31
    assert sum(seeds) / len(seeds) == pytest.approx(2**30, rel=0.01)


@given(st.integers(0, 2**31 - 2), st.integers(0, 2**31 - 2))
def test_different_numbers_have_different_seeds(one, other):
    assert (hashed_seed(one) == hashed_seed(other)) == (one == other)


@pytest.mark.parametrize("hashed", [True, False])
def test_without_end_training_and_unseen_never_meet(hashed):
    arms = Arms(parse_seeds("1..", hashed), {})
    training, unseen = values(arms, 1000, TrainingArms), values(arms, 1000, UnseenArms)
    assert len({*training, *unseen}) == 2000
    if not hashed:
        assert training[:3] == [(("seed", 1),), (("seed", 2),), (("seed", 3),)]


def test_a_range_is_learnt_from_as_a_whole():
    arms = Arms(parse_seeds("1..32", hashed=False), {})
    assert (arms.training, arms.unseen) == (32, 32)
    assert values(arms, 32, TrainingArms) == [(("seed", n),) for n in range(1, 33)]
    assert values(arms, 32, UnseenArms) == values(arms, 32, TrainingArms)
    with pytest.raises(SpecificationError, match="training arm 32 does not exist: there are 32"):
        arms.arm(32)
    with pytest.raises(SpecificationError, match="unseen arm 32 does not exist"):
        arms.arm(2**32 + 32)
    assert ENDLESS.some(3) == arms.some(3) == [0, 1, 2]
    assert len({arms.arm(number).values["seed"] for number in arms.some(50)}) == 32
    many = Arms(parse_seeds("1..500000000", hashed=False), {})  # takes no memory
    assert many.arm(499_999_999).values == {"seed": 500_000_000}
    with pytest.raises(ValueError, match="1 arms are too few: evaluation needs 2"):
        Arms(parse_seeds("7..7", hashed=True), {})


def test_the_32_variants_of_gnu_go_are_shuffled_and_all_learnt_from():
    assert (VARIANTS.training, VARIANTS.unseen) == (32, 32)
    training, unseen = values(VARIANTS, 32, TrainingArms), values(VARIANTS, 32, UnseenArms)
    assert len(set(training)) == 32
    assert training == unseen
    for flag in FLAGS:  # each is on and off among the first few
        assert {dict(setting)[flag] for setting in training[:16]} == {True, False}


def test_seeds_and_options_together_have_no_end():
    arms = Arms(ENDLESS.seeds, VARIANTS.grid)
    found = [arms.arm(number).values for number in range(200)]
    assert len({each["seed"] for each in found}) == 200
    assert len({tuple(each[flag] for flag in FLAGS) for each in found}) == 32


@pytest.mark.parametrize("text", ["", "1-5", "..5", "5..1", "0..2000000000", "a..b", "-1..5"])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(ValueError, match="seeds"):
        parse_seeds(text, hashed=True)
