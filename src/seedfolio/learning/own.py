"""A learner of a user's own: a function or a class, in a Python file or from Python.

`learn(results, rng)` weighs the arms of a matrix. `explore(budget, rng)` is a generator: it yields
cells, receives their results, and returns the weights of both colours. Both become the classes that
the built-in learners are.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.randomness import mix_int
from seedfolio.core.trust import Permit
from seedfolio.core.user_file import load_file
from seedfolio.errors import SeedfolioError, SpecificationError
from seedfolio.learning.exploration import MOST_ARMS, Choice, ExploringLearner, nothing_known
from seedfolio.learning.learner import Certificate, Learner, Number
from seedfolio.learning.matrix import MatrixLearner, Scores, Weights
from seedfolio.portfolios.portfolio import Distribution, Portfolio
from seedfolio.study.session import Cells

_KINDS = ("learn", "explore")
_given: dict[str, OwnEntry] = {}
"""By name: what a caller from Python has passed."""


@dataclass(frozen=True)
class OwnEntry:
    """A learner of a user's own, before its parameters are chosen."""

    text: str
    """Its file, or the name of its function."""
    kind: str
    """`learn` or `explore`."""
    made: Any
    """A function, whose keyword-only parameters are the learner's, or a class."""
    is_class: bool

    @property
    def parameters(self) -> dict[str, Number]:
        """Its parameters with their defaults."""
        taken = inspect.signature(self.made).parameters.values()
        chosen = [each for each in taken if self.is_class or each.kind is each.KEYWORD_ONLY]
        for each in chosen:
            if not isinstance(each.default, int | float) or isinstance(each.default, bool):
                raise SpecificationError(
                    f"learner {self.text}: parameter {each.name} needs a number as its default"
                )
        return {each.name: each.default for each in chosen}

    @property
    def takes_matrix(self) -> bool:
        """Whether it learns from a whole matrix."""
        return self.kind == "learn"

    def make(self, **numbers: Number) -> Learner:
        """Return the learner with these parameters."""
        kind = OwnMatrix if self.takes_matrix else OwnExploring
        own = kind(self, numbers)
        if self.is_class:
            own.call("__init__", lambda: self.made(**numbers))  # refuses wrong numbers now
        return own


@dataclass(frozen=True)
class _Own(Learner):
    """What both kinds share."""

    entry: OwnEntry
    numbers: Mapping[str, Number] = field(default_factory=dict)
    short: ClassVar[str] = "own"

    @property
    def name(self) -> str:
        """The text that `find_learner` turns back into this learner."""
        usual = self.entry.parameters
        given = {**usual, **self.numbers}
        options = ",".join(f"{k}={given[k]}" for k in usual if given[k] != usual[k])
        return f"{self.entry.text}:{options}" if options else self.entry.text

    def function(self) -> Callable[..., Any]:
        """Return the function to call, with the parameters chosen."""
        if self.entry.is_class:
            made: Callable[..., Any] = getattr(self.entry.made(**self.numbers), self.entry.kind)
            return made
        return lambda *given: self.entry.made(*given, **self.numbers)

    def call(self, what: str, run: Callable[[], Any]) -> Any:
        """Run something of the user's; SpecificationError, in one line, if it raises."""
        try:
            return run()
        except (SeedfolioError, StopIteration):
            raise
        except Exception as error:
            lines = [each.lineno for each in traceback.extract_tb(error.__traceback__)]
            said = " ".join(str(error).split())
            raise SpecificationError(
                f"learner {self.entry.text}: {what} raises {type(error).__name__} in line "
                f"{lines[-1]}: {said}"
            ) from error

    def wrong(self, text: str) -> SpecificationError:
        """Return what to raise if the learner breaks a rule."""
        return SpecificationError(f"learner {self.entry.text}: {text}")

    def weights(self, found: Any, size: int | None = None) -> tuple[list[int], list[float]]:
        """Return arms and their weights, which add up to 1; `size`: how many there must be."""
        arms: Any = range(size or 0)
        try:
            if isinstance(found, Mapping):
                arms, found = [*found.keys()], [*found.values()]
            values = np.asarray(found, np.float64)
        except (TypeError, ValueError):
            raise self.wrong(f"{self.entry.kind} returns no numbers as weights") from None
        if values.ndim != 1 or not len(values) or size not in (None, len(values)):
            wanted = "one for each arm" if size is None else f"one for each of {size} arms"
            raise self.wrong(
                f"{self.entry.kind} returns weights of shape {values.shape}, not {wanted}"
            )
        if not np.isfinite(values).all() or values.min() < 0 or not 0 < values.sum() < np.inf:
            raise self.wrong(
                f"{self.entry.kind} returns weights that are not all 0 or more with a sum above 0: "
                f"of {len(values)}, {np.isnan(values).sum()} are no numbers (nan)"
            )
        arms = arms or range(len(values))
        for arm in arms:
            if not isinstance(arm, int | np.integer) or not 0 <= arm < MOST_ARMS:
                raise self.wrong(f"{arm!r} is no arm; arms are whole numbers below {MOST_ARMS:,}")
        return [int(arm) for arm in arms], (values / values.sum()).tolist()


def _random(key: int) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(key=mix_int(key)))


@dataclass(frozen=True)
class OwnMatrix(_Own, MatrixLearner):
    """Weighs the arms of a matrix by a function of the user's."""

    def weigh(self, scores: Scores, full: int, key: int) -> Weights:
        """Call it with successes from 0 to 1, which it cannot change."""
        results = scores / full
        results.setflags(write=False)
        found = self.call("learn", lambda: self.function()(results, _random(key)))
        _, weights = self.weights(found, len(scores))
        return Weights(np.array(weights))


@dataclass(frozen=True)
class OwnExploring(_Own, ExploringLearner):
    """Asks for games by a generator of the user's."""

    def begin(self, cells: int, full: int, key: int) -> OwnExploration:
        """Begin an exploration of at most `cells` cells."""
        return OwnExploration(self, cells, full, key)


class OwnExploration:
    """One run of the generator."""

    def __init__(self, learner: OwnExploring, cells: int, full: int, key: int) -> None:
        self._learner, self._cells, self._full = learner, cells, full
        self._key = key
        self._run: Any = None  # a generator: of cells, which receives successes
        self._asked: Cells | None = None
        self._seen: set[int] = set()
        self._choice: Choice | None = None

    def ask(self) -> Cells | None:
        """Return the cells that the generator has yielded; None once it has returned."""
        if self._run is None and self._choice is None:
            if self._cells < 1:
                self._choice = nothing_known()
                return None
            own = self._learner
            found = own.call("explore", lambda: own.function()(self._cells, _random(self._key)))
            if not inspect.isgenerator(found):
                raise own.wrong("explore is no generator; it must yield cells")
            self._run = found
            self._follow(lambda: next(found))
        return self._asked

    def tell(self, points: NDArray[np.uint8]) -> None:
        """Send the first player's successes, from 0 to 1, in the order of the cells."""
        run, successes = self._run, points / self._full
        assert run is not None, "tell follows ask"
        self._follow(lambda: run.send(successes))

    def choice(self) -> Choice:
        """Return what the generator has returned; before that, nothing is known."""
        return self._choice or nothing_known()

    def _follow(self, step: Callable[[], Any]) -> None:
        own = self._learner
        try:
            asked = own.call("explore", step)
        except StopIteration as end:
            self._asked, self._run = None, None
            self._choice = self._chosen(end.value)
            return
        self._asked = self._checked(asked)

    def _checked(self, asked: Any) -> Cells:
        """Return the cells; SpecificationError if they are none, or more than the budget."""
        own = self._learner
        try:
            pairs = np.asarray(asked)
        except ValueError:
            pairs = np.zeros(0)
        if pairs.ndim != 2 or pairs.shape[1] != 2 or not len(pairs) or pairs.dtype.kind not in "iu":
            raise own.wrong(
                "explore yields no cells; a cell is a pair of arms, the first player's and the "
                "second's, as in yield [(0, 1), (0, 2)]"
            )
        if pairs.min() < 0 or pairs.max() >= MOST_ARMS:
            raise own.wrong(
                f"explore asks for arm {pairs.min() if pairs.min() < 0 else pairs.max()}; arms are "
                f"whole numbers from 0, below {MOST_ARMS:,}"
            )
        cells = Cells(pairs[:, 0].astype(np.uint64), pairs[:, 1].astype(np.uint64))
        self._seen.update(cells.keys.tolist())
        if len(self._seen) > self._cells:
            raise own.wrong(
                f"explore asks for {len(self._seen):,} different cells, and its budget is "
                f"{self._cells:,}; return the weights before"
            )
        return cells

    def _chosen(self, found: Any) -> Choice:
        own = self._learner
        if not isinstance(found, tuple | list) or len(found) != 2:
            raise own.wrong("explore must return two things: the weights of each colour")
        first, second = (Distribution(*_without_zeros(*own.weights(each))) for each in found)
        return Choice(Portfolio(first, second), Certificate(0.0, 1.0), Certificate(0.0, 1.0))


def _without_zeros(
    arms: list[int], weights: list[float]
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    kept = [k for k, weight in enumerate(weights) if weight > 0]
    return tuple(arms[k] for k in kept), tuple(weights[k] for k in kept)


def load_own(file: str, permit: Permit) -> OwnEntry:
    """Return the one learner of a file; SpecificationError if there is not exactly one."""
    module = load_file(Path(file), "learner", permit)
    found = [
        (kind, value, isinstance(value, type))
        for name, value in vars(module).items()
        if _is_of(module, value)
        for kind in _KINDS
        if (isinstance(value, type) and callable(getattr(value, kind, None)))
        or (inspect.isfunction(value) and name == kind)
    ]
    if len(found) != 1:
        raise SpecificationError(
            f"learner file {file} has {len(found)} learners; it needs exactly one function named "
            "learn or explore, or one class with such a method"
        )
    return OwnEntry(file, *found[0])


def _is_of(module: ModuleType, value: Any) -> bool:
    return getattr(value, "__module__", None) == module.__name__


def given_name(learner: Any) -> str:
    """Return the name of a learner that a caller has passed, which `find_own` knows from now on.

    A function that yields explores, any other weighs a matrix; a class has a method for one.
    """
    is_class = isinstance(learner, type)
    name = getattr(learner, "__name__", "")
    kinds = [kind for kind in _KINDS if is_class and callable(getattr(learner, kind, None))]
    if inspect.isfunction(learner):
        kinds = ["explore" if inspect.isgeneratorfunction(learner) else "learn"]
    if len(kinds) != 1 or not name.isidentifier():
        raise SpecificationError(
            f"`learners` must be names such as nash, functions that have a name, or classes with a "
            f"method learn or explore, not {learner!r}"
        )
    _given[name] = OwnEntry(name, kinds[0], learner, is_class)
    return name


def find_own(name: str, permit: Permit) -> OwnEntry | None:
    """Return the learner of a file, or what a caller has passed; None if there is none."""
    return load_own(name, permit) if name.endswith(".py") else _given.get(name)
