"""What does not fit is one sentence, soon: no Ray, no cluster, another version, no engine."""

import socket
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from external import program_of, scripted_text
from ray_cases import matrix, need_ray, ray_arena
from waiting import PATIENCE, ran

import seedfolio
from seedfolio import ClusterError, RayArena, SpecificationError, boost, load_program, reproduce
from seedfolio.arena.ray.cluster import _in_one_line, _reach, _try
from seedfolio.arena.ray.worker import make_task
from seedfolio.cli import run

PACKAGE = Path(seedfolio.__file__).parent


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


def test_a_wrong_token_a_node_without_seedfolio_and_an_address_without_an_answer(monkeypatch):
    said = _in_one_line("10.0.0.1:6379", "AuthenticationError: Unauthenticated: invalid token")
    assert said.startswith("the Ray cluster at 10.0.0.1:6379 refuses our token: set RAY_AUTH_MODE")
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"^no Ray cluster answers at {address} within "):
            _try(address, 0.1)
    node = SimpleNamespace(get_node_id=lambda: "bare")
    ray = SimpleNamespace(get_runtime_context=lambda: node)
    task = make_task()
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setitem(sys.modules, "seedfolio.arena.ray.worker", None)
    assert task({}, None)[1].startswith("it lacks Seedfolio, or has an old version; install")


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
