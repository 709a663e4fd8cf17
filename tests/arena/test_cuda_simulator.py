"""The CUDA arena in numba's simulator: the same results and moves as the CPU's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from cuda_cases import need_numba_cuda
from waiting import PATIENCE

need_numba_cuda()

SCRIPT = Path(__file__).with_name("simulated.py")
SIMULATING = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}


def simulate(*arguments):
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *arguments],
        env=SIMULATING,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "identical\n"


def test_picking_bits():
    simulate()


@pytest.mark.long
def test_one_player():
    simulate("nim", "table:noise=0")


@pytest.mark.long
@pytest.mark.parametrize("player", ["flat:playouts=3", "uct:simulations=3"])
def test_the_other_players(player):
    simulate("nim:first=1,second=2,third=2,fourth=1", player)


@pytest.mark.long
def test_books():
    simulate("nim", "table:noise=0", "book")


@pytest.mark.slow
def test_chance_in_the_game_and_in_the_player():
    simulate("morra", "table:noise=50")


@pytest.mark.long
def test_the_command_boosts_alike_on_both_arenas(tmp_path):
    command = [sys.executable, "-m", "seedfolio", "boost", "nim"]
    sizes = ["--k", "5", "--kt", "3", "--opponents", "17", "--json", "--quiet"]
    printed = {}
    for arena in ("cuda", "threads"):
        done = subprocess.run(
            [*command, *sizes, "--arena", arena, "--study", f"{arena}.study"],
            cwd=tmp_path,
            env=SIMULATING,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        printed[arena] = done.stdout.replace(f"{arena}.study", "").replace(f"{arena}-", "")
    assert printed["cuda"] == printed["threads"]
