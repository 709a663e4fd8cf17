"""Nodes, workers and drivers that are killed: nothing is lost, and no process is left behind."""

import os
import signal
import threading

import numpy as np
import pytest
from external import left_behind, program_of, scripted_text
from ray_cases import matrix, nodes, ray_arena, square  # noqa: F401
from ray_nodes import command, processes
from studies import contents
from waiting import finish, start_command, wait_until

from seedfolio import ClusterError, load_program
from seedfolio.arena.parcel import EngineParcel
from seedfolio.arena.threads import ThreadArena

ENGINE = {"remember": False, "reuse": True, "deterministic": True}


def engine_in(folder, mode="fork", bad="0"):
    """An engine each of whose processes has a child that is deaf to SIGTERM."""
    setup = 'setup = ["seed {seed}"]'
    return scripted_text(folder, mode, seed="0", bad=bad, more=setup)


class Archive:
    def answers(self):
        return iter(())

    def keep(self, games, answers):
        pass


def gone(process):
    return not os.path.exists(f"/proc/{process}")  # noqa: PTH110


@pytest.mark.slow
def test_a_node_is_killed_and_another_joins_late(nodes):  # noqa: F811
    program = load_program("domineering:4x4", "uct:simulations=200")
    expected = matrix(ThreadArena(2), program, 60)
    nodes.start("head", 1)
    nodes.start("killed", 1)
    at_work, found = [], np.full_like(expected, 255)
    with ray_arena(nodes, at_work=at_work) as arena:
        play_until(arena, program, at_work, "2 nodes, 2 cores")
        for number, block in enumerate(arena.play(program, *square(60))):
            assert (found[block.rows, block.columns] == 255).all(), "a cell came twice"
            found[block.rows, block.columns] = block.results
            if number == 0:
                (doomed,) = (each for each in arena.crew.members if each.node.name == "node killed")
                assert doomed.pieces > 0
                raylet = nodes.raylet("killed")
                on_it = [worker for worker in nodes.workers() if parent_of(worker) == raylet]
                assert len(on_it) == 1
                nodes.kill("killed")
                wait_until(lambda on_it=on_it: all(map(gone, on_it)), "no worker without raylet")
                nodes.start("late", 2)
        assert (found == expected).all()
        play_until(arena, program, at_work, "2 nodes, 3 cores")
        assert (matrix(arena, program, 60) == expected).all()
    assert doomed not in arena.crew.members
    wait_until(lambda: not nodes.workers(), "all workers have ended")


def play_until(arena, program, at_work, text):
    """Play until so many are at work."""
    wait_until(lambda: text in at_work or matrix(arena, program, 8) is None, text)


def parent_of(process):
    with open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123
        return int(file.read().rpartition(b")")[2].split()[1])


@pytest.mark.slow
def test_engines_end_with_their_worker_raylet_and_driver(nodes, tmp_path):  # noqa: F811
    (tmp_path / "engine.toml").write_text(engine_in(tmp_path))
    program = program_of(tmp_path, engine_in(tmp_path))
    nodes.start("head", 0)
    nodes.start("first", 1)
    with ray_arena(nodes) as arena:
        playing = arena.for_engine(program, EngineParcel.of(program, **ENGINE), Archive())
        blocks = playing.play(program, *square(20))
        next(blocks)
        (worker,) = nodes.workers()
        engines = engine_processes(tmp_path)
        assert engines
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: all(map(gone, engines)), "the engines end with their worker")
        next(blocks)  # a new worker on the same node
        engines = engine_processes(tmp_path)
        nodes.kill("first")
        wait_until(lambda: all(map(gone, engines)), "the engines end with their raylet")
        nodes.start("second", 1)
        assert sum(len(block.rows) for block in blocks) > 0
        blocks.close()
    assert not left_behind(tmp_path)
    words = ["boost", "engine.toml", "--arena", "ray", "--address", nodes.address, "--quiet"]
    words += ["--k", "6", "--kt", "4", "--opponents", "17", "--study", "a.study"]
    driver = start_command(words, tmp_path, "--cells", "4", "after", "record", "4", "SIGKILL")
    code, _, errors = finish(driver)
    assert code == -signal.SIGKILL, errors
    assert not left_behind(tmp_path)
    wait_until(lambda: not nodes.workers(), "the workers end with their driver")
    code, out, errors = finish(start_command(words, tmp_path))
    assert (code, errors) == (0, ""), errors
    assert not left_behind(tmp_path)
    here = [word for word in words if word not in ("--arena", "ray", "--address", nodes.address)]
    (tmp_path / "a.study").rename(tmp_path / "ray.study")
    code, expected, errors = finish(start_command(here, tmp_path))
    assert code == 0, errors
    assert out == expected
    (ours, more), (theirs, same) = contents(tmp_path / "ray.study"), contents(tmp_path / "a.study")
    assert ours == theirs
    # The check of the engine keeps its time as well.
    assert [row for row in more["evaluation"] if row[0] != "check"] == [
        row for row in same["evaluation"] if row[0] != "check"
    ]
    assert more["engine_game"] == same["engine_game"]


def engine_processes(folder):
    token = f"token-{folder}"
    return [int(each.name) for each in processes() if token in command(each)]


@pytest.mark.slow
def test_a_block_that_fails_three_times_stops_with_one_line(nodes, tmp_path):  # noqa: F811
    program = program_of(tmp_path, scripted_text(tmp_path, "hang", bad="2"))
    nodes.start("only", 1)
    rows, columns = square(3)
    killed = []
    with ray_arena(nodes) as arena:
        playing = arena.for_engine(program, EngineParcel.of(program, **ENGINE), Archive())

        def kill():
            """Kill the worker whenever it hangs in a game of arm 2."""
            for _ in range(3):
                hanging = tmp_path / "hanging"
                wait_until(hanging.exists, "the engine hangs")
                hanging.unlink()
                (worker,) = nodes.workers()
                os.kill(worker, signal.SIGKILL)
                killed.append(worker)
                wait_until(lambda: all(map(gone, killed)), "the worker has ended")

        thread = threading.Thread(target=kill)
        thread.start()
        with pytest.raises(ClusterError, match=r"failed 3 times, the last time on node only: "):
            for _ in playing.play(program, rows, columns):
                pass
        thread.join()
    assert len(killed) == 3
    assert not left_behind(tmp_path)
