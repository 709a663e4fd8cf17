"""Bad input gets one clear line and exit code 2: no traceback, nothing half-written."""

import gzip
import json
import os
import sqlite3
import subprocess
from pathlib import Path

import pytest
from in_process import seedfolio
from made_studies import GAME, PLAYER
from waiting import ran

BOOST = ["boost", GAME, "-p", PLAYER, "--k", "20", "--kt", "5", "--opponents", "17"]
MISTAKES = [
    ("2 * mover(state) if lost(state) else 1", "3", "score"),
    ("state[0] | (1 << move)", "state[0]", "max_plies"),
    ("state[2] % 2", "state[9] % 2", "does not compile"),
    ("        board=board,\n", "", "board"),
]


def refused(*words, cwd, saying, run=seedfolio):
    done = run(*words, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert saying in done.stderr


def process(*words, cwd):
    return ran("-m", "seedfolio", *words, cwd=cwd, stdin=subprocess.DEVNULL)


def test_a_real_process_answers_the_same(tmp_path):
    words = ["boost", "domineerin"]
    refused(*words, cwd=tmp_path, saying="did you mean domineering?", run=process)


@pytest.mark.parametrize(
    ("arguments", "saying"),
    [
        (["boost", "domineerin"], "did you mean domineering?"),
        (["boost", "checkers"], "there are domineering"),
        (["boost", "domineering:7"], "neither a board"),
        (["boost", "domineering:12x12"], "12x12 is not between"),
        (["boost", "domineering:7x7,size=3"], "no parameter 'size'"),
        (["boost", "atari-go:5x6"], "square"),
        (["boost", "breakthrough:5x5,pawn_rows=3"], "pawn_rows=3 is not between 1 and 2"),
        (["boost", "missing.py"], "no game file missing.py"),
        (["boost", "domineering", "--k", "0"], "K = 0"),
        (["boost", "domineering", "--k", "10", "--kt", "11"], "Kt = 11"),
        (["boost", "nim", "--budget", "9", "--kt", "3"], "leave out --kt"),
        (["boost", "domineering", "--k", "ten"], "--k"),
        (["boost", "domineering", "--opponents", "1"], "must be 2 or more"),
        (["boost", "domineering", "--opponents", "5000000000"], "more than 1,000,000,000"),
        (["boost", "domineering", "--threads", "0"], "threads must be 1 or more, not 0"),
        (["boost", "domineering", "-l", "nahs"], "nash"),
        (["boost", "domineering", "-l", "sparse-nash:alpha=2"], "alpha"),
        (["boost", "domineering", "-p", "utc"], "did you mean uct?"),
        (["boost", "domineering", "-p", "uct:simulations=0"], "simulations=0"),
        (["boost", "domineering", "-p", "uct:simulations=x"], "not 'x'"),
        (["boost", "domineering", "-p", "uct:exploration=nan"], "exploration"),
        (["boost", "domineering", "-p", "uct:depth=3"], "no parameter 'depth'"),
        (["boost", "domineering", "--study", "no/such/folder/a.study"], "no/such/folder"),
        (["boost"], "'game'"),
        (["bost"], "bost"),
        (["boost", "domineering", "--wrong"], "--wrong"),
        (["show", "nothing.study"], "no study at"),
        (["show", "nothing.json"], "no portfolio file nothing.json"),
        (["play", "checkers"], "unknown game 'checkers'"),
        (["play", "a.study"], "neither a game nor a portfolio"),
        (["play", "bot.toml"], "there is no file bot.toml"),
        (["boost", "bot.toml"], "there is no file bot.toml"),
        (["book", "show", "a.json", "--svg", "b.png"], "b.png: end its name with .svg"),
        (["book", "show", "a.json", "--sgf", "b.svg"], "b.svg: end its name with .sgf"),
        (["book", "polyglot", "a.json", "b.sgf"], "b.sgf: end its name with .bin"),
        (["play", "a.json", "-p", "uct"], "a.json names its own player"),
        (["show", "a.json", "--markdown"], "made from a study"),
        (["show", "a.study", "--plot-k", "a.pdf"], "a.pdf"),
        (["export", "a.study", "b.txt"], "neither .csv nor .npz"),
        (["reproduce", "table9"], "there are table3, phantom-go, gametestbed"),
        (["reproduce", "tabel3"], "did you mean table3?"),
        (["reproduce", "table3", "--board", "domineering:6x6"], "not in Table 3"),
        (["reproduce", "table3", "--opponents", "16"], "16 unseen opponents are too few"),
        (["reproduce", "gametestbed", "--game", "chess"], "not in Table 1"),
        (["boost", "domineering", "--repeats", "4"], "repeats are for games of chance"),
        (["boost", "pig", "--repeats", "200"], "200 repeats are not 1 to 127"),
        (["boost", "pig", "-p", "uct"], "uct"),
        (["boost", "domineering", "--arena", "cuda", "--threads", "2"], "leave it out"),
        (["plan", "nim", "--epsilon", "0.1", "--k", "20"], "or more, or an --epsilon of"),
        (["plan", "nim", "--kt", "20"], "both --k and --kt"),
        (["plan", "nim", "--delta", "2"], "delta = 2"),
        (["match", "nim"], "needs 2 to 100 programs"),
        (["match", "nim", "pig"], "must play the same game"),
        (["match", "nim", "nim", "--games", "3"], "--games must be an even number"),
        (["match", "nim", "nim", "--sprt", "30,nan"], "--sprt must be two differences in Elo"),
        (["worth", "nim"], "is not boosted, so it is worth its own thinking"),
        (["worth", "a.json", "--most", "1"], "--most must be above 1"),
    ],
)
def test_bad_words(tmp_path, arguments, saying):
    refused(*arguments, cwd=tmp_path, saying=saying)
    assert list(tmp_path.iterdir()) == []


STUDY = "small.study"


def test_online_play_that_is_impossible(made):
    for options, saying in (
        (["--games", "0"], "--games must be 1 to 16,777,216, not 0"),
        (["--arms", "99999"], "--arms must be 1 to 2,000, not 99999"),
        (["--repetitions", "0"], "--repetitions must be 1 or more, not 0"),
        (["--plot", "a.pdf"], ".png or .svg"),
    ):
        refused("online", STUDY, *options, "-q", cwd=made.folder, saying=saying)


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


def test_what_is_no_portfolio(made, tmp_path):
    (tmp_path / "junk.study").write_text("my notes\n")
    (tmp_path / "folder").mkdir()
    for word in ("play", "gtp", "uci"):
        refused(word, STUDY, cwd=made.folder, saying="name one of its portfolios")
        refused(word, "junk.study", cwd=tmp_path, saying="neither a game nor a portfolio")
    refused("book", "show", STUDY, cwd=made.folder, saying="small.study is not a portfolio")
    refused("book", "show", "folder", cwd=tmp_path, saying="a portfolio is a .json file")
    refused("check", "folder", cwd=tmp_path, saying="name the .toml file of an external engine")


def test_a_study_of_another_game_or_player(made_copy):
    other = ["--study", STUDY]
    refused("boost", "domineering:4x5", *other, cwd=made_copy.folder, saying="columns")
    words = ["boost", GAME, "-p", "uct:simulations=6", *other]
    refused(*words, cwd=made_copy.folder, saying="simulations is 5 there, 6 here")


def edited(made, tmp_path, change):
    data = json.loads(made.portfolio("nash").read_text())
    change(data)
    (tmp_path / "p.json").write_text(json.dumps(data))
    return tmp_path


@pytest.mark.parametrize(
    ("change", "saying"),
    [
        (lambda d: d["player"].update(version=99), "version 99"),
        (lambda d: d["game"].update(version=99), "version 99"),
        (lambda d: d["game"].update(source="domineering:5x5"), "parameters"),
        (lambda d: d["game"].update(source="checkers"), "unknown game"),
        (lambda d: d.update(behaviour="0" * 48), "plays other moves"),
    ],
)
def test_portfolios_that_do_not_fit_cannot_be_played(made, tmp_path, change, saying):
    refused("play", "p.json", cwd=edited(made, tmp_path, change), saying=saying)


@pytest.mark.parametrize(
    ("change", "saying"),
    [
        (lambda d: d.update(schema_version=3), "a newer Seedfolio wrote it: update this one"),
        (lambda d: d.update(schema_version=1), "written before 0.2.0; learn it again"),
        (lambda d: d.update(schema_version="2"), "schema version 2, and this program reads"),
        (lambda d: d.update(format="other"), "format"),
        (lambda d: d.update(extra=1), "extra"),
        (lambda d: d.pop("first"), "first"),
        (lambda d: d.update(first={"1": 0.4}), "add up to 1"),
        (lambda d: d.update(first={"1": -1.0, "2": 2.0}), "above 0"),
        (lambda d: d.update(first={"1": float("nan")}), "first"),
        (lambda d: d["evaluation"]["success"].pop(0), "an entry for each exploiter"),
    ],
)
def test_broken_portfolios(made, tmp_path, change, saying):
    folder = edited(made, tmp_path, change)
    for word in ("show", "play"):
        refused(word, "p.json", cwd=folder, saying=saying)


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


@pytest.mark.parametrize(
    ("content", "saying"),
    [
        ("x = (", "SyntaxError"),
        ("import nothing_like_this", "nothing_like_this"),
        ("x = 1", "0 functions marked @game"),
    ],
)
def test_broken_game_files(tmp_path, content, saying):
    (tmp_path / "mine.py").write_text(content)
    refused("boost", "mine.py", cwd=tmp_path, saying=saying)


def test_a_game_with_a_mistake_is_named_before_anything_is_written(tmp_path):
    example = Path(__file__).parents[2] / "docs/examples/three_in_a_row.py"
    whole = example.read_text()
    for number, (right, wrong, saying) in enumerate(MISTAKES):
        assert right in whole
        (tmp_path / f"mine{number}.py").write_text(whole.replace(right, wrong))
        for words in (["boost", f"mine{number}.py"], ["play", f"mine{number}.py"]):
            refused(*words, cwd=tmp_path, saying=saying)
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
