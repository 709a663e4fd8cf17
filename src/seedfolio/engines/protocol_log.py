"""A log of all that an engine and we say to each other, if somebody asks for it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Self, TextIO

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
            file = (folder / name).open("w", encoding="utf-8", buffering=1)
        except OSError as error:
            raise SpecificationError(
                f"cannot write a log in {folder}: {error.strerror}; change log.folder"
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
