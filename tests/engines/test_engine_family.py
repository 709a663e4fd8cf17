"""Processes that bear a mark are ended, wherever they have gone, and no others."""

import os
import signal
import subprocess
from pathlib import Path

import pytest
from waiting import PATIENCE

from seedfolio.engines.family import end_family, marked, new_mark


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc here")
def test_who_bears_a_mark_is_ended_and_nobody_else():
    outer, inner, other = (new_mark() for _ in range(3))
    theirs = marked(marked(os.environ, outer), inner)  # an engine of an engine of ours
    waits = ["sleep", "1000"]
    one = subprocess.Popen(waits, env=theirs, start_new_session=True)
    two = subprocess.Popen(waits, env=marked(os.environ, other))
    try:
        end_family(outer)
        assert one.wait(PATIENCE) == -signal.SIGKILL
        assert two.poll() is None
        end_family(other)
        assert two.wait(PATIENCE) == -signal.SIGKILL
    finally:
        one.kill()
        two.kill()
