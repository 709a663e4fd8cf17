"""Files that are fuzzed: portfolios, books, checkpoints and studies."""

import json
import sqlite3
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

import numpy as np
from judging import OLD, at, quietly
from mutations import bytes_from, data_from, json_of

sys.path += [str(Path(__file__).parents[1] / each) for each in ("book", "shared")]

from small_tree import rows_from, some_games

from seedfolio import SeedfolioError, Study, export, load_game
from seedfolio.boosting.request import Request
from seedfolio.boosting.saved import save_result
from seedfolio.engines.specification.specification import parse_specification
from seedfolio.learning.book.checkpoint import (
    load_checkpoint,
    read_arrays,
    save_checkpoint,
    write_arrays,
)
from seedfolio.learning.book.self_play import Experience
from seedfolio.portfolios.file import parse_portfolio
from seedfolio.portfolios.portfolio import CRITERIA
from seedfolio.study.database import checksum


@cache
def portfolios():
    return [path.read_bytes() for path in sorted(OLD.glob("*-2.json"))]


@cache
def game_of(source):
    return load_game(source)


def portfolio(draw):
    whole = draw.choice(portfolios())
    if draw.random() < 0.3:
        return bytes_from(draw, whole)
    return json_of(data_from(draw, json.loads(whole)))


def read_portfolio(content):
    with suppress(SeedfolioError):
        file = parse_portfolio(content, "it")
        file.text()
        if file.book is not None and file.game.source in ("domineering:4x4", "phantom-tic-tac-toe"):
            file.book.portfolio(game_of(file.game.source)).words()


def show_portfolio(content):
    path = at("p.json")
    path.write_bytes(content)
    quietly("show", str(path))
    quietly("book", "show", str(path), "--most", "5")


@cache
def checkpoint_bytes():
    rows = rows_from(some_games(400))
    save_checkpoint(Experience.of([[rows], [rows]], 800), at("whole.npz"), "mark")
    return at("whole.npz").read_bytes()


def checkpoint(draw):
    whole = checkpoint_bytes()
    if draw.random() < 0.5:
        return bytes_from(draw, whole)
    at("c.npz").write_bytes(whole)
    arrays = read_arrays(at("c.npz"))
    name = draw.choice(sorted(arrays))
    array = arrays[name].copy()
    if array.dtype.kind in "iu" and array.size:
        flat = array.reshape(-1)
        info = np.iinfo(array.dtype)
        flat[draw.randrange(len(flat))] = draw.choice((0, 1, info.max, info.min, 5, 10, 20))
        array = array[::-1] if array.ndim and draw.random() < 0.3 else array
        array = np.resize(array, draw.randrange(9)) if draw.random() < 0.2 else array
    arrays[name] = array
    write_arrays(at("c.npz"), arrays)
    return at("c.npz").read_bytes()


def read_checkpoint(content):
    path = at("read.npz")
    path.write_bytes(content)
    with suppress(SeedfolioError):
        load_checkpoint(path, "mark")


@cache
def study_bytes():
    path = at("whole.study")
    path.unlink(missing_ok=True)
    seeds = np.arange(4, dtype=np.uint64)
    request = Request(k=4, kt=4, opponents=17, learners=("nash",))
    player = {"protocol": "uci", "command": ["true", "harmless", "{seed}"], "go": "x"}
    content = {"game": {"name": "domineering:4x4"}, "player": player}
    found = parse_specification(content, "it").behaviour()
    with Study.open(path, {"specification": found, "version": 1, "engine": "it"}) as study:
        rows, columns = np.meshgrid(seeds, seeds)
        study.record(rows.ravel(), columns.ravel(), np.ones(16, np.uint8))
        study.log_request(request.model_dump_json())
        arms = {"first": {"0": 1.0}, "second": {"1": 1.0}, "book": None}
        study.save_portfolio("nash", json.dumps(json.loads(portfolios()[-1]) | arms))
        save_result(study, _result(request), request)
    return path.read_bytes()


def _result(request):
    success = [{"exploiter": each, "mean": 0.5, "error": 0.1} for each in CRITERIA]
    groups = {"original, 1 seed": "baseline", "original, mixture": "baseline", "nash": "learner"}
    rows = [
        {"name": name, "detail": "1+1", "group": group, "success": success, "best_response": None}
        for name, group in groups.items()
    ]
    told = {"title": "a title", "request": request.model_dump(), "repeats": 1, "draws": 0.0}
    control = {"mean": 0.5, "error": 0.1}
    verdict = {"stranger": None, "prepared": None, "best": None}
    more = {"games": {"nash": 16}, "notes": {}, "control": control, "verdict": verdict}
    return {**told, "rows": rows, **more}


def study(draw):
    if draw.random() < 0.4:
        return bytes_from(draw, study_bytes())
    path = at("s.study")
    path.write_bytes(study_bytes())
    with sqlite3.connect(path) as connection:
        table, key = draw.choice(
            [("identity", "number"), ("request", "number"), ("evaluation", "name")]
        )
        name, text = connection.execute(f"SELECT {key}, text FROM {table} LIMIT 1").fetchone()
        changed = json.dumps(data_from(draw, json.loads(text)))
        stored = changed, checksum(str(name), changed.encode()), name
        connection.execute(f"UPDATE {table} SET text = ?, checksum = ? WHERE {key} = ?", stored)
    connection.close()
    return path.read_bytes()


def read_study(content):
    path = at("read.study")
    path.write_bytes(content)
    with suppress(SeedfolioError):
        export(path, at("out.csv"))
    quietly("show", str(path))
    quietly("show", str(path), "--equilibrium")
