"""Bad input gets one clear line and exit code 2: no traceback, nothing half-written."""

import gzip
import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest
from case_files import cases
from made_studies import GAME, PLAYER
from one_line import refused
from waiting import ran

BOOST = ["boost", GAME, "-p", PLAYER, "--k", "20", "--kt", "5", "--opponents", "17"]
MISTAKES = [
    ("state[0] | (1 << move)", "state[0]", "max_plies"),
    ("state[2] % 2", "state[9] % 2", "does not compile"),
    ("        board=board,\n", "", "board"),
]


def test_a_real_process_answers_the_same(tmp_path):
    def process(*words, cwd):
        return ran("-m", "seedfolio", *words, cwd=cwd, stdin=subprocess.DEVNULL)

    refused("boost", "domineerin", cwd=tmp_path, saying="did you mean domineering?", run=process)


@pytest.mark.parametrize(("arguments", "saying"), cases(__file__, "bad words", str.split))
def test_bad_words(tmp_path, arguments, saying):
    refused(*arguments, cwd=tmp_path, saying=saying)
    assert list(tmp_path.iterdir()) == []


STUDY = "small.study"


def test_damaged_and_foreign_files_are_left_alone(made, tmp_path):
    whole = made.study.read_bytes()
    (tmp_path / "cut.study").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "notes.study").write_text("my notes\n" * 100)
    with sqlite3.connect(tmp_path / "other.study") as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    for name in ("cut.study", "notes.study", "other.study"):
        before = (tmp_path / name).read_bytes()
        refused("show", name, cwd=tmp_path, saying=name)
        refused(*BOOST, "--study", name, cwd=tmp_path, saying=name)
        assert (tmp_path / name).read_bytes() == before


def test_files_and_options_that_do_not_fit(made, tmp_path):
    (tmp_path / "junk.study").write_text("my notes\n")
    (tmp_path / "folder").mkdir()
    for word in ("play", "gtp", "uci"):
        refused(word, STUDY, cwd=made.folder, saying="name one of its portfolios")
        refused(word, "junk.study", cwd=tmp_path, saying="neither a game nor a portfolio")
    refused("book", "show", STUDY, cwd=made.folder, saying="small.study is not a portfolio")
    refused("book", "show", "folder", cwd=tmp_path, saying="a portfolio is a .json file")
    refused("check", "folder", cwd=tmp_path, saying="name the .toml file of an external engine")
    for options, saying in (
        (["--games", "0"], "--games must be 1 to 16,777,216, not 0"),
        (["--arms", "99999"], "--arms must be 1 to 2,000, not 99999"),
        (["--plot", "a.pdf"], ".png or .svg"),
    ):
        refused("online", STUDY, *options, "-q", cwd=made.folder, saying=saying)


def test_a_study_of_another_game_or_player(made_copy):
    for program, saying in ((["nim"], "nim"), ([GAME, "-p", "uct:simulations=6"], "5 there, 6")):
        words = ["boost", *program, "--study", STUDY]
        refused(*words, cwd=made_copy.folder, saying=saying)


@pytest.mark.parametrize(("change", "saying"), cases(__file__, "broken portfolios"))
def test_portfolios_that_are_broken_or_do_not_fit(made, tmp_path, change, saying):
    data = json.loads(made.portfolio("nash").read_text())
    eval(change, {"d": data})
    (tmp_path / "p.json").write_text(json.dumps(data))
    refused("play", "p.json", cwd=tmp_path, saying=saying)


def test_truncated_and_foreign_portfolios(made, tmp_path):
    whole = made.portfolio("nash").read_bytes()
    for name, content in (
        ("cut.json", whole[:100]),
        ("cut.json.gz", gzip.compress(whole)[:-20]),
        ("swapped.json.gz", gzip.compress(whole)[:99] + bytes(99)),
        ("header.json", gzip.compress(whole)[:5]),
        ("foreign.json.gz", gzip.compress(b"[1]")),
        ("binary.json.gz", gzip.compress(bytes(range(256)))),
        ("empty.json", b""),
        ("list.json", b"[1]"),
        ("binary.json", bytes(range(256))),
    ):
        (tmp_path / name).write_bytes(content)
        refused("play", name, cwd=tmp_path, saying=name)


def test_a_game_with_a_mistake_is_named_before_anything_is_written(tmp_path):
    for content, saying in (
        ("x = (", "SyntaxError"),
        ("import nothing_like_this", "nothing_like_this"),
        ("x = 1", "0 functions marked @game"),
    ):
        (tmp_path / "mine.py").write_text(content)
        refused("boost", "mine.py", cwd=tmp_path, saying=saying)
    example = Path(__file__).parents[2] / "docs/examples/three_in_a_row.py"
    whole = example.read_text()
    for number, (right, wrong, saying) in enumerate(MISTAKES):
        assert right in whole
        (tmp_path / f"mine{number}.py").write_text(whole.replace(right, wrong))
        refused(["boost", "play"][number % 2], f"mine{number}.py", cwd=tmp_path, saying=saying)
    assert not (tmp_path / "studies").exists()


def test_folders_that_cannot_be_written(made, tmp_path):
    if os.geteuid() == 0:
        # Root may write anywhere; a file in the place of the folder stops even root.
        (tmp_path / "studies").write_text("in the way")
    else:
        tmp_path.chmod(0o500)
    refused(*BOOST, cwd=tmp_path, saying="studies")
    refused(*BOOST, "--study", "/proc/a.study", cwd=tmp_path, saying="/proc")
    refused("export", made.study, "/proc/nothing/m.csv", cwd=tmp_path, saying="m.csv")
    drawn = ["show", made.study, "--plot-k", "/proc/nothing/m.svg"]
    refused(*drawn, cwd=tmp_path, saying="m.svg")
