"""The parts of a portfolio file, as they are written."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from seedfolio.core.display import Brief
from seedfolio.core.plain_text import is_plain
from seedfolio.engines.play.samples import SampleAnswer, first_difference
from seedfolio.engines.program import EngineProgram
from seedfolio.engines.specification.specification import first_problem
from seedfolio.errors import PortfolioError
from seedfolio.portfolios.portfolio import CRITERIA, Distribution


def problem_of(error: ValidationError, form: str, version: int) -> str:
    """Return the first problem of a file of this format and version that does not fit its model."""
    problem: Any = error.errors()[0]
    if problem["loc"] == ("schema_version",):
        newer = isinstance(problem["input"], int) and problem["input"] > version
        advice = "; a newer Seedfolio wrote it: update this one" if newer else ""
        return (
            f"it has schema version {problem['input']}, and this program reads version "
            f"{version}{advice}"
        )
    if problem["loc"] == ("format",):
        return f"its format is not {form!r}"
    return first_problem(error.errors())


class FilePart(Brief, BaseModel):
    """A part that refuses what it does not know."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        defer_build=True,  # when first used: a start should not wait for it
        # For the JSON Schema.
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )


def _check_plain(text: str) -> str:
    if not is_plain(text):
        raise ValueError("it has a control character")
    return text


Plain = Annotated[str, AfterValidator(_check_plain)]
"""A text for people, which a terminal can print."""


class Identity(FilePart):
    """A game or a player: how to load it, and how to recognise that it is the same."""

    source: Plain
    name: Plain
    version: int
    parameters: dict[Plain, int | float | Plain]


class LearntFile(FilePart):
    """A file of what was learnt with a program; how it begins."""

    format: str
    schema_version: int
    game: Identity
    player: Identity
    behaviour: Plain
    """Digest of sample games."""


def _check_weights(weights: dict[int, float]) -> dict[int, float]:
    if weights:
        distribution_of(weights)
    return weights


def distribution_of(weights: dict[int, float]) -> Distribution:
    """Return the distribution with these weights."""
    return Distribution(tuple(weights), tuple(weights.values()))


Seed = Annotated[int, Field(ge=0, lt=2**63)]
Weights = Annotated[dict[Seed, float], AfterValidator(_check_weights)]
"""The distribution of one colour: seed to weight; empty with a book, and a fresh seed each game."""


class WrittenBounds(FilePart):
    """The value of a colour's matrix game lies between these: the certificate of Nash."""

    lower: float
    upper: float


class WrittenCertificates(FilePart):
    """The certificates of both colours."""

    first: WrittenBounds
    second: WrittenBounds


class Provenance(FilePart):
    """Where a portfolio comes from."""

    seedfolio: Plain
    k: int | None
    kt: int | None
    repeats: int = 1
    games: int


class Success(FilePart):
    """Success against the worst for us of `exploiter` unseen arms, with its standard error."""

    exploiter: int
    success: float
    error: float | None
    first: float
    second: float


def _check_success(success: list[Success]) -> list[Success]:
    if not success or tuple(each.exploiter for each in success) != CRITERIA[: len(success)]:
        raise ValueError(f"there must be an entry for each exploiter of {CRITERIA}, or the first")
    return success


class UnseenEvaluation(FilePart):
    """Success on unseen arms."""

    unseen_arms: tuple[int, int] = Field(strict=False)
    success: Annotated[list[Success], AfterValidator(_check_success)]


class WrittenBestResponse(FilePart):
    """Success as first and as second player against the opponent's best response, exactly."""

    first: float
    second: float

    @property
    def mean(self) -> float:
        """Both colours together."""
        return (self.first + self.second) / 2


class WrittenLearns(FilePart):
    """Success against an opponent who learnt against it, with its 95% interval."""

    games: int
    """From how many games the opponent learnt."""
    success: float
    low: float
    high: float


class WrittenAnswer(FilePart):
    """What an arm answered after some moves, to see whether the engine still does."""

    arm: int
    moves: list[Plain]
    move: Plain


class WrittenEngine(FilePart):
    """An external engine: all that is needed to start it."""

    file: Plain
    """The path of its specification; paths in that are relative to its folder."""
    specification: dict[str, Any]
    digest: str
    """Digest of those parts of the specification on which results depend."""
    identity: Plain
    """The name and version that the engine reported."""
    arms: dict[Seed, Plain]
    """What each arm of the portfolio means for the engine."""
    against: list[str] = []
    """The other programs that it was made for; empty: the engine itself."""
    answers: list[WrittenAnswer] = []
    """Some answers, by which a rebuilt engine is noticed."""

    def compare(self, program: EngineProgram) -> None:
        """Raise PortfolioError if an engine is another one than that which was learnt from."""
        identity = program.engine_identity
        if identity != self.identity:
            raise PortfolioError(
                f"this portfolio was learnt with {self.identity}, but here is {identity}: "
                "learn it again with seedfolio boost"
            )
        samples = (SampleAnswer(each.arm, tuple(each.moves), each.move) for each in self.answers)
        if found := first_difference(program, samples):
            raise PortfolioError(
                "the engine answers differently than when this was learnt: was it rebuilt? "
                f"({found}); learn it again with seedfolio boost"
            )

    @property
    def made_for(self) -> str:
        """These programs as a part of a title."""
        return f", made for {', '.join(self.against)}" if self.against else ""
