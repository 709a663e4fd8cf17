"""What a node does, without a cluster around it: programs travel, in all their forms."""

import os
import pickle
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from case_files import programs
from external import program_of, scripted_text
from ray_cases import need_ray
from waiting import ran, wait_until

from seedfolio import Opponent, ProcessArena, ThreadArena, load_player, load_program
from seedfolio.arena.ray import worker
from seedfolio.arena.ray.package import EngineParcel, ProgramParcel, Sources
from seedfolio.arena.ray.players import sample_games
from seedfolio.arena.ray.worker import Order, version_difference, versions
from seedfolio.core.seeds import SYMMETRY_SHIFT, opposing
from seedfolio.engines.meeting import guest_arms, meeting
from seedfolio.engines.program import load_engine_program
from seedfolio.errors import SpecificationError
from seedfolio.opponents.known import with_opponent
from seedfolio.players.books.table import pack
from seedfolio.players.several import Duel, Meeting
from seedfolio.portfolios.portfolio import Distribution, Portfolio

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
ROWS = np.repeat(np.arange(6, dtype=np.uint64), 7)
COLUMNS = np.tile(np.arange(7, dtype=np.uint64), 6)


def read_only(*arrays):
    copies = tuple(each.copy() for each in arrays)
    for each in copies:
        each.setflags(write=False)
    return copies


@pytest.fixture(autouse=True)
def node(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", os.environ.get("NUMBA_CACHE_DIR", ""))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(worker, "_plain", {})
    monkeypatch.setattr(worker, "_keepers", [None])


def on_node(parcel, digest, rows=ROWS, columns=COLUMNS, words=None, **form):
    order = pickle.dumps(Order(parcel, digest, **form))
    told = worker.play(order, read_only(rows, columns), words)
    if not isinstance(told, worker.Done):
        return told
    (block,) = told.blocks
    return block


def cells(block):
    return zip(block.rows.tolist(), block.columns.tolist(), block.results.tolist(), strict=True)


def on_threads(program, rows=ROWS, columns=COLUMNS):
    (block,) = ThreadArena(1, block=len(rows)).play(program, rows, columns)
    return block


@pytest.mark.slow
def test_all_forms_of_a_program_play_as_on_threads():
    program = load_program("domineering:4x4", "uct:simulations=10")
    ours = ProgramParcel.of(program), program.behaviour
    played = on_node(*ours)
    assert np.array_equal(played.results, on_threads(program).results)
    assert played.left is None
    turned = ROWS | np.uint64(1 << SYMMETRY_SHIFT)
    played = on_node(*ours, turned, turned=True)
    assert np.array_equal(played.results, on_threads(program.with_symmetries(), turned).results)
    booked = program.for_books
    (words,) = read_only(pack([[], []], symmetric=True))
    for number in (1, 2):  # the second with what was compiled for the first
        played = on_node(*ours, words=words, books=number)
        expected = on_threads(booked)
        assert np.array_equal(played.results, expected.results)
        assert np.array_equal(played.left, expected.left)


@pytest.mark.slow
def test_luck_and_a_players_file_travel(tmp_path):
    shutil.copy(EXAMPLES / "mobility.py", tmp_path / "mobility.py")
    program = load_program("domineering:4x4", str(tmp_path / "mobility.py"))
    parcel = ProgramParcel.of(program)
    (tmp_path / "mobility.py").unlink()
    assert np.array_equal(on_node(parcel, program.behaviour).results, on_threads(program).results)
    pig = load_program("pig", "table", repeats=3)
    played = on_node(ProgramParcel.of(pig), pig.single().behaviour, repeats=3)
    assert np.array_equal(played.results, on_threads(pig).results)


@pytest.mark.slow
def test_a_known_opponent_travels():
    program = load_program("domineering:4x4", "uct:simulations=10")
    other = load_program("domineering:4x4", "uct:simulations=20")
    arms = Distribution((3, 8), (0.4, 0.6))
    opponents = Opponent(other), Opponent(other, Portfolio(arms, arms), "given")
    for colour, opponent in enumerate(opponents):
        facing = with_opponent(program, opponent).facing(colour)
        played = on_node(ProgramParcel.of(facing), facing.behaviour)
        assert np.array_equal(played.results, on_threads(facing).results)
    keys = {ProgramParcel.of(with_opponent(program, each).facing(0)).key for each in opponents}
    assert len({*keys, ProgramParcel.of(program).key}) == 3


@pytest.mark.slow
def test_a_round_of_a_tuning_travels():
    texts = ("uct:simulations=5", "uct:simulations=9", "rave:simulations=5")
    program = load_program("domineering:4x4", "uct:simulations=5")
    program = replace(program, player=Meeting(tuple(map(load_player, texts))))
    rows = guest_arms(1, ROWS)
    played = on_node(ProgramParcel.of(program), program.behaviour, rows)
    assert np.array_equal(played.results, on_threads(program, rows).results)
    alone = replace(program, player=Duel(program.player.players[2], program.player.players[0]))
    assert np.array_equal(played.results, on_threads(alone).results)
    assert ProgramParcel.of(program).key != ProgramParcel.of(alone).key


@pytest.mark.parametrize("how", ["joined", "guest", "opponent"])
def test_several_engines_travel(how, tmp_path):
    """As one program, as guests of another (so engines are tuned), and as a known opponent."""
    need_ray()
    files = [tmp_path / f"{mode}.toml" for mode in ("well", "drift")]
    own, other = (
        program_of(tmp_path, scripted_text(tmp_path, file.stem), file.name) for file in files
    )
    rows, columns = ROWS[:9], COLUMNS[:9]
    if how == "joined":
        both = load_engine_program("+".join(map(str, files)))
    elif how == "guest":
        both, rows = meeting(own, [other]), guest_arms(0, rows)
    else:
        both, columns = with_opponent(own, Opponent(other, arm=5)), opposing(columns, 1)
        arm = both.arm(int(columns[0]))
        assert (arm.whose, arm.values) == ("drift", {"seed": 5})
    parcel = pickle.loads(pickle.dumps(EngineParcel.of(both)))
    assert parcel.key != EngineParcel.of(own).key
    found = parcel.unpack(tmp_path)
    for number in (*rows.tolist(), *columns.tolist()):
        arm = both.arm(number)
        assert found.arm(number) == arm
        assert found.owner(arm).launch(arm).command == both.owner(arm).launch(arm).command
        assert found.launch(arm).claim.holds
    assert found.identity_of_parts() == both.identity_of_parts()
    with ProcessArena(both) as arena:
        here = [each for block in arena.play(both, rows, columns) for each in cells(block)]
    order = Order(parcel, sample_games(both, deterministic=False))
    done = worker.play(pickle.dumps(order), read_only(rows, columns))
    assert sorted(each for block in done.blocks for each in cells(block)) == sorted(here)
    worker._with_processes.popitem()[1].close()


def test_a_node_that_plays_other_games_says_so():
    parcel = ProgramParcel.of(load_program("nim", "table"))
    assert on_node(parcel, "another").startswith("its sample games differ from ours, so it would")


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.mark.slow
def test_a_game_file_travels_with_what_it_imports(tmp_path):
    home = tmp_path / "mine"
    text = (EXAMPLES / "three_in_a_row.py").read_text()
    files = {
        "beside.py": "from numbers_of import five\nNUMBER = five.FIVE\n",
        "mine.py": f"import beside\nassert beside.NUMBER == 5\n{text}",
        "numbers_of/__init__.py": "",
        "numbers_of/five.py": "FIVE = 5\n",
    }
    write(home, {**files, "unrelated.py": "raise SystemExit\n"})
    program = load_program(str(home / "mine.py"), "uct:simulations=10")
    parcel = ProgramParcel.of(program)
    assert [name for name, _ in parcel.game_file.files] == [*files]
    shutil.rmtree(home)
    for name in ("beside", "numbers_of", "numbers_of.five"):
        del sys.modules[name]
    assert np.array_equal(on_node(parcel, program.behaviour).results, on_threads(program).results)
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
        "beyond.py": "from .. import outside\n",
    }
    write(tmp_path / "home", {**files, "plain/unrelated.py": "", "../outside.py": ""})
    found = [name for name, _ in Sources.of(tmp_path / "home" / "mine.py").files]
    assert found == sorted(files)


def test_a_module_that_a_node_lacks_is_named_with_the_users_file(tmp_path):
    (tmp_path / "mine.py").write_text("import only_here\n")
    text = str(tmp_path / "mine.py")
    parcel = ProgramParcel(text, "table", Sources.of(tmp_path / "mine.py"), (None,))
    assert on_node(parcel, "") == (
        f"game file {text} fails to load: ModuleNotFoundError: No module named 'only_here'; "
        "install it there, or put it beside the file"
    )


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


def test_versions_that_differ_are_named():
    assert version_difference(versions()) is None
    said = version_difference({**versions(), "numba": "0.1", "Python": "2.7"})
    assert said.startswith("it has Python 3.")
    assert "(here 2.7), numba " in said
    assert said.endswith("(here 0.1); install the same versions there")


LOCAL, KEPT = programs(__file__)


def test_the_cache_of_numba_is_local_to_the_node(tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    done = ran("-c", LOCAL, environ={"TMPDIR": str(tmp_path)})
    folder = Path(done.stdout.strip())
    assert folder == tmp_path / f"seedfolio-{os.getuid()}" / "numba"
    assert folder.parent.stat().st_mode & 0o077 == 0, "it is for this user alone"


def test_engines_end_with_a_worker_that_is_killed():
    process = subprocess.Popen([sys.executable, "-c", KEPT], stdout=subprocess.PIPE, text=True)
    child = Path("/proc") / process.stdout.readline().strip()
    assert child.exists()
    process.kill()
    process.communicate()
    wait_until(lambda: not child.exists(), "the engine has ended")
