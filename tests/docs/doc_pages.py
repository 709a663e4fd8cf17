"""The documentation as data: its pages, their fenced blocks, the sessions that they show.

What a fence means:

* ``console``: a session; ``$ `` begins a command, below it is what it prints to standard output;
* ``python``: a program; an ``output`` block right below it is what it prints;
* ``sh``: commands for the reader to type, too long or too far-reaching to run here.

A line ``...`` in printed text stands for any number of lines.
"""

import inspect
import re
import shlex
from dataclasses import dataclass
from inspect import Parameter
from pathlib import Path

import seedfolio

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
_RUN = (
    "tutorial",
    "tutorial-researchers",
    "learners",
    "numbers",
    "notes/overfitting",
    "files",
    "api",
    "matrices",
    "add-a-learner",
    "match",
    "seats",
    "book",
    "engine",
    "exploit",
    "tune",
    "web",
)
RUN = [ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in _RUN)]
"""The pages whose sessions and programs are run as written."""

CONSTANTS = {"CHANCE": "The mover where a die is rolled", "__version__": "The version of Seedfolio"}
"""Values that have no docstring; docs/api.md shows them in use."""
PROMPT = "your move> "
_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    kind: str
    text: str
    line: int


@dataclass(frozen=True)
class Step:
    """Something to run and what it must print; `printed` is None where the page does not say."""

    kind: str
    """`command` or `python`."""
    text: str
    printed: str | None
    line: int

    @property
    def typed(self):
        lines = (self.printed or "").splitlines()
        return "".join(f"{t.removeprefix(PROMPT)}\n" for t in lines if t.startswith(PROMPT))

    @property
    def without_echo(self):
        """What is printed where input does not come from a terminal, which would echo it."""
        return re.sub(rf"^({re.escape(PROMPT)}).*\n", r"\1", self.printed or "", flags=re.MULTILINE)


API_PAGE = ROOT / "docs/api.md"
_API_ROW = re.compile(r"^\| `(\w+)[^`]*` \| [^|]* \|", re.MULTILINE)


def with_summaries(page):
    """Return docs/api.md with the arguments and the first sentence of every name in its tables."""
    return _API_ROW.sub(lambda found: f"| {_summary(found[1])} |", page)


def _summary(name):
    value = getattr(seedfolio, name)
    if name in CONSTANTS:
        return f"`{name}` | {CONSTANTS[name]}"
    # Not `getdoc`, which takes the docstring of a base class where there is none.
    paragraph = inspect.cleandoc(vars(value).get("__doc__") or value.__doc__).split("\n\n")[0]
    sentence = re.split(r"\.(?= |$)", " ".join(paragraph.split()))[0]
    return f"`{name}{_arguments(value)}` | {sentence.replace('``', '`')}"


def _arguments(value):
    if inspect.isclass(value):
        return ""
    taken = inspect.signature(getattr(value, "py_func", value)).parameters.values()
    must = [each for each in taken if each.default is Parameter.empty]
    plain = [each.replace(annotation=Parameter.empty) for each in must]
    names = [f"{each}=..." if each.kind is each.KEYWORD_ONLY else str(each) for each in plain]
    return f"({', '.join(names)})"


def blocks(page):
    text = page.read_text(encoding="utf-8")
    return [Block(m[1], m[2], text.count("\n", 0, m.start()) + 1) for m in _FENCE.finditer(text)]


def prose(page):
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def steps(page):
    found: list[Step] = []
    for block in blocks(page):
        if block.kind == "console":
            found += _session(block)
        elif block.kind == "python":
            found.append(Step("python", block.text, None, block.line))
        elif block.kind == "output":
            last = found.pop()
            assert last.kind == "python", f"{page.name}:{block.line}: output of what?"
            found.append(Step("python", last.text, block.text, last.line))
    return found


def commands(page):
    found = []
    for block in blocks(page):
        if block.kind == "sh":
            lines = block.text.replace("\\\n", " ").splitlines()
        elif block.kind == "console":
            lines = [step.text for step in _session(block)]
        else:
            continue
        words = [shlex.split(line, comments=True) for line in lines]
        found += [(block.line, line) for line in words if line[:1] == ["seedfolio"]]
    return found


def _session(block):
    parts = re.split(r"^\$ (.*)\n", block.text, flags=re.MULTILINE)
    assert not parts[0].strip(), f"line {block.line}: a session begins with a command"
    return [
        Step("command", command, printed, block.line)
        for command, printed in zip(parts[1::2], parts[2::2], strict=True)
    ]


def matches(shown, printed):
    wanted = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"\n"
        for line in shown.strip("\n").splitlines()
    )
    text = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(wanted, text) is not None
