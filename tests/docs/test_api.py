"""The public names: each has a docstring with an example that runs, and a line on docs/api.md."""

import doctest
import inspect
import re
import sys

import pytest
from doc_pages import API_PAGE, CONSTANTS, ROOT, blocks, prose, with_summaries

import seedfolio

SLOW = {
    *("Checkup", "ShownBook", "check", "check_game", "forfeits", "gtp", "polyglot_book"),
    *("ConformanceError", "GameCheckup", "Outcome", "as_open_spiel_bot", "reproduce"),
    "show_book",
}
"""These start processes, or compile more than the one program of the other examples."""
ENGINE_PAGE = ROOT / "docs/boost-your-engine.md"


def examples(name):
    value = getattr(seedfolio, name)
    documented = {name: value}
    if inspect.isclass(value):
        members = {key: each for key, each in vars(value).items() if not key.startswith("_")}
        documented |= {f"{name}.{key}": each for key, each in members.items()}
    parser = doctest.DocTestParser()
    # Not a DocTestFinder: it passes over compiled functions. An empty docstring has no examples.
    tests = [
        parser.get_doctest(inspect.getdoc(each) or "", {"__name__": "__main__"}, key, None, 0)
        for key, each in documented.items()
    ]
    return [test for test in tests if test.examples]


@pytest.fixture
def engine_files(tmp_path):
    """Put the bot of docs/boost-your-engine.md, with its file, into the folder of the examples."""
    (bot,) = (b.text for b in blocks(ENGINE_PAGE) if "A random player of nim" in b.text)
    (file,) = (b.text for b in blocks(ENGINE_PAGE) if "bot.py" in b.text and b.kind == "toml")
    (tmp_path / "bot.py").write_text(bot, encoding="utf-8")
    (tmp_path / "bot.toml").write_text(file, encoding="utf-8")


def marked(name):
    return pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name


@pytest.mark.usefixtures("engine_files")
@pytest.mark.parametrize("name", [marked(n) for n in dir(seedfolio) if n not in CONSTANTS])
def test_the_examples_of_a_public_name_run(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", sys.stdin)  # some examples replace it
    found = examples(name)
    assert [test.name for test in found][:1] == [name], f"{name} has no example"
    said = []
    for test in found:
        doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not said, "".join(said)


def test_the_page_lists_every_public_name_once_and_says_what_the_docstrings_say():
    """`python tests/docs/refresh.py api.md` writes it anew."""
    for name in {*dir(seedfolio)} - {*CONSTANTS}:
        own = vars(getattr(seedfolio, name)).get("__doc__") or getattr(seedfolio, name).__doc__
        assert re.match(r"[A-Z`][^>]+\.", own or ""), name
    listed = re.findall(r"^\| `(\w+)", prose(API_PAGE), re.MULTILINE)
    assert sorted(listed) == sorted(dir(seedfolio)) == sorted(set(seedfolio.__all__))
    text = API_PAGE.read_text(encoding="utf-8")
    assert text == with_summaries(text)
    shown = "".join(block.text for block in blocks(API_PAGE) if block.kind == "python")
    for name in CONSTANTS:
        assert name in shown
