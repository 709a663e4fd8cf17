"""Damaged, foreign and unwritable files of compiled code: compiled again, and never run."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import waiting

from seedfolio.core import code_cache
from seedfolio.core.code_cache import CacheWarning, CheckedFiles

KEY = ("signature", ("machine",), ("code", ""))
PROBE = """
import json, sys, warnings
warnings.simplefilter("always")
from seedfolio.core.compiler import compiled_entry

def template(x):
    return x + 41

function = compiled_entry(template, {})
value = function(1)
hits, misses = (sum(c.values()) for c in (function.stats.cache_hits, function.stats.cache_misses))
print(json.dumps([int(value), hits, misses]))
"""


@pytest.fixture(autouse=True)
def _anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "_warned", False)


@pytest.fixture
def files(tmp_path: Path) -> CheckedFiles:
    return CheckedFiles(tmp_path, "function", "stamp")


def the_file(folder: Path) -> Path:
    (path,) = folder.glob("**/*.nbc")
    return path


class Runs:
    """Its pickle runs code."""

    def __reduce__(self) -> Any:
        return (pytest.fail, ("a pickle ran",))


def test_what_was_kept_is_found(files: CheckedFiles, tmp_path: Path) -> None:
    files.save(KEY, ["code"])
    assert files.load(KEY) == ["code"]
    assert files.load(("another", *KEY[1:])) is None
    assert CheckedFiles(tmp_path, "function", "another stamp").load(KEY) is None
    files.flush()
    assert files.load(KEY) is None


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[:7],
        lambda whole: whole[:-1],
        lambda whole: bytes(len(whole)),
        lambda whole: whole[:-1] + bytes([whole[-1] ^ 1]),
        lambda whole: whole + b"x",
        lambda whole: pickle.dumps(Runs()),
    ],
)
def test_a_damaged_file_is_missing_and_replaced(
    files: CheckedFiles, tmp_path: Path, damage: Any
) -> None:
    files.save(KEY, ["code"])
    path = the_file(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    assert files.load(KEY) is None
    files.save(KEY, ["code"])
    assert files.load(KEY) == ["code"]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("mode", [0o602, 0o660])
def test_a_file_that_others_can_write_is_not_loaded(
    files: CheckedFiles, tmp_path: Path, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_cache, "_own_group", lambda number: False)
    files.save(KEY, ["code"])
    the_file(tmp_path).chmod(mode)
    with pytest.warns(CacheWarning, match="other users can write"):
        assert files.load(KEY) is None


def test_a_folder_that_others_can_write_is_not_read(files: CheckedFiles, tmp_path: Path) -> None:
    files.save(KEY, ["code"])
    tmp_path.chmod(0o777)
    with pytest.warns(CacheWarning, match="other users can write"):
        assert files.load(KEY) is None
    assert files.load(KEY) is None  # and one warning is enough
    tmp_path.chmod(0o1777)  # as /tmp: there only the owner replaces a file
    assert files.load(KEY) == ["code"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_not_loaded(files: CheckedFiles, tmp_path: Path) -> None:
    files.save(KEY, ["code"])
    os.chown(the_file(tmp_path), 65534, 65534)
    with pytest.warns(CacheWarning, match="another user"):
        assert files.load(KEY) is None


@pytest.fixture
def probe(tmp_path: Path) -> Iterator[Any]:
    (tmp_path / "probe.py").write_text(PROBE)

    def run(folder: Path, **more: str) -> tuple[list[int], str]:
        done = subprocess.run(
            [sys.executable, "probe.py"],
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(folder), **more},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout), done.stderr

    return run


@pytest.mark.slow
def test_processes_compile_again_and_replace(probe: Any, tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    assert probe(folder) == ([42, 0, 1], "")
    assert probe(folder) == ([42, 1, 0], "")
    path = the_file(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert probe(folder) == ([42, 0, 1], "")
    assert probe(folder) == ([42, 1, 0], "")


FULL = """
import errno, os
from numba.core.caching import IndexDataCacheFile

def full(*arguments):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

IndexDataCacheFile._open_for_write = full
"""


@pytest.mark.slow
@pytest.mark.parametrize("case", ["full", "no folder"])
def test_without_room_it_compiles_and_warns_once(probe: Any, tmp_path: Path, case: str) -> None:
    folder = tmp_path / "cache"
    if case == "full":
        (tmp_path / "probe.py").write_text(FULL + PROBE)
    else:  # where even root can write nothing
        folder = Path("/proc/nothing")
        (tmp_path / "__pycache__").write_text("in the way")
    more = {} if case == "full" else {"HOME": "/proc/nothing", "XDG_CACHE_HOME": "/proc/nothing"}
    result, err = probe(folder, **more)
    assert result == [42, 0, 1]
    assert err.count("compiled code is not kept") == 1


TOGETHER = """
import os
from pathlib import Path
from waiting import wait_until
from seedfolio.core.code_cache import CheckedFiles

def load(self, key, found=CheckedFiles.load):
    data = found(self, key)
    Path(f"looked-{os.getpid()}").touch()
    wait_until(lambda: len([*Path().glob("looked-*")]) == 2, "both look, neither has compiled")
    return data

CheckedFiles.load = load
"""


@pytest.mark.slow
def test_processes_that_compile_the_same_at_once(probe: Any, tmp_path: Path) -> None:
    folder, path = tmp_path / "cache", tmp_path / "probe.py"
    path.write_text(TOGETHER + PROBE)
    shared = str(Path(waiting.__file__).parent)
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda _: probe(folder, PYTHONPATH=shared), range(2)))
    assert results == [([42, 0, 1], "")] * 2
    path.write_text(TOGETHER + PROBE)  # the same place of the entry in its file
    for looked in tmp_path.glob("looked-*"):
        looked.rename(looked.with_name("looked-before"))
    assert probe(folder, PYTHONPATH=shared) == ([42, 1, 0], "")
    assert len(list(folder.glob("*/*"))) == 1
