"""What the commands print fits a terminal of 80 columns."""

from io import StringIO

import pytest
import typer
from rich.console import Console

from seedfolio.cli import app
from seedfolio.cli.application import run
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.progress import TerminalProgress
from seedfolio.report.table import Row, success_table

WIDTH = 80


def commands(group, words=()):
    yield words
    for name, command in getattr(group, "commands", {}).items():
        yield from commands(command, (*words, name))


def test_help_and_catalogues_fit_and_cut_nothing(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    helps = [[*words, "--help"] for words in commands(typer.main.get_command(app))]
    for words in [*helps, ["games"], ["players"], ["learners"]]:
        assert run(words) == 0
        text = capsys.readouterr().out
        assert max(map(len, text.splitlines())) <= WIDTH, words
        assert "..." not in text.partition("\nCommands:")[2]
        assert "…" not in text


@pytest.mark.parametrize("best_response", [None, 0.3])
def test_a_table_fits_and_keeps_its_names_and_numbers(best_response):
    name, success = "auto:exploiters=16,arms=200", Estimate(1.0, 0.1)
    row = Row(name, "1500+1409", [success] * 5, "learner", best_response)
    file = StringIO()
    table = success_table("a game", [row], caption="what it means " * 20)
    Console(file=file, width=WIDTH).print(table)
    text = file.getvalue()
    assert max(map(len, text.splitlines())) <= WIDTH
    assert text.count("100.0±10.0") == 5
    assert "…" not in text
    lines = [line for line in text.splitlines() if not line.startswith(("what", "it", "means"))]
    assert name in "".join(line.split("  ")[0].strip() for line in lines).replace(" ", "")


def test_a_bar_is_one_line_that_fits():
    for name, games in (("nash", 1), ("auto:exploiters=16,arms=200 against unseen", 123_456_789)):
        file = StringIO()
        progress = TerminalProgress(Console(file=file, width=WIDTH))
        progress.begin(name, games)
        progress.advance(games)
        progress.end()
        (line,) = file.getvalue().splitlines()
        assert len(line.rstrip()) <= WIDTH
        assert line.startswith(name[:12])
        assert f"{games:,}/{games:,} games" in line
        assert "taken" in line
