"""The docstrings as Markdown: their examples become code blocks."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Object

_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)
"""As doctest has it: up to the next empty line."""


class FencedExamples(Extension):
    """Puts fences around examples, which Markdown would take for quotations."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of a module, class, function or attribute."""
        if obj.docstring is not None:
            obj.docstring.value = fenced(obj.docstring.value)


def fenced(text: str) -> str:
    """Return a docstring with fences around its examples."""
    return _EXAMPLE.sub(lambda found: f"```pycon\n{found[0]}\n```", text)
