"""A grammar of portfolios and engine files by a stranger: all that can name a program or a file."""

import json
from functools import cache

from file_targets import portfolios
from judging import WORDS
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
PLANTED = WORDS["planted"]
"""Modules that Python would load from the current folder."""
COMMANDS = [*WORDS["commands"], ["touch", "CANARY", "x" * 20000], ["touch", *["CANARY"] * 500]]
SOUND = 11
"""How many of these would run if anybody let them."""
GAMES, PLAYERS, OPTIONS = WORDS["games"], WORDS["players"], WORDS["options"]
ODD_GAMES = [*WORDS["odd_games"], "open_spiel:" + "misere(game=" * 300, "x" * 5000 + ".py"]
ODD_PLAYERS = [*WORDS["odd_players"], "uct:" + "x=1," * 2000]
PATHS = [*WORDS["paths"], "other.json" + "/x" * 3000]
OPENINGS = ["openings.txt", "games.sgf", "games.pgn", "games.epd", "pipe.sgf", "folder", *PATHS]
GRIDS = [*WORDS["grids"], {f"-{n}": [1, 2, 3, 4, 5] for n in range(60)}]
SEEDS = [*WORDS["seeds"], "9" * 5000]
WRONG = ["DEEP 900", "DEEP 90000", "HUGE 5000"]


def some(draw, ordinary, odd, often=0.5):
    return draw.choice(odd if draw.random() < often else ordinary)


def add(draw, found, **parts):
    for name, (share, values) in parts.items():
        if draw.random() < share:
            found[name] = draw.choice(values)


def player(draw, opponent=False):
    protocol = draw.choice(("uci", "uci", "gtp", "open_spiel"))
    found = {"protocol": protocol}
    if protocol == "open_spiel":
        found["bot"] = some(draw, WORDS["bots"][:4], WORDS["bots"], 0.4)
        add(draw, found, options=(0.4, OPTIONS))
    else:
        found["command"] = some(draw, COMMANDS[:SOUND], COMMANDS, 0.3)
        if protocol == "uci":
            found["go"] = some(draw, ["nodes 1", "x {seed}"], ["infinite\nquit", "\x1b"], 0.05)
        add(
            draw,
            found,
            environ=(0.3, WORDS["environs"]),
            cwd=(0.15, [".", "..", "/", "missing", "/dev/zero", "\0", "pipe.json"]),
            setup=(0.2, [["x {seed}"], ["{flag}"], ["#"], [""], ["a\nb"], ["x"] * 999]),
            options=(0.05, OPTIONS),
            score=(0.02, ["estimate_score"]),
        )
    if opponent and draw.random() < 0.3:
        del found["protocol"]
    return found


def opponent(draw):
    if draw.random() < 0.5:
        found = {"file": some(draw, ["other.json", "other.toml"], PATHS)}
    else:
        found = player(draw, opponent=True)
        add(draw, found, seeds=(0.2, SEEDS))
    names, weights = ["x", "y", "z", "\x1b[2J", "a" * 300], [1000, 0, 10**9, -1, "1"]
    add(draw, found, name=(0.5, names), weight=(0.1, weights))
    return found


def specification(draw):
    name = some(draw, GAMES[:1] * 9 + GAMES, ODD_GAMES, 0.2)
    found = {"game": {"name": name}, "player": player(draw)}
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


def _add_tables(draw, found):
    if draw.random() < 0.4:
        found["opponents"] = [opponent(draw) for _ in range(draw.choice((1, 1, 1, 2, 5)))]
        for number, each in enumerate(found["opponents"]):
            if draw.random() < 0.9:
                each["name"] = f"opponent {number}"
    if draw.random() < 0.02:
        found["opponents"] = [{"file": "other.json", "name": str(n)} for n in range(200)]
    odd = draw.choice(NUMBERS)
    add(
        draw,
        found,
        openings=(0.08, [{"file": each} for each in OPENINGS]),
        log=(0.15, [{"folder": each} for each in WORDS["folders"]]),
        limits=(0.05, [{each: odd} for each in ("start", "move", "memory")]),
        study=(0.03, [{each: odd} for each in ("k", "opponents", "repeats")]),
        adjudication=(0.02, [{"draw": {"score": 1, "moves": 5}}]),
    )
    if draw.random() < 0.03:
        found["openings"] = {"moves": ["a1", "x" * 9999, "\x1b"], "plies": draw.choice((1, 1000))}


@cache
def _bases():
    found = [json.loads(each) for each in portfolios()]
    for each in found:
        each["game"]["version"] = each["player"]["version"] = 999
    return found


def portfolio(draw):
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
        data[draw.choice(sorted(data))] = draw.choice(WRONG)
    return data


def _make_engine(draw, data):
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
        found[place] = draw.choice([*WRONG, None, [], {}])
