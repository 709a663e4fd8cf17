"""The command line: what each command takes, in words a newcomer knows.

Modules that take long to import are imported by the commands that need them.
"""

# The order of these is that of the commands in `seedfolio --help`.
from seedfolio.cli import boost, check, compare, match, plan, show, validate, reproduce  # isort: skip
from seedfolio.cli import serve, teach, web, book, new, catalogues  # isort: skip
from seedfolio.cli.application import app, run

__all__ = [
    "app",
    "book",
    "boost",
    "catalogues",
    "check",
    "compare",
    "match",
    "new",
    "plan",
    "reproduce",
    "run",
    "serve",
    "show",
    "teach",
    "validate",
    "web",
]
