"""The site of the documentation in a real browser: it works, and asks no other machine."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from built_site import built_site

pytestmark = pytest.mark.slow


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    handler = partial(Quiet, directory=str(built_site(tmp_path_factory)))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_the_site_is_read_and_searched(watched):
    """`watched` fails on requests to other machines and on complaints of the browser."""
    page = watched.page
    page.goto("/index.html")
    page.get_by_role("link", name="Learners", exact=True).first.click()
    page.get_by_role("heading", name="Which one").wait_for()
    page.goto("/reference/jobs.html")
    page.get_by_role("heading", name="boost", exact=True).first.wait_for()
    page.get_by_role("textbox", name="Search").first.fill("determinization")
    page.locator(".md-search-result__item a").first.wait_for()
