"""A pipe or a device in the place of a file: one sentence, and nobody waits for it."""

import os

import pytest

from seedfolio import SeedfolioError
from seedfolio.arena.ray.package import Sources
from seedfolio.cli import run
from seedfolio.engines.specification.openings import load_openings
from seedfolio.engines.specification.specification import read_specification
from seedfolio.engines.specification.tables import GameTable, OpeningsTable
from seedfolio.learning.book.checkpoint import load_checkpoint
from seedfolio.web.library import LibraryFile
from seedfolio.web.study_state import is_running

GO = GameTable(name="go", board=9, komi=6.5)


def read_openings(path):
    return load_openings(OpeningsTable(file=path.name, plies=4), GO, path.parent)


def read_folder(path):
    (path.parent / "games").mkdir()
    (path.parent / "games" / "a.sgf").symlink_to(path)
    read_openings(path.parent / "games")


@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_nobody_waits(kind, tmp_path, capsys):
    path = tmp_path / "it"
    os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    for read in (
        *(read_specification, read_openings, read_folder, Sources.of),
        lambda path: load_checkpoint(path, "mark"),
    ):
        with pytest.raises(SeedfolioError, match="it is not a regular file"):
            read(path)
    path = path.rename(tmp_path / "e.toml")
    for command in ("check", "boost"):
        assert run([command, str(path)]) == 2
        assert capsys.readouterr().err == f"error: cannot read {path}: it is not a regular file\n"
    path.rename(tmp_path / "a.study-lock")
    assert not is_running(LibraryFile("0", "study", tmp_path / "a.study"))


def test_too_large(tmp_path):
    path = tmp_path / "e.toml"
    path.touch()
    os.truncate(path, 2**40)  # takes no space
    with pytest.raises(SeedfolioError, match=r"e\.toml: it is larger than 16 MiB"):
        read_specification(path)
    for name in ("a.sgf", "b.sgf"):  # each is small enough, and both together are not
        (tmp_path / name).touch()
        os.truncate(tmp_path / name, 300 * 2**20)
    with pytest.raises(SeedfolioError, match=r"b\.sgf: it is larger than 212 MiB"):
        load_openings(OpeningsTable(file=".", plies=4), GO, tmp_path)


def test_lines_of_other_systems(tmp_path):
    (tmp_path / "o.txt").write_bytes(b"a1 b2\r\nc3 d4\re5 f6\n")
    found = read_openings(tmp_path / "o.txt")
    assert {*found.learning, *found.judging} == {("a1", "b2"), ("c3", "d4"), ("e5", "f6")}
