"""A command takes the parameters of the function that it calls, with the same defaults."""

import inspect
from importlib import import_module

import pytest
import typer

import seedfolio
from seedfolio.cli import app, run
from seedfolio.cli.command import _FOR_PYTHON, _functions, descriptions, heading

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
