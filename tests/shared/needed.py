"""Programs that a test cannot do without: it is skipped, or fails where all should be there."""

import os
import shutil

import pytest


def missing(why):
    if os.environ.get("CI") == "true":
        pytest.fail(why)
    pytest.skip(why)


def need(name):
    """Return the path of a program, which Debian may keep with the games."""
    found = shutil.which(name) or shutil.which(name, path="/usr/games")
    return found or missing(f"{name} is not installed: apt-get install {name}")
