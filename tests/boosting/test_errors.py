"""All errors of the library have one root."""

import importlib
import pkgutil

import seedfolio
from seedfolio.errors import SeedfolioError

NEED_NUMBA_CUDA = ("seedfolio.arena.cuda.device", "seedfolio.arena.cuda.kernel")
NOT_ERRORS = {
    "seedfolio.__main__.Terminated",  # a signal; nothing but the command line meets it
    "seedfolio.core.code_cache.CacheWarning",
}


def modules():
    for found in pkgutil.walk_packages(seedfolio.__path__, "seedfolio."):
        try:
            yield importlib.import_module(found.name)
        except ImportError:
            if found.name not in NEED_NUMBA_CUDA:
                raise


def exceptions():
    """Return the public exception classes of the package by their full names."""
    return {
        f"{module.__name__}.{name}": value
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, type)
        and issubclass(value, BaseException)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    }


def test_every_error_derives_from_one_root_and_is_named_as_one():
    found = exceptions()
    assert "seedfolio.engines.endings.EngineFaultError" in found
    strangers = {name for name, value in found.items() if not issubclass(value, SeedfolioError)}
    assert strangers == NOT_ERRORS
    assert all(name.endswith("Error") for name in found.keys() - NOT_ERRORS)
