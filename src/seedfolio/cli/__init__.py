"""The command line: what each command prints, in words a newcomer knows.

A command takes its options from the public function that it calls, see `command`. Modules that take
long to import are imported when a command runs.
"""

from seedfolio.cli import book, learn, look, play
from seedfolio.cli.application import app, run

__all__ = ["app", "book", "learn", "look", "play", "run"]

_ORDER = (
    *("boost", "play", "check", "compare", "match", "worth", "exploit", "tune", "plan", "online"),
    "adapt",
    *("show", "export", "cross-validate", "learn", "reproduce", "gtp", "uci", "replay", "teach"),
    "web",
    *("games", "players", "learners"),
)
"""Of the commands in `seedfolio --help`: the first are for newcomers."""
app.registered_commands.sort(key=lambda each: _ORDER.index(each.name or ""))
