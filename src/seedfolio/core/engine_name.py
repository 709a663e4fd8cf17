"""Names of files that specify an external engine: `gnugo.toml`."""

from __future__ import annotations

from pathlib import Path


def is_engine_file(text: object) -> bool:
    """Tell whether `text` names a specification."""
    return isinstance(text, str | Path) and str(text).endswith(".toml")
