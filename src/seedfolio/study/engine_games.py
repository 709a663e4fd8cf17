"""What a study keeps of external engines beside the results: their games and answers.

A study gets these tables when it first needs them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from seedfolio.engines.endings import FORFEITS, Ending
from seedfolio.engines.play.answers import RESULT, Answer
from seedfolio.engines.record import GameRecord
from seedfolio.study.database import STUDY_FILE, checksum
from seedfolio.study.sqlite_file import Database

_MOST_POINTS = 2
_CUT = Ending.ADJUDICATED_WIN, Ending.ADJUDICATED_DRAW, Ending.MOVE_LIMIT


@dataclass(frozen=True)
class Summary:
    """The games of a study in numbers."""

    games: int
    moves: int
    computed: Annotated[int, Field(alias="computed_moves")]
    """Moves that engines computed; all of them if answers are not remembered."""
    endings: dict[Ending, int]
    late: int = 0
    """Games that were played once more, because an engine answered too late."""

    @property
    def saved(self) -> float:
        """The share of moves that needed no engine."""
        return 1 - self.computed / self.moves if self.moves else 0.0

    @property
    def forfeits(self) -> dict[Ending, int]:
        """Games lost by a fault of an engine, by the kind of fault."""
        return {ending: count for ending, count in self.endings.items() if ending in FORFEITS}

    @property
    def text(self) -> str:
        """A line for users."""
        faults = ", ".join(f"{count} by {ending}" for ending, count in self.forfeits.items())
        lost = f"{sum(self.forfeits.values())} forfeited ({faults})" if faults else "none forfeited"
        if self.late:
            lost += f", {self.late:,} played once more after a timeout"
        won, drawn, cut = (self.endings.get(each, 0) for each in _CUT)
        if won or drawn:
            lost += f", adjudicated {won:,} as won and {drawn:,} as drawn"
        if cut:
            lost += f", {cut:,} cut by the move limit"
        moves = f"{self.moves:,} moves"
        if self.saved > 0:
            moves += f", {100 * self.saved:.0f}% of them known from games with the same beginning"
        return f"games       {self.games:,}, {lost}; {moves}"


class EngineGames:
    """The games and answers in one study."""

    def __init__(self, database: Database, *, writable: bool) -> None:
        self._database = database
        if writable:
            with database.transaction() as connection:
                for statement in STUDY_FILE.optional:
                    connection.execute(statement)

    def answers(self) -> Iterator[Answer]:
        """Yield all answers kept so far."""
        for arm, history, answer, stored in self._rows("engine_answer"):
            if stored != _answer_checksum(arm, history, answer):
                raise self._database.damaged(f"an answer of arm {arm} fails its checksum")
            yield Answer(arm, history, answer)

    def keep(self, games: list[GameRecord], answers: list[Answer]) -> None:
        """Keep games and answers; known ones may come again."""
        with self._database.transaction() as connection:
            connection.executemany(
                "INSERT OR REPLACE INTO engine_answer VALUES (?, ?, ?, ?)",
                ((*answer, _answer_checksum(*answer)) for answer in answers),
            )
            for table, keep in (("engine_game", False), ("engine_book_game", True)):
                kept = [_content(game) for game in games if (game.books is not None) is keep]
                connection.executemany(
                    f"INSERT OR REPLACE INTO {table} VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    ((*content, _game_checksum(*content)) for content in kept),
                )
            late = ((game.books or 0, *game.arms, game.number, game.late) for game in games)
            connection.executemany(
                "INSERT OR REPLACE INTO engine_timeout VALUES (?, ?, ?, ?, ?, ?)",
                ((*each, _game_checksum(*each)) for each in late if each[-1]),
            )

    def games(self) -> Iterator[GameRecord]:
        """Yield all games without books, by their arms."""
        for first, second, number, *rest in self._game_rows("engine_game"):
            yield _record(rest, arms=(first, second), number=number)

    def book_games(self) -> Iterator[GameRecord]:
        """Yield all games with books."""
        for books, first, second, *rest in self._game_rows("engine_book_game"):
            yield _record(rest, arms=(first, second), books=books)

    def summary(self) -> Summary:
        """Count games, moves and endings."""
        games = [*self.games(), *self.book_games()]
        moves = sum(len(game.moves) + _answered_otherwise(game) for game in games)
        computed = sum(1 for answer in self.answers() if answer.arm != RESULT)
        endings = Counter(game.ending for game in games)
        late = len(self._rows("engine_timeout"))
        return Summary(len(games), moves, computed or moves, dict(sorted(endings.items())), late)

    def _game_rows(self, table: str) -> Iterator[list[Any]]:
        for *content, stored in self._rows(table):
            if stored != _game_checksum(*content):
                raise self._database.damaged(f"a game in {table} fails its checksum")
            ending, points = content[3:5]
            if ending not in {*Ending} or not 0 <= points <= _MOST_POINTS:
                raise self._database.damaged(f"a game in {table} has no such ending")
            yield content

    def _rows(self, table: str) -> list[tuple[Any, ...]]:
        with self._database.guard() as connection:
            found = "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = ?"
            if connection.execute(found, (table,)).fetchone() == (0,):
                return []
            return connection.execute(f"SELECT * FROM {table}").fetchall()


def _answered_otherwise(game: GameRecord) -> int:
    """Return 1 if the last answer was not a move, but an engine computed it."""
    return int(game.ending is Ending.RESIGNATION)


def _record(rest: list[Any], **key: Any) -> GameRecord:
    ending, points, moves, detail = rest
    content: dict[str, Any] = {"ending": Ending(ending), "points": points, "detail": detail}
    return GameRecord(**key, **content, moves=tuple(moves.split()))


def _content(game: GameRecord) -> tuple[int, int, int, str, int, str, str]:
    key = *game.arms, game.number
    if game.books is not None:
        key = game.books, *game.arms
    return *key, game.ending.value, game.points, " ".join(game.moves), game.detail


def _answer_checksum(arm: int, history: bytes, answer: str) -> int:
    return checksum(f"{arm} {history.hex()}", answer.encode())


def _game_checksum(first: int, second: int, number: int, *content: str | int) -> int:
    return checksum(f"{first} {second} {number}", "\n".join(map(str, content)).encode())
