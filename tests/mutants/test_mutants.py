"""The list of mutants fits the tree; a small tree shows how one is found, is missed or hangs."""

import pytest
from mutated import ROOT, Mutant, Tree, load_mutants
from waiting import PATIENCE

SOURCE = "def double(number):\n    return 2 * number\n"
TEST = "from seedfolio import double\n\n\ndef test_double():\n    assert double(2) == 4\n"


def test_each_mutant_fits_the_tree():
    mutants = load_mutants().values()
    assert len(mutants) >= 85
    assert [problem for each in mutants if (problem := each.problem(ROOT))] == []
    assert [line for each in mutants for line in each.missing(ROOT)] == []
    assert [each.name for each in mutants if each.before == each.after] == []


@pytest.fixture
def small(tmp_path):
    for name, text in (("src/seedfolio/__init__.py", SOURCE), ("tests/test_double.py", TEST)):
        (tmp_path / "small" / name).parent.mkdir(parents=True)
        (tmp_path / "small" / name).write_text(text)
    return Tree.copied(tmp_path / "small", tmp_path / "unchanged")


@pytest.mark.parametrize(
    ("file", "before", "tests", "problem"),
    [
        ("__init__.py", "2 * number", "test_double.py -k some", ""),
        ("__init__.py", "2 * number", "gone.py test_double.py", "there is no tests/gone.py"),
        ("__init__.py", "number", "test_double.py", "`before` occurs 2 times"),
        ("gone.py", "2 * number", "test_double.py", "there is no file src/seedfolio/gone.py"),
    ],
)
def test_what_does_not_fit_is_said(small, file, before, tests, problem):
    mutant = Mutant("name", file, before, "", tests)
    said = "".join([mutant.problem(small.path), *mutant.missing(small.path)])
    assert problem in said
    assert bool(said) == bool(problem)


@pytest.mark.slow
def test_mutants_are_found_are_missed_or_hang(small):
    assert small.is_imported()
    assert small.run(["tests", "-k", "none"]).empty
    for after, passed, hung in (
        ("3 * number", False, False),
        ("number + number", True, False),
        ("[number for _ in iter(int, 1)]", False, True),
    ):
        tree = small.mutated(Mutant(f"to {after}", "__init__.py", "2 * number", after, ""))
        verdict = tree.run(["-x", "tests"], 2 if hung else PATIENCE)
        assert (verdict.passed, verdict.hung) == (passed, hung)
        assert passed or hung or verdict.failed == ("tests/test_double.py::test_double",)
    assert (small.path / "src/seedfolio/__init__.py").read_text() == SOURCE
