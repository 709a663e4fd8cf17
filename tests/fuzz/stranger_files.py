"""Files of a stranger, from recipes in plain data: an input is readable, however large its files.

A recipe has one key. `text`: as it is. `data`: as JSON. `toml`: tables. `repeat`: a text, and how
often. `latin`: bytes. `gzip`: another recipe, compressed. `study`: changes of a sound study.
`journal`: SQLite's, which names another. `pipe`, `folder` and `link`: no regular files.

In any text CANARY stands for a path: what a stranger names creates a file there if it runs. KEPT
stands for a file that nobody may touch. In data, "DEEP 900" stands for that many lists in one
another, "HUGE 5000" for a number with that many digits, and "RIGHT" for the digest of an engine's
specification.
"""

import contextlib
import gzip
import json
import os
import re
import struct

from mutations import toml_value
from stranger_studies import write_study

from seedfolio.engines.specification.specification import parse_specification
from seedfolio.errors import SeedfolioError

CANARY, KEPT = "CANARY", "KEPT"
RIGHT = "RIGHT"


def lay(files, folder, places):
    """Write all files of an input to a folder; `places` has the meaning of CANARY and KEPT."""
    for name, recipe in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (kind, value), *_ = recipe.items()
        if kind == "folder":
            path.mkdir()
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "link":
            path.symlink_to(filled(value, places))
        elif kind == "study":
            write_study(path, value, lambda text: _finished(text, places))
        else:
            path.write_bytes(content_of(recipe, places))
        if name.endswith(".sh"):
            path.chmod(0o700)


def content_of(recipe, places):
    (kind, value), *_ = recipe.items()
    if kind == "gzip":
        return gzip.compress(content_of(value, places), 1)
    if kind == "repeat":
        return (value[0] * value[1]).encode()
    if kind == "journal":
        return _journal(filled(value, places).encode())
    if kind == "latin":
        return value.encode("latin-1")
    if kind == "data":
        return _finished(json.dumps(value), places).encode()
    text = toml_of(value) if kind == "toml" else value
    return filled(text, places).encode("utf-8", "surrogatepass")


def _journal(named):
    """Return a journal of SQLite that names another, which SQLite deletes with it."""
    magic = bytes.fromhex("d9d505f920a163d7")
    header = magic + struct.pack(">iIIII", 0, 0, 2, 512, 4096)
    check = sum(byte - 256 * (byte > 127) for byte in named) & 0xFFFFFFFF
    end = struct.pack(">I", 1) + named + struct.pack(">II", len(named), check) + magic
    return header.ljust(512, b"\0") + end


def filled(text, places):
    """Return a text with paths in place of CANARY and KEPT."""
    for name, path in places.items():
        text = text.replace(name, path)
    return text


def _finished(text, places):
    text = filled(text, places)
    if f'"{RIGHT}"' in text:
        text = text.replace(f'"{RIGHT}"', json.dumps(_digest(text)))
    text = re.sub(r'"DEEP (\d+)"', lambda found: "[" * int(found[1]) + "]" * int(found[1]), text)
    return re.sub(r'"HUGE (\d+)"', lambda found: "9" * int(found[1]), text)


def _digest(text):
    with contextlib.suppress(SeedfolioError, ValueError, KeyError, TypeError):
        return parse_specification(json.loads(text)["engine"]["specification"], "it").digest
    return "0" * 32


def toml_of(tables):
    lines = []
    for name, table in tables.items():
        for each in table if isinstance(table, list) else [table]:
            lines.append(f"[[{name}]]" if isinstance(table, list) else f"[{name}]")
            lines += [f"{json.dumps(key)} = {toml_value(value)}" for key, value in each.items()]
    return "\n".join(lines) + "\n"
