"""The files in the root of the repository agree with the project."""

import re
import tomllib

import yaml
from doc_pages import ROOT, prose

from seedfolio import __version__

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_citation_is_of_this_version():
    """`cffconvert --validate` checks more; it does not go with today's jsonschema."""
    assert {"cff-version", "message", "title", "authors"} <= {*CITATION}
    assert CITATION["cff-version"] == "1.2.0"
    assert all(each["authors"] and each["title"] for each in CITATION["references"])
    assert (CITATION["version"], CITATION["license"]) == (__version__, PROJECT["license"])
    papers = re.findall(r'^- "([^"]+)"', prose(ROOT / "README.md"), re.MULTILINE)
    assert [each["title"] for each in CITATION["references"]] == papers


def test_the_changelog_has_this_version():
    headings = re.findall(r"^## (.*)$", prose(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert next(each for each in headings if each != "Unreleased") == __version__


def test_contributors_are_told_of_all_there_is_and_the_pythons_are_tested():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"\bmake ([a-z-]+)", text)) <= {*targets}
    text = prose(ROOT / "CONTRIBUTING.md")
    packages = [path.parent.name for path in (ROOT / "src/seedfolio").glob("*/__init__.py")]
    assert packages
    assert [name for name in packages if f"`{name}`" not in text] == []
    promised = {c.rpartition(" ")[2] for c in PROJECT["classifiers"] if ":: Python :: 3." in c}
    tested = (ROOT / "tests/install/test_pythons.py").read_text(encoding="utf-8")
    assert promised == set(re.findall(r'"(3\.\d+)"', tested))
