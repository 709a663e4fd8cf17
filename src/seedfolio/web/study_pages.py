"""Studies and portfolios: tables, verdicts, plots, downloads."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
