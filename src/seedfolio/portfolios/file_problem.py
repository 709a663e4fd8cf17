"""What is wrong with a portfolio file, in one line."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

FORMAT = "seedfolio portfolio"
VERSION = 2


def first_problem(error: ValidationError) -> str:
    """Return the first problem of a file that does not fit the model."""
    problem: Any = error.errors()[0]
    place = ".".join(str(part) for part in problem["loc"])
    if place == "schema_version":
        newer = isinstance(problem["input"], int) and problem["input"] > VERSION
        advice = "; a newer Seedfolio wrote it: update this one" if newer else ""
        return (
            f"it has schema version {problem['input']}, and this program reads versions 1 and "
            f"{VERSION}{advice}"
        )
    if place == "format":
        return f"its format is not {FORMAT!r}"
    message = str(problem["msg"]).splitlines()[0]
    return f"{place}: {message}" if place else message
