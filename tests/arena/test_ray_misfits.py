"""What does not fit is one sentence, soon: no Ray, no cluster, another version, no engine."""

import os
import shutil
import socket
import sys
import threading
from pathlib import Path

import pytest
from external import SCRIPTED, Kept, play_matrix, program_of, scripted_text
from ray_cases import matrix, need_ray, play_until, ray_arena
from ray_nodes import QUIET
from waiting import PATIENCE, ran

import seedfolio
from seedfolio import ClusterError, RayArena, SpecificationError, boost, load_program, reproduce
from seedfolio.arena.ray.cluster import _in_one_line, _reach
from seedfolio.cli import run
from seedfolio.version import __version__

PACKAGE = Path(seedfolio.__file__).parent


def connecting(address, **environ):
    words = ["boost", "nim", "-p", "table", "--arena", "ray", "--address", address]
    done = ran("-m", "seedfolio", *words, environ=environ)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    return line


WITHOUT_RAY = """
import sys
sys.modules["ray"] = None
from seedfolio.cli import run
sys.exit(run(["boost", "nim", "--arena", "ray"]))
"""


def test_no_ray():
    done = ran("-c", WITHOUT_RAY)
    assert done.returncode == 2
    assert done.stderr == (
        "error: the arena ray needs the extra ray of Seedfolio: pip install 'seedfolio[ray]'\n"
    )


def test_an_address_that_is_none(capsys):
    need_ray()
    for address, said in {
        "somewhere": "must be HOST:PORT, such as 10.0.0.1:6379, not 'somewhere'",
        "ray://1.2.3.4:10001": "Ray's client is not supported; run this on a node of the cluster",
    }.items():
        with pytest.raises(ClusterError, match=said):
            RayArena(address)
    assert run(["boost", "nim", "-p", "table", "--arena", "ray", "--address", "127.0.0.1:1"]) == 2
    line = capsys.readouterr().err
    assert line.startswith("error: no Ray cluster answers at 127.0.0.1:1 (")
    assert line.endswith("; start one with: ray start --head\n")


def test_options_that_do_not_go_together(tmp_path, capsys):
    study = tmp_path / "a.study"
    engine = program_of(tmp_path, scripted_text(tmp_path, "none")).file
    for game, options, said in [
        ("nim", {"address": "127.0.0.1:1"}, "`address` is for `arena` ray; leave it out"),
        (engine, {"address": "127.0.0.1:1"}, "`address` is for `arena` ray; leave it out"),
        ("nim", {"arena": "ray", "threads": 2}, "a cluster uses all cores"),
        (engine, {"arena": "threads"}, "runs in its own processes; leave out `arena`"),
    ]:
        with pytest.raises(SpecificationError, match=said):
            boost(game, **options, study=study)
    with pytest.raises(SpecificationError, match="`address` is for `arena` ray; leave it out"):
        reproduce("table3", address="127.0.0.1:1", folder=tmp_path)
    assert not study.exists()
    for words in (["match", "nim", "nim@table"], ["worth", "a.json"]):
        assert run([*words, "--arena", "ray", "--threads", "2"]) == 2
        assert "a cluster uses all cores" in capsys.readouterr().err


def test_a_name_that_nobody_knows_is_one_sentence_soon(monkeypatch):
    known = threading.Event()
    monkeypatch.setattr("seedfolio.arena.ray.cluster._FIND_SECONDS", 0.01)
    monkeypatch.setattr(socket, "create_connection", lambda *_, **__: known.wait(PATIENCE))
    with pytest.raises(ClusterError, match=r"^no Ray cluster answers at a.b:1 \(timed out\);"):
        _reach("a.b:1")
    known.set()


@pytest.mark.long
def test_something_else_at_that_address():
    need_ray()
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        line = connecting(address)
    assert line.startswith(f"error: no Ray cluster answers at {address} within ")


def test_what_ray_says_of_versions_becomes_one_sentence():
    said = """RuntimeError: Version mismatch: The cluster was started with:
    Ray: 2.60.0
    Python: 3.12.1
This process on node 10.0.0.1 was started with:
    Ray: 2.55.0
    Python: 3.11.7
"""
    assert _in_one_line("10.0.0.1:6379", said) == (
        "the Ray cluster at 10.0.0.1:6379 has Ray 2.60.0 and Python 3.12.1, and this process has "
        "Ray 2.55.0 and Python 3.11.7; install the same versions"
    )


def changed_copy(folder, file, before, after):
    """Return the path for Python to find a copy of Seedfolio with one change."""
    shutil.copytree(PACKAGE, folder / "seedfolio", ignore=shutil.ignore_patterns("__pycache__"))
    text = (folder / "seedfolio" / file).read_text()
    assert text.count(before) == 1
    (folder / "seedfolio" / file).write_text(text.replace(before, after))
    return str(folder)


@pytest.mark.long  # test_ray_blocks.py and test_ray_worker.py show each part without a cluster
def test_nodes_that_would_play_otherwise_are_left_out(own_nodes, tmp_path, monkeypatch):
    nodes = own_nodes
    newer = changed_copy(tmp_path / "newer", "version.py", __version__, "99.0")
    # The same version, but every random number is another one.
    file, number = "core/randomness.py", "np.uint64(0xBF58476D1CE4E5B9)"
    other = changed_copy(tmp_path / "other", file, number, "np.uint64(0xBF58476D1CE4E5BB)")
    (tmp_path / "bin").mkdir()
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    nodes.start("small", 4, f"--memory={2**17}", PATH=path)
    nodes.start("newer", 1, PYTHONPATH=newer)
    nodes.start("other", 1, PYTHONPATH=other)
    (tmp_path / "bare" / "seedfolio").mkdir(parents=True)
    (tmp_path / "bare" / "seedfolio" / "__init__.py").write_text("")
    nodes.start("bare", 1, PYTHONPATH=str(tmp_path / "bare"))
    notes = []
    with ray_arena(nodes, notes) as arena:
        play_until(arena, lambda: len(left_out(notes)) == 3)  # node small plays
        program = load_program("domineering:4x4", "uct:simulations=4000")
        with pytest.raises(ClusterError, match="no node of the cluster can play: node ") as raised:
            matrix(arena, program, 4)
        assert str(raised.value).endswith("(and 3 more nodes are left out)")
        need = program.workspace().nbytes / 2**20
        assert need > 0.125
        assert sorted(left_out(notes)) == [
            "node bare is left out: it lacks Seedfolio, or has an old version; install the same "
            "version there",
            f"node newer is left out: it has seedfolio 99.0 (here {__version__}); install the same "
            "versions there",
            "node other is left out: its sample games differ from ours, so it would play "
            "otherwise; install the same programs there",
            f"node small is left out: it has 0.1 MiB of memory, and a game needs {need:,.1f} MiB",
        ]
    monkeypatch.setenv("PATH", path)
    check_engine(nodes, tmp_path)
    line = connecting(nodes.address, **QUIET, RAY_AUTH_TOKEN="f" * 32)
    assert line.startswith(f"error: the Ray cluster at {nodes.address} refuses our token: set ")


def left_out(notes):
    """Return the notes that name a node; a busy machine may have to wait as well."""
    return [note for note in notes if "is left out" in note]


def names_other(note):
    return note.startswith("node other is left out: ")


def check_engine(nodes, folder):
    """An engine that only node small has is played there, and the others are named."""
    bot = folder / "bin" / "bot-of-this-test"
    bot.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{SCRIPTED}" "$@"\n')
    bot.chmod(0o755)
    text = scripted_text(folder, "none")
    words = text[text.index("command = [") : text.index("]", text.index("command = [")) + 1]
    command = f'command = ["bot-of-this-test", "{{seed}}", "none", "2", "token-{folder}"]'
    program = program_of(folder, text.replace(words, command))
    options = {"remember": False, "reuse": True, "deterministic": True}
    notes = []
    with ray_arena(nodes, notes) as arena:
        playing = arena.for_engine(program, Kept(), **options)
        on_cluster = matrix(playing, program, 3)
        play_until(playing, lambda: any(map(names_other, notes)), program)
    expected, _ = play_matrix(program, 3)
    assert (on_cluster == expected).all()
    (missing,) = filter(names_other, notes)
    assert "cannot start bot-of-this-test 0 none 2" in missing
    assert missing.endswith("No such file or directory; correct the command")


@pytest.mark.slow
def test_workers_import_nothing_from_the_folder_of_the_driver(nodes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("numba", "ray", "seedfolio"):
        Path(f"{name}.py").write_text(
            "from pathlib import Path\nPath('IT').touch()".replace("IT", str(tmp_path / "it-ran"))
        )
    with ray_arena(nodes) as arena:
        matrix(arena, load_program("nim", "table"), 2)
    assert not Path("it-ran").exists()
