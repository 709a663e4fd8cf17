"""The notebook: run it, and write its outputs: python tests/docs/notebook_run.py."""

from pathlib import Path

import nbformat
from doc_pages import ROOT
from nbclient import NotebookClient

PATH = ROOT / "docs" / "notebook.ipynb"
_PATIENCE = 900
"""Seconds for a cell, on a busy machine."""


def run_notebook(folder):
    notebook = nbformat.read(PATH, as_version=4)
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(notebook, timeout=_PATIENCE, resources=resources).execute()
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)  # the times of this run
    return notebook


def shown(notebook):
    return [
        [_text(output) for output in cell.outputs if not _is_progress(output)]
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


def _is_progress(output):
    return "<progress" in output.get("data", {}).get("text/html", "")


def _text(output):
    data = output.get("data", {})
    if "image/png" in data:
        return "a picture"
    html = data.get("text/html", "")
    if "dataframe" in html:
        html = ""  # which differs between versions of pandas
    return html or data.get("text/plain") or output.get("text", "")


if __name__ == "__main__":
    import tempfile

    with tempfile.TemporaryDirectory() as made:
        nbformat.write(run_notebook(Path(made)), PATH)
