"""The book of a portfolio as a tree of boards to click through."""

from __future__ import annotations

from starlette.routing import Route

ROUTES: list[Route] = []
