"""The TOML file: what it may say, and one line for what it may not."""

import shutil
import sys
from ast import literal_eval

import pytest
from case_files import cases
from external import GTP_GO, SCRIPTED, SEEDED_UCI, program_of, scripted_text, seeded_text

from seedfolio.engines.program import load_engine_program
from seedfolio.engines.specification.arms import Arms, hashed_seed, parse_seeds
from seedfolio.errors import SpecificationError
from seedfolio.study.arms import TrainingArms, UnseenArms

GO = (
    GTP_GO
    + """\
command = "gnugo --seed {seed} 'two words'"
"""
)


@pytest.mark.parametrize(("change", "message"), cases(__file__, "mistakes", literal_eval))
def test_a_mistake_is_told_in_one_line(change, message, tmp_path):
    with pytest.raises(SpecificationError) as caught:
        program_of(tmp_path, GO.replace(*change))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}/engine.toml")


KINGS = "8/8/8/4k3/8/8/4P3/4K3"


@pytest.mark.parametrize(("table", "problem"), cases(__file__, "other tables", literal_eval))
def test_mistakes_in_other_tables(table, problem, tmp_path, open_spiel):
    (tmp_path / "a.sgf").write_text("(;SZ[9])")
    (tmp_path / "a.epd").write_text(f"{KINGS} w - -\n{KINGS} b - -\n")
    uci = {"protocol": "uci", "more": SEEDED_UCI} if "adjudication" in table else {}
    text = seeded_text(tmp_path, **uci)
    with pytest.raises(SpecificationError, match=problem):
        program_of(tmp_path, text.replace("nim", table.partition(" # ")[2] or "nim") + table)


def test_a_game_that_there_is_not_is_refused(tmp_path, capfd, open_spiel):
    spiel = [f"open_spiel:{name}" for name in ("kuhn_poker", "hex(board_size=", "")]
    for name in ("no-such-game", "pig", *spiel):
        with pytest.raises(SpecificationError):
            program_of(tmp_path, scripted_text(tmp_path, "well").replace('"nim"', f'"{name}"'))
    assert capfd.readouterr() == ("", "")


def test_flags_are_appended_and_other_values_filled_in(tmp_path):
    text = GO.replace("'two words'", "--level {level}")
    text += "[arms.grid]\n'--cold' = [true, false]\n'--mc-games-per-level' = [10]\nlevel = '1..3'\n"
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
    assert seen == {(n, f) for n in "123" for f in (("--cold", *more), more)}


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


def values(arms, count, kind):
    return [tuple(arms.arm(int(n)).values.items()) for n in kind(0, count).seeds()]


def test_hashed_seeds_are_31_bits_never_0_and_never_twice():
    seeds = [hashed_seed(number) for number in range(200_000)]
    assert seeds[:4] == [152782197, 305564395, 1463612860, 548326168]  # of all studies so far
    assert len({*seeds}) == 200_000
    assert min(seeds) > 0
    assert max(seeds) < 2**31
    assert sum(seeds) / len(seeds) == pytest.approx(2**30, rel=0.01)


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
    flags = "--cosmic-gnugo", "--nofusekidb", "--mirror", "--large-scale", "--without-break-in"
    variants = Arms(None, {flag: [False, True] for flag in flags})
    assert (variants.training, variants.unseen) == (32, 32)
    training, unseen = values(variants, 32, TrainingArms), values(variants, 32, UnseenArms)
    assert (len(set(training)), training) == (32, unseen)
    for flag in flags:  # each is on and off among the first few
        assert {dict(setting)[flag] for setting in training[:16]} == {True, False}
    # Seeds and options together have no end.
    arms = Arms(ENDLESS.seeds, variants.grid)
    found = [arms.arm(number).values for number in range(200)]
    assert len({each["seed"] for each in found}) == 200
    assert len({tuple(each[flag] for flag in flags) for each in found}) == 32


def test_what_is_no_range_is_refused():
    for text in ("", "1-5", "..5", "5..1", "0..2000000000", "a..b", "-1..5"):
        with pytest.raises(ValueError, match="seeds"):
            parse_seeds(text, hashed=True)
