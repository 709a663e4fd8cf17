"""Commands in forked processes, which are killed at their n-th write, or whose disk is full there.

A fork of a process that has compiled everything starts in milliseconds, so a thousand kills take
minutes. `faults.c` counts every write, sync, rename and removal in the folder of a command, those
of SQLite included. Start the process with its library in LD_PRELOAD: `started_with_faults` does.
"""

import ctypes
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
BUILT = "SEEDFOLIO_FAULTS_BUILT"
"""Names the library in the environment, where there is no C compiler."""
LOADED = "SEEDFOLIO_FAULTS"
COUNT, FULL, KILL, STARVE = 0, 1, 2, 3
PATIENCE = 500


@dataclass(frozen=True)
class Ended:
    code: int
    """Its exit code; below 0: the signal that ended it."""
    out: str
    err: str
    writes: int
    """How often it wrote; 0 if it was killed."""
    cells: int
    """How many cells it recorded; 0 if it was killed."""


def compiler():
    return shutil.which("cc") or shutil.which("gcc")


def built(folder):
    if BUILT in os.environ:
        return Path(os.environ[BUILT])
    library = folder / "faults.so"
    words = [str(compiler()), "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(words, check=True)
    return library


def started_with_faults(words, folder, *, shown=False):
    """Run Python with these words in a process whose writes can go wrong; shown: print at once."""
    library = built(folder)
    environment = {**os.environ, "LD_PRELOAD": str(library), LOADED: str(library)}
    # Threads of a library do not survive a fork.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    environment |= {"XDG_STATE_HOME": str(folder / "state")}
    return subprocess.run(
        [sys.executable, *words], env=environment, text=True, capture_output=not shown, check=False
    )


def forked(words, folder, number=0, action=COUNT):
    """Run `seedfolio` in a fork; its n-th write goes wrong, or it has n KiB of memory more."""
    folder.mkdir(exist_ok=True)
    said = Path(tempfile.mkdtemp())
    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = _run(words, folder.resolve(), number, action, said)
        finally:
            os._exit(code)
    status = _waited(child)
    texts = [(said / name).read_text() for name in ("out", "err")]
    counted = (said / "counted").read_text() or "[0, 0]"
    shutil.rmtree(said)
    return Ended(os.waitstatus_to_exitcode(status), *texts, *json.loads(counted))


def _run(words, folder, number, action, said):
    faults = ctypes.CDLL(os.environ[LOADED])
    os.chdir(folder)
    if (folder / "code").exists():  # else compiled code is where it always is
        import numba

        numba.config.CACHE_DIR = str(folder / "code")
    for descriptor, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(said / name, os.O_WRONLY | os.O_CREAT), descriptor)
    counted = os.open(said / "counted", os.O_WRONLY | os.O_CREAT)
    sys.stdout, sys.stderr = (os.fdopen(os.dup(number), "w") for number in (1, 2))
    sys.argv = ["seedfolio", *words]
    from seedfolio.__main__ import main

    cells = _counted_cells()
    if action == STARVE:
        _starve(number)
    else:
        faults.fault_at(ctypes.c_long(number), ctypes.c_long(action), str(folder).encode())
    try:
        code = main()
    except BaseException:
        import traceback

        traceback.print_exc()
        code = 1
    writes = faults.writes_seen()
    faults.fault_at(0, COUNT, b"")
    sys.stdout.flush()
    sys.stderr.flush()
    os.write(counted, b"[%d, %d]" % (writes, sum(cells)))
    return code


def _counted_cells():
    """Return a list that gets the number of cells of each record of a study."""
    from seedfolio.study.store import Study

    record, cells = Study.record, []

    def counting(study, rows, columns, results, **options):
        record(study, rows, columns, results, **options)
        cells.append(len(rows))

    Study.record = counting
    return cells


def _starve(more):
    """Leave this process some KiB of address space more than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + 1024 * more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _waited(child):
    deadline = time.monotonic() + PATIENCE
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise AssertionError(f"a command did not end in {PATIENCE} seconds")
        time.sleep(0.002)
