"""A command and the function of its name: the same parameters, the same defaults."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

import seedfolio
from seedfolio.boosting import boost, compare, online, plan
from seedfolio.cli import app, run
from seedfolio.matches import match, worth
from seedfolio.papers import run as papers_run

HOMES = {"boost": boost, "compare": compare, "plan": plan, "online": online}
HOMES |= {"reproduce": papers_run, "match": match, "worth": worth}
WORDS = dict.fromkeys(HOMES, "nim") | {"online": "a.study", "reproduce": "table3"}
WORDS["worth"] = "a.json"
OTHER_NAMES = {"learner": "learners", "board": "boards", "as_paper": "paper"}
"""Options that are given once for each of several have the singular."""
ABOUT_OUTPUT = {"quiet", "as_json", "plot", "plots", "markdown"}
FOR_PYTHON = {"progress", "note"}

each = pytest.mark.parametrize("name", HOMES)


def function_of(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(seedfolio, name)
    return found


def command_of(name: str) -> Callable[..., Any]:
    (found,) = (
        each.callback
        for each in app.registered_commands
        if each.callback is not None and each.callback.__name__ == name
    )
    return found


def defaults(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the defaults by name; of what must be given, that there is none."""
    return {name: each.default for name, each in inspect.signature(function).parameters.items()}


def plain(default: Any) -> Any:
    """Return None for what is empty: an option that may be repeated was not given."""
    return None if isinstance(default, tuple | list | dict) and not default else default


@each
def test_every_option_is_a_parameter_and_the_other_way_round(name: str) -> None:
    options = {OTHER_NAMES.get(each, each) for each in defaults(command_of(name))} - ABOUT_OUTPUT
    assert options == defaults(function_of(name)).keys() - FOR_PYTHON


@each
def test_the_defaults_are_the_same(name: str) -> None:
    of_function = defaults(function_of(name))
    compared = 0
    for option, default in defaults(command_of(name)).items():
        parameter = OTHER_NAMES.get(option, option)
        if option in ABOUT_OUTPUT:
            continue
        if (name, option) == ("compare", "learner"):
            assert default is None  # and the command takes those of the function, see below
            continue
        assert plain(default) == plain(of_function[parameter]), option
        compared += 1
    assert compared > 5


class CalledError(Exception):
    pass


@each
def test_a_command_without_options_calls_with_the_defaults(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    signature = inspect.signature(function_of(name))
    calls: list[inspect.BoundArguments] = []

    def note_call(*arguments: Any, **named: Any) -> None:
        calls.append(signature.bind(*arguments, **named))
        raise CalledError

    monkeypatch.setattr(HOMES[name], name, note_call)
    with pytest.raises(CalledError):
        run([name, WORDS[name], *([] if name == "plan" else ["--quiet"])])
    (call,) = calls
    given = call.arguments
    assert given.keys() == signature.parameters.keys()
    for parameter, described in signature.parameters.items():
        if described.kind is described.VAR_POSITIONAL:
            assert given[parameter] == (WORDS[name],)
        elif described.default is described.empty:
            assert str(given[parameter]) == WORDS[name]
        elif parameter == "progress":
            assert given[parameter] is False  # which is what --quiet means
        elif parameter != "note":
            assert plain(given[parameter]) == plain(described.default), parameter
