"""Nodes, workers and drivers that are killed: nothing is lost, and no process is left behind."""

import os
import signal
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from external import Kept, left_behind, program_of, seeded_text
from ray_cases import matrix, play_until, ray_arena, square
from ray_nodes import command, processes, read
from studies import contents
from waiting import finish, start_command, wait_until

from seedfolio import ThreadArena, load_program

ENGINE = {"remember": False, "reuse": True, "deterministic": True}


def gone(process):
    return not os.path.exists(f"/proc/{process}")  # noqa: PTH110


@pytest.mark.slow
def test_a_node_is_killed_and_another_joins_late(nodes):
    program = load_program("domineering:4x4", "uct:simulations=20")
    expected = matrix(ThreadArena(2), program, 60)
    nodes.start("killed", 1)
    at_work, found = [], np.full_like(expected, 255)
    with ray_arena(nodes, at_work=at_work) as arena:
        play_until(arena, lambda: "2 nodes, 2 cores" in at_work)
        wait_until(lambda: not any(map(plays, nodes.workers())), "no worker plays for nobody")
        workers = workers_of(nodes, "killed")
        assert workers
        for worker in workers:
            os.kill(worker, signal.SIGSTOP)  # so that it has a block when it is lost
        for number, block in enumerate(arena.play(program, *square(60))):
            assert (found[block.rows, block.columns] == 255).all(), "a cell came twice"
            found[block.rows, block.columns] = block.results
            if number == 0:
                nodes.kill("killed")
        assert (found == expected).all()
        for worker in workers:
            with suppress(ProcessLookupError):  # its raylet may have killed it
                os.kill(worker, signal.SIGCONT)
        wait_until(lambda: all(map(gone, workers)), "no worker without raylet")
        nodes.start("late", 2)
        at_work.clear()
        play_until(arena, lambda: "2 nodes, 3 cores" in at_work)
        assert (matrix(arena, program, 60) == expected).all()
    wait_until(lambda: not nodes.workers(), "all workers have ended")


def workers_of(nodes, name):
    raylet = nodes.raylet(name)
    return [worker for worker in nodes.workers() if parent_of(worker) == raylet]


def plays(worker):
    return command(Path(f"/proc/{worker}")).startswith("ray::play_block")


def parent_of(process):
    after_name = read(Path(f"/proc/{process}/stat")).rpartition(b")")[2].split()
    return int(after_name[1]) if after_name else 0


@pytest.mark.slow
def test_engines_end_with_their_worker_and_raylet(nodes, tmp_path):
    """Each of its processes has a child that is deaf to SIGTERM."""
    program = program_of(tmp_path, seeded_text(tmp_path, "fork", bad="0"))
    with ray_arena(nodes) as arena:
        playing = arena.for_engine(program, Kept(), **ENGINE)
        blocks = playing.play(program, *square(100))
        next(blocks)
        (worker,) = nodes.workers()
        engines = engines_of(worker, tmp_path)
        assert engines
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: all(map(gone, engines)), "the engines end with their worker")
        next(blocks)  # a new worker on the same node
        nodes.start("killed", 1)
        while not (engines := engines_on("killed", nodes, tmp_path)):
            next(blocks)
        nodes.kill("killed")
        wait_until(lambda: all(map(gone, engines)), "the engines end with their raylet")
        next(blocks)
        blocks.close()
    assert not left_behind(tmp_path)


def engines_on(name, nodes, folder):
    return [each for worker in workers_of(nodes, name) for each in engines_of(worker, folder)]


def engines_of(worker, folder):
    engines = [each for each in engine_processes(folder) if parent_of(each) == worker]
    return engines + [each for each in engine_processes(folder) if parent_of(each) in engines]


@pytest.mark.slow
def test_engines_end_with_their_driver(nodes, tmp_path):
    (tmp_path / "engine.toml").write_text(seeded_text(tmp_path, "fork", bad="0"))
    on_ray = ["boost", "engine.toml", "--quiet", "--study", "a.study", "-l", "best-seed"]
    on_ray += ["--k", "4", "--kt", "4", "--opponents", "2"]
    on_ray += ["--arena", "ray", "--address", nodes.address]
    driver = start_command(on_ray, tmp_path, "--cells", "4", "after", "record", "4", "SIGKILL")
    code, _, errors = finish(driver)
    assert code == -signal.SIGKILL, errors
    assert not left_behind(tmp_path)
    wait_until(lambda: not nodes.workers(), "the workers end with their driver")
    before, _ = contents(tmp_path / "a.study")
    assert before
    code, _, errors = finish(start_command(on_ray, tmp_path))
    assert (code, errors) == (0, ""), errors
    assert not left_behind(tmp_path)
    after, _ = contents(tmp_path / "a.study")
    assert after.items() > before.items()


def engine_processes(folder):
    token = f"token-{folder}"
    return [int(each.name) for each in processes() if token in command(each)]
