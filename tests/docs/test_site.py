"""The site of the documentation: complete, the same as the pages, and loading nothing foreign."""

import re
from collections import Counter
from html.parser import HTMLParser

import pytest
from built_site import built_site
from doc_pages import ROOT
from markdown_it import MarkdownIt

import seedfolio

pytestmark = pytest.mark.slow  # MkDocs comes with `make test-all`
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
"""What a browser loads by itself, by tag."""
NOT_LOADED = {"canonical", "prev", "next"}
"""Kinds of links in the head that a browser does not follow by itself."""
COMPARED = {"a", "em", "h1", "h2", "h3", "h4", "img", "li", "ol", "pre", "strong", "table", "ul"}
COMPARED |= {"td", "th", "tr"}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return built_site(tmp_path_factory)


class Tags(HTMLParser):
    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def resources(html):
    for tag, attributes in Tags(html).found:
        if tag == "link" and set((attributes.get("rel") or "").split()) & NOT_LOADED:
            continue
        if attributes.get(LOADED.get(tag, "")):
            yield attributes[LOADED[tag]]
    yield from re.findall(r"@import\s+['\"]([^'\"]+)", html)
    yield from re.findall(r"url\(['\"]?([^)'\"]+)", html)


def foreign(resource):
    return re.match(r"(?!data:)(\w+:|//)", resource) is not None


def test_what_pages_load_is_there_and_from_here(site):
    html = """<script src="https://a.b/c.js"></script><link rel=stylesheet href=//a.b/c.css>
    <style>@import "http://a.b/d.css"; p { background: url(https://a.b/e.png) }</style>
    <a href="https://a.b/"></a><link rel="canonical" href="https://a.b/"><img src="x.png">"""
    assert [foreign(each) for each in resources(html)].count(True) == 4
    files = [path for path in site.rglob("*") if path.suffix in (".html", ".css", ".svg")]
    assert len(files) > 30
    loaded = [(path, each) for path in files for each in resources(path.read_text("utf-8"))]
    assert len(loaded) > 100
    for page, each in loaded:
        assert not foreign(each), page
        local = page.suffix == ".html" and page.name != "404.html"
        if local and not each.startswith(("data:", "#")):
            assert (page.parent / each.partition("?")[0]).exists(), f"{page.name}: {each}"


def article(site, page):
    in_root = "index.md" if page.name == "README.md" else page.name.lower()
    name = in_root if page.parent == ROOT else page.relative_to(ROOT / "docs")
    html = (site / name).with_suffix(".html").read_text("utf-8")
    return re.search(r"<article.*?</article>", html, re.DOTALL)[0]


def test_a_page_has_on_the_site_what_it_has_in_the_repository(site):
    """MkDocs has a Markdown of its own: lists and tables are easily lost."""
    common = MarkdownIt("commonmark").enable("table")
    for page in PAGES:
        shown = [
            (tag, attributes)
            for tag, attributes in Tags(article(site, page)).found
            if "headerlink" not in (attributes.get("class") or "")
            and not (attributes.get("id") or "").startswith("__codelineno")
            and not (attributes.get("href") or "").startswith(("#__codelineno", "reference/"))
        ]
        there, here = (
            Counter(tag for tag, _ in tags if tag in COMPARED)
            for tags in (Tags(common.render(page.read_text("utf-8"))).found, shown)
        )
        assert here == there, page.name


def test_every_public_name_is_in_the_reference_with_examples_as_code(site):
    text = "".join(path.read_text("utf-8") for path in site.glob("reference/*.html"))
    for name in seedfolio.__all__:
        assert name == "__version__" or f'id="seedfolio.{name}"' in text, name
    html = (site / "reference/jobs.html").read_text("utf-8")
    assert "<blockquote>" not in html
    assert html.count('<span class="gp">&gt;&gt;&gt; </span>') >= 20
