"""The notebook runs as it is, and shows what it says."""

import nbformat
import pytest
from notebook_run import PATH, run_notebook, shown


@pytest.fixture(scope="module")
def written():
    return nbformat.read(PATH, as_version=4)


@pytest.mark.slow
def test_the_notebook_runs_and_its_outputs_are_real(written, tmp_path):
    assert shown(run_notebook(tmp_path)) == shown(written)
    assert list(tmp_path.iterdir()) == []  # its study is in memory


def test_its_results_show_themselves(written):
    outputs = [output for cell in shown(written) for output in cell]
    assert sum("<table>" in output for output in outputs) >= 3
    assert outputs.count("a picture") == 3
    assert sum("<svg" in output for output in outputs) == 1
    assert not any("Error" in output for output in outputs)


def test_its_progress_shows(written):
    first = next(cell for cell in written.cells if "boost(" in cell.source)
    html = [output.data.get("text/html", "") for output in first.outputs]
    done = [text for text in html if "<progress" in text]
    assert any("seeds against each other" in text for text in done)
    assert all("taken" in text for text in done)
