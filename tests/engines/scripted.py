"""A GTP engine for nim that misbehaves on command: `scripted.py SEED MODE BAD_SEED TOKEN`.

It plays well-behaved random moves, a function of its seed and the number of moves played. With
the bad seed it misbehaves in the way that MODE names. TOKEN marks its processes for the test.
In mode `drift` it plays otherwise from the tenth game of a process on.
"""

import os
import random
import signal
import sys
import time

ROWS = "1234"
COLUMNS = "abcdefg"
ANSWERS = {
    "protocol_version": "2",
    "name": "scripted",
    "version": "1",
    "list_commands": "play\ngenmove\nheaps\nempty\nloadsgf\nrefuse",
}
CHILDREN = ("fork", "fork and hang", "escape", "escape and die")


def say(text, to=sys.stdout):
    to.write(text)
    to.flush()


def wait(*_):
    time.sleep(1000)


def die():
    say("something broke inside\n", sys.stderr)
    os._exit(3)


SAID = {
    "garbage": "hello there\n\n",
    "error": "? cannot think\n\n",
    "two words": "= a1 a2\n\n",
    "nothing": "=\n\n",
    "illegal": "= g1\n\n",
    "resign": "= resign\n\n",
}
FLOODS = {
    "flood": ("= a1 and more\n" * 1000,),
    "long line": ("=" * 10_000,),
    "flood errors": ("no\n" * 1000, sys.stderr),
}
THEN = {
    "hang": lambda: wait(open("hanging", "w").close()),  # noqa: PTH123 - pathlib is slow to load
    "die": die,
    "half line": lambda: wait(say("= a")),
    "half line and die": lambda: os._exit(say("= a") or 0),
    "no end": lambda: wait(say("= a1\n")),
    "closed": lambda: wait(os.close(1)),
    "closes input": lambda: wait(os.close(0), say("= a1\n\n")),
    "eats memory": lambda: bytearray(250 * 2**20),
    "late": lambda: time.sleep(3),
    "killed": lambda: os.kill(os.getpid(), signal.SIGSEGV),
}


def misbehave(mode, said=SAID, floods=FLOODS, then=THEN):
    """Do it when a move is asked for; return whether that was an answer."""
    while mode in floods:
        say(*floods[mode])
    then.get(mode, bool)()
    say(said.get(mode, ""))
    return mode in said


def start_child(token, escape=False):
    """Leave a child behind that would live on, perhaps in a session of its own."""
    import subprocess  # seldom needed, and slow to load

    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
    words = [sys.executable, "-S", "-E", "-c", code, token]
    # Nothing ties it to us: no pipe, no session, and in the end no parent.
    nowhere = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL) if escape else {}
    subprocess.Popen(words, start_new_session=escape, **nowhere)


def main(seed, mode, bad, token):
    is_bad = seed == bad
    if is_bad and mode == "silent":
        wait()
    if is_bad and mode == "no start":
        sys.exit("bad flag")
    if is_bad and mode == "another protocol":
        say("Welcome to my program!\n")
    if is_bad and mode.split()[0] in ("fork", "escape"):
        start_child(token, escape=mode.startswith("escape"))
    if is_bad and mode in ("ignores quit", "talks on"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    heaps, played, games, left = [], 0, 0, 0.0
    for line in iter(sys.stdin.readline, ""):
        command, *words = line.split() or [""]
        answer = ""
        if command in ANSWERS:
            answer = ANSWERS[command]
        elif command == "heaps":
            answer = " ".join(map(str, heaps))
        elif command == "guess":
            lost = int(seed) % 3 == 0
            # The one who has just moved is Black after an odd number of moves.
            winner = "BW"[played % 2] if lost else "WB"[played % 2]
            answer = f"{winner}+30.5 (upper bound: 30.5)"
        elif command == "empty":
            heaps = [0, 0, 0, 0]
        elif command == "refuse":
            say("? not now\n\n")
            continue
        elif command == "clear_board":
            heaps, played = [1, 3, 5, 7], 0
            games += 1
        elif command == "seed":
            seed = words[0]
            is_bad = seed == bad
        elif command == "play":
            heaps[ROWS.index(words[1][1])] = COLUMNS.index(words[1][0])
            played += 1
        elif command == "time_left":
            left = float(words[1])
        elif command == "genmove":
            if is_bad and mode == "oversleeps":
                time.sleep(2 * left)
            if is_bad and mode == "noisy errors":
                say("thinking\n" * 40_000, sys.stderr)
            if is_bad and mode == "random crash" and random.random() < 0.2:
                die()
            if is_bad and mode == "die at once":
                die()
            behaviour = mode.partition(" and ")[2] if mode in CHILDREN else mode
            if is_bad and played >= 2 and misbehave(behaviour):
                continue
            moves = [(row, left) for row in range(4) for left in range(heaps[row])]
            shared = "" if mode == "deaf" else seed
            shared += " drifted" if mode == "drift" and games >= 10 else ""
            draw = random if mode == "random" else random.Random(f"{shared} {played}")
            row, rest = draw.choice(moves)
            heaps[row] = rest
            played += 1
            answer = f"{COLUMNS[rest].upper()}{ROWS[row]}"
        elif command == "quit" and is_bad and mode == "ignores quit":
            wait()
        elif command == "quit" and is_bad and mode == "talks on":
            while True:
                say("so long\n" * 1000)
        say(f"=\t{answer}\a\r\n\a\n" if mode == "bells" else f"= {answer}\n\n")
        if command == "quit":
            return
        if is_bad and mode == "unasked" and played >= 2:
            say("= and another thing\n\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
