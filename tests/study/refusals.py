"""Studies that are refused, by those who would write to them and by those who only read."""

import sqlite3
from contextlib import closing

import pytest

from seedfolio import Study, StudyError

IDENTITY = {"game": "nim", "player": "table"}


def opened(path):
    return Study.open(path, IDENTITY)


OPENERS = pytest.mark.parametrize("opener", [opened, Study.read])


def refusal(opener, path):
    """Return the one line that refuses a path, and names it."""
    with pytest.raises(StudyError) as raised:
        opener(path).close()
    message = str(raised.value)
    assert "\n" not in message
    assert message.isprintable()
    assert str(path) in message
    return message


def changed(path, *statements):
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
