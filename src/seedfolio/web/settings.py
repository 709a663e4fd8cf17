"""What a page allows: its limits, and who may reach it."""

from __future__ import annotations

from dataclasses import dataclass

from seedfolio.core.display import Brief


@dataclass(frozen=True, repr=False)
class Settings(Brief):
    """The limits of a page. Rates are a second, with a burst above them.

    >>> from seedfolio import Settings
    >>> Settings(workers=1).workers
    1
    """

    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    """The names under which browsers may reach the page, against DNS rebinding; `*` for any."""
    workers: int = 2
    """How many programs think at once."""
    waiting: int = 2_000
    """How many games may wait for a program to think."""
    waiting_each: int = 4
    """The same for one visitor."""
    games_each: int = 50
    """Games that are not over, for one visitor: ordinary, blind and of teaching together."""
    games: int = 50_000
    """The same for all visitors together."""
    idle: float = 24 * 3600.0
    """Seconds without a move after which a game does not count there. It stays stored, and counts
    again when it goes on."""
    programs: int = 60
    """Different programs that are loaded at a time. The one used least recently makes room for
    another, and is loaded again when a game goes on."""
    ahead: bool = True
    """Whether `serve_web` compiles, in the background, what the first page offers and what was
    played before."""
    simulations: int = 10_000
    """The most thinking that a visitor may ask of a program: simulations or playouts a move."""
    thinking: float = 0.5
    """Seconds of thinking that each visitor gains a second..."""
    thinking_burst: float = 120.0
    """... up to this many."""
    requests: float = 20.0
    """Requests of one visitor a second..."""
    requests_burst: float = 100.0
    """... and at once."""
    address_requests: float = 500.0
    """Requests of one network address a second, all visitors behind it together..."""
    address_burst: float = 3_000.0
    """... and at once."""
    body: int = 16_384
    """Bytes of the largest request that is read."""
    answer_times: tuple[float, float] = (0.8, 1.6)
    """Least and most seconds that an answer takes in a blind game."""
    secure: bool = False
    """Whether browsers send cookies by HTTPS alone; the command has `--https` for it."""
