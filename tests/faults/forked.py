"""Commands in forked processes, which are killed at their n-th write, or whose disk is full there.

A fork of a process that has compiled everything starts in milliseconds, so a thousand kills take
minutes. `faults.c` counts every write, sync, rename and removal in the folder of a command, those
of SQLite included. Start the process with its library in LD_PRELOAD: `started_with_faults` does.
"""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("faults.c")
COUNT, FULL, KILL = 0, 1, 2
PATIENCE = 500


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    """Its exit code; below 0: the signal that ended it."""
    out: str
    err: str
    writes: int
    """How often it wrote; 0 if it was killed."""


def compiler() -> str | None:
    """Return the C compiler, if there is one."""
    return shutil.which("cc") or shutil.which("gcc")


def started_with_faults(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python with these words in a process whose writes can go wrong."""
    library = folder / "faults.so"
    built = [str(compiler()), "-O1", "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(built, check=True)
    environment = {**os.environ, "LD_PRELOAD": str(library), "SEEDFOLIO_FAULTS": str(library)}
    # Threads of a library do not survive a fork.
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, *words], env=environment, text=True, capture_output=True, check=False
    )


def forked(words: list[str], folder: Path, number: int = 0, action: int = COUNT) -> Ended:
    """Run `seedfolio` in a fork of this process, in a folder; its n-th write there goes wrong."""
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
    writes = int((said / "writes").read_text()) if (said / "writes").exists() else 0
    shutil.rmtree(said)
    return Ended(os.waitstatus_to_exitcode(status), texts[0], texts[1], writes)


def _run(words: list[str], folder: Path, number: int, action: int, said: Path) -> int:
    faults = ctypes.CDLL(os.environ["SEEDFOLIO_FAULTS"])
    os.chdir(folder)
    for descriptor, name in ((1, "out"), (2, "err")):
        os.dup2(os.open(said / name, os.O_WRONLY | os.O_CREAT), descriptor)
    sys.stdout, sys.stderr = (os.fdopen(os.dup(number), "w") for number in (1, 2))
    sys.argv = ["seedfolio", *words]
    from seedfolio.__main__ import main

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
    (said / "writes").write_text(str(writes))
    return code


def _waited(child: int) -> int:
    deadline = time.monotonic() + PATIENCE
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGABRT)
            raise AssertionError(f"a command did not end in {PATIENCE} seconds")
        time.sleep(0.002)
