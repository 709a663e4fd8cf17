"""A folder with a study, its portfolios and a book, made once for all tests of the page."""

import shutil

import pytest
from web_browser import Watched, browser
from web_client import FREE, Guest, boosted_folder, make_app


@pytest.fixture(scope="session")
def boosted(tmp_path_factory):
    return boosted_folder(tmp_path_factory.mktemp("boosted"))


@pytest.fixture(scope="module")
def judged(boosted, tmp_path_factory):
    """A folder with one portfolio, whose blind trial begins with this file of tests."""
    folder = tmp_path_factory.mktemp("judged")
    shutil.copy(boosted / "small-book.json", folder)
    return folder


@pytest.fixture(scope="session")
def app(boosted):
    made = make_app(boosted, FREE)
    yield made
    made.state.site.close()


@pytest.fixture
def guest(app):
    return Guest(app)


@pytest.fixture(scope="module")
def chromium():
    with browser() as found:
        yield found


@pytest.fixture
def watched(chromium, address):
    """A page of the server at `address`, which a file of tests gives; it must not complain."""
    made = Watched(chromium, address)
    yield made
    assert made.complaints == []
    made.context.close()
