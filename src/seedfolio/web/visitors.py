"""Visitors: a signed cookie with 128 random bits, and the token that every form carries."""

from __future__ import annotations

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256

COOKIE = "seedfolio"
FIELD = "token"
"""The field of a form that shows that the form came from a page of ours."""
_ID_BYTES = 16
_COOKIE = re.compile(r"([0-9a-f]{32})\.([0-9a-f]{64})")


@dataclass(frozen=True)
class Visitor:
    """Somebody with a browser."""

    id: str
    token: str
    """For their forms, against requests that other sites forge (CSRF)."""
    fresh: bool
    """Whether the browser does not have the cookie yet."""


@dataclass(frozen=True)
class Visitors:
    """Makes visitors and knows them again. A forged or old cookie gives a new visitor."""

    secret: bytes

    def of_cookie(self, cookie: str | None) -> Visitor:
        """Return the visitor of a cookie, or a new one."""
        found = _COOKIE.fullmatch(cookie or "")
        if found and hmac.compare_digest(found[2], self._mac("visitor", found[1])):
            return self._visitor(found[1], fresh=False)
        return self._visitor(secrets.token_hex(_ID_BYTES), fresh=True)

    def cookie(self, visitor: Visitor) -> str:
        """Return the value of a visitor's cookie."""
        return f"{visitor.id}.{self._mac('visitor', visitor.id)}"

    def _visitor(self, name: str, fresh: bool) -> Visitor:
        return Visitor(name, self._mac("token", name), fresh)

    def _mac(self, purpose: str, text: str) -> str:
        return hmac.new(self.secret, f"{purpose} {text}".encode(), sha256).hexdigest()
