"""The format of portfolio files as a JSON Schema."""

from __future__ import annotations

from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from seedfolio.portfolios.file import ONLY_IF_KNOWN, PortfolioFile


def portfolio_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of the portfolio files that this version writes.

    It is made from the model that reads and writes them.

    >>> from seedfolio import portfolio_schema
    >>> portfolio_schema()["properties"]["schema_version"]["const"]
    2
    """
    schema = PortfolioFile.model_json_schema(mode="serialization", schema_generator=_Untitled)
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Seedfolio portfolio, version 2",
        "description": "A portfolio with all that is needed to play a boosted program.",
    }
    schema["required"] = [name for name in schema["required"] if name not in ONLY_IF_KNOWN]
    for kind in ("MovesBook", "StatesBook"):
        schema["$defs"][kind]["required"].remove("times")
    rest = {key: value for key, value in schema.items() if key not in head}
    return head | {key: _in_one_line(value) for key, value in rest.items()}


class _Untitled(GenerateJsonSchema):
    """Without titles that only repeat the names of fields."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _in_one_line(part: Any) -> Any:
    """Return a part of the schema with each description in one line."""
    if isinstance(part, dict):
        return {
            key: " ".join(value.split())
            if key == "description" and isinstance(value, str)
            else _in_one_line(value)
            for key, value in part.items()
        }
    return [_in_one_line(each) for each in part] if isinstance(part, list) else part
