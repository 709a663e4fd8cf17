"""Programs in memory: the one used least recently makes room, one that thinks never does."""

import threading

import pytest

pytest.importorskip("starlette", reason="the page needs pip install 'seedfolio[web]'")

from seedfolio.web.guard import PageError
from seedfolio.web.opponents import LoadedPrograms


class Named:
    """A program that notes when it is opened and closed."""

    def __init__(self, name, log):
        self.name, self.log = name, log
        log.append(f"+{name}")

    def close(self):
        self.log.append(f"-{self.name}")


@pytest.fixture
def log():
    return []


@pytest.fixture
def use(log):
    programs = LoadedPrograms(2)

    def using(name):
        return programs.using(name, lambda: Named(name, log))

    using.programs = programs
    return using


def test_the_one_used_least_recently_is_closed_and_opened_again(use, log):
    for name in "abab":
        with use(name) as program:
            assert program.name == name
    assert use.programs.get("a").name == "a"  # a page looks at it
    for name in "cb":
        with use(name):
            pass
    assert log == ["+a", "+b", "-b", "+c", "-a", "+b"]
    assert use.programs.get("a") is None
    use.programs.close()
    assert sorted(log[-2:]) == ["-b", "-c"]


def test_a_program_that_thinks_is_not_closed(use, log):
    with use("a"), use("b"):
        with pytest.raises(PageError, match="All programs") as refused, use("c"):
            pass
        assert refused.value.passes
    with use("a"), use("c"):
        assert use.programs.get("a") is not None
    assert log == ["+a", "+b", "-b", "+c"]


def test_what_cannot_be_loaded_takes_no_room(use, log):
    def fail():
        raise ValueError

    for name in "xyz":
        with pytest.raises(ValueError), use.programs.using(name, fail):  # noqa: PT011
            pass
    with use("a"), use("b"):
        assert log == ["+a", "+b"]


def test_two_threads_load_a_program_once(use, log):
    begun, go_on, found = threading.Event(), threading.Event(), []

    def slow():
        begun.set()
        go_on.wait()
        return Named("a", log)

    def ask():
        with use.programs.using("a", slow) as program:
            found.append(program)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    threads[0].start()
    begun.wait()
    threads[1].start()
    assert use.programs.get("a") is None  # no page waits for it
    go_on.set()
    for thread in threads:
        thread.join()
    assert log == ["+a"]
    assert found[0] is found[1]
