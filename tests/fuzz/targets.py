"""What is fuzzed: each target takes one drawn input, in this process, and judges the outcome.

An outcome is right if nothing is raised but SeedfolioError with one line, nothing takes longer than
MOST_SECONDS, and nothing that is printed has a control character.
"""

import io
import json
import os
import sqlite3
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path

import numpy as np
from mutations import bytes_from, data_from, json_of, text_from

sys.path.append(str(Path(__file__).parents[1] / "book"))

from small_tree import rows_from, some_games

from seedfolio.book.array_file import read_arrays, write_arrays
from seedfolio.book.checkpoint import load_checkpoint, save_checkpoint
from seedfolio.book.self_play import Experience
from seedfolio.boosting.contents import export
from seedfolio.boosting.request import Request
from seedfolio.boosting.saved import save_result
from seedfolio.cli import run
from seedfolio.core.plain_text import plain
from seedfolio.engines.specification import read_specification
from seedfolio.errors import SeedfolioError
from seedfolio.games import load_game
from seedfolio.learning.registry import find_learner
from seedfolio.players import load_player
from seedfolio.portfolios.file import parse_portfolio
from seedfolio.programs.load import load_program
from seedfolio.serving.built_in import BuiltInEngine
from seedfolio.serving.gtp import GtpServer, go_board
from seedfolio.serving.opponent import Original
from seedfolio.serving.uci import UciServer
from seedfolio.study.database import checksum
from seedfolio.study.store import Study

TESTS = Path(__file__).parents[1]
CORPUS = Path(__file__).parent / "corpus"
"""Inputs that once went wrong, by target; each is tried in every run."""
OLD = TESTS / "book" / "old_files"
MOST_SECONDS = 10
FOLDER = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path()
"""For files that are written for each input."""


def at(name: str) -> Path:
    """Return the path of a file of this process."""
    return FOLDER / f"seedfolio-fuzz-{os.getpid()}-{name}"


def quietly(*words: str) -> None:
    """Run a command; what it prints must be plain, and its code one of those promised."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run([*words])
    assert code in (0, 2, 130), (words, code)
    said = out.getvalue() + err.getvalue()
    assert plain(said) == said, words
    assert code == 0 or err.getvalue().count("\n") == 1, (words, err.getvalue())


# Portfolios and books


@cache
def portfolios() -> list[bytes]:
    old = [path.read_bytes() for path in sorted(OLD.glob("*-1.json"))]
    return [*old, *(parse_portfolio(text, "it").text().encode() for text in old)]


@cache
def game_of(source: str):
    return load_game(source)


def portfolio(draw) -> bytes:
    whole = draw.choice(portfolios())
    if draw.random() < 0.3:
        return bytes_from(draw, whole)
    return json_of(data_from(draw, json.loads(whole)))


def read_portfolio(content: bytes) -> None:
    with suppress(SeedfolioError):
        file = parse_portfolio(content, "it")
        file.text()
        if file.book is not None and file.game.source in ("domineering:4x4", "phantom-tic-tac-toe"):
            file.book.portfolio(game_of(file.game.source)).words()


def show_portfolio(content: bytes) -> None:
    path = at("p.json")
    path.write_bytes(content)
    quietly("show", str(path))
    quietly("book", "show", str(path), "--most", "5")


# Checkpoints


@cache
def checkpoint_bytes() -> bytes:
    rows = rows_from(some_games(400))
    save_checkpoint(Experience.of([[rows], [rows]], 800), at("whole.npz"), "mark")
    return at("whole.npz").read_bytes()


def checkpoint(draw) -> bytes:
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


def read_checkpoint(content: bytes) -> None:
    path = at("read.npz")
    path.write_bytes(content)
    with suppress(SeedfolioError):
        load_checkpoint(path, "mark")


# Studies


@cache
def study_bytes() -> bytes:
    path = at("whole.study")
    path.unlink(missing_ok=True)
    seeds = np.arange(4, dtype=np.uint64)
    request = Request(k=4, kt=4, opponents=17, learners=("nash",))
    row = {"name": "nash", "detail": "1+1", "group": "learner"}
    row["success"] = [{"mean": 0.5, "error": 0.1}] * 5
    data = {"title": "a title", "request": request.model_dump(), "rows": [row]}
    with Study.open(path, {"game": "domineering", "repeats": 1}) as study:
        rows, columns = np.meshgrid(seeds, seeds)
        study.record(rows.ravel(), columns.ravel(), np.ones(16, np.uint8))
        study.log_request(request.model_dump_json())
        study.save_portfolio("nash", portfolios()[0].decode())
        save_result(study, data, request)
    return path.read_bytes()


def study(draw) -> bytes:
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


def read_study(content: bytes) -> None:
    path = at("read.study")
    path.write_bytes(content)
    with suppress(SeedfolioError):
        export(path, at("out.csv"))
    quietly("show", str(path))


# Texts


SPECIFICATIONS = [
    """
[game]
name = "go"
board = 5
komi = 5.5
[player]
protocol = "gtp"
command = "bot --seed {seed} --level {level}"
setup = ["level {level}"]
[arms]
seeds = "0..99"
grid = { level = [1, 2, 3] }
[limits]
move = 3.0
[study]
k = 5
""",
    """
[game]
name = "domineering:4x4"
[player]
protocol = "uci"
command = ["bot", "{seed}"]
go = "depth 3"
options = { Hash = 1 }
""",
]


def toml(draw) -> bytes:
    text = draw.choice(SPECIFICATIONS)
    if draw.random() < 0.5:
        return bytes_from(draw, text.encode())
    changed = data_from(draw, tomllib.loads(text))
    lines = (f"{json.dumps(name)} = {_toml_text(value)}" for name, value in changed.items())
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def _toml_text(data) -> str:
    if isinstance(data, dict):
        return "{" + ", ".join(f"{json.dumps(k)} = {_toml_text(v)}" for k, v in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ", ".join(map(_toml_text, data)) + "]"
    return json.dumps(data, ensure_ascii=False)


def read_toml(content: bytes) -> None:
    path = at("e.toml")
    path.write_bytes(content)
    with suppress(SeedfolioError):
        read_specification(path)


GAME_WORDS = ["domineering", "hex", "havannah", "go", "atari-go", "phantom-go", "batoo", "nim"]
GAME_WORDS += ["pig", "chess", "breakthrough", ":", ",", "=", "4x4", "7x7", "5", "size", "komi"]
GAME_WORDS += ["x", "fen", "heaps", "base", "pawn_rows", "morra", "0", "99", ".py", "3.5"]
PLAYER_WORDS = ["uct", "rave", "flat", "table", "alphabeta", ":", ",", "=", "simulations", "100"]
PLAYER_WORDS += ["exploration", "playouts", "depth", "0", "-1", "1e9", "nan", ".py"]
LEARNER_WORDS = ["book", "nash", "sparse-nash", "auto", "halving", "exp3", "top", "gk", ":", ","]
LEARNER_WORDS += ["=", "books", "exploiters", "alpha", "behind", "0", "1", "16", "0.5", "nan", "-1"]


def short_form(draw) -> bytes:
    kind = draw.choice(["game", "player", "learner"])
    words = {"game": GAME_WORDS, "player": PLAYER_WORDS, "learner": LEARNER_WORDS}[kind]
    return f"{kind} {text_from(draw, words)}".encode("utf-8", "surrogatepass")


def read_short_form(content: bytes) -> None:
    kind, _, text = content.decode("utf-8", "surrogatepass").partition(" ")
    load = {"game": load_game, "player": load_player, "learner": find_learner}.get(kind, load_game)
    with suppress(SeedfolioError):
        load(text)


# Protocols


GTP_WORDS = [
    "play ",
    "b ",
    "w ",
    "genmove ",
    "a1",
    "C3",
    "pass",
    "undo",
    "boardsize ",
    "5",
    "komi ",
    "5.5",
    "clear_board",
    "showboard",
    "final_score",
    "list_commands",
    "1 ",
    "known_command ",
    "quit",
    "name",
    "version",
    "reg_genmove ",
    "black ",
    "time_left ",
    "# x",
    "loadsgf ",
]
UCI_WORDS = [
    "uci",
    "isready",
    "ucinewgame",
    "position ",
    "startpos ",
    "moves ",
    "go",
    " infinite",
    "stop",
    "setoption ",
    "name ",
    "value ",
    "Arm ",
    "Key ",
    "7",
    "195/3",
    "fen ",
    "d",
    "1",
    "ponderhit",
    "UCI_Variant ",
    "nim",
    " ",
    "3-1",
    "1-1",
]


def lines_of(words):
    def drawn(draw) -> bytes:
        lines = [text_from(draw, words, 4).replace("\n", " ") for _ in range(1 + draw.randrange(6))]
        return "\n".join(lines).encode("utf-8", "surrogatepass")

    return drawn


@cache
def gtp_engine():
    program = load_program("go:5x5", "table")
    return BuiltInEngine(Original(program)), go_board(program.game)


def answer_gtp(content: bytes) -> None:
    engine, board = gtp_engine()
    server = GtpServer(engine, board, key=7)
    for line in content.decode("utf-8", "replace").split("\n"):
        answer = server.answer(line + "\n")
        if answer is not None:
            assert answer[0] in "=?"
            assert answer.endswith("\n\n")


@cache
def uci_engine():
    return BuiltInEngine(Original(load_program("nim", "table")))


def answer_uci(content: bytes) -> None:
    said: list[str] = []
    server = UciServer(lambda arm: _with_arm(arm), ("nim",), said.append, "", 7)
    lines = content.decode("utf-8", "replace").split("\n")
    server.serve([f"{line}\n" for line in lines])
    assert all(plain(line) == line for line in said)


def _with_arm(arm: str):
    from seedfolio.serving.serve import _with_arm as chosen

    return BuiltInEngine(chosen(uci_engine().opponent, arm)) if arm else uci_engine()


TARGETS = {
    "portfolio": (portfolio, read_portfolio),
    "show": (portfolio, show_portfolio),
    "checkpoint": (checkpoint, read_checkpoint),
    "study": (study, read_study),
    "toml": (toml, read_toml),
    "short form": (short_form, read_short_form),
    "gtp": (lines_of(GTP_WORDS), answer_gtp),
    "uci": (lines_of(UCI_WORDS), answer_uci),
}
"""By name: draws an input from a random.Random, and judges it."""
