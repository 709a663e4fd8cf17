"""Interrupts while Ray waits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def signals_pass() -> Iterator[None]:
    """Let an interrupt pass that arrives inside of Ray's compiled code, which makes an error of it.

    Only what ends the process is no Exception: KeyboardInterrupt, and what SIGTERM raises.
    """
    try:
        yield
    except SystemError as error:
        cause = error.__cause__ or error.__context__
        if cause is None or isinstance(cause, Exception):
            raise
        raise cause from None
