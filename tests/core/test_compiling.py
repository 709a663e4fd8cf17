"""Functions marked `compiled`, called by compiled code and by Python."""

import os

from numba.core import errors

from seedfolio.core.compiler import compiled, compiled_entry

part = None


@compiled
def double(x):
    return 2 * x


def template(x):
    return part(x) + 1


def test_compiled_code_and_python_may_call_it_in_any_order():
    entry = compiled_entry(template, {"part": double})
    assert entry(3) == 7
    assert double(4) == 8
    assert double(0.25) == 0.5
    assert entry(0.25) == 1.5
    assert double.py_func(4) == 8  # type: ignore[attr-defined]


def test_messages_of_the_compiler_leave_standard_output_in_place():
    """With colorama, which the docs group installs, each would replace `sys.stdout` briefly."""
    assert errors.termcolor().errmsg("plain") == "plain"
    assert os.environ["NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"] == "1"
