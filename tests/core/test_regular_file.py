"""Whole files are read; in the place of one, pipes, devices and folders are one sentence."""

import errno
import os
import socket
from pathlib import Path

import pytest

from seedfolio import SeedfolioError
from seedfolio.arena.ray.package import Sources
from seedfolio.cli import run
from seedfolio.core.files import read_regular
from seedfolio.engines.specification.openings import load_openings
from seedfolio.engines.specification.specification import read_specification
from seedfolio.engines.specification.tables import GameTable, OpeningsTable
from seedfolio.learning.book.checkpoint import load_checkpoint
from seedfolio.web.library import LibraryFile
from seedfolio.web.study_state import is_running


def test_a_file_is_read_unless_it_is_large(tmp_path):
    path, link = tmp_path / "a", tmp_path / "b"
    path.write_bytes(b"12345678")
    link.symlink_to(path)
    assert read_regular(path) == read_regular(str(path), 8) == read_regular(link) == b"12345678"
    with pytest.raises(OSError, match="it is larger than 7 bytes") as caught:
        read_regular(path, 7)
    assert caught.value.errno == errno.EFBIG
    os.truncate(path, 2**41)  # takes no space
    with pytest.raises(OSError, match="it is larger than 64 MiB"):
        read_regular(path)


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
def test_a_file_that_tells_no_size():
    path = Path("/proc/self/maps")
    assert path.stat().st_size == 0
    assert read_regular(path)
    with pytest.raises(OSError, match="it is larger than 8 bytes"):
        read_regular(path, 8)


@pytest.mark.parametrize("kind", ["pipe", "device", "link", "socket"])
def test_no_file(kind, tmp_path):
    path = tmp_path / "a"
    with socket.socket(socket.AF_UNIX) as listener:
        match kind:
            case "pipe":
                os.mkfifo(path)
            case "device":
                path = Path("/dev/zero")
            case "link":
                path.symlink_to("/dev/zero")
            case "socket":
                listener.bind(str(path))
        with pytest.raises(OSError, match="it is not a regular file"):
            read_regular(path)


def test_a_folder_and_nothing(tmp_path):
    before = os.dup(0)
    os.close(before)
    with pytest.raises(IsADirectoryError) as caught:
        read_regular(tmp_path)
    assert caught.value.filename == str(tmp_path)
    after = os.dup(0)
    os.close(after)
    assert after == before, "a descriptor stays open"
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "a")


GO_TABLE = GameTable(name="go", board=9, komi=6.5)


def read_openings(path):
    return load_openings(OpeningsTable(file=path.name, plies=4), GO_TABLE, path.parent)


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
        load_openings(OpeningsTable(file=".", plies=4), GO_TABLE, tmp_path)


def test_lines_of_other_systems(tmp_path):
    (tmp_path / "o.txt").write_bytes(b"a1 b2\r\nc3 d4\re5 f6\n")
    found = read_openings(tmp_path / "o.txt")
    assert {*found.learning, *found.judging} == {("a1", "b2"), ("c3", "d4"), ("e5", "f6")}
