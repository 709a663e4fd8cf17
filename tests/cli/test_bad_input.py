"""Bad input gets one clear line and exit code 2: no traceback, nothing half-written."""

import gzip
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import PATIENCE

from seedfolio.__main__ import main

SMALL = ["-p", "uct:simulations=5", "--k", "20", "--kt", "5", "--opponents", "17"]


MISTAKES = [
    ("2 * mover(state) if lost(state) else 1", "3", "score"),
    ("state[0] | (1 << move)", "state[0]", "max_plies"),
    ("state[2] % 2", "state[9] % 2", "does not compile"),
    ("        board=board,\n", "", "board"),
]


def seedfolio(*arguments, cwd):
    """Run the command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "seedfolio", *map(str, arguments)],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def command(monkeypatch, capsys):
    """Run the command in this process, which spares each case the start of another."""

    def run(*arguments, cwd):
        monkeypatch.chdir(cwd)
        monkeypatch.setattr(sys, "argv", ["seedfolio", *map(str, arguments)])
        capsys.readouterr()
        return (main(), *capsys.readouterr())

    return run


def refused(command, *arguments, cwd, saying):
    code, out, err = command(*arguments, cwd=cwd)
    assert code == 2, (out, err)
    assert out == ""
    assert len(err.strip().splitlines()) == 1, err
    assert err.startswith("error: ")
    assert saying in err


def test_a_real_process_answers_the_same(tmp_path):
    refused(seedfolio, "boost", "domineerin", cwd=tmp_path, saying="did you mean domineering?")
    refused(seedfolio, "boost", "domineering", "--k", "0", cwd=tmp_path, saying="K = 0")


@pytest.mark.parametrize(
    ("arguments", "saying"),
    [
        (["boost", "domineerin"], "did you mean domineering?"),
        (["boost", "checkers"], "there are domineering"),
        (["boost", "domineering:7"], "neither a board"),
        (["boost", "domineering:12x12"], "12x12 is not between"),
        (["boost", "domineering:0x3"], "0x3"),
        (["boost", "domineering:7x7,size=3"], "no parameter 'size'"),
        (["boost", "atari-go:10x10"], "between 5x5 and 9x9"),
        (["boost", "atari-go:5x6"], "square"),
        (["boost", "breakthrough:4x4"], "between 5x5 and 8x8"),
        (["boost", "breakthrough:5x5,pawn_rows=3"], "pawn_rows=3 is not between 1 and 2"),
        (["boost", "missing.py"], "no game file missing.py"),
        (["boost", "domineering", "--k", "0"], "K = 0"),
        (["boost", "domineering", "--k", "10", "--kt", "11"], "Kt = 11"),
        (["boost", "nim", "--budget", "9", "--kt", "3"], "leave out --kt"),
        (["boost", "domineering", "--k", "ten"], "--k"),
        (["boost", "domineering", "--opponents", "1"], "must be 2 or more"),
        (["boost", "domineering", "--opponents", "5000000000"], "more than 1,000,000,000"),
        (["boost", "domineering", "--k", "20000000", "--kt", "100000"], "more than 1,000,000,000"),
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
        (["play", "nothing.json"], "no portfolio file nothing.json"),
        (["play", "checkers"], "unknown game 'checkers'"),
        (["play", "a.study"], "neither a game nor a portfolio"),
        (["play", "bot.toml"], "there is no file bot.toml"),
        (["plan", "bot.toml"], "there is no file bot.toml"),
        (["boost", "bot.toml"], "there is no file bot.toml"),
        (["compare", "bot.toml"], "there is no file bot.toml"),
        (["book", "show", "a.json", "--svg", "b.png"], "b.png: end its name with .svg"),
        (["book", "show", "a.json", "--sgf", "b.svg"], "b.svg: end its name with .sgf"),
        (["book", "polyglot", "a.json", "b.sgf"], "b.sgf: end its name with .bin"),
        (["book", "polyglot", "nothing.json", "b.bin"], "no portfolio file nothing.json"),
        (["play", "a.json", "-p", "uct"], "a.json names its own player"),
        (["show", "a.json", "--markdown"], "made from a study"),
        (["show", "a.study", "--plot-k", "a.pdf"], "a.pdf"),
        (["export", "a.study", "b.txt"], "neither .csv nor .npz"),
        (["reproduce", "table9"], "there are table3, phantom-go, gametestbed"),
        (["reproduce", "tabel3"], "did you mean table3?"),
        (["reproduce", "table3", "--board", "domineering:6x6"], "not in Table 3"),
        (["reproduce", "table3", "--opponents", "16"], "16 unseen opponents are too few"),
        (["reproduce", "gametestbed", "--game", "chess"], "not in Table 1"),
        (["reproduce", "phantom-go", "--k", "0"], "K = 0"),
        (["reproduce", "phantom-go", "-p", "flta"], "did you mean flat?"),
        (["boost", "domineering", "--repeats", "4"], "repeats are for games of chance"),
        (["boost", "pig", "--repeats", "200"], "200 repeats are not 1 to 127"),
        (["boost", "pig", "--repeats", "0"], "0 repeats are not 1 to 127"),
        (["boost", "pig", "-p", "uct"], "uct"),
        (["boost", "domineering", "--arena", "cuda", "--threads", "2"], "leave it out"),
    ],
)
def test_bad_words(command, tmp_path, arguments, saying):
    refused(command, *arguments, cwd=tmp_path, saying=saying)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    code, _, err = seedfolio("boost", "domineering:4x4", *SMALL, "--study", "a.study", cwd=folder)
    assert code == 0, err
    return folder


def test_a_truncated_study(command, made, tmp_path):
    whole = (made / "a.study").read_bytes()
    (tmp_path / "cut.study").write_bytes(whole[: len(whole) // 2])
    for words in (
        ["show", "cut.study"],
        ["boost", "domineering:4x4", *SMALL, "--study", "cut.study"],
    ):
        refused(command, *words, cwd=tmp_path, saying="cut.study")
    assert (tmp_path / "cut.study").read_bytes() == whole[: len(whole) // 2]


def test_foreign_files_are_left_alone(command, tmp_path):
    (tmp_path / "notes.study").write_text("my notes\n" * 100)
    with sqlite3.connect(tmp_path / "other.study") as other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    for name in ("notes.study", "other.study"):
        before = (tmp_path / name).read_bytes()
        refused(command, "show", name, cwd=tmp_path, saying=name)
        refused(
            command, "boost", "domineering:4x4", *SMALL, "--study", name, cwd=tmp_path, saying=name
        )
        assert (tmp_path / name).read_bytes() == before


def test_what_is_no_portfolio(command, made, tmp_path):
    for word in ("play", "gtp", "uci"):
        refused(command, word, "a.study", cwd=made, saying="name one of its portfolios")
    refused(command, "book", "show", "a.study", cwd=made, saying="a.study is not a portfolio")
    (tmp_path / "junk.study").write_text("my notes\n")
    (tmp_path / "folder").mkdir()
    for word in ("play", "gtp", "uci"):
        refused(command, word, "junk.study", cwd=tmp_path, saying="neither a game nor a portfolio")
    refused(command, "book", "show", "folder", cwd=tmp_path, saying="a portfolio is a .json file")
    refused(
        command, "check", "folder", cwd=tmp_path, saying="name the .toml file of an external engine"
    )


def test_a_study_of_another_game_or_player(command, made):
    refused(
        command,
        "boost",
        "domineering:4x5",
        *SMALL,
        "--study",
        "a.study",
        cwd=made,
        saying="columns",
    )
    refused(
        command,
        "boost",
        "domineering:4x4",
        "-p",
        "uct:simulations=6",
        "--study",
        "a.study",
        cwd=made,
        saying="simulations is 5 there, 6 here",
    )


def edited(made, tmp_path, change):
    data = json.loads((made / "a-nash.json").read_text())
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
def test_portfolios_that_do_not_fit_cannot_be_played(command, made, tmp_path, change, saying):
    refused(command, "play", "p.json", cwd=edited(made, tmp_path, change), saying=saying)


@pytest.mark.parametrize(
    ("change", "saying"),
    [
        (lambda d: d.update(schema_version=3), "a newer Seedfolio wrote it: update this one"),
        (lambda d: d.update(schema_version=1), "written before 0.2.0; learn it again"),
        (lambda d: d.update(schema_version=0), "schema version 0, and this program reads"),
        (lambda d: d.update(schema_version="2"), "schema version 2, and this program reads"),
        (lambda d: d.update(format="other"), "format"),
        (lambda d: d.update(extra=1), "extra"),
        (lambda d: d.pop("first"), "first"),
        (lambda d: d.update(first={}), "first"),
        (lambda d: d.update(first={"1": 0.4}), "add up to 1"),
        (lambda d: d.update(first={"1": -1.0, "2": 2.0}), "above 0"),
        (lambda d: d.update(first={"x": 1.0}), "first"),
        (lambda d: d.update(first={"1": float("nan")}), "first"),
        (lambda d: d["evaluation"]["success"].pop(0), "an entry for each exploiter"),
    ],
)
def test_broken_portfolios(command, made, tmp_path, change, saying):
    folder = edited(made, tmp_path, change)
    for word in ("show", "play"):
        refused(command, word, "p.json", cwd=folder, saying=saying)


def test_truncated_and_foreign_portfolios(command, made, tmp_path):
    whole = (made / "a-nash.json").read_bytes()
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
        refused(command, "play", name, cwd=tmp_path, saying=name)


@pytest.mark.parametrize(
    ("content", "saying"),
    [
        ("x = (", "SyntaxError"),
        ("import nothing_like_this", "nothing_like_this"),
        ("x = 1", "0 functions marked @game"),
    ],
)
def test_broken_game_files(command, tmp_path, content, saying):
    (tmp_path / "mine.py").write_text(content)
    refused(command, "boost", "mine.py", *SMALL, cwd=tmp_path, saying=saying)


def test_a_game_with_a_mistake_is_named_before_anything_is_written(command, tmp_path):
    example = Path(__file__).parents[2] / "docs/examples/three_in_a_row.py"
    whole = example.read_text()
    for number, (right, wrong, saying) in enumerate(MISTAKES):
        assert right in whole
        (tmp_path / f"mine{number}.py").write_text(whole.replace(right, wrong))
        for words in (["boost", f"mine{number}.py", *SMALL], ["play", f"mine{number}.py"]):
            refused(command, *words, cwd=tmp_path, saying=saying)
    assert not (tmp_path / "studies").exists()


def test_folders_that_cannot_be_written(command, made, tmp_path):
    if os.geteuid() == 0:
        # Root may write anywhere; a file in the place of the folder stops even root.
        (tmp_path / "studies").write_text("in the way")
        refused(command, "boost", "domineering:4x4", *SMALL, cwd=tmp_path, saying="studies")
    else:
        tmp_path.chmod(0o500)
        refused(command, "boost", "domineering:4x4", *SMALL, cwd=tmp_path, saying="studies")
    refused(
        command, "export", made / "a.study", "/proc/nothing/m.csv", cwd=tmp_path, saying="m.csv"
    )
    refused(
        command,
        "show",
        made / "a.study",
        "--plot-k",
        "/proc/nothing/m.svg",
        cwd=tmp_path,
        saying="m.svg",
    )
    refused(
        command,
        "boost",
        "domineering:4x4",
        *SMALL,
        "--study",
        "/proc/a.study",
        cwd=tmp_path,
        saying="/proc",
    )
