"""What files, engines and users say is printed without control characters."""

import io
import json
from pathlib import Path

import pytest
from rich.table import Table

from seedfolio import Opponent, Study, load_portfolio, load_program
from seedfolio.boosting.request import Request
from seedfolio.boosting.saved import save_result
from seedfolio.cli import run
from seedfolio.core.plain_text import is_plain, plain, plain_console
from seedfolio.protocols.uci import UciServer
from seedfolio.report.screen import Screen

OLD = Path(__file__).parents[1] / "book" / "old_files" / "perfect-2.json"
ESCAPES = "\x1b[2J\x1b]0;title\x07\x9b31m\u202e\x7f\r"


def test_plain():
    assert plain("a\tb\nc é ± 🙂") == "a\tb\nc é ± 🙂"
    assert set(plain(ESCAPES)) - set("[2J]0;title31m") == {"\ufffd"}
    assert not is_plain("a\n")
    assert not is_plain(ESCAPES)


@pytest.mark.parametrize("words", ["boost", "play", "boost nim -l", "-x"])
def test_messages_echo_no_escapes(words, capsys):
    assert run([*words.split(), f"x{ESCAPES}y"]) == 2
    out, err = capsys.readouterr()
    assert (plain(out + err), err.count("\n")) == (out + err, 1)


@pytest.mark.parametrize(("part", "name"), [("game", "name"), ("player", "source")])
def test_portfolios_have_plain_names(part, name, tmp_path, capsys):
    data = json.loads(load_portfolio(OLD).text())
    data[part][name] = f"x{ESCAPES}"
    (tmp_path / "p.json").write_text(json.dumps(data))
    assert run(["show", str(tmp_path / "p.json")]) == 2
    err = capsys.readouterr().err
    assert "control character" in err
    assert plain(err) == err


def test_a_study_is_shown_without_escapes(tmp_path, capsys):
    request = Request(k=4, kt=4, opponents=17, learners=("nash",))
    row = {"name": f"nash{ESCAPES}", "detail": ESCAPES, "group": "learner"}
    row["success"] = [{"exploiter": each, "mean": 0.5, "error": 0.1} for each in (1, 2, 4)]
    data = {"title": f"t{ESCAPES}", "request": request.model_dump(), "rows": [row]}
    with Study.open(tmp_path / "a.study", {"game": ESCAPES}) as study:
        save_result(study, data, request)
    for words in ([], ["--markdown"], ["--json"]):
        assert run(["show", str(tmp_path / "a.study"), *words]) == 0
        out, err = capsys.readouterr()
        assert plain(out + err) == out + err


def test_tables_keep_what_rich_adds():
    console = plain_console()
    console.file = io.StringIO()
    console._force_terminal = True
    table = Table("head\x1b[31m")
    table.add_row("cell\x07\x9b")
    console.print(table, style="red")
    text = console.file.getvalue()
    assert "\x1b[31mhead" not in text
    assert "\x07" not in text
    assert "\x9b" not in text
    assert "\ufffd[31m" in text


def test_uci_echoes_no_escapes():
    said = []
    server = UciServer(Opponent(load_program("nim", "table")), ("nim",), said.append)
    server.serve([f"{ESCAPES} x\n", f"setoption name {ESCAPES}\n", f"position {ESCAPES}\n"])
    assert len(said) == 3
    assert all(plain(line) == line for line in said)


def test_a_game_in_the_terminal_keeps_only_the_colours_of_its_board(capsys):
    Screen(colours=True).put(f"\x1b[1;34mX\x1b[0m{ESCAPES}\x1b[8m")
    Screen().put("\x1b[1;34mX\x1b[0m")
    out = capsys.readouterr().out
    assert out.startswith("\x1b[1;34mX\x1b[0m\ufffd[2J")
    assert out.count("\x1b") == 2


@pytest.mark.parametrize("command", [["play"], ["teach", "--name", "Ann"]])
def test_odd_words_that_are_typed(command, monkeypatch, capsys, tmp_path):
    """Escapes come back as marks; bytes that are no text are no move."""
    monkeypatch.chdir(tmp_path)
    typed = f"a1{ESCAPES}\n".encode() + b"\xff\xfe\xed\xa0\x80\nquit\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8"))
    assert run([*command, "nim", "-p", "table"]) == 0
    out, err = capsys.readouterr()
    assert plain(out + err) == out + err
    assert "your move> " in out
