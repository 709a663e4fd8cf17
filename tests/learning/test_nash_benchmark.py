"""The benchmark of equilibria says so when something required is missed."""

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("nash_benchmark", ROOT / "benchmarks/nash.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_limits(benchmark):
    good = {"seconds": 29.0, "gap": 1e-12, "peak": 2000.0}
    for wrong, words in [
        ({}, []),
        ({"seconds": 31.0}, ["31 s, not 30"]),
        ({"gap": 2e-9}, ["2e-09 gap, not 1e-09"]),
        ({"gap": float("nan")}, ["nan gap, not 1e-09"]),
        ({"peak": 2100.0}, ["2.1e+03 MiB, not 2e+03"]),
    ]:
        measured = benchmark.Measured(*(good | wrong).values())
        assert benchmark.missed_by_size(measured) == words
    ours, slow, fast = (benchmark.Measured(seconds, 1e-12, 100.0) for seconds in (1.0, 5.0, 4.5))
    assert benchmark.missed_by_ratio(ours, slow) == []
    assert benchmark.missed_by_ratio(ours, fast) == ["ratio 4.5, not 5"]


@pytest.mark.parametrize(("theirs", "met"), [(5.0, True), (4.9, False)])
def test_the_verdict_of_the_whole_run(benchmark, monkeypatch, capsys, theirs, met):
    def measured(solver, rows, columns, kind):
        slow = solver == "highs" and kind == "hardly differ"
        return benchmark.Measured(theirs if slow else 9.0 if solver == "highs" else 1.0, 0.0, 1.0)

    monkeypatch.setattr(benchmark, "measure", measured)
    assert benchmark.main() is met
    assert ("missed: hardly differ, 1000x1000: ratio 4.9" in capsys.readouterr().out) is not met
