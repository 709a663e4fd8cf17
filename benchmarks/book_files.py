"""The size of portfolio files with a large book, and the time to write and to read them.

Run with `python -m benchmarks.book_files`; it takes one core and less than a minute. The book is
made up: a tree of legal moves on Domineering 7x7 whose games split as in a learnt book. The file of
version 1 has an object for each entry, with a state and two seeds, as it was written before.
"""

from __future__ import annotations

import json
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
from seedfolio.portfolios.file import PortfolioFile

ENTRIES = 94_000
GAMES = 20_000_000
LINES = 5_000
"""Entries with a line in a file of version 1."""


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


def version_1(file: PortfolioFile, game: Game) -> str:
    luck = random.Random(3)
    data = json.loads(file.text())
    data["schema_version"] = 1
    plays = file.plays(game)
    assert file.book is not None
    for colour, name in enumerate(("first", "second")):
        side = (file.book.first, file.book.second)[colour]
        for written, book, target in zip(
            side, plays[colour].books, data["book"][name], strict=True
        ):
            told = set(sorted(range(len(book)), key=lambda k: -book.games[k])[:LINES])
            del target["kind"], target["columns"], target["rows"]
            target["entries"] = [
                {
                    "state": f"{int(state):016x}",
                    "line": entry.line if k in told else None,
                    "move": entry.move,
                    "seed": luck.randrange(GAMES),
                    "opponent": luck.randrange(GAMES),
                    "symmetry": luck.randrange(4) if k in told else None,
                    "parent": entry.parent,
                    "games": entry.games,
                    "success": round(entry.success, 4),
                    "original": round(entry.original, 4),
                }
                for k, (entry, state) in enumerate(zip(written.entries, book.states, strict=True))
            ]
    return json.dumps(data, separators=(",", ":")) + "\n"


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
        old = folder / "old.json"
        old.write_text(version_1(file, game))
        print(f"{books.size:,} entries; version 1: {old.stat().st_size:,} bytes")
        timed("write version 2", lambda: file.save(folder / "new.json"))
        new = folder / "new.json.gz"
        print(f"version 2: {len(file.text()):,} bytes, compressed {new.stat().st_size:,}")
        for path in (old, new):
            timed(f"load {path.name}", lambda path=path: load_portfolio(path))
            loaded = load_portfolio(path)
            timed(f"make {path.name} playable", lambda loaded=loaded: loaded.plays(game))


if __name__ == "__main__":
    main()
