"""Files of a stranger, drawn by a grammar: whatever they name, nothing runs, and commands end.

Each input is some files and one command, or requests to the page, by a user who trusts nobody and
has run nothing but what the input lists.
"""

import atexit
import json
import os
import shutil

from judging import MOST_SECONDS, WORDS, at, commands
from mutations import TEXTS
from stranger_grammar import (
    EVIL,
    EVIL_FILES,
    HARMLESS,
    PATHS,
    PLANTED,
    opponent,
    portfolio,
    specification,
)
from stranger_host import Host
from stranger_studies import BESIDE, strange_study

INPUTS_OF_A_HOST = 500
"""A fork takes longer than most inputs, so that some share one."""
P, STUDY, MINE = "p.json", "s.study", "mine.toml"

PLAYING = commands("playing")
"""Commands that play a portfolio, if nothing is wrong with it."""
ON_PORTFOLIOS = PLAYING * 4 + commands("on_portfolios")
ON_STUDIES, ON_ENGINES = commands("on_studies"), commands("on_engines")
TYPED = ["uci\nisready\nposition startpos\ngo\nquit\n", "1 genmove b\n2 quit\n", "quit\n", "", "\0"]
SPECIAL = [
    *({"pipe": True}, {"folder": True}, {"text": "\ud800"}),
    *({"link": f"/{name}"} for name in ("dev/zero", "dev/tty", "dev/stdin", "proc/self/mem")),
    *({"link": "KEPT"}, {"link": "missing"}, {"gzip": {"repeat": ["[", 2**20]}}),
    *({"repeat": ["[", 200_000]}, {"repeat": ['{"engine":', 100_000]}),
    *({"repeat": ["a = ", 50_000]}, {"repeat": ["\0", 2**20]}),
]
"""Not what anybody expects, at any name."""
BOMB = {"gzip": {"repeat": ["0", 110 * 2**20]}}
"""Takes half a second to unpack, up to the most that a portfolio may have."""


def stranger(draw):
    kinds = [_on_portfolio, _on_study, _on_engine, _on_special, _on_known, _on_page]
    made = draw.choices(kinds, [50, 20, 15, 8, 6, 1])[0](draw)
    made.setdefault("typed", draw.choice(TYPED))
    _add_files(draw, made)
    return json.dumps(made).encode()


def _on_portfolio(draw):
    content = {"data": portfolio(draw)}
    if draw.random() < 0.05:  # the first of two equal keys, and the second
        text = json.dumps(content["data"])
        key = draw.choice(("engine", "first", "player", "format"))
        twice = json.dumps({key: portfolio(draw).get(key)})[1:-1]
        parts = (twice, text[1:-1]) if draw.random() < 0.5 else (text[1:-1], twice)
        content = {"text": "{" + ", ".join(parts) + "}"}
    name = P
    if draw.random() < 0.05:
        name, content = "p.json.gz", {"gzip": content}
    return {"files": {name: content}, "words": draw.choice(ON_PORTFOLIOS)}


def _on_study(draw):
    files = {STUDY: {"study": strange_study(draw, portfolio, specification)}}
    if draw.random() < 0.2:
        files[STUDY + draw.choice(("-wal", "-journal", "-shm", "-lock"))] = draw.choice(BESIDE)
    return {"files": files, "words": draw.choice(ON_STUDIES)}


def _mine(draw):
    found = {
        "game": {"name": "domineering:4x4"},
        "player": {"protocol": "uci", "command": HARMLESS, "go": "x"},
    }
    if draw.random() < 0.6:
        found["game"] = {"name": "open_spiel:tic_tac_toe"}
        found["player"] = {"protocol": "open_spiel", "bot": "uniform_random"}
    return found


def _on_engine(draw):
    """The user's own file meets portfolios of a stranger."""
    mine = _mine(draw)
    others = [each for each in PATHS if not each.endswith(".toml")]
    met = [{"file": P if draw.random() < 0.6 else draw.choice(others), "name": "x"}]
    if draw.random() < 0.2:
        files = MINE, "pipe.toml", "folder.toml", "loop.toml", "link.toml"
        met.append({"file": draw.choice(files)})
    mine |= {"opponents": met}
    if draw.random() < 0.1:
        mine["openings"] = {"file": draw.choice(("pipe.sgf", "/dev/zero", "folder", "link.json"))}
    data = portfolio(draw)
    if draw.random() < 0.8 and isinstance(data, dict) and isinstance(data.get("engine"), dict):
        data["engine"]["specification"] = specification(draw) | {"game": mine["game"]}
    return {
        "files": {MINE: {"toml": mine}, P: {"data": data}, "other.toml": {"toml": _mine(draw)}},
        "words": draw.choice(ON_ENGINES),
        "own": True,
    }


def _on_special(draw):
    words = draw.choice(ON_PORTFOLIOS + ON_STUDIES + ON_ENGINES)
    named = next((each for each in words if each in (P, STUDY, MINE)), P)
    content = draw.choice(SPECIAL)
    if draw.random() < 0.1:
        content = BOMB if draw.random() < 0.1 else {"link": named}
    return {"files": {named: content}, "words": words}


def _on_known(draw):
    """The user has run his own file. A stranger's portfolio names it, and something besides."""
    if draw.random() < 0.2:
        data = portfolio(draw)
        data = data if isinstance(data, dict) else {}
        data |= {"engine": None}
        for part in ("game", "player"):
            if isinstance(data.get(part), dict):
                data[part]["source"] = draw.choice(("mine.py", "mine.py:a=1", "./mine.py"))
        own = {"mine.py": {"text": "import helper_of_mine\n"}}
        helper = {"helper_of_mine.py": {"text": EVIL}}
        return {
            "files": {P: {"data": data}, **own, **helper},
            "words": draw.choice(PLAYING),
            "listed": ["mine.py"],
            "own": True,
        }
    mine = _mine(draw)
    if draw.random() < 0.5:
        mine |= {"opponents": [{"file": draw.choice(("other.json", "other.toml")), "name": "x"}]}
    data = portfolio(draw)
    while not isinstance(data, dict) or not isinstance(data.get("engine"), dict):
        data = portfolio(draw)
    changed = json.loads(json.dumps(mine))
    theirs = specification(draw)
    parts = "player", "arms", "opponents", "log", "referee", "openings", "none"
    part = draw.choices(parts, [3, 1, 1, 1, 1, 1, 1])[0]
    if part == "player":
        changed |= {"game": theirs["game"], "player": theirs["player"]}
        if "arms" in theirs:
            changed["arms"] = theirs["arms"]
    elif part == "opponents":
        changed["opponents"] = [opponent(draw)]
    elif part in theirs:
        changed[part] = theirs[part]
    elif "opponents" not in mine:  # the same: it may run
        changed["player"]["cwd"] = "."
    data["engine"] |= {"file": MINE, "specification": changed, "digest": "RIGHT"}
    return {
        "files": {MINE: {"toml": mine}, P: {"data": data}},
        "words": draw.choice(PLAYING),
        "listed": [MINE],
        "own": True,
    }


def _on_page(draw):
    made = draw.choice((_on_portfolio, _on_portfolio, _on_study, _on_special))(draw)
    files = made["files"]
    if draw.random() < 0.2:
        files["evil_game.py"] = EVIL_FILES["evil.py"]
    if draw.random() < 0.2:
        files[draw.choice(("bot.toml", "q.toml"))] = {"toml": specification(draw)}
    sides = draw.choice((["first", "sgf"], ["second", "svg"], ["first", "txt"], ["x", "json"]))
    return {"files": files, "page": sides, "typed": ""}


def _add_files(draw, made):
    files = made["files"]
    if draw.random() < 0.05:
        files |= {name: {"text": EVIL} for name in draw.sample(PLANTED, 3)}
    extra = {
        **EVIL_FILES,
        **WORDS["files"],
        "link.toml": draw.choice(SPECIAL),
        "link.json": draw.choice(SPECIAL),
        "link.py": {"link": draw.choice(("evil.py", "/dev/zero", "link.py"))},
        "bomb.json.gz": BOMB if draw.random() < 0.1 else {"gzip": {"repeat": ["[", 2**20]}},
        "openings.txt": {"text": "a1 b2\nb1\n\x1b[2J\n" + draw.choice(TEXTS)},
    }
    harmless = made.get("own") and MINE in made["words"]
    for _ in range(2):
        named = json.dumps([files, made.get("words")])
        if '"other.json"' in named and "other.json" not in files:
            files["other.json"] = {"data": portfolio(draw)}
        if '"other.json.gz"' in named:
            files.setdefault("other.json.gz", {"gzip": {"data": portfolio(draw)}})
        if '"other.toml"' in named and "other.toml" not in files and not harmless:
            files["other.toml"] = {"toml": specification(draw)}
        for name, recipe in extra.items():
            if name in named:
                files.setdefault(name, recipe)


_hosts = {}
"""By process, as one may fork: the host, and how many inputs it has had."""


def run_stranger(content):
    host, tried = _hosts.pop(os.getpid(), (None, 0))
    if host is None:
        host = Host()
        atexit.unregister(_leave)
        atexit.register(_leave)
    try:
        host.judge(content, MOST_SECONDS)
    except BaseException:
        host.close()
        raise
    if tried + 1 < INPUTS_OF_A_HOST:
        _hosts[os.getpid()] = host, tried + 1
    else:
        host.close()


def _leave():
    if os.getpid() in _hosts:
        _hosts.pop(os.getpid())[0].close()
    shutil.rmtree(at("stranger"), ignore_errors=True)
