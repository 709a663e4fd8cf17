"""Refusals as all of Seedfolio words them: one line, from Python and from a command."""

from contextlib import contextmanager

import pytest
from in_process import seedfolio

from seedfolio.errors import SeedfolioError, SpecificationError


@contextmanager
def one_line(said, error=SpecificationError):
    """What runs inside raises an error in one line, in which a regular expression is found."""
    with pytest.raises(error, match=said) as caught:
        yield caught
    assert isinstance(caught.value, SeedfolioError)
    assert "\n" not in str(caught.value)


def refused(*words, cwd, saying, run=seedfolio):
    """A command ends with code 2 and one line, in which a text is found; it prints nothing."""
    done = run(*words, cwd=cwd)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert saying in done.stderr
