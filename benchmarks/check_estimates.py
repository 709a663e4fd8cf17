"""How good the estimate of `seedfolio check` is: it against the study itself, on five engines.

`python -m benchmarks.check_estimates` checks each engine, boosts it as the check supposes, and
prints both times and their ratio. Names of engines choose some of them; `--folder` keeps the
studies, so that a run that was interrupted goes on with the next engine. All five take about half
an hour on two cores, of which the slow start sleeps for most of its part.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from seedfolio import boost, check

BOT = """
import random, sys, time

seed = sys.argv[1]
time.sleep(float(sys.argv[2]))
ROWS, COLUMNS, heaps, played = "1234", "abcdefg", [], 0
for line in sys.stdin:
    command, *words = line.split() or [""]
    answer = {"protocol_version": "2", "name": "nim", "version": "1"}.get(command, "")
    if command == "seed":
        seed = words[0]
    elif command == "clear_board":
        heaps, played = [1, 3, 5, 7], 0
    elif command == "play":
        heaps[ROWS.index(words[1][1])] = COLUMNS.index(words[1][0])
        played += 1
    elif command == "genmove":
        moves = [COLUMNS[left] + ROWS[row] for row in range(4) for left in range(heaps[row])]
        answer = random.Random(f"{seed} {played}").choice(moves)
        heaps[ROWS.index(answer[1])] = COLUMNS.index(answer[0])
        played += 1
    print(f"= {answer}\\n", flush=True)
    if command == "quit":
        break
"""

NIM = """
[game]
name = "nim"
[player]
protocol = "gtp"
command = ["{python}", "-S", "-E", "bot.py", {arguments}]
setup = [{setup}]
[limits]
start = 100
[study]
k = {k}
kt = {k}
opponents = 17
"""

GNU_GO = """
[game]
name = "go"
board = 5
komi = 6.5
moves = 150
[player]
protocol = "gtp"
command = "gnugo --mode gtp --quiet --level 1 --chinese-rules --never-resign \
--monte-carlo --mc-games-per-level 60"
setup = ["set_random_seed {seed}"]
reuse = false
[study]
k = 4
kt = 4
opponents = 17
"""

STOCKFISH = """
[game]
name = "open_spiel:chess"
moves = 200
[player]
protocol = "uci"
command = "stockfish"
go = "nodes {nodes}"
forget = true
options = { Hash = 1, Threads = 1, "Use NNUE" = "{nnue}" }
[arms.grid]
nodes = "200..230"
nnue = [true, false]
[study]
k = 4
kt = 4
opponents = 17
"""

OPEN_SPIEL = """
[game]
name = "open_spiel:connect_four"
[player]
protocol = "open_spiel"
bot = "mcts"
options = { simulations = 50 }
[study]
k = 6
kt = 6
opponents = 17
"""


def nim(arguments: str, setup: str, k: int) -> str:
    return NIM.format(python=sys.executable, arguments=arguments, setup=setup, k=k)


ENGINES = {
    "seed-in-command": nim('"{seed}", "0.3"', "", 6),
    "slow-start": nim('"0", "30"', '"seed {seed}"', 4),
    "chess": STOCKFISH,
    "gnu-go": GNU_GO,
    "open-spiel": OPEN_SPIEL,
}
"""A Python engine that starts in 0.3 s with its seed in the command; one that starts in 30 s; a
chess engine with options; one that needs a new process for each answer; one in this process."""


def measure(name: str, folder: Path) -> tuple[float, float]:
    """Return the estimate and the time of the study, in seconds."""
    kept = folder / f"{name}.json"
    if kept.is_file():
        estimate, seconds = json.loads(kept.read_text())
        return float(estimate), float(seconds)
    (folder / "bot.py").write_text(BOT)
    file = folder / f"{name}.toml"
    file.write_text(ENGINES[name])
    estimate = check(file).seconds
    study = folder / f"{name}.study"
    for left in folder.glob(f"{study.name}*"):  # of a run that was interrupted
        left.unlink()
    known = time.perf_counter()
    boosted: list[float] = []

    def note(text: str) -> None:
        boosted.append(time.perf_counter())  # the check's own games are not part of the study

    boost(file, study=study, progress=False, note=note)
    # The last line of the check comes before its last step, which is short beside the study.
    seconds = time.perf_counter() - max([known, *boosted])
    kept.write_text(json.dumps([estimate, seconds]))
    return estimate, seconds


def main(names: list[str], folder: Path) -> bool:
    good = True
    print("| engine | estimate, s | study, s | ratio |\n| --- | ---: | ---: | ---: |")
    for name in names:
        estimate, seconds = measure(name, folder)
        ratio = estimate / seconds
        good &= 0.5 <= ratio <= 2
        print(f"| {name} | {estimate:.0f} | {seconds:.0f} | {ratio:.2f} |", flush=True)
    return good


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", choices=[*ENGINES, []])
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    chosen = given.engines or list(ENGINES)
    if given.folder is not None:
        given.folder.mkdir(parents=True, exist_ok=True)
        sys.exit(not main(chosen, given.folder))
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(not main(chosen, Path(temporary)))
