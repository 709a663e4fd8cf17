"""Text for a terminal, without characters that control it.

A file, an engine or a visitor of the page may say anything. An escape sequence in it could clear
the screen, rename the window or hide what is said; so everything is printed through here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console

# All of C0 and C1 but tab and newline, DEL, what changes the direction of text, and halves of
# characters, which no terminal can show.
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
_INSTEAD = "\ufffd"


def plain(text: str) -> str:
    """Return a text with a mark in place of each control character; tabs and newlines stay."""
    return _CONTROL.sub(_INSTEAD, text)


def is_plain(text: str) -> bool:
    """Tell whether a text has no control characters; tabs and newlines count as some."""
    return _CONTROL.search(text) is None and "\n" not in text and "\t" not in text


def put(text: object = "", *, end: str = "\n", file: TextIO | None = None) -> None:
    """Print a text at once, without control characters."""
    print(plain(str(text)), end=end, file=sys.stdout if file is None else file, flush=True)


def plain_console(*, stderr: bool = False) -> Console:
    """Return a console of rich that prints the texts in tables without control characters."""
    from rich.console import Console

    console = Console(stderr=stderr)
    console.push_render_hook(_hook())
    return console


def _hook() -> Any:
    from rich.console import ConsoleOptions, ConsoleRenderable, RenderHook
    from rich.segment import Segment

    class Plain:
        """What rich draws, with each text made plain; what rich adds itself stays."""

        def __init__(self, drawn: ConsoleRenderable) -> None:
            self.drawn = drawn

        def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
            for text, style, control in console.render(self.drawn, options):
                yield Segment(text if control else plain(text), style, control)

    class Hook(RenderHook):
        def process_renderables(
            self, renderables: list[ConsoleRenderable]
        ) -> list[ConsoleRenderable]:
            return [Plain(each) for each in renderables]

    return Hook()
