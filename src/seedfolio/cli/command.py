"""A command takes its options from the public function that it calls.

Names, types and defaults follow from the signature, help texts from the lines under `Args:` in the
docstring. Both are read from the source: an import of the function takes a second, and neither
`--help` nor a wrong option should wait for it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar

import typer
from typer.core import TyperCommand, TyperOption

from seedfolio.cli.application import app, flag_of, new_group, with_flags
from seedfolio.errors import SpecificationError

_PACKAGE = Path(__file__).parents[1]
_FOR_PYTHON = {"learner", "note", "progress", "say", "settings", "stop"}
"""Parameters that are not options: a command sets them itself, or leaves them out."""
_TYPES = {"Path": Path, "str": str, "bool": bool, "int": int, "float": float}
"""What a word can become. A parameter that takes several of them gets the first."""
_LIST = re.compile(r"(?:Sequence|tuple)\[(\w+)(?:, \.\.\.)?\]|Mapping\[(str), int\]")
_ARGS = re.compile(r"^Args:\n((?: {4}.*\n?)+)", re.MULTILINE)
_LINE = re.compile(r"^ {4}(\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)
_WITH_DEFAULT = re.compile(r"(.*) \(default: (.*)\)\.")
_functions: dict[str, str] = {}
"""By name: the places of the functions that commands call."""
Body = TypeVar("Body", bound=Callable[..., None])


class Written(TypedDict, total=False):
    """What the command line adds to a parameter."""

    also: tuple[str, ...]
    """More flags than its name."""
    metavar: str
    min: int
    max: int
    type: type[str]
    """What it becomes, instead of what its annotation says."""


_COMMON: dict[str, Written] = {
    "arena": {"metavar": "<auto|threads|cuda|ray>"},
    "key": {"min": 0, "max": 2**64 - 1},
    "learners": {"also": ("-l",)},
    "player": {"also": ("-p",)},
}
"""What it adds to the parameters of many functions."""


@dataclass(frozen=True)
class Call:
    """A public function with what a user typed, ready to be called."""

    function: str
    """Its place in the package, such as `boosting.boost.boost`."""
    words: tuple[str, ...]
    """For a function that takes any number of arguments."""
    given: dict[str, Any]
    """The other arguments by name: typed, or known from the signature."""

    def __call__(self, **more: Any) -> Any:
        """Import the function and call it, with `more` arguments than the user typed."""
        module, _, name = self.function.rpartition(".")
        function = getattr(import_module(f"seedfolio.{module}"), name)
        return function(*self.words, **{**self.given, **more})


def command(function: str, group: typer.Typer = app, **written: Written) -> Callable[[Body], Body]:
    """Make a command of a function that takes a `Call`, and the options of the command alone.

    `function` is the place of the public function, such as `boosting.boost.boost`. `written` is
    what the command line adds to its parameters.
    """
    _functions[function.rpartition(".")[2]] = function

    def add(body: Body) -> Body:
        def make() -> Any:
            alone = new_group()
            taking = _with_options(body, function, written)
            alone.command(help=body.__doc__, cls=_EachOnce)(taking)
            return typer.main.get_command(alone)

        name = body.__name__.replace("_", "-")
        group.command(name, cls=_Listed, help=body.__doc__)(make)
        return body

    return add


class _Listed(TyperCommand):
    """A command as `seedfolio --help` lists it. Its callback makes the command with its options."""

    def make_context(self, *arguments: Any, **named: Any) -> Any:
        """Leave the rest to the command with its options."""
        assert self.callback is not None
        return self.callback().make_context(*arguments, **named)


class _EachOnce(TyperCommand):
    """A command that refuses a value given twice, where Typer would take the last one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; SpecificationError if an option for one value has two."""
        _, _, met = self.make_parser(ctx).parse_args(args=[*args])
        for each in met:
            several = each.multiple or each.is_flag if isinstance(each, TyperOption) else True
            if not several and met.count(each) > 1:
                raise SpecificationError(f"{each.opts[0]} takes one value; give it once")
        return super().parse_args(ctx, args)


def _with_options(
    body: Callable[..., None], function: str, written: dict[str, Written]
) -> Callable[..., None]:
    """Return what Typer makes a command of: it takes the options of the function and the body."""
    _, *own = (
        each.replace(kind=Parameter.KEYWORD_ONLY)
        for each in inspect.signature(body, eval_str=True).parameters.values()
    )
    left_out = _FOR_PYTHON | {each.name for each in own}
    parameters = inspect.signature(heading(function)).parameters
    taken = [each for name, each in parameters.items() if name not in left_out]
    options = [
        _option(
            each,
            descriptions(function).get(each.name, ""),
            {**_COMMON, **written}.get(each.name, {}),
            is_first=each is next(iter(parameters.values())),
        )
        for each in taken
    ]

    def run(**given: Any) -> None:
        of_body = {each.name: given.pop(each.name) for each in own}
        words = [given.pop(each.name) for each in taken if each.kind is Parameter.VAR_POSITIONAL]
        typed = {name: value for name, value in given.items() if value is not None}
        body(Call(function, tuple(*words), typed), **of_body)

    run.__signature__ = inspect.Signature([*options, *own])  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in [*options, *own]}
    return run


def _option(parameter: Parameter, text: str, written: Written, *, is_first: bool) -> Parameter:
    """Return a parameter of a public function as Typer takes it.

    The first and those without a default are arguments, unless they are given by name alone.
    """
    default = parameter.default
    by_name = parameter.kind is Parameter.KEYWORD_ONLY
    described = _WITH_DEFAULT.fullmatch(text)
    words = f"{described[1]}." if described else text
    common: dict[str, Any] = {
        "help": with_flags(words.replace(", or several", "; repeat the option for several")),
        "show_default": with_flags(described[2]) if described else True,
        "metavar": written.get("metavar"),
        "min": written.get("min"),
        "max": written.get("max"),
    }
    if not by_name and (is_first or default is Parameter.empty):
        info = typer.Argument(**common)
    else:
        info = typer.Option(flag_of(parameter.name), *written.get("also", ()), **common)
    taken = written.get("type") or _type(parameter)
    return Parameter(
        parameter.name,
        Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[taken | None if default is None else taken, info],
    )


def _type(parameter: Parameter) -> Any:
    """Return what the command line takes for a parameter."""
    if parameter.kind is Parameter.VAR_POSITIONAL:
        return list[str]
    names = parameter.annotation.split(" | ")
    for found in filter(None, map(_LIST.fullmatch, names)):
        return list[_TYPES[found[1] or found[2]]]  # type: ignore[misc]  # a type when it runs
    return next((known for name, known in _TYPES.items() if name in names), str)


@cache
def heading(function: str) -> Callable[..., None]:
    """Return a public function without its body, from its source.

    Its annotations are texts. Its defaults are literals; any other is None.
    """
    module, _, name = function.rpartition(".")
    path = _PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = (n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    found.body, found.decorator_list, found.returns = found.body[:1], [], None
    for defaults in (found.args.defaults, found.args.kw_defaults):
        for place, default in enumerate(defaults):
            if default is not None and not _is_literal(default):
                defaults[place] = ast.copy_location(ast.Constant(None), default)
    only: dict[str, Callable[..., None]] = {}
    code = compile(
        ast.Module([found], []), str(path), "exec", annotations.compiler_flag, optimize=0
    )
    exec(code, only)
    return only[name]


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except ValueError:
        return False
    return True


def descriptions(function: str) -> dict[str, str]:
    """Return what the docstring of a public function says about each parameter."""
    section = _ARGS.search(inspect.getdoc(heading(function)) or "")
    found = {
        name: " ".join(text.split()) for name, text in _LINE.findall(section[1] if section else "")
    }
    for name, text in found.items():
        if other := re.fullmatch(r"As in `(\w+)`\.", text):
            found[name] = descriptions(_functions[other[1]])[name]
    return found
