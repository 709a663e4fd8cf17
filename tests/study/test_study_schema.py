"""A study from elsewhere: nothing in it runs, opening it ends, and only its own files are used."""

import gzip
import os
import sqlite3
import struct
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from case_files import cases
from refusals import IDENTITY, OPENERS, changed, refusal

from seedfolio.study.database import ENGINE_SCHEMA, SCHEMA
from seedfolio.study.sqlite_guard import schema_of
from seedfolio.study.store import Study

OLD = Path(__file__).parent / "old_files" / "version-0.2.0.study.gz"
ARMS = np.arange(3, dtype=np.uint64)
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
PAGE = 4096
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")


def write_study(path):
    with Study.open(path, IDENTITY) as study:
        study.record(ARMS, ARMS, np.array([2, 0, 1], np.uint8))


VIEW = f"CREATE VIEW run AS {ENDLESS} SELECT 'row' along, i fixed, 0 start, x'00' results, 0 FROM n"
TRIGGER = "CREATE TRIGGER t AFTER INSERT ON request BEGIN DELETE FROM run; END"
STRANGE = cases(__file__, "strange", lambda statements: eval(statements, globals()))


@OPENERS
@pytest.mark.parametrize(("statements", "said"), STRANGE, ids=[each[1] for each in STRANGE])
def test_a_schema_that_is_not_ours_is_refused_and_left_alone(tmp_path, opener, statements, said):
    path = tmp_path / "a.study"
    write_study(path)
    changed(path, *statements)
    before = path.read_bytes()
    message = refusal(opener, path)
    assert message.startswith(f"{path} is not a study as Seedfolio writes it: it has {said}")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@OPENERS
def test_definitions_changed_by_an_editor(tmp_path, opener):
    """A check that quick_check would compute for every row; a comment that takes a column away."""
    for table, old, new, said in (
        ("request", "text TEXT NOT NULL", "text TEXT CHECK (length(zeroblob(1e9)))", "definition"),
        ("run", "for the first player\n", "for the first player ", ""),
    ):
        path = tmp_path / f"{table}.study"
        write_study(path)
        redefine = f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}')"
        changed(path, "PRAGMA writable_schema = ON", f"{redefine} WHERE name = '{table}'")
        assert said in refusal(opener, path)


@OPENERS
def test_a_trigger_in_the_log_alone(tmp_path, opener):
    path = tmp_path / "a.study"
    write_study(tmp_path / "live")
    with closing(sqlite3.connect(tmp_path / "live")) as connection:
        connection.execute(TRIGGER)
        for suffix in ("", "-wal"):
            path.with_name(path.name + suffix).write_bytes(
                (tmp_path / f"live{suffix}").read_bytes()
            )
    assert b"TRIGGER" not in path.read_bytes()
    assert "a trigger named 't'" in refusal(opener, path)


def leaf(rows, header=b""):
    cells = [varint(len(record)) + varint(number) + record for number, record in rows]
    return page(0x0D, cells, b"", header)


def inner(children, header=b""):
    """Return a page that leads to others, all rows of which have the number 1 at most."""
    cells = [struct.pack(">I", child) + varint(1) for child in children[:-1]]
    return page(0x05, cells, struct.pack(">I", children[-1]), header)


def page(kind, cells, right, header):
    made = bytearray(PAGE)
    made[: len(header)] = header
    places, end = b"", PAGE
    for cell in cells:
        end -= len(cell)
        made[end : end + len(cell)] = cell
        places += struct.pack(">H", end)
    head = struct.pack(">BHHHB", kind, 0, len(cells), end, 0) + right + places
    made[len(header) : len(header) + len(head)] = head
    return bytes(made)


def varint(number):
    digits = [number & 0x7F]
    while number := number >> 7:
        digits.append(number & 0x7F | 0x80)
    return bytes(reversed(digits))


def record(*values):
    kinds, content = b"", b""
    for value in values:
        if value is None:
            kinds += varint(0)
        elif isinstance(value, int):
            kinds += varint(4)
            content += struct.pack(">I", value)
        else:
            kinds += varint(13 + 2 * len(value.encode()))
            content += value.encode()
    return varint(len(kinds) + 1) + kinds + content


def header_of(path, pages):
    write_study(path)
    header = bytearray(path.read_bytes()[:100])
    path.unlink()
    header[28:32] = struct.pack(">I", pages)
    return bytes(header)


@OPENERS
def test_a_schema_without_end(tmp_path, opener):
    """Pages that lead to each other many times: more rows than anybody can read."""
    path, depth = tmp_path / "a.study", 10
    made = leaf([(0, record("table", "t", "t", 2, "CREATE TABLE t (x UNIQUE)"))])
    again = record("index", "sqlite_autoindex_t_1", "t", 2, None)
    pages = [made, leaf([(1, again)]), *(inner([2 + n] * 300) for n in range(1, depth))]
    content = [inner([2, len(pages) + 1], header_of(path, len(pages) + 1)), *pages]
    path.write_bytes(b"".join(content))
    assert "a schema that is far too large" in refusal(opener, path)


@OPENERS
def test_a_text_without_end(tmp_path, opener):
    """A page that is its own next part: a text of 900 MB in a file of 8 KiB."""
    path, size = tmp_path / "a.study", 900_000_000
    kinds = b"".join(map(varint, (23, 15, 15, 4, 13 + 2 * size)))
    start = varint(len(kinds) + 1) + kinds + b"table" + b"t" + b"t" + struct.pack(">I", 2)
    whole = len(start) + size
    least = (PAGE - 12) * 32 // 255 - 23
    kept = least + (whole - least) % (PAGE - 4)
    kept = kept if kept <= PAGE - 35 else least
    start = (start + b"CREATE TABLE t (x) --").ljust(kept, b"x")
    cell = varint(whole) + varint(1) + start + struct.pack(">I", 2)
    first = page(0x0D, [cell], b"", header_of(path, 2))
    path.write_bytes(first + struct.pack(">I", 2).ljust(PAGE, b"x"))
    assert "a schema that is far too large" in refusal(opener, path)


def test_a_table_whose_pages_lead_to_each_other(tmp_path):
    path = tmp_path / "a.study"
    write_study(path)
    with closing(sqlite3.connect(path)) as connection:
        rows = [(n, "x" * 3000, 0) for n in range(2, 40)]
        connection.executemany("INSERT INTO request VALUES (?, ?, ?)", rows)
        connection.commit()
        query = "SELECT rootpage FROM sqlite_schema WHERE name = 'request'"
        (root,) = connection.execute(query).fetchone()
    content = bytearray(path.read_bytes())
    start = (root - 1) * PAGE
    assert content[start] == 0x05
    first, second = struct.unpack_from(">HH", content, start + 12)
    content[start + second : start + second + 4] = content[start + first : start + first + 4]
    path.write_bytes(content)
    assert "is damaged" in refusal(Study.read, path)


@OPENERS
def test_a_journal_that_names_another_file(tmp_path, opener):
    """SQLite deletes the file that the end of a journal names, whatever it is."""
    path, victim = tmp_path / "a.study", tmp_path / "a letter"
    victim.write_text("dear")
    write_study(path)
    content = path.read_bytes()
    head = JOURNAL_MAGIC + struct.pack(">IIIII", 1, 0, len(content) // PAGE, 512, PAGE)
    summed = sum(content[PAGE - 200 : 0 : -200])
    name = str(victim).encode()
    path.with_name("a.study-journal").write_bytes(
        head.ljust(512, b"\0")
        + (struct.pack(">I", 1) + content[:PAGE] + struct.pack(">I", summed))
        + (struct.pack(">I", 2**30 // PAGE + 1) + name)
        + (struct.pack(">II", len(name), sum(name)) + JOURNAL_MAGIC)
    )
    assert "SQLite would delete a file that it names" in refusal(opener, path)
    assert victim.read_text() == "dear"


@OPENERS
@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal", "-lock"])
def test_links_and_pipes_beside_a_study(tmp_path, opener, suffix):
    path, victim, beside = (tmp_path / name for name in ("a", "a letter", f"a{suffix}"))
    write_study(path)
    victim.write_text("dear")
    for make in (lambda: beside.symlink_to(victim), lambda: os.mkfifo(beside)):
        make()
        assert f"{beside} is not a regular file; delete it" in refusal(opener, path)
        assert victim.read_text() == "dear"
        beside.unlink()


def test_a_study_of_version_0_2_0(tmp_path):
    path = tmp_path / "a.study"
    path.write_bytes(gzip.decompress(OLD.read_bytes()))
    with closing(sqlite3.connect(path)) as connection:
        texts = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
        newer = (schema_of(SCHEMA) | schema_of(ENGINE_SCHEMA)) ^ set(connection.execute(texts))
    assert [name for _, name, *_ in newer] == ["engine_timeout"]
    with Study.open(path, IDENTITY) as study:
        assert study.count() == 3
        assert study.portfolios() == {"nash": "{}"}
        assert list(study.engine_games().games()) == []
        study.record(ARMS[:1], ARMS[:1], np.array([2], np.uint8))
    with Study.read(path) as study:
        assert study.count() == 4
