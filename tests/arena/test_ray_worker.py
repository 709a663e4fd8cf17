"""The worker of a node, without a cluster around it: programs travel, forms, dropped blocks."""

import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from waiting import PATIENCE, wait_until

from seedfolio import RayArena, load_program
from seedfolio.arena.ray.handshake import version_difference, versions
from seedfolio.arena.ray.package import ProgramParcel, Sources
from seedfolio.arena.ray.players import Order
from seedfolio.arena.ray.worker import Failure, RayWorker
from seedfolio.arena.threads import ThreadArena
from seedfolio.core.seeds import SYMMETRY_SHIFT
from seedfolio.errors import SpecificationError
from seedfolio.games import load_game
from seedfolio.players import load_player
from seedfolio.players.books.table import pack
from seedfolio.players.program import Program

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ROWS = np.repeat(np.arange(6, dtype=np.uint64), 7)
COLUMNS = np.tile(np.arange(7, dtype=np.uint64), 6)


def travelled(parcel):
    """What arrives on a node, for which arrays can only be read."""
    return pickle.loads(pickle.dumps(parcel))


def read_only(*arrays):
    for each in arrays:
        each.setflags(write=False)
    return arrays


@pytest.fixture
def worker(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR", ""))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return RayWorker(2)


def on_threads(program, rows=ROWS, columns=COLUMNS):
    (block,) = ThreadArena(1, block=len(rows)).play(program, rows, columns)
    return block


def test_all_forms_of_a_program_play_as_on_threads(worker):
    program = load_program("domineering:4x4", "uct:simulations=10")
    parcel = travelled(ProgramParcel.of(program))
    assert worker.prepare(parcel) == program.behaviour
    done = worker.play(1, Order(parcel.key), read_only(ROWS.copy(), COLUMNS.copy()))
    assert np.array_equal(done.results, on_threads(program).results)
    assert done.left is None
    turned = ROWS | np.uint64(1 << SYMMETRY_SHIFT)
    done = worker.play(2, Order(parcel.key, turned=True), (turned, COLUMNS))
    assert np.array_equal(done.results, on_threads(program.with_symmetries(), turned).results)
    booked = program.for_books
    words = pack([[], []], symmetric=True)
    for number in (1, 2):  # the second with what was compiled for the first
        order = Order(parcel.key, books=number)
        done = worker.play(2 + number, order, (ROWS, COLUMNS), *read_only(words.copy()))
        expected = on_threads(booked)
        assert np.array_equal(done.results, expected.results)
        assert np.array_equal(done.left, expected.left)


def test_luck_and_a_players_file_travel(worker, tmp_path):
    shutil.copy(EXAMPLES / "mobility.py", tmp_path / "mobility.py")
    program = load_program("domineering:4x4", str(tmp_path / "mobility.py"))
    parcel = travelled(ProgramParcel.of(program))
    (tmp_path / "mobility.py").unlink()
    assert worker.prepare(parcel) == program.behaviour
    pig = load_program("pig", "table", repeats=3)
    parcel = ProgramParcel.of(pig)
    assert isinstance(worker.prepare(parcel), str)
    done = worker.play(1, Order(parcel.key, repeats=3), (ROWS, COLUMNS))
    assert np.array_equal(done.results, on_threads(pig).results)


def test_a_dropped_block_is_not_played(worker):
    program = load_program("nim", "table")
    parcel = ProgramParcel.of(program)
    worker.prepare(parcel)
    worker.drop(5)
    assert worker.play(5, Order(parcel.key), (ROWS, COLUMNS)) is None
    assert len(worker.play(6, Order(parcel.key), (ROWS, COLUMNS)).results) == len(ROWS)


def test_a_game_file_travels_with_what_it_imports(worker, tmp_path):
    home = tmp_path / "mine"
    home.mkdir()
    text = (EXAMPLES / "three_in_a_row.py").read_text()
    (home / "mine.py").write_text(f"import beside\nassert beside.NUMBER == 5\n{text}")
    (home / "beside.py").write_text("from numbers_of import five\nNUMBER = five.FIVE\n")
    (home / "numbers_of").mkdir()
    (home / "numbers_of" / "__init__.py").write_text("")
    (home / "numbers_of" / "five.py").write_text("FIVE = 5\n")
    (home / "unrelated.py").write_text("raise SystemExit\n")
    program = load_program(str(home / "mine.py"), "uct:simulations=10")
    parcel = travelled(ProgramParcel.of(program))
    names = [name for name, _ in parcel.game_file.files]
    assert names == ["beside.py", "mine.py", "numbers_of/__init__.py", "numbers_of/five.py"]
    shutil.rmtree(home)
    for name in ("beside", "numbers_of", "numbers_of.five"):
        del sys.modules[name]
    assert worker.prepare(parcel) == program.behaviour
    unpacked = parcel.unpack(tmp_path)
    assert unpacked.title == program.title
    assert unpacked.game.source == program.game.source, "messages name the user's file"


def test_modules_in_folders_travel_if_they_are_imported(tmp_path):
    files = {
        "mine.py": "import numpy\nfrom plain.one import ONE\nfrom plain import two\n",
        "plain/one.py": "from . import three\nONE = 1\n",
        "plain/two.py": "import missing\n",
        "plain/three.py": "from .deep.four import FOUR\n",
        "plain/deep/four.py": "from ... import beyond\n",
        "plain/unrelated.py": "",
        "beyond.py": "from .. import outside\n",
    }
    for name, text in files.items():
        (tmp_path / "home" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "home" / name).write_text(text)
    (tmp_path / "outside.py").write_text("")
    found = [name for name, _ in Sources.of(tmp_path / "home" / "mine.py").files]
    assert found == sorted({*files} - {"plain/unrelated.py"})


def test_a_module_that_a_node_lacks_is_named_with_the_users_file(worker, tmp_path):
    (tmp_path / "mine.py").write_text("import only_here\n")
    text = str(tmp_path / "mine.py")
    parcel = ProgramParcel(text, "table", Sources.of(tmp_path / "mine.py"), None)
    assert worker.prepare(parcel) == Failure(
        "SpecificationError",
        f"game file {text} fails to load: ModuleNotFoundError: No module named 'only_here'; "
        "install it there, or put it beside the file",
    )


def test_a_file_that_is_loaded_again_is_packed_again(tmp_path, monkeypatch):
    monkeypatch.setattr("seedfolio.arena.ray.arena.sample_games", lambda program: "not compiled")
    arena = object.__new__(RayArena)  # without a cluster
    arena._packed = {}
    file = tmp_path / "mine.py"
    text = (EXAMPLES / "three_in_a_row.py").read_text()
    keys = []
    for more in ("", "# another length\n"):
        file.write_text(text + more)
        program = load_program(str(file), "table")
        packed = arena._pack(program)
        assert arena._pack(replace(program, turned=True)) is packed, "it is packed once"
        assert packed.parcel.game_file == Sources.of(file)
        keys.append(packed.parcel.key)
    assert keys[0] != keys[1]


def test_other_contents_are_other_parcels(tmp_path):
    (tmp_path / "a.py").write_text("one = 1\n")
    before = Sources.of(tmp_path / "a.py")
    (tmp_path / "a.py").write_text("one = 2\n")
    after = Sources.of(tmp_path / "a.py")
    assert before.digest != after.digest
    first, second = before.write(tmp_path / "node"), after.write(tmp_path / "node")
    assert first.read_text() == "one = 1\n"
    first.write_text("somebody was here\n")
    assert before.write(tmp_path / "node").read_text() == "one = 1\n"
    assert second.read_text() == "one = 2\n"


def test_what_is_in_no_file_cannot_travel():
    class Mine:
        name = text = "mine"
        version, parameters, stochastic = 1, {}, False

        def bind(self, game):
            return load_program("nim", "table").player.bind(game)

    with pytest.raises(SpecificationError, match="a cluster needs a built-in player or a file"):
        ProgramParcel.of(load_program("nim", Mine()))


def test_an_error_of_the_rules_is_told_as_on_threads(worker, tmp_path):
    text = (EXAMPLES / "three_in_a_row.py").read_text()
    plain = "        return 2 * mover(state) if lost(state) else 1"
    assert plain in text
    broken = f'        if state[2] > 4:\n            raise ValueError("too long")\n{plain}'
    (tmp_path / "broken.py").write_text(text.replace(plain, broken))
    program = Program(load_game(str(tmp_path / "broken.py")), load_player("table"))
    parcel = ProgramParcel.of(program)
    with pytest.raises(SpecificationError, match="raise ValueError: too long") as raised:
        program.behaviour  # noqa: B018
    assert worker.prepare(parcel) == Failure("SpecificationError", str(raised.value))


def test_versions_that_differ_are_named():
    assert version_difference("node a", versions()) is None
    other = {**versions(), "numba": "0.1", "Python": "2.7"}
    said = version_difference("node a", other)
    assert said.startswith("node a is left out: it has Python 2.7 (here 3.")
    assert "numba 0.1 (here " in said


LOCAL = """
import sys
from seedfolio.arena.ray.worker import RayWorker
assert "numba" not in sys.modules
RayWorker(1)
from numba.core import config
print(config.CACHE_DIR)
"""


def test_the_cache_of_numba_is_local_to_the_node(tmp_path):
    environ = {key: value for key, value in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", LOCAL],
        env={**environ, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    folder = Path(done.stdout.strip())
    assert folder == tmp_path / f"seedfolio-{os.getuid()}" / "numba"
    assert folder.parent.stat().st_mode & 0o077 == 0, "it is for this user alone"


KEPT = """
import subprocess, sys, time
from seedfolio.engines.protocols.process import keep_engines
keeper = keep_engines()
# It ignores SIGTERM, and is in another session.
code = "import signal, time; signal.signal(15, 1); print(1, flush=True); time.sleep(1e4)"
words = [sys.executable, "-c", code]
child = subprocess.Popen(words, start_new_session=True, stdout=subprocess.PIPE)
child.stdout.readline()
print(child.pid, flush=True)
time.sleep(1e4)
"""


def test_engines_end_with_a_worker_that_is_killed():
    process = subprocess.Popen([sys.executable, "-c", KEPT], stdout=subprocess.PIPE, text=True)
    child = Path("/proc") / process.stdout.readline().strip()
    assert child.exists()
    process.kill()
    process.communicate()
    wait_until(lambda: not child.exists(), "the engine has ended")
