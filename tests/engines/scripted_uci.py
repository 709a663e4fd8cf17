"""A UCI engine for nim that misbehaves on command: `scripted_uci.py SEED MODE BAD_SEED TOKEN`.

It plays well-behaved random moves, a function of its seed, the limit of `go` and the number of
moves played. With the bad seed it misbehaves in the way that MODE names.
"""

import os
import random
import signal
import sys

import scripted
from scripted import COLUMNS, ROWS, say, start_child, wait

SAID = {"illegal": "bestmove g1\n", "nothing": "bestmove\n", "none": "bestmove (none)\n"}
FLOODS = {"flood": ("info string and more\n" * 1000,), "long line": ("bestmove " * 1000,)}
THEN = {
    **{mode: scripted.THEN[mode] for mode in ("hang", "die", "killed", "closed")},
    "garbage": lambda: wait(say("hello there\n\n\x00\xff bestmove\n")),
    "half line": lambda: wait(say("bestmove a")),
    "half line and die": lambda: os._exit(say("bestmove a") or 0),
}


def misbehave(mode):
    return scripted.misbehave(mode, SAID, FLOODS, THEN)


def chosen(seed, limit, moves):
    heaps = [1, 3, 5, 7]
    for move in moves:
        heaps[ROWS.index(move[1])] = COLUMNS.index(move[0])
    legal = [COLUMNS[left] + ROWS[row] for row in range(4) for left in range(heaps[row])]
    return random.Random(f"{seed} {limit} {len(moves)}").choice(legal)


def main(seed, mode, bad, token):
    moves = []
    bold = searching = False
    for line in iter(sys.stdin.readline, ""):
        command, *words = line.split() or [""]
        is_bad = seed == bad
        if command == "uci":
            if is_bad and mode == "no start":
                sys.exit("bad flag")
            if is_bad and mode in ("fork", "fork and hang"):
                start_child(token)
            if is_bad and mode == "ignores quit":
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
            say("id name scripted 1\nid author nobody\n")
            say("option name Seed type string default 0\noption name Bold Play type check\n")
            if is_bad and mode == "no greeting":
                wait()
            say("uciok\n")
        elif command == "isready":
            if is_bad and mode == "never ready" and moves:
                wait()
            say("readyok\n")
        elif command == "setoption" and words[1] == "Seed":
            seed = words[3]
        elif command == "setoption":
            bold = words[-1] == "true"
        elif command == "position":
            moves = words[words.index("moves") + 1 :] if "moves" in words else []
        elif command == "go" and words[:1] == ["perft"]:
            say("Nodes searched: 16\n")
        elif command == "go" and words == ["infinite"]:
            say("info string thinking\n")
            searching = True
        elif command == "stop" and searching:
            say("bestmove a1\n")
            searching = False
        elif command == "go":
            if is_bad and len(moves) >= 2 and misbehave(mode.removeprefix("fork and ")):
                continue
            if mode == "scores":
                # Seeds that 3 divides take every position for lost.
                score = "cp -900" if int(seed) % 3 == 0 else "cp 3"
                say("info depth 1 score cp 77 lowerbound\ninfo depth 1 multipv 2 score cp -5000\n")
                say(f"info depth 2 multipv 1 score {score} nodes 9 pv a1\n")
            say(f"info string bold {bold}\nbestmove {chosen(seed, words[-1], moves)}\n")
        elif command == "tell":
            say(f"told {seed} {bold} {' '.join(words)}\n")
        elif command == "quit" and is_bad and mode == "ignores quit":
            wait()
        elif command == "quit":
            return


if __name__ == "__main__":
    main(*sys.argv[1:])
