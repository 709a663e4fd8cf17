"""The command line as a person uses it: real files, and real processes where they may differ."""

import json
import os
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from in_process import seedfolio
from waiting import PATIENCE

SMALL = [
    "domineering:4x4",
    "-p",
    "uct:simulations=20",
    "--k",
    "30",
    "--kt",
    "10",
    "--opponents",
    "20",
]


def process(*arguments, cwd, text=None, environment=None):
    return subprocess.run(
        [sys.executable, "-m", "seedfolio", *arguments],
        cwd=cwd,
        env=environment,
        input=text,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


@pytest.fixture(scope="module")
def boosted(tmp_path_factory):
    """A folder in which a small study has been made, and what the command printed."""
    folder = tmp_path_factory.mktemp("boosted")
    done = process("boost", *SMALL, cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder, done


def test_boost_prints_the_table_and_where_everything_is(boosted):
    folder, done = boosted
    words = " ".join(done.stdout.split())
    for text in ("K'=16", "original, 1 seed", "best-seed", "nash", "±", "never saw"):
        assert text in words
    named = re.findall(r"studies/\S+\.json", done.stdout)
    assert len(named) >= 4
    assert all((folder / name).is_file() for name in named)
    assert (folder / "studies/domineering-4x4-uct-simulations-20.study").is_file()


def test_boost_again_plays_nothing_and_prints_the_same(boosted):
    folder, done = boosted
    again = seedfolio("boost", *SMALL, cwd=folder)
    assert again.stdout == done.stdout
    # A book goes on from its last whole round, and is evaluated again; all else is in the study.
    bars = [line for line in again.stderr.splitlines() if "games" in line]
    assert all(line.startswith("book") for line in bars), again.stderr


def test_json_is_json(boosted):
    folder, _ = boosted
    study = "studies/domineering-4x4-uct-simulations-20.study"
    for command in (["boost", *SMALL, "-q", "--json"], ["show", study, "--json"]):
        data = json.loads(seedfolio(*command, cwd=folder).stdout)
        assert (data["study"], "nash" in data["portfolios"]) == (study, True)
        assert data["request"]["k"] == 30
        assert data["rows"][0]["group"] == "baseline"
        assert len(data["rows"][0]["success"]) == 5


def test_show_a_study_and_a_portfolio(boosted):
    folder, done = boosted
    study = "studies/domineering-4x4-uct-simulations-20.study"
    shown = seedfolio("show", study, cwd=folder)
    assert shown.returncode == 0
    assert shown.stdout == done.stdout  # the verdict and the files as well
    portfolio = seedfolio(
        "show", "studies/domineering-4x4-uct-simulations-20-nash.json", cwd=folder
    )
    assert "as first player" in portfolio.stdout
    assert "Value on the training matrix" in portfolio.stdout
    markdown = seedfolio("show", study, "--markdown", cwd=folder)
    assert markdown.stdout.startswith("| success in % |")


def test_show_names_only_the_files_of_the_study_that_are_there(boosted, tmp_path):
    folder, done = boosted
    shutil.copytree(folder / "studies", tmp_path / "studies")
    stem = "studies/domineering-4x4-uct-simulations-20"
    (tmp_path / f"{stem}-best-seed.json").unlink()
    other = json.loads((tmp_path / f"{stem}-nash.json").read_text(encoding="utf-8"))
    other["provenance"]["games"] += 1
    (tmp_path / f"{stem}-nash.json").write_text(json.dumps(other), encoding="utf-8")
    shown = seedfolio("show", f"{stem}.study", cwd=tmp_path).stdout
    gone = [f"{stem}-best-seed.json", f"{stem}-nash.json"]
    kept = [line for line in done.stdout.splitlines() if not line.endswith(tuple(gone))]
    assert [line for line in shown.splitlines() if not line.startswith("play it")] == [
        line for line in kept if not line.startswith("play it")
    ]


def test_a_terminal_that_knows_only_ascii(boosted):
    folder, done = boosted
    asked = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    study = "studies/domineering-4x4-uct-simulations-20.study"
    shown = process("show", study, cwd=folder, environment={**os.environ, **asked})
    assert shown.returncode == 0, shown.stderr
    table = done.stdout.partition("Against strangers")[0]
    assert shown.stdout.count("?") >= table.count("±")


def test_show_draws_the_figures(boosted):
    folder, _ = boosted
    study = "studies/domineering-4x4-uct-simulations-20.study"
    done = seedfolio("show", study, "--plot-seeds", "a.svg", "--plot-k", "b.png", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines() == ["wrote a.svg", "wrote b.png"]
    assert (folder / "a.svg").read_text().lstrip().startswith("<?xml")
    assert (folder / "b.png").read_bytes().startswith(b"\x89PNG")


def test_export(boosted):
    folder, _ = boosted
    study = "studies/domineering-4x4-uct-simulations-20.study"
    for name in ("m.csv", "m.npz"):
        done = seedfolio("export", study, name, cwd=folder)
        assert done.stderr == f"wrote {name}: 30 x 30 seeds, 500 cells played\n"
        assert done.stdout == ""
    matrix = np.load(folder / "m.npz")["half_points"]
    assert matrix.shape == (30, 30)
    assert (matrix == 255).sum() == 20 * 20
    lines = (folder / "m.csv").read_text().splitlines()
    assert len(lines) == 31
    assert lines[1].split(",")[1:11] == [str(cell) for cell in matrix[0, :10]]


def test_play_to_the_end_against_the_boosted_program(boosted):
    folder, _ = boosted
    portfolio = "studies/domineering-4x4-uct-simulations-20-nash.json"
    moves = [f"{c}{r}{c}{r + 1}" for c in "abcd" for r in (1, 2, 3)]
    # Whatever the program does, every vertical domino is offered until none fits.
    text = "\n".join(["help", "moves", "z9", "undo", *(moves * 4)]) + "\n"
    done = process("play", portfolio, "--key", "5", cwd=folder, text=text)
    assert done.returncode == 0, done.stderr
    assert "boosted" in done.stdout
    assert re.search(r"You win\.|The program wins\.", done.stdout)
    assert "'z9' is not a move" in done.stdout


def test_play_the_original_and_leave(tmp_path):
    done = seedfolio(
        "play",
        "breakthrough:5x5",
        "--second",
        "-p",
        "uct:simulations=10",
        cwd=tmp_path,
        text="quit\n",
    )
    assert done.returncode == 0, done.stderr
    assert "The program plays" in done.stdout
    assert "You left" in done.stdout


@pytest.mark.slow
def test_lists(tmp_path):
    for command, word in (("games", "breakthrough"), ("players", "uct"), ("learners", "nash")):
        assert word in seedfolio(command, cwd=tmp_path).stdout
        assert any(
            item["name"] == word
            for item in json.loads(seedfolio(command, "--json", cwd=tmp_path).stdout)
        )


def test_every_command_has_help(tmp_path):
    overview = seedfolio("--help", cwd=tmp_path).stdout
    for command in ("boost", "show", "play", "export", "reproduce", "games", "players", "learners"):
        assert command in overview
        assert seedfolio(command, "--help", cwd=tmp_path).returncode == 0
    assert re.fullmatch(r"seedfolio \d+\.\d+\.\d+\n", seedfolio("--version", cwd=tmp_path).stdout)


@pytest.mark.slow
def test_reproduce_table3_on_two_small_boards(tmp_path):
    command = [
        "reproduce",
        "table3",
        "--k",
        "20",
        "--kt",
        "5",
        "--opponents",
        "20",
        "-p",
        "uct:simulations=10",
        "--board",
        "domineering:5x5",
        "--board",
        "atari-go:5x5",
        "--markdown",
        "table.md",
    ]
    done = seedfolio(*command, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == (tmp_path / "table.md").read_text()
    assert "| domineering 5x5 | original, 1 seed | ours |" in done.stdout
    assert "|  | uniform | paper | 49.0 | 41.6 | 32.5 | 29.0 | 25.1 |" in done.stdout
    again = seedfolio(*command, cwd=tmp_path)
    assert again.stdout == done.stdout
    # A book goes on from its last whole round, and is evaluated again; all else is in the study.
    bars = [line for line in again.stderr.splitlines() if "games" in line]
    assert all(line.startswith("book") for line in bars), again.stderr
