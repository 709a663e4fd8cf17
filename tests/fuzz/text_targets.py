"""Texts that are fuzzed: engine files, short forms, and dialogues in GTP and UCI."""

import json
import tomllib
from contextlib import suppress
from functools import cache
from pathlib import Path

from judging import WORDS, at
from mutations import bytes_from, data_from, text_from, toml_value

from seedfolio import Opponent, SeedfolioError, load_game, load_player, load_program
from seedfolio.core.plain_text import plain
from seedfolio.engines.specification.specification import read_specification
from seedfolio.learning.registry import find_learner
from seedfolio.protocols.gtp import GtpServer, go_board
from seedfolio.protocols.uci import UciServer

SPECIFICATIONS = [path.read_text() for path in sorted(Path(__file__).parent.glob("engine-*.toml"))]


def toml(draw):
    text = draw.choice(SPECIFICATIONS)
    if draw.random() < 0.5:
        return bytes_from(draw, text.encode())
    changed = data_from(draw, tomllib.loads(text))
    lines = (f"{json.dumps(name)} = {toml_value(value)}" for name, value in changed.items())
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def read_toml(content):
    path = at("e.toml")
    path.write_bytes(content)
    with suppress(SeedfolioError):
        read_specification(path)


def short_form(draw):
    kind = draw.choice(["game", "player", "learner"])
    return f"{kind} {text_from(draw, WORDS[kind])}".encode("utf-8", "surrogatepass")


def read_short_form(content):
    kind, _, text = content.decode("utf-8", "surrogatepass").partition(" ")
    load = {"game": load_game, "player": load_player, "learner": find_learner}.get(kind, load_game)
    with suppress(SeedfolioError):
        load(text)


def lines_of(name):
    def drawn(draw):
        lines = (text_from(draw, WORDS[name], 4) for _ in range(1 + draw.randrange(6)))
        text = "\n".join(line.replace("\n", " ") for line in lines)
        return text.encode("utf-8", "surrogatepass")

    return drawn


@cache
def gtp_engine():
    program = load_program("go:5x5", "table")
    return Opponent(program), go_board(program.game)


def answer_gtp(content):
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


def answer_uci(content):
    said = []
    server = UciServer(uci_engine(), ("nim",), said.append, "", 7)
    lines = content.decode("utf-8", "replace").split("\n")
    server.serve([f"{line}\n" for line in lines])
    assert all(plain(line) == line for line in said)
