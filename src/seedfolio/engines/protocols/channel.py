"""An engine process behind pipes: lines in both directions, a deadline for each, and a sure end.

The engine runs in a separate session, so that an interrupt in the terminal reaches only Seedfolio.
Closing the channel ends the engine and all processes that it started.
"""

from __future__ import annotations

import math
import os
import select
import signal
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO

from seedfolio.core.plain_text import plain
from seedfolio.engines.endings import Ending, EngineFaultError
from seedfolio.engines.interface import FLOODS_ERRORS, IGNORES_QUIT, IllegalMoveError
from seedfolio.engines.protocols.process import Launch, end_family, new_mark, start_process
from seedfolio.errors import SpecificationError


@dataclass(frozen=True)
class ProtocolLog:
    """The log of one process: a line for each line, with the seconds since the start."""

    file: TextIO | None
    began: float

    @classmethod
    def of(cls, folder: Path | None, process: int, command: str) -> Self:
        """Begin a log in a folder; without a folder, none."""
        began = time.monotonic()
        if folder is None:
            return cls(None, began)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            name = f"{time.strftime('%Y%m%d-%H%M%S')}-{process}.log"
            file = (folder / name).open("x", encoding="utf-8", buffering=1)
        except (OSError, ValueError) as error:  # ValueError: a name that no folder can have
            reason = error.strerror if isinstance(error, OSError) else error
            raise SpecificationError(
                f"cannot write a log in {folder}: {reason}; change log.folder"
            ) from error
        log = cls(file, began)
        log._line("$", command)
        return log

    def sent(self, line: str) -> None:
        """Note what we say."""
        self._line(">", line)

    def received(self, line: str) -> None:
        """Note what the engine says."""
        self._line("<", line)

    def errors(self, read: bytes) -> None:
        """Note what the engine writes to its standard error."""
        for line in read.decode(errors="replace").splitlines():
            self._line("!", line)

    def close(self, code: int | None) -> None:
        """Note the exit code, and end the log."""
        if self.file is not None and not self.file.closed:
            self._line("$", f"ended with code {code}")
            self.file.close()

    def _line(self, sign: str, text: str) -> None:
        if self.file is not None and not self.file.closed:
            self.file.write(f"{time.monotonic() - self.began:10.3f} {sign} {text}\n")


_LONGEST_LINE = 64 * 1024
_LONGEST_ANSWER = 4 * 1024 * 1024
_STDERR_KEPT = 4096
_MOST_ERRORS = 256 * 1024
_STDERR_SHOWN = 300
_FAREWELL = 2.0
"""Seconds that an engine has to end after `quit`."""
_GRACE = 0.5
"""Seconds that it then has to end after SIGTERM, before it is killed."""
_PAUSE = 0.002
_LONGEST_WAIT = 3600.0
"""Seconds; the system does not accept a wait of many days."""


class Deadline(float):
    """A moment of time.monotonic(), and which limit of the specification ends there."""

    limit: str
    seconds: float

    @classmethod
    def after(cls, seconds: float, limit: str) -> Self:
        """Return the moment that many seconds from now."""
        moment = cls(time.monotonic() + seconds)
        moment.limit, moment.seconds = limit, seconds
        return moment


class Channel:
    """A running engine. Every method that needs an answer raises EngineFaultError."""

    def __init__(self, launch: Launch) -> None:
        self.launch = launch
        self._mark = new_mark()
        self._process = start_process(launch, self._mark)
        self._log = ProtocolLog.of(launch.log, self._process.pid, launch.text)
        pipes = self._process.stdin, self._process.stdout, self._process.stderr
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._lines: deque[bytes] = deque()
        self._unread = b""
        """An incomplete line."""
        self._since_sent = 0
        self._overdue = False
        """Whether something was read after the deadline."""
        self._stderr_tail = b""
        self._stderr_open = True
        self._last_sent = ""
        self._closed = False
        self._ending = threading.Lock()
        self._reaped = False
        """Whether the system may have given the number of its process to another one."""
        self.habits: frozenset[str] = frozenset()
        """What the engine did that disturbs games without ending one."""
        self._errors_since_sent = 0

    def send(self, line: str, deadline: float) -> None:
        """Send one line; `deadline` is a moment of time.monotonic()."""
        if any(each < " " and each != "\t" for each in line):
            # A move from a file or from an opponent would be a command of its own.
            raise IllegalMoveError(plain(line).replace("\n", " "))
        self._last_sent = line
        self._log.sent(line)
        self._since_sent = self._errors_since_sent = 0
        self._overdue = False
        rest = f"{line}\n".encode()
        while rest:
            self._wait(deadline, {self._stdin: select.POLLOUT})
            try:
                rest = rest[os.write(self._stdin, rest) :]
            except BlockingIOError:
                continue
            except (BrokenPipeError, ConnectionResetError):
                raise self._gone("input") from None

    def read_line(self, deadline: float) -> str:
        """Return the next line without its end."""
        while not self._lines:
            self._wait(deadline, {self._stdout: select.POLLIN})
            self._read()
            if self._since_sent > _LONGEST_ANSWER:
                raise self._floods()
        return self._take_line()

    def wait_for_either(self, other: int, deadline: float = math.inf) -> bool:
        """Wait until the engine has written something or descriptor `other` can be read.

        Tell whether `other` can.
        """
        wanted = {self._stdout: select.POLLIN, other: select.POLLIN}
        return other in self._wait(deadline, wanted)

    def lines(self) -> Iterator[str]:
        """Yield the complete lines received so far; reading them resets the limit on output."""
        self._read()
        self._since_sent = 0
        while self._lines:
            yield self._take_line()

    def pending(self) -> str:
        """Return the output that no command asked for."""
        with suppress(EngineFaultError):
            self._read()
        return b"\n".join((*self._lines, self._unread)).decode(errors="replace")

    def fault(self, ending: Ending, problem: str) -> EngineFaultError:
        """Return the error for a fault of the engine after the last line sent."""
        after = f" after {self._last_sent!r}" if self._last_sent else ""
        said = " ".join(self._stderr_tail.decode(errors="replace").split())[-_STDERR_SHOWN:]
        errors = f" (its standard error ends: {said})" if said else ""
        return EngineFaultError(ending, f"{self.launch.text} {problem}{after}{errors}")

    def close(self, farewell: str | None = None) -> None:
        """End the engine and all that it started; `farewell` lets it end by itself first.

        What remains of its process group gets SIGTERM, then SIGKILL. Processes that have left the
        group get SIGKILL.
        """
        if self._closed:
            return
        self._closed = True
        deadline = time.monotonic() + _FAREWELL
        if farewell is not None:
            with suppress(EngineFaultError, OSError):
                self.send(farewell, deadline)
                if self._process.stdin:
                    self._process.stdin.close()
                # It may go on talking, or leave a child behind that keeps its output open.
                while time.monotonic() < deadline and self._exit_code(0.0) is None:
                    self._drop_for_a_moment()
            if self._exit_code(deadline) is None:
                self.habits |= {IGNORES_QUIT}
        self._signal_group(signal.SIGTERM)
        self._exit_code(time.monotonic() + _GRACE)
        self._signal_group(signal.SIGKILL)
        self._exit_code(math.inf)
        with self._ending:
            self._process.wait()
            self._reaped = True
        end_family(self._mark)
        self._log.close(self._process.returncode)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                with suppress(OSError):
                    pipe.close()

    def kill(self) -> None:
        """End the engine at once, from any thread; threads that wait for it get an error."""
        self._signal_group(signal.SIGKILL)

    def _signal_group(self, number: signal.Signals) -> None:
        with self._ending, suppress(ProcessLookupError, PermissionError):
            if not self._reaped:
                os.killpg(self._process.pid, number)

    def _exit_code(self, deadline: float) -> int | None:
        """Return the exit code, None if the engine still runs at the deadline.

        It is not reaped, so that no other process gets its number before the last signal.
        """
        while True:
            if not hasattr(os, "waitid"):  # macOS before Python 3.13
                code = self._process.poll()
            elif (code := self._process.returncode) is None:
                flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
                try:
                    ended = os.waitid(os.P_PID, self._process.pid, flags)
                except ChildProcessError:  # where SIGCHLD is ignored the system has reaped it
                    return self._process.poll()
                if ended is not None:
                    exited = ended.si_code == os.CLD_EXITED
                    code = ended.si_status if exited else -ended.si_status
            if code is not None or time.monotonic() >= deadline:
                return code
            time.sleep(_PAUSE)

    def _wait(self, deadline: float, wanted: Mapping[int, int]) -> set[int]:
        """Return which of `wanted` are ready for their event; keep the standard error."""
        while True:
            poll = select.poll()
            for descriptor, event in wanted.items():
                poll.register(descriptor, event)
            if self._stderr_open:
                poll.register(self._stderr, select.POLLIN)
            left = min(max(0.0, deadline - time.monotonic()), _LONGEST_WAIT)
            ready = {found for found, _ in poll.poll(left * 1000)}
            if self._stderr in ready:
                self._keep_errors()
            ready &= wanted.keys()
            if time.monotonic() >= deadline:
                # Data in a pipe may have arrived in time while we were stopped; later data has not.
                if not ready or self._overdue:
                    raise self.fault(Ending.TIMEOUT, f"does not answer {_in_time(deadline)}")
                self._overdue = True
            if ready:
                return ready

    def _take_line(self) -> str:
        line = self._lines.popleft().decode(errors="replace").rstrip("\r")
        self._log.received(line)
        return line

    def _read(self) -> None:
        try:
            read = os.read(self._stdout, 65536)
        except BlockingIOError:
            return
        if not read:
            raise self._gone("output")
        *lines, self._unread = (self._unread + read).split(b"\n")
        self._lines.extend(lines)
        self._since_sent += len(read)
        if len(self._unread) > _LONGEST_LINE:
            raise self._floods()

    def _floods(self) -> EngineFaultError:
        return self.fault(Ending.PROTOCOL_ERROR, "floods its standard output")

    def _drop_for_a_moment(self) -> None:
        self._lines.clear()
        self._unread = b""
        with suppress(EngineFaultError):
            self._wait(time.monotonic() + _PAUSE, {self._stdout: select.POLLIN})
        self._read()

    def _keep_errors(self) -> None:
        with suppress(BlockingIOError):
            read = os.read(self._stderr, 65536)
            self._stderr_open = bool(read)
            self._errors_since_sent += len(read)
            if self._errors_since_sent > _MOST_ERRORS:
                self.habits |= {FLOODS_ERRORS}
            self._stderr_tail = (self._stderr_tail + read)[-_STDERR_KEPT:]
            self._log.errors(read)

    def _gone(self, pipe: str) -> EngineFaultError:
        """Return the error for an engine that has ended, or closed its standard `pipe`."""
        code = self._exit_code(time.monotonic() + _GRACE)
        if self._stderr_open:
            self._keep_errors()
        if code is None:
            return self.fault(Ending.CRASH, f"closed its standard {pipe}")
        how = f"ended with code {code}" if code >= 0 else f"was ended by signal {-code}"
        return self.fault(Ending.CRASH, how)


def _in_time(deadline: float) -> str:
    """Return how long an engine had, and the key of the specification that says so."""
    if not isinstance(deadline, Deadline):
        return "in time"
    return f"within {deadline.seconds:g} s (limits.{deadline.limit})"
