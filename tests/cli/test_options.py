"""A command takes the parameters of the function that it calls, with the same defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

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

each = pytest.mark.parametrize("place", FUNCTIONS)


def function_at(place: str) -> Callable[..., Any]:
    module, _, name = place.rpartition(".")
    found: Callable[..., Any] = getattr(import_module(f"seedfolio.{module}"), name)
    return found


@each
def test_the_source_says_what_an_import_would(place: str) -> None:
    real, read = function_at(place), heading(place)
    assert getattr(seedfolio, place.rpartition(".")[2]) is real, "it is public"
    assert inspect.getdoc(read) == inspect.getdoc(real)
    expected = inspect.signature(real).parameters
    found = inspect.signature(read).parameters
    assert list(found) == list(expected)
    for name, parameter in expected.items():
        assert found[name].kind is parameter.kind
        assert found[name].annotation == parameter.annotation
        literal = isinstance(parameter.default, bool | int | float | str | type)
        assert found[name].default == (parameter.default if literal else plain(parameter.default))


def plain(default: Any) -> Any:
    """Return what the source shows of a default that is not a number or a text."""
    return () if default == () else None


@each
def test_every_parameter_is_described(place: str) -> None:
    texts = descriptions(place)
    assert texts.keys() == inspect.signature(heading(place)).parameters.keys()
    for text in texts.values():
        assert text[0].isupper() or text.startswith("table3")
        assert text.endswith(".")


def commands(group: Any) -> dict[str, Any]:
    """Return every command with its options, by name."""
    found = {}
    for name, listed in group.commands.items():
        if hasattr(listed, "commands"):
            found |= {f"{name} {inner}": made for inner, made in commands(listed).items()}
        else:
            found[name] = listed.callback()
    return found


COMMANDS = commands(typer.main.get_command(app))


def test_every_option_has_a_help_text() -> None:
    assert all(each.help for command in COMMANDS.values() for each in command.params)


@pytest.mark.parametrize("name", WORDS)
def test_every_parameter_is_an_option(name: str) -> None:
    options = {each.name for each in COMMANDS[name.replace("_", "-")].params}
    parameters = inspect.signature(getattr(seedfolio, name)).parameters.keys() - _FOR_PYTHON
    assert parameters <= options
    assert options - parameters <= {"quiet", "as_json", "plot", "plots", "markdown"}


class CalledError(Exception):
    pass


@pytest.mark.parametrize("name", WORDS)
def test_a_command_without_options_calls_with_the_defaults(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = inspect.signature(getattr(seedfolio, name))
    calls: list[inspect.BoundArguments] = []

    def note_call(*arguments: Any, **named: Any) -> None:
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
