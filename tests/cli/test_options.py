"""Commands take the parameters and defaults of their functions; what they print fits a terminal."""

import inspect
from importlib import import_module
from io import StringIO

import pytest
import typer
from rich.console import Console

import seedfolio
from seedfolio.cli import app, run
from seedfolio.cli.command import _FOR_PYTHON, _functions, descriptions, heading
from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.progress import TerminalProgress
from seedfolio.report.table import Row, success_table

FUNCTIONS = sorted(_functions.values())
WORDS = dict.fromkeys(("boost", "compare", "plan", "match"), "nim") | {
    "online": "a.study",
    "cross_validate": "a.study",
    "reproduce": "table3",
    "worth": "a.json",
}
"""A first argument of some commands; all but `plan` take --quiet."""


@pytest.mark.parametrize("place", FUNCTIONS)
def test_the_source_says_what_an_import_would_and_describes_it(place):
    module, _, name = place.rpartition(".")
    real, read = getattr(import_module(f"seedfolio.{module}"), name), heading(place)
    assert getattr(seedfolio, name) is real, "it is public"
    assert inspect.getdoc(read) == inspect.getdoc(real)
    expected = inspect.signature(real).parameters
    found = inspect.signature(read).parameters
    assert list(found) == list(expected)
    for name, parameter in expected.items():
        assert found[name].kind is parameter.kind
        assert found[name].annotation == parameter.annotation
        literal = isinstance(parameter.default, bool | int | float | str | type)
        other = () if parameter.default == () else None  # what the source shows
        assert found[name].default == (parameter.default if literal else other)
    texts = descriptions(place)
    assert list(texts) == list(expected)
    for text in texts.values():
        assert text[0].isupper() or text.startswith("table3")
        assert text.endswith(".")


def commands(group):
    found = {}
    for name, listed in group.commands.items():
        if hasattr(listed, "commands"):
            found |= {f"{name} {inner}": made for inner, made in commands(listed).items()}
        else:
            found[name] = listed.callback()
    return found


COMMANDS = commands(typer.main.get_command(app))


def test_every_option_has_a_help_text():
    assert all(each.help for command in COMMANDS.values() for each in command.params)


@pytest.mark.parametrize("name", WORDS)
def test_every_parameter_is_an_option(name):
    options = {each.name for each in COMMANDS[name.replace("_", "-")].params}
    parameters = inspect.signature(getattr(seedfolio, name)).parameters.keys() - _FOR_PYTHON
    assert parameters <= options
    assert options - parameters <= {
        *("quiet", "as_json", "plot", "plots", "markdown", "table", "listed")
    }


class CalledError(Exception):
    pass


@pytest.mark.parametrize("name", WORDS)
def test_without_options_the_defaults_are_taken(name, monkeypatch):
    signature = inspect.signature(getattr(seedfolio, name))
    calls: list[inspect.BoundArguments] = []

    def note_call(*arguments, **named):
        calls.append(signature.bind(*arguments, **named))
        raise CalledError

    monkeypatch.setattr(f"seedfolio.{_functions[name]}", note_call)
    with pytest.raises(CalledError):
        run([name.replace("_", "-"), WORDS[name], *([] if name == "plan" else ["--quiet"])])
    (call,) = calls
    call.apply_defaults()
    for parameter, described in signature.parameters.items():
        given = call.arguments[parameter]
        if described.kind is described.VAR_POSITIONAL:
            assert given == (WORDS[name],)
        elif described.default is described.empty:
            assert str(given) == WORDS[name]
        elif parameter == "progress":
            assert given is False  # which is what --quiet means
        elif parameter != "note":
            assert given == described.default or not (given or described.default), parameter


WIDTH = 80


def words_of_commands(group, words=()):
    yield words
    for name, command in getattr(group, "commands", {}).items():
        yield from words_of_commands(command, (*words, name))


def test_help_and_catalogues_fit_and_cut_nothing(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", str(WIDTH))
    helps = [[*words, "--help"] for words in words_of_commands(typer.main.get_command(app))]
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
