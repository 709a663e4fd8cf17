"""What the documentation says of commands, files and places must be so."""

import re

import pytest
import typer
from doc_pages import PAGES, ROOT, RUN, blocks, commands, matches, prose, steps

from seedfolio import load_game, load_player, load_program
from seedfolio.boosting.request import Request
from seedfolio.cli import app
from seedfolio.core.program_files import is_engine_file
from seedfolio.games import BUILT_IN
from seedfolio.learning.registry import LEARNERS, find_learner
from seedfolio.players import PLAYERS
from seedfolio.study.database import SCHEMA

page = pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
KINDS = {"console", "python", "output", "sh", "sql", "text", "toml"}


@page
def test_relative_links_lead_somewhere_and_no_path_is_of_one_machine(page):
    links = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    for link in links:
        path, _, anchor = link.partition("#")
        if re.match(r"\w+:", link):
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page.name} links to {link}"
        if anchor:
            assert anchor in _anchors(target), f"{page.name} links to {link}"
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?<![\w.~/:])/(home|root|work|tmp|usr|var|opt|Users)\b", text)
    assert "C:\\" not in text


def _anchors(page):
    titles = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@page
def test_every_command_is_one_that_the_program_takes(page):
    for line, words in commands(page):
        try:
            _check_command(words[1:])
        except Exception as error:
            raise AssertionError(f"{page.name}:{line}: {' '.join(words)}: {error}") from error


def _check_command(words):
    group = typer.main.get_command(app)
    if words in (["--help"], ["--version"]):
        return
    if words[-1] == "--help":
        assert words[:-1] in [[name] for name in group.commands]
        return
    context = group.make_context("seedfolio", list(words))
    name, command, rest = group.resolve_command(context, list(words))
    given = command.make_context(name, rest, parent=context).params
    if "player" in given:
        players = given["player"] or ["uct"]
        for player in [players] if isinstance(players, str) else players:
            if is_engine_file(player):  # the reader's own
                continue
            load_player(str(ROOT / "docs/examples" / player) if ".py" in player else player)
    learners = given.get("learners") or ()
    for learner in (each for each in learners if ".py" not in each):
        find_learner(learner)
    named = f"{given.get('game')} {given.get('player')} {learners}"
    if name == "boost" and ".toml" not in named and ".py" not in named:
        program = load_program(given["game"], given["player"], given["repeats"])
        usual = dict(zip(("k", "kt", "opponents"), program.arms.usual_sizes, strict=True))
        sizes = {key: given[key] or usual.get(key) for key in (*usual, "budget")}
        Request(**sizes, learners=tuple(given["learners"] or ("nash",))).check(program)
    for board in given.get("boards") or ():
        load_game(board)


def test_the_pages_that_are_run_have_something_to_run():
    for page in RUN:
        assert steps(page)
        assert {block.kind for block in blocks(page)} <= KINDS


def test_the_readme_names_all_there_is_and_pages_are_short():
    sections = re.findall(r"^### (.*)$", prose(ROOT / "docs/learners.md"), re.MULTILINE)
    assert set(LEARNERS) <= {section.strip("`") for section in sections}
    text = prose(ROOT / "README.md").lower()
    for name in [*BUILT_IN, *PLAYERS]:
        assert name in text
    for name in [*LEARNERS, *typer.main.get_command(app).commands]:
        assert f"`{name}`" in text
    # Words outside of code; what a terminal prints on them comes from the program.
    words = [word for each in READ for word in prose(each).split() if re.search(r"\w", word)]
    assert len(words) <= 38_000
    results = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    assert len(re.sub(r"<[^>]*>|:?-{3,}:?|\|", " ", results).split()) <= 5_000


READ = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
"""What a user reads; docs/notes are logs."""
UNCLEAR = (
    r"that of|those that|those of|as it is|goes? on(?! a\b)|so many|is told|that which|of its own|"
    r"is no \w+|there is no"
)


@pytest.mark.parametrize("page", READ, ids=lambda path: path.name)
def test_no_pronoun_without_a_noun(page):
    text = " ".join(re.sub(r"!\[[^]]*\]|`[^`]*`", "", prose(page)).split())
    found = re.findall(rf".{{,40}}\b(?:{UNCLEAR})\b.{{,40}}", text, re.IGNORECASE)
    assert not found, found


@pytest.mark.parametrize("page", READ[1:], ids=lambda path: path.name)
def test_a_page_says_first_whom_it_is_for(page):
    assert page.read_text(encoding="utf-8").split("\n\n")[1].startswith("For ")


def test_the_schema_shown_is_the_schema():
    shown = [block.text for block in blocks(ROOT / "docs/files.md") if block.kind == "sql"]
    assert " ".join(SCHEMA.split()) in [" ".join(text.split()) for text in shown]


def test_printed_text_matches():
    for shown, printed in (("a\n...\nd\n", "a  \nb\nc\nd\n"), ("...\nd", "d"), ("a\n...", "a\nb")):
        assert matches(shown, printed)
    assert not matches("a\nd", "a\nb\nd")
    assert not matches("a", "a.b")
