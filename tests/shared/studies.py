"""All that a study holds, in a form in which two studies can be compared."""

import sqlite3
from contextlib import closing


def contents(path):
    cells, others = {}, {}
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        for (table,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
            if table != "run":
                others[table] = sorted(database.execute(f"SELECT * FROM {table}"))
        runs = database.execute("SELECT along, fixed, start, results FROM run")
        for along, fixed, start, results in runs:
            for other, points in enumerate(results, start):
                cell = (fixed, other) if along == "row" else (other, fixed)
                assert cells.setdefault(cell, points) == points
    return cells, others
