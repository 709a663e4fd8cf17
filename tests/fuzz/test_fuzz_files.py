"""A little of `make fuzz` in every run of the tests, and whatever it once found."""

import gzip

import pytest
from campaign import drawn, fault_of
from file_targets import read_portfolio
from hypothesis import given, settings
from hypothesis import strategies as st
from judging import CORPUS, OLD, at, quietly
from targets import TARGETS
from text_targets import read_short_form, read_toml

NUMBERS = {
    "portfolio": 300,
    "show": 40,
    "checkpoint": 300,
    "study": 60,
    "toml": 400,
    "short form": 400,
    "gtp": 150,
    "uci": 100,
    "command": 100,
}
"""How many inputs are tried here."""


def one_in_tests():
    """Return the targets; those that compile a game of their own are for `make test-long`."""
    long = ("gtp", "uci", "command")
    return [pytest.param(n, marks=pytest.mark.long) if n in long else n for n in TARGETS]


@pytest.mark.slow
@pytest.mark.parametrize("name", one_in_tests())
def test_drawn_inputs(name):
    judge = TARGETS[name].judge
    faults = {n: fault_of(judge, drawn(name, n)) for n in range(NUMBERS[name])}
    assert not {number: fault for number, fault in faults.items() if fault}


def test_an_input_is_drawn_from_its_number():
    assert [drawn("portfolio", n) for n in range(9)] == [drawn("portfolio", n) for n in range(9)]


def test_faults_are_seen():
    """The harness itself: an error of another kind, and text that controls a terminal."""

    def raises(content):
        raise KeyError("x")

    assert "KeyError" in fault_of(raises, b"")
    assert fault_of(lambda content: None, b"") == ""


FOUND = sorted(path for path in CORPUS.glob("*/*") if path.is_file())


@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_found_stays_corrected(path):
    judge = TARGETS[path.parent.name.replace("-", " ")].judge
    assert fault_of(judge, path.read_bytes()) == ""


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(content):
    read_portfolio(content)
    read_toml(content)


@settings(max_examples=100, deadline=None)
@given(st.recursive(st.none() | st.integers() | st.text(), st.lists), st.text())
def test_any_plain_data(data, text):
    from mutations import json_of

    read_portfolio(json_of(data))
    read_portfolio(json_of({"format": "seedfolio portfolio", "schema_version": 2, text: data}))


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(["game", "player", "learner"]), st.text(max_size=60))
def test_any_text(kind, text):
    read_short_form(f"{kind} {text}".encode("utf-8", "surrogatepass"))


def test_a_compressed_portfolio_that_is_changed():
    whole = gzip.compress((OLD / "perfect-1.json").read_bytes())
    for number in range(0, len(whole), 97):
        changed = bytearray(whole)
        changed[number] ^= 0x55
        at("p.json.gz").write_bytes(changed)
        quietly("show", str(at("p.json.gz")))
