"""The notebook runs as it is, and shows what it says."""

import pytest

pytestmark = pytest.mark.slow  # what it needs comes with `make test-all`


def test_the_notebook_runs_and_its_outputs_are_real(tmp_path):
    import nbformat
    from notebook_run import PATH, run_notebook, shown

    written = nbformat.read(PATH, as_version=4)
    assert shown(run_notebook(tmp_path)) == shown(written)
    assert list(tmp_path.iterdir()) == []  # its study is in memory
    outputs = [output for cell in shown(written) for output in cell]
    assert sum("<table>" in output for output in outputs) >= 3
    assert (outputs.count("a picture"), sum("<svg" in output for output in outputs)) == (3, 1)
    assert not any("Error" in output for output in outputs)
    first = next(cell for cell in written.cells if "boost(" in cell.source)
    html = [output.data.get("text/html", "") for output in first.outputs]
    job, *done = [text for text in html if "<progress" in text]
    assert "to learn from" in job
    assert any("seeds against each other" in text for text in done)
    assert all("taken" in text for text in done)
