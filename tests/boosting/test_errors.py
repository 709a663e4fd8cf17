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
