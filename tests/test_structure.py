"""The structure of the package: its layers, names and errors."""

import ast
import importlib
import pkgutil
from collections import Counter
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import seedfolio
from seedfolio.errors import SeedfolioError

ROOT = Path(__file__).parents[1] / "src" / "seedfolio"
PACKAGE = "seedfolio"

BELOW_ALL = {"errors", "start", "version"}
"""Modules that any layer may import; they import none."""
LAYERS = (
    *("core", "games", "players", "conformance", "engines", "programs", "arena", "study"),
    *("matrices", "portfolios", "evaluation", "learning", "tuning", "analysis", "report"),
    *("opponents", "boosting", "matches", "people", "protocols", "papers", "testing"),
    *("web", "cli"),
)
"""Lowest first."""
ABOVE_ALL = {"", "__main__"}
"""The public names, and the command."""

MOST_FILES = 20
"""In a folder."""
MOST_ARGUMENTS = 5
CALLED_BY_COMPILED_CODE = {"arena.cuda.kernel._for_simulator.play"}
"""Takes the arguments of a compiled function in its place, where CUDA is simulated."""


def name_of(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {name_of(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache  # when a test asks for it: every worker collects these tests, few run them
def trees():
    return {name: ast.parse(path.read_text()) for name, path in FILES.items()}


def layer_of(module):
    return module.partition(".")[0]


def imported_by(module):
    found = set()
    package = module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.Import):
            names = [each.name for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = f"{PACKAGE}.{package}".rstrip(".").split(".")
                base = ".".join([*above[: len(above) - node.level + 1], *filter(None, [base])])
            # What is imported may be a module or stand in one.
            names = [f"{base}.{each.name}" for each in node.names]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == PACKAGE:
                found.add(module_in(name.removeprefix(PACKAGE).removeprefix(".")))
    return found - {module}


def module_in(name):
    while name not in FILES:
        name = name.rpartition(".")[0]
    return name


@cache
def imports():
    return {module: imported_by(module) for module in FILES}


def test_imports_are_found_and_have_no_circle():
    # At the top, in a function, and for types only.
    assert "boosting.budget" in imports()["boosting.boost"]
    assert "report.plots.figures" in imports()["cli.learn"]
    assert "papers.run" in imports()[""]
    assert "cli.learn" in imports()["cli"]
    assert set(map(layer_of, FILES)) == {*BELOW_ALL, *LAYERS, *ABOVE_ALL}
    TopologicalSorter(imports()).prepare()  # CycleError names the circle


def height(module):
    layer = layer_of(module)
    if layer in BELOW_ALL:
        return -1
    return len(LAYERS) if layer in ABOVE_ALL else LAYERS.index(layer)


def test_imports_run_downwards_only():
    upwards = {
        f"{module} imports {each}"
        for module, imported in imports().items()
        for each in imported
        if height(each) > height(module)
        or (height(each) == height(module) and layer_of(each) != layer_of(module))
    }
    assert upwards == set()


def test_nothing_is_made_for_tests_alone():
    users = {module for module, imported in imports().items() if "testing" in imported}
    assert users == set()


Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def functions(node, outer):
    for child in ast.iter_child_nodes(node):
        name = outer
        if isinstance(child, Function | ast.ClassDef):
            name = f"{outer}.{getattr(child, 'name', 'lambda')}"
        if isinstance(child, Function):
            yield name, child
        yield from functions(child, name)


def is_compiled(function):
    """Tell whether numba compiles a function: it is marked, or a template that is filled in."""
    if isinstance(function, ast.Lambda):
        return False
    marks = {d.id for d in function.decorator_list if isinstance(d, ast.Name)}
    marked = bool(marks & {"compiled", "compiled_once", "merged"})
    return marked or function.name.endswith("_template")


def positional(function):
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"]))


def test_functions_take_few_arguments_and_folders_few_files():
    many = {
        name
        for module, tree in trees().items()
        for name, function in functions(tree, module)
        if positional(function) > MOST_ARGUMENTS and not is_compiled(function)
    }
    assert many == CALLED_BY_COMPILED_CODE
    folders = Counter(path.parent for path in FILES.values())
    assert {folder for folder, files in folders.items() if files > MOST_FILES} == set()


NEED_NUMBA_CUDA = ("seedfolio.arena.cuda.device", "seedfolio.arena.cuda.kernel")
NOT_ERRORS = {
    "seedfolio.__main__.Terminated",  # a signal; nothing but the command line meets it
    "seedfolio.core.code_cache.CacheWarning",
}


def test_every_error_derives_from_one_root_and_is_named_as_one():
    found = {}
    for each in pkgutil.walk_packages(seedfolio.__path__, "seedfolio."):
        try:
            module = importlib.import_module(each.name)
        except ImportError:
            assert each.name in NEED_NUMBA_CUDA
            continue
        for name, value in vars(module).items():
            if isinstance(value, type) and issubclass(value, BaseException) and name[0] != "_":
                found[f"{value.__module__}.{name}"] = value
    found = {name: value for name, value in found.items() if name.startswith("seedfolio.")}
    assert "seedfolio.engines.endings.EngineFaultError" in found
    strangers = {name for name, value in found.items() if not issubclass(value, SeedfolioError)}
    assert strangers == NOT_ERRORS
    assert all(name.endswith("Error") for name in found.keys() - NOT_ERRORS)
