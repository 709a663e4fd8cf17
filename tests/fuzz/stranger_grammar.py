"""A grammar of portfolios and engine files by a stranger: all that can name a program or a file."""

import json
from functools import cache

from file_targets import portfolios
from mutations import NUMBERS, TEXTS, data_from

from seedfolio.core.seeds import GUEST_SHIFT

MET = 1 << GUEST_SHIFT
"""The number of an opponent's arm, as the first player."""
HARMLESS = ["true", "harmless", "{seed}"]
"""What a file of the user's own runs; nothing that a stranger writes has these words."""
EVIL = "open('CANARY', 'w').close()\n"
EVIL_FILES = {
    "evil.py": {"text": f"{EVIL}# @game(\nraise SystemExit\n"},
    "evil.sh": {"text": "#!/bin/sh\ntouch CANARY\n"},
}
PLANTED = ["subprocess.py", "sitecustomize.py", "seedfolio.py", "numpy.py", "json.py", "signal.py"]
PLANTED += ["pyspiel.py", "usercustomize.py", "seedfolio/__init__.py", "encodings/__init__.py"]
"""Modules that Python would load from the current folder."""
COMMANDS: list = [
    ["touch", "CANARY"],
    ["touch", "CANARY", "{seed}"],
    "touch CANARY {seed}",
    ["sh", "-c", "touch CANARY; cat", "{seed}"],
    ["/bin/sh", "-c", "> CANARY"],
    ["python3", "-c", "open('CANARY', 'w')", "{seed}"],
    ["env", "touch", "CANARY"],
    ["./evil.sh", "{seed}"],
    ["../stranger/evil.sh"],
    ["sh", "-c", "$IT {seed}"],
    ["sh"],
    ["sh", "evil.sh", "{flag}"],
    ["/proc/self/exe", "-c", "open('CANARY', 'w')"],
    [".", "{seed}"],
    ["/dev/null"],
    ["", "{seed}"],
    ["\0touch", "CANARY"],
    ["touch\x1b[2J", "CANARY"],
    ["touch", "CANARY", "x" * 20000],
    ["touch", *["CANARY"] * 500],
    [],
    "touch 'CANARY",
    "true",
    7,
]
SOUND = 11
"""How many of these would run if anybody let them."""
ENVIRONS: list = [
    {"IT": "touch CANARY"},
    {"PATH": ".", "IT": "./evil.sh"},
    {"LD_PRELOAD": "./evil.so"},
    {"PYTHONPATH": ".", "PYTHONSTARTUP": "evil.py"},
    {"BASH_ENV": "evil.sh", "ENV": "evil.sh"},
    {"": "x", "A=B": "\0"},
    {"IT": "{seed}{flag}"},
]
GAMES = ["domineering:4x4", "nim", "breakthrough:5x5", "domineering:4x4,x=1", "go", "go:9x9"]
ODD_GAMES = [
    *("evil.py", "./evil.py:size=4", "evil.py:", "x/../evil.py", "evil", "seedfolio.py", "\0.py"),
    *("domineering:999999999x999999999", "nim:piles=99999999999", "hex:0x0", "hex:size=-1"),
    *("go:1000000x1000000", "domineering:4x4@evil.py", "p.json", "mine.toml", "s.study", ""),
    *("open_spiel:tic_tac_toe", "open_spiel:hex(board_size=999999999)", "open_spiel:go"),
    *("open_spiel:efg_game(filename=KEPT)", "open_spiel:efg_game(filename=/dev/zero)"),
    *("open_spiel:misere(game=efg_game(filename=evil.py))", "open_spiel:", "open_spiel:\0"),
    *("open_spiel:python_tic_tac_toe", "open_spiel:" + "misere(game=" * 300, "x" * 5000 + ".py"),
    *("phantom-tic-tac-toe", "/dev/zero.py", "pipe.py", "folder.py", "link.py", "Ⅷ:4x4"),
]
PLAYERS = ["uct:simulations=5", "table", "uct:simulations=5,exploration=1.4"]
ODD_PLAYERS = [
    *("evil.py", "./evil.py:a=1", "evil.py:Bot", "uct:simulations=999999999999999", "pipe.py"),
    *("uct:simulations=-1", "mcts", "mine.toml", "p.json", "uct:" + "x=1," * 2000, "link.py", ""),
    *("table:x=../evil.py", "seedfolio.py", "folder.py", "flat:playouts=0", "\x1b[2J"),
]
BOTS = ["mcts", "uniform_random", "evil.py:Bot", "./evil.py:Bot", "x.py:Bot", "pipe.py:Bot"]
BOTS += ["link.py:Bot", "gin_rummy_simple", "uci", "fixed_action_preference", "", "\0", "mcts.py:"]
OPTIONS: list = [
    {"simulations": 10**12},
    {"simulations": 10**7, "rollouts": 10**7, "memory": 10**6},
    {"memory": 2**63},
    {"uct_c": 1e308, "simulations": "{seed}"},
    {"bot_binary_path": "./evil.sh"},
    {"binary_path": "evil.sh", "search_limit_value": 1, "ponder": False},
    {"simulations": "x", "solve": "y"},
    {"a\nb": "c"},
    {"Debug Log File": "CANARY"},
]
PATHS = ["p.json", "other.json", "other.toml", "other.json.gz", "p.json.gz", "mine.toml"]
PATHS += ["bot.toml"]
PATHS += ["pipe.json", "pipe.toml", "/dev/zero", "/dev/zero.toml", "folder.toml", "link.toml", "x"]
PATHS += ["link.json", "loop.toml", "loop.json", "missing.toml", "missing.json", "/dev/tty", "\0"]
PATHS += ["bomb.json.gz", "deep.json", "deep.toml", "..", "", "/proc/self/mem", "~", "KEPT"]
PATHS += ["/proc/kmsg", "/dev/stdin", "other.json" + "/x" * 3000, "/dev/fd/0", "\ud800.toml"]
OPENINGS = ["openings.txt", "games.sgf", "games.pgn", "games.epd", "pipe.sgf", "folder", *PATHS]
GRIDS: list = [
    {"-c": ["touch CANARY", "exit"]},
    {"-exec": [True, False, "CANARY"]},
    {"flag": ["touch CANARY", "x"]},
    {"--{seed}": "0..9999"},
    {"-a": "0..99999999999"},
    {f"-{n}": [1, 2, 3, 4, 5] for n in range(60)},
    {"-x": "0..9", "-y": "0..9999", "-z": "0..9999"},
    {"seed": [1]},
    {"-a": []},
    {"-a": ["\0", "\n"]},
]
SEEDS = ["0..", "5..4", "0..99999999999999999999999", "1..2", "x", "", "-1..", "0..1", "9" * 5000]


def some(draw, ordinary: list, odd: list, often: float = 0.5):
    """Return something odd as often as said, else something ordinary."""
    return draw.choice(odd if draw.random() < often else ordinary)


def player(draw, opponent: bool = False) -> dict:
    """Return the player of an engine, which runs something if anybody lets it."""
    protocol = draw.choice(("uci", "uci", "gtp", "open_spiel"))
    found: dict = {"protocol": protocol}
    if protocol == "open_spiel":
        found["bot"] = some(draw, BOTS[:4], BOTS, 0.4)
        if draw.random() < 0.4:
            found["options"] = draw.choice(OPTIONS)
    else:
        found["command"] = some(draw, COMMANDS[:SOUND], COMMANDS, 0.3)
        if protocol == "uci":
            found["go"] = some(draw, ["nodes 1", "x {seed}"], ["infinite\nquit", "\x1b"], 0.05)
        if draw.random() < 0.3:
            found["environ"] = draw.choice(ENVIRONS)
        if draw.random() < 0.15:
            found["cwd"] = draw.choice((".", "..", "/", "missing", "/dev/zero", "\0", "pipe.json"))
        if draw.random() < 0.2:
            found["setup"] = draw.choice(
                (["x {seed}"], ["{flag}"], ["#"], [""], ["a\nb"], ["x"] * 999)
            )
        if draw.random() < 0.05:
            found["options"] = draw.choice(OPTIONS)
        if draw.random() < 0.02:
            found["score"] = "estimate_score"
    if opponent and draw.random() < 0.3:
        del found["protocol"]
    return found


def opponent(draw) -> dict:
    """Return an opponent: a file, or an engine of its own."""
    if draw.random() < 0.5:
        found: dict = {"file": some(draw, ["other.json", "other.toml"], PATHS)}
    else:
        found = player(draw, opponent=True)
        if draw.random() < 0.2:
            found["seeds"] = draw.choice(SEEDS)
    if draw.random() < 0.5:
        found["name"] = draw.choice(("x", "y", "z", "\x1b[2J", "a" * 300))
    if draw.random() < 0.1:
        found["weight"] = draw.choice((1000, 0, 10**9, -1, "1"))
    return found


def specification(draw) -> dict:
    """Return the tables of an engine."""
    name = some(draw, GAMES[:1] * 9 + GAMES, ODD_GAMES, 0.2)
    found: dict = {"game": {"name": name}, "player": player(draw)}
    if found["player"]["protocol"] == "open_spiel" and draw.random() < 0.9:
        named = [each for each in ODD_GAMES if each.startswith("open_spiel:")]
        found["game"]["name"] = draw.choice(["open_spiel:tic_tac_toe"] * 4 + named)
    if found["player"]["protocol"] == "gtp" and draw.random() < 0.5:
        found["game"] = {"name": "go", "board": draw.choice((5, 5, 25, 99)), "komi": 0.5}
        if draw.random() < 0.7:
            found["referee"] = {"command": draw.choice(COMMANDS)}
    if "{flag}" in json.dumps(found["player"]) or draw.random() < 0.2:
        found["arms"] = {"grid": draw.choice(GRIDS)}
        if "{flag}" in json.dumps(found["player"]) and draw.random() < 0.7:
            found["arms"]["grid"] = {"flag": ["CANARY", "x"]}
    if draw.random() < 0.05:
        found.setdefault("arms", {})["seeds"] = draw.choice(SEEDS)
    _add_tables(draw, found)
    told = found["player"]
    bot = told["protocol"] == "open_spiel"
    if not bot and "{seed}" not in json.dumps(told) and "arms" not in found and draw.random() < 0.9:
        told["setup"] = ["x {seed}"]  # else all its arms are equal
    return found


def _add_tables(draw, found: dict) -> None:
    """Add some of the tables that an engine may have."""
    if draw.random() < 0.4:
        found["opponents"] = [opponent(draw) for _ in range(draw.choice((1, 1, 1, 2, 5)))]
        for number, each in enumerate(found["opponents"]):
            if draw.random() < 0.9:
                each["name"] = f"opponent {number}"
    if draw.random() < 0.02:
        found["opponents"] = [{"file": "other.json", "name": str(n)} for n in range(200)]
    if draw.random() < 0.08:
        found["openings"] = {"file": draw.choice(OPENINGS)}
    if draw.random() < 0.03:
        found["openings"] = {"moves": ["a1", "x" * 9999, "\x1b"], "plies": draw.choice((1, 1000))}
    if draw.random() < 0.15:
        found["log"] = {
            "folder": draw.choice(("CANARY", "logs", "/", "..", "KEPT", "\0", "evil.py"))
        }
    if draw.random() < 0.05:
        found["limits"] = {draw.choice(("start", "move", "memory")): draw.choice(NUMBERS)}
    if draw.random() < 0.03:
        found["study"] = {draw.choice(("k", "opponents", "repeats")): draw.choice(NUMBERS)}
    if draw.random() < 0.02:
        found["adjudication"] = {"draw": {"score": 1, "moves": 5}}


@cache
def _bases() -> list[dict]:
    """Return whole portfolios, as plain data; nothing compiles, as their versions are others."""
    found = [json.loads(each) for each in portfolios()]
    for each in found:
        each["game"]["version"] = each["player"]["version"] = 999
    return found


def portfolio(draw) -> dict:
    """Return a portfolio, as data: of a built-in program, or of an engine."""
    data = json.loads(json.dumps(draw.choice(_bases())))
    if draw.random() < 0.35:
        data["game"]["source"] = some(draw, GAMES[:3], ODD_GAMES, 0.7)
        data["player"]["source"] = some(draw, PLAYERS, ODD_PLAYERS, 0.7)
    else:
        data = json.loads(json.dumps(draw.choice(_bases()[len(_bases()) // 2 :])))
        _make_engine(draw, data)
    if data["game"]["source"] in GAMES[1:]:  # to check a book of it takes seconds of compiling
        data |= {"book": None, "first": {"0": 1.0}, "second": {"0": 1.0}}
    if draw.random() < 0.12:
        data = data_from(draw, data)
    if draw.random() < 0.05 and isinstance(data, dict) and data:
        data[draw.choice(sorted(data))] = draw.choice(("DEEP 900", "DEEP 90000", "HUGE 5000"))
    return data


def _make_engine(draw, data: dict) -> None:
    found = specification(draw)
    if draw.random() < 0.3 and "opponents" in found:  # nothing but its opponents is hostile
        found |= {"game": {"name": "open_spiel:tic_tac_toe"}}
        found["player"] = {"protocol": "open_spiel", "bot": "uniform_random"}
        found.pop("arms", None)
        found.pop("referee", None)
    arm = draw.choice((0, 0, 1, MET, MET, 2 * MET, 3 * MET, 2**62, 2**62 + 1))
    data["engine"] = {
        "file": draw.choice(("bot.toml", "bot.toml", "mine.toml", *PATHS)),
        "specification": found,
        "digest": draw.choice(("RIGHT", "RIGHT", "RIGHT", "RIGHT", "0" * 32, "")),
        "identity": draw.choice(("it", "2 2", "OpenSpiel mcts", "OpenSpiel uniform_random")),
        "arms": draw.choice(({}, {"0": "x"}, {str(arm): "y"})),
        "answers": draw.choice(([], [{"arm": arm, "moves": [], "move": "a1"}])),
    }
    if draw.random() < 0.8:
        data |= {"book": None, "first": {str(arm): 1.0}, "second": {"0": 1.0}}
    name = found["game"]["name"]
    data["game"] |= {"source": name, "name": name}
    if name == "go":
        data["game"]["parameters"] = draw.choice(({"board": 5, "komi": 0.5}, {}, {"board": 10**9}))
    data["schema_version"] = 2
    if draw.random() < 0.03:
        found["game"]["name"] = draw.choice(TEXTS)
    if draw.random() < 0.05:
        place = draw.choice(sorted(found))
        found[place] = draw.choice(("DEEP 900", "DEEP 90000", "HUGE 5000", None, [], {}))
