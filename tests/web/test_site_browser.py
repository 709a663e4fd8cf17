"""The site of the documentation in a real browser: it works, and asks no other machine."""

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from built_site import built_site

pytestmark = pytest.mark.long


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


def test_the_site_is_read(watched):
    """`watched` fails on requests to other machines and on complaints of the browser."""
    for path, title in (
        ("index", "Seedfolio"),
        ("learners", "Learners"),
        ("reference/jobs", "Jobs"),
    ):
        watched.page.goto(f"/{path}.html")
        assert watched.page.locator("h1").first.inner_text().startswith(title)
