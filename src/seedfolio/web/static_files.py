"""The style sheet, the scripts and the icon: read once, so that no request names a file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from hashlib import sha256
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}


def static_routes() -> list[Route]:
    """Return a route for each file in the package's folder `static`."""
    folder = files("seedfolio.web") / "static"
    found = sorted(folder.iterdir(), key=lambda each: each.name)
    return [Route(f"/static/{each.name}", _serving(each.name, each.read_bytes())) for each in found]


def _serving(name: str, content: bytes) -> Callable[[Request], Awaitable[Response]]:
    ending = name[name.rindex(".") :]
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {"ETag": tag, "Cache-Control": "public, max-age=300"}

    async def serve(request: Request) -> Response:
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=_TYPES[ending], headers=headers)

    return serve
