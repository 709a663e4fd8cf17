"""A little of `make fuzz` in every run of the tests, and whatever it once found."""

import gzip
import json
import os
import signal
import time
from dataclasses import replace

import pytest
from file_targets import portfolios
from judging import CORPUS, MOST_SECONDS, OLD, at, quietly
from sparing import levels
from stranger_grammar import COMMANDS, EVIL_FILES
from stranger_host import Host
from targets import TARGETS, drawn, fault_of
from waiting import PATIENCE
from workers import Campaign

from seedfolio.core.trust import Claim

NUMBERS = {"portfolio": 200, "show": 30, "checkpoint": 150, "study": 25, "toml": 300}
NUMBERS |= {"short form": 300, "gtp": 150, "uci": 100, "stranger": 40}
"""How many inputs are tried here."""
COMPILING = ("gtp", "uci")


@levels("name", slow=[name for name in TARGETS if name not in COMPILING], long=COMPILING)
def test_drawn_inputs(name):
    judge = TARGETS[name].judge
    TARGETS[name].warm()
    faults = {n: fault_of(judge, drawn(name, n)) for n in range(NUMBERS[name])}
    assert not {number: fault for number, fault in faults.items() if fault}


def test_an_input_is_drawn_from_its_number_and_faults_are_seen():
    assert [drawn("portfolio", n) for n in range(9)] == [drawn("portfolio", n) for n in range(9)]
    assert "KeyError" in fault_of(lambda content: {}[content], b"")
    assert fault_of(lambda content: None, b"") == ""


def test_an_input_that_ends_its_worker_is_noted(tmp_path, monkeypatch):
    def judge(content):
        if content == drawn("toml", 3):
            os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setitem(TARGETS, "toml", replace(TARGETS["toml"], judge=judge))
    campaign = Campaign({"toml": 9}, 2, 0, tmp_path)
    campaign.run(time.monotonic() + PATIENCE)
    found = campaign.summary()
    assert (found["inputs"], found["faults"], found["workers_ended_by_an_input"]) == (9, 1, 1)
    assert (tmp_path / "toml-3").read_bytes() == drawn("toml", 3)


def hostile(command, **changes):
    data = json.loads(portfolios()[-1])
    for name, change in changes.items():
        data[name] = data[name] | change if name == "game" else change
    files = {"p.json": {"data": data}, **EVIL_FILES}
    return json.dumps({"files": files, "words": [command, "p.json"], "typed": "quit\n"}).encode()


def engine():
    player = {"protocol": "uci", "command": COMMANDS[1], "go": "x"}
    tables = {"game": {"name": "domineering:4x4"}, "player": player}
    about = {"file": "x.toml", "digest": "RIGHT", "identity": "it", "arms": {}}
    arms = {"first": {"0": 1.0}, "second": {"0": 1.0}}
    return {"engine": {**about, "specification": tables}, "book": None, **arms}


@pytest.mark.parametrize(
    ("content", "all_seen"),
    [
        (hostile("uci", **engine()), ["canary"]),
        (hostile("play", game={"source": "evil.py"}), ["canary", "compile"]),
    ],
)
def test_what_runs_is_seen(content, all_seen, monkeypatch):
    """The harness itself: without the check of trust, all that a stranger names would run."""
    assert fault_of(judge_alone, content) == ""
    monkeypatch.setattr(Claim, "holds", True)
    fault = fault_of(judge_alone, content)
    assert all(seen in fault for seen in all_seen)


def judge_alone(content):
    host = Host()
    try:
        host.judge(content, MOST_SECONDS)
    finally:
        host.close()


FOUND = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_stays_corrected(path):
    judge = TARGETS[path.parent.name.replace("-", " ")].judge
    assert fault_of(judge, path.read_bytes()) == ""


def test_a_compressed_portfolio_that_is_changed():
    whole = gzip.compress((OLD / "perfect-2.json").read_bytes())
    for number in range(0, len(whole), 97):
        changed = bytearray(whole)
        changed[number] ^= 0x55
        at("p.json.gz").write_bytes(changed)
        quietly("show", str(at("p.json.gz")))
