"""Damaged, foreign and unwritable files of compiled code: compiled again, and never run."""

import os
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import waiting
from case_files import programs
from workshop import COUNTS, Workshop

from seedfolio.core import code_cache
from seedfolio.core.code_cache import CacheWarning, CheckedFiles

KEY = ("signature", ("machine",), ("code", ""))
PROBE = f"""
import warnings
warnings.simplefilter("always")
from seedfolio.core.compiler import compiled_entry

def template(x):
    return x + 41

function = compiled_entry(template, {{}})
{COUNTS}"""


@pytest.fixture(autouse=True)
def _anew(monkeypatch):
    monkeypatch.setattr(code_cache, "_warned", False)


@pytest.fixture
def files(tmp_path):
    return CheckedFiles(tmp_path, "function", "stamp")


def the_file(folder):
    (path,) = folder.glob("**/*.nbc")
    return path


class Runs:
    """Its pickle runs code."""

    def __reduce__(self):
        return (pytest.fail, ("a pickle ran",))


def test_what_was_kept_is_found(files, tmp_path):
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
def test_a_damaged_file_is_missing_and_replaced(files, tmp_path, damage):
    files.save(KEY, ["code"])
    path = the_file(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    assert files.load(KEY) is None
    files.save(KEY, ["code"])
    assert files.load(KEY) == ["code"]
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("mode", [0o602, 0o660])
def test_what_others_can_write_is_not_loaded(files, tmp_path, mode, monkeypatch):
    monkeypatch.setattr(code_cache, "_own_group", lambda number: False)
    files.save(KEY, ["code"])
    the_file(tmp_path).chmod(mode)
    with pytest.warns(CacheWarning, match="other users can write"):
        assert files.load(KEY) is None
    assert files.load(KEY) is None  # and one warning is enough
    the_file(tmp_path).chmod(0o600)
    tmp_path.chmod(0o777)
    assert files.load(KEY) is None
    tmp_path.chmod(0o1777)  # as /tmp: there only the owner replaces a file
    assert files.load(KEY) == ["code"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_user_is_not_loaded(files, tmp_path):
    files.save(KEY, ["code"])
    os.chown(the_file(tmp_path), 65534, 65534)
    with pytest.warns(CacheWarning, match="another user"):
        assert files.load(KEY) is None


@pytest.fixture
def workshop(tmp_path):
    return Workshop(tmp_path)


FULL, TOGETHER = programs(__file__)


@pytest.mark.slow
@pytest.mark.parametrize("case", ["full", "no folder"])
def test_without_room_it_compiles_and_warns_once(workshop, case):
    environ = {}
    if case == "no folder":  # where even root can write nothing
        environ = dict.fromkeys(("NUMBA_CACHE_DIR", "HOME", "XDG_CACHE_HOME"), "/proc/nothing")
        (workshop.folder / "__pycache__").write_text("in the way")
    result, err = workshop.run(FULL + PROBE if case == "full" else PROBE, **environ)
    assert result == [42, 0, 1]
    assert err.count("compiled code is not kept") == 1


@pytest.mark.slow
def test_processes_that_compile_the_same_at_once(workshop):
    shared = str(Path(waiting.__file__).parent)
    with ThreadPoolExecutor(2) as pool:
        run = [pool.submit(workshop.run, TOGETHER + PROBE, PYTHONPATH=shared) for _ in range(2)]
        assert [each.result() for each in run] == [([42, 0, 1], "")] * 2
    next(workshop.folder.glob("looked-*")).unlink()  # as if one process had looked
    assert workshop.run(TOGETHER + PROBE, PYTHONPATH=shared) == ([42, 1, 0], "")
    assert len(workshop.kept()) == 1
