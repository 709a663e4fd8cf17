"""Nodes with GPUs, as Ray counts them: where none can play, the cores do."""

import pytest
from ray_cases import matrix, ray_arena

from seedfolio import load_program
from seedfolio.arena.cuda.arena import why_not_cuda
from seedfolio.arena.threads import ThreadArena


@pytest.mark.slow
@pytest.mark.skipif(why_not_cuda() is None, reason="this machine has a GPU; see tests/gpu")
def test_cores_play_where_the_gpu_cannot_and_one_note_says_so(nodes):
    program = load_program("domineering:4x4", "uct:simulations=20")
    expected = matrix(ThreadArena(2), program, 40)
    nodes.start("gpu", 1, "--num-gpus=2")
    notes = []
    with ray_arena(nodes, notes) as arena:
        assert (matrix(arena, program, 40) == expected).all()
        assert (matrix(arena, program, 40) == expected).all()
    assert notes == [f"node gpu: {why_not_cuda()}; its cores play instead"]
