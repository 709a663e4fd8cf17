"""Files of a user's: the modules beside them are those of their folder, as they are now."""

import sys

import pytest

from seedfolio.core.trust import Permit
from seedfolio.core.user_file import load_file
from seedfolio.errors import SpecificationError


@pytest.fixture(autouse=True)
def no_module_stays():
    before = {*sys.modules}
    yield
    for name in {*sys.modules} - before:
        del sys.modules[name]


def write(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)


def number(folder):
    return load_file(folder / "mine.py", "game", Permit.USER).NUMBER


def test_a_module_beside_that_has_changed_is_loaded_again(tmp_path):
    write(tmp_path, mine="from first_of_two import NUMBER\n")
    write(tmp_path, first_of_two="from second_of_two import NUMBER\n", second_of_two="NUMBER = 1\n")
    assert number(tmp_path) == 1
    loaded = sys.modules["first_of_two"]
    assert number(tmp_path) == 1
    assert sys.modules["first_of_two"] is loaded, "nothing has changed"
    write(tmp_path, second_of_two="NUMBER = 1_000_000\n")  # another length: Python looks at it
    assert number(tmp_path) == 1_000_000


def test_modules_of_the_same_name_and_a_module_that_is_shared(tmp_path):
    for value, folder in enumerate((tmp_path / "a", tmp_path / "b")):
        write(folder, mine="from of_each import NUMBER\n", of_each=f"NUMBER = {value}\n")
    assert [number(tmp_path / name) for name in "aba"] == [0, 1, 0]
    for folder in (tmp_path / "c", tmp_path / "d"):
        write(folder, mine="import shared\nNUMBER = shared.Kind\n", shared="class Kind: pass\n")
    assert number(tmp_path / "c") is number(tmp_path / "d")


def test_a_module_that_others_have_loaded_stays(tmp_path, monkeypatch):
    write(tmp_path, mine="from of_a_script import NUMBER\n", of_a_script="NUMBER = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("of_a_script")
    write(tmp_path, of_a_script="NUMBER = 1_000_000\n")
    assert number(tmp_path) == 1


def test_a_relative_import_is_one_sentence(tmp_path):
    write(tmp_path, mine="from . import other\n", other="")
    with pytest.raises(SpecificationError, match=r"^game file .*mine\.py fails to load: ImportErr"):
        number(tmp_path)
