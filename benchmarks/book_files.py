"""The size of portfolio files with a large book, and the time to write and to read them.

Run with `python -m benchmarks.book_files`; it takes one core and less than a minute. The book is
made up: a tree of legal moves on Domineering 7x7 whose games split as in a learnt book.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from seedfolio import boost, load_portfolio
from seedfolio.games import load_game
from seedfolio.games.game import Game
from seedfolio.portfolios.book.file import WrittenBooks
from seedfolio.portfolios.book.rows import WrittenEntry, written_book

ENTRIES = 94_000
GAMES = 20_000_000


def made_up(game: Game, colour: int, most: int) -> list[WrittenEntry]:
    luck = random.Random(colour)
    entries: list[WrittenEntry] = []
    starts = [()] if colour == 0 else [(move,) for move in game.position(()).moves]
    waiting = [(start, GAMES // len(starts), -1) for start in starts]
    for line, games, parent in waiting:
        moves = game.position(line).moves
        if len(entries) == most:
            break
        if not moves:
            continue
        move, original = luck.choice(moves), luck.uniform(0.2, 0.7)
        names = " ".join(map(game.move_name, line))
        success = min(1.0, original + luck.expovariate(8))
        entries.append(WrittenEntry(names, game.move_name(move), parent, games, success, original))
        answers = list(game.position((*line, move)).moves)
        luck.shuffle(answers)
        shares = [(games * 2) // (3 ** (place + 1) + place) for place in range(len(answers))]
        for answer, share in zip(answers, shares, strict=True):
            if share >= 24:
                waiting.append(((*line, move, answer), share, len(entries) - 1))
    return entries


def timed(what: str, work: Callable[[], object]) -> None:
    start = time.process_time()
    work()
    print(f"{what:<28} {time.process_time() - start:6.2f} s of CPU")


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = {"k": 2, "opponents": 17, "learners": "best-seed", "study": folder / "a.study"}
        small = boost("domineering:4x4", "uct:simulations=5", **asked).portfolios["best-seed"]
        game = load_game("domineering:7x7")
        first, second = ([written_book(1.0, made_up(game, c, ENTRIES // 2))] for c in (0, 1))
        books = WrittenBooks(symmetric=True, first=first, second=second)
        file = small.model_copy(update={"book": books, "first": {}, "second": {}})
        path = folder / "a.json.gz"
        timed("write", lambda: file.save(folder / "a.json"))
        print(f"{books.size:,} entries: {len(file.text()):,} bytes, compressed", end=" ")
        print(f"{path.stat().st_size:,}")
        timed("load", lambda: load_portfolio(path))
        loaded = load_portfolio(path)
        timed("make playable", lambda: loaded.plays(game))


if __name__ == "__main__":
    main()
