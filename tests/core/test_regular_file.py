"""Whole files are read; pipes, devices, sockets and folders are not."""

import errno
import os
import socket
from pathlib import Path

import pytest

from seedfolio.core.files import read_regular


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
