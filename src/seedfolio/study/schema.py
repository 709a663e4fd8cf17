"""The tables of a study, by the text that SQLite keeps of them.

Studies are refused if a table has another text, in its spaces and comments, too: do not edit these.
"""

# Runs are short rows looked up by their key, hence WITHOUT ROWID: with runs of 32 cells the file is
# a fifth smaller than with an index, and reading is twice as fast.
SCHEMA = """
CREATE TABLE identity (
    number INTEGER PRIMARY KEY CHECK (number = 1), text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE request (
    number INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE portfolio (
    name TEXT PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE evaluation (
    name TEXT PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE run (
    along TEXT NOT NULL CHECK (along IN ('row', 'column')),
    fixed INTEGER NOT NULL,  -- the seed of that row (first player) or column (second player)
    start INTEGER NOT NULL,  -- the other player's seed in the first cell, one more in each next
    results BLOB NOT NULL,   -- one byte a cell: half points for the first player
    checksum INTEGER NOT NULL,
    PRIMARY KEY (along, fixed, start)
) STRICT, WITHOUT ROWID;
"""

ENGINE_SCHEMA = """
CREATE TABLE IF NOT EXISTS engine_game (
    first INTEGER NOT NULL,   -- the arm of the first player
    second INTEGER NOT NULL,
    number INTEGER NOT NULL,  -- which game of the cell, from 0
    ending TEXT NOT NULL,
    points INTEGER NOT NULL,  -- half points of the first player
    moves TEXT NOT NULL,      -- separated by spaces
    detail TEXT NOT NULL,     -- what went wrong
    checksum INTEGER NOT NULL,
    PRIMARY KEY (first, second, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_book_game (
    books INTEGER NOT NULL,   -- a hash of the books that both colours played
    first INTEGER NOT NULL,
    second INTEGER NOT NULL,
    ending TEXT NOT NULL,
    points INTEGER NOT NULL,
    moves TEXT NOT NULL,
    detail TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (books, first, second)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engine_answer (
    arm INTEGER NOT NULL,     -- or -1: the half points with which the game is over there
    history BLOB NOT NULL,    -- a hash of the moves so far
    answer TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (arm, history)
) STRICT, WITHOUT ROWID;
"""
"""A study gets these tables when it first needs them."""
