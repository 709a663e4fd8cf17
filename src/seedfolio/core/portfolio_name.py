"""Names of portfolio files: `a-book.json`, and `a-book.json.gz` if compressed."""

from __future__ import annotations

from pathlib import Path

PLAIN, COMPRESSED = ".json", ".json.gz"


def is_portfolio_name(name: str | Path) -> bool:
    """Tell whether a name is that of a portfolio file."""
    return str(name).endswith((PLAIN, COMPRESSED))


def portfolio_stem(path: Path) -> str:
    """Return the name of a file without the ending of a portfolio, or without its own."""
    return path.name.removesuffix(COMPRESSED) if path.name.endswith(COMPRESSED) else path.stem


def with_ending(path: Path, ending: str) -> Path:
    """Return the path of a portfolio with the other ending, if it has one of the two."""
    return path.with_name(portfolio_stem(path) + ending) if is_portfolio_name(path) else path
