"""What MkDocs needs to make the site from the pages as they are.

The pages are written for readers of the repository, and the tests check them there. So README.md
becomes the home page, the notebook a page, links that leave `docs/` lead to pages or copies on the
site, and the API reference has a page for each section of docs/api.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
HOME = "README.md"
PROJECT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
"""Pages in the root of the repository, beside README.md."""
API = ROOT / "docs/api.md"
NOTEBOOK = "docs/notebook.ipynb"
_LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)")
_FENCED = re.compile(r"(^```.*?^```\s*$)", re.MULTILINE | re.DOTALL)
_NAMES = re.compile(r"^\| `(\w+)", re.MULTILINE)


def on_config(config: MkDocsConfig) -> None:
    """Add what is generated to the navigation."""
    nav = config.nav or []
    (reference,) = (part["Reference"] for part in nav if "Reference" in part)
    reference.append({"API from docstrings": [f"reference/{name}.md" for name in sections()]})
    nav.append({"Project": [site_path(name) for name in PROJECT if (ROOT / name).exists()]})


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages in the root, the API reference, and the files that pages link to."""
    for name in (HOME, *PROJECT):
        if (ROOT / name).exists():
            text = (ROOT / name).read_text(encoding="utf-8")
            files.append(File.generated(config, site_path(name), content=text))
    style = str(ROOT / "website/dark.css")
    files.append(File.generated(config, "dark.css", abs_src_path=style))
    cells = json.loads((ROOT / NOTEBOOK).read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join(part for cell in cells for part in shown(cell))
    files.append(File.generated(config, site_path(NOTEBOOK), content=text))
    for name, (title, names) in sections().items():
        text = reference_page(title, names)
        files.append(File.generated(config, f"reference/{name}.md", content=text))
    linked = {
        target
        for file in files.documentation_pages()
        for target in targets(file.content_string, repository_path(file.src_uri))
    }
    for path in sorted(linked):
        if files.get_file_from_path(site_path(path)) is None and (ROOT / path).is_file():
            source = str(ROOT / path)
            files.append(File.generated(config, site_path(path), abs_src_path=source))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links between files of the repository into links between pages of the site."""
    here = page.file.src_uri
    folder = PurePosixPath(repository_path(here)).parent

    def moved(found: re.Match[str]) -> str:
        target = site_path(normpath(str(folder / found[1])))
        return relpath(target, str(PurePosixPath(here).parent))

    if here == "api.md":
        markdown = re.sub(r"^\| (`([a-z]\w*)[^`]*`)", _to_reference, markdown, flags=re.M | re.I)
    parts = _FENCED.split(markdown)  # every second one is a fence
    parts[::2] = [_LINK.sub(moved, text) for text in parts[::2]]
    return "".join(parts)


def _to_reference(found: re.Match[str]) -> str:
    return f"| [{found[1]}][seedfolio.{found[2]}]"


def site_path(path: str) -> str:
    """Return where a file of the repository is on the site."""
    if path == HOME:
        return "index.md"
    if path in PROJECT:
        return path.lower()
    if path == NOTEBOOK:
        return "notebook.md"
    return path.removeprefix("docs/") if path.startswith("docs/") else f"source/{path}"


def repository_path(page: str) -> str:
    """Return which file of the repository a page of the site is made from."""
    return {site_path(name): name for name in (HOME, *PROJECT)}.get(page, f"docs/{page}")


def targets(text: str, path: str) -> Iterator[str]:
    """Return the files of the repository that a page links to."""
    folder = PurePosixPath(path).parent
    for prose in _FENCED.split(text)[::2]:
        for link in _LINK.findall(prose):
            yield normpath(str(folder / link))


def sections() -> dict[str, tuple[str, list[str]]]:
    """Return the sections of docs/api.md with the public names of each, by file name."""
    parts = re.split(r"^## (.*)$", API.read_text(encoding="utf-8"), flags=re.MULTILINE)
    named = zip(parts[1::2], map(_NAMES.findall, parts[2::2]), strict=True)
    return {title.lower().replace(" ", "-"): (title, names) for title, names in named}


def shown(cell: dict[str, Any]) -> Iterator[str]:
    """Return a cell of a notebook as Markdown: its text or code, and the value that it shows."""
    source = "".join(cell["source"])
    yield source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```"
    for output in cell.get("outputs", ()):
        if output["output_type"] == "execute_result":  # the others are progress
            data = output["data"]
            if "image/png" in data:
                picture = "".join(data["image/png"].split())
                yield f'<p><img alt="A plot" src="data:image/png;base64,{picture}"></p>'
            else:
                yield f"<div>{''.join(data['text/html'])}</div>"


def reference_page(title: str, names: list[str]) -> str:
    """Return a page that mkdocstrings fills in; `__version__` has no docstring."""
    blocks = [f"::: seedfolio.{name}\n" for name in names if not name.startswith("_")]
    return "\n".join([f"# {title}\n", "The [overview](../api.md) has all names.\n", *blocks])
