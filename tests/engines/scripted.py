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
CHILDREN = ("fork", "fork and hang", "escape", "escape and die")


def say(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave(mode):
    """Do it in place of an answer to genmove; return what to answer if it does answer."""
    if mode == "hang":
        open("hanging", "w").close()  # noqa: PTH123 - pathlib is slow to load
        time.sleep(1000)
    elif mode == "die":
        sys.stderr.write("something broke inside\n")
        sys.stderr.flush()
        os._exit(3)
    elif mode == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif mode == "flood":
        while True:
            say("= a1 and more\n" * 1000)
    elif mode == "long line":
        while True:
            say("=" * 10_000)
    elif mode == "flood errors":
        while True:
            sys.stderr.write("no\n" * 1000)
    elif mode == "garbage":
        say("hello there\n\n")
    elif mode == "half line":
        say("= a")
        time.sleep(1000)
    elif mode == "half line and die":
        say("= a")
        os._exit(0)
    elif mode == "no end":
        say("= a1\n")
        time.sleep(1000)
    elif mode == "error":
        say("? cannot think\n\n")
    elif mode == "two words":
        say("= a1 a2\n\n")
    elif mode == "nothing":
        say("=\n\n")
    elif mode == "closed":
        os.close(1)
        time.sleep(1000)
    elif mode == "closes input":
        os.close(0)
        say("= a1\n\n")
        time.sleep(1000)
    elif mode == "eats memory":
        bytearray(600 * 2**20)
    elif mode == "illegal":
        say("= g1\n\n")
    elif mode == "resign":
        say("= resign\n\n")


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
        time.sleep(1000)
    if is_bad and mode == "no start":
        sys.exit("bad flag")
    if is_bad and mode == "another protocol":
        say("Welcome to my program!\n")
    if is_bad and mode.split()[0] in ("fork", "escape"):
        start_child(token, escape=mode.startswith("escape"))
    if is_bad and mode in ("ignores quit", "talks on"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    heaps, played, games = [], 0, 0
    for line in iter(sys.stdin.readline, ""):
        command, *words = line.split() or [""]
        answer = ""
        if command == "protocol_version":
            answer = "2"
        elif command == "name":
            answer = "scripted"
        elif command == "version":
            answer = "1"
        elif command == "list_commands":
            answer = "play\ngenmove\nheaps\nempty\nloadsgf\nrefuse"
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
        elif command == "genmove":
            if is_bad and mode == "die at once":
                misbehave("die")
            if is_bad and played >= 2:
                misbehave(mode.partition(" and ")[2] if mode in CHILDREN else mode)
                if mode in ("garbage", "error", "two words", "nothing", "illegal", "resign"):
                    continue
            moves = [(row, left) for row in range(4) for left in range(heaps[row])]
            shared = "" if mode == "deaf" else seed
            shared += " drifted" if mode == "drift" and games >= 10 else ""
            draw = random if mode == "random" else random.Random(f"{shared} {played}")
            row, left = draw.choice(moves)
            heaps[row] = left
            played += 1
            answer = f"{COLUMNS[left].upper()}{ROWS[row]}"
        elif command == "quit" and is_bad and mode == "ignores quit":
            while True:
                time.sleep(1000)
        elif command == "quit" and is_bad and mode == "talks on":
            while True:
                say("so long\n" * 1000)
        say(f"= {answer}\n\n")
        if command == "quit":
            return
        if is_bad and mode == "unasked" and played >= 2:
            say("= and another thing\n\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
