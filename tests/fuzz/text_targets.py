"""Texts that are fuzzed: engine files, short forms, and dialogues in GTP and UCI."""

import json
import tomllib
from contextlib import suppress
from functools import cache

from judging import at
from mutations import bytes_from, data_from, text_from, toml_value

from seedfolio.core.plain_text import plain
from seedfolio.engines.specification.specification import read_specification
from seedfolio.errors import SeedfolioError
from seedfolio.games import load_game
from seedfolio.learning.registry import find_learner
from seedfolio.opponents.opponent import Opponent
from seedfolio.players import load_player
from seedfolio.programs.load import load_program
from seedfolio.protocols.gtp import GtpServer, go_board
from seedfolio.protocols.uci import UciServer

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
    lines = (f"{json.dumps(name)} = {toml_value(value)}" for name, value in changed.items())
    return "\n".join(lines).encode("utf-8", "surrogatepass")


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
    *("play ", "b ", "w ", "genmove ", "a1", "C3", "pass", "undo", "boardsize ", "5", "komi "),
    *("5", "5.5", "clear_board", "showboard", "final_score", "list_commands", "1 ", "quit"),
    *("known_command ", "name", "version", "reg_genmove ", "black ", "time_left ", "# x"),
    "loadsgf ",
]
UCI_WORDS = [
    *("uci", "isready", "ucinewgame", "position ", "startpos ", "moves ", "go", " infinite"),
    *("stop", "setoption ", "name ", "value ", "Arm ", "Key ", "7", "195/3", "fen ", "d", "1"),
    *("1", "ponderhit", "UCI_Variant ", "nim", " ", "3-1", "1-1"),
]


def lines_of(words):
    def drawn(draw) -> bytes:
        lines = [text_from(draw, words, 4).replace("\n", " ") for _ in range(1 + draw.randrange(6))]
        return "\n".join(lines).encode("utf-8", "surrogatepass")

    return drawn


@cache
def gtp_engine():
    program = load_program("go:5x5", "table")
    return Opponent(program), go_board(program.game)


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
    return Opponent(load_program("nim", "table"))


def answer_uci(content: bytes) -> None:
    said: list[str] = []
    server = UciServer(uci_engine(), ("nim",), said.append, "", 7)
    lines = content.decode("utf-8", "replace").split("\n")
    server.serve([f"{line}\n" for line in lines])
    assert all(plain(line) == line for line in said)
