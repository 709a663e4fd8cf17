"""Files from elsewhere: without trust nothing that they name runs, with trust it does."""

import gzip
import importlib.util
import io
import json
import py_compile
import shutil
import sys
import tomllib
import typing
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from external import started
from pydantic import BaseModel
from visiting import site_of, visit

from seedfolio import PortfolioError, SpecificationError, Study, trusting
from seedfolio.boosting.request import Request
from seedfolio.cli import run
from seedfolio.cli.application import _command
from seedfolio.core import trust
from seedfolio.core.seeds import GUEST_SHIFT
from seedfolio.core.trust import Claim, Permit
from seedfolio.core.user_file import load_file
from seedfolio.engines.interface import IllegalMoveError
from seedfolio.engines.program import load_engine_program
from seedfolio.engines.specification.specification import Specification, parse_specification
from seedfolio.portfolios.file import PortfolioFile, load_portfolio

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "three_in_a_row.py"
PLAYER = EXAMPLE.with_name("mobility.py")
OLD = Path(__file__).parents[1] / "book" / "old_files"
SMALL = ["-p", "uct:simulations=5", "--k", "8", "--kt", "5", "--opponents", "17", "--quiet"]
RAN = Path("it-ran")
EVIL = "from pathlib import Path\nPath('it-ran').touch()\nraise SystemExit\n"
TOUCH = ["touch", str(RAN.name)]
HARMLESS = {
    "uci": 'case "$l" in uci) echo id name it; echo uciok;; is*) echo readyok;; go*) exit; esac',
    "gtp": 'case "$l" in *genmove*) echo "= a1";; *) echo "= 2";; esac; echo',
}
"""Engines that start, say who they are, and end when they are asked for a move."""
MET = 1 << GUEST_SHIFT
"""The number of an opponent's arm, as the first player."""


@pytest.fixture(autouse=True)
def _somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(trust, "_run_here", set())
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    Path("evil.py").write_text(EVIL)


# What a stranger can write. Each of these makes one field name something that runs.


def stranger(name="p.json", old="perfect-2.json", **changes):
    """Write a portfolio; fields that are tables get these values besides their own."""
    data = json.loads(load_portfolio(OLD / old).text())
    for field, value in changes.items():
        data[field] = data[field] | value if isinstance(data[field], dict) else value
    Path(name).write_text(json.dumps(data))


def harmless(protocol, **more):
    loop = f"while read l; do {HARMLESS[protocol]}; done"
    return {"protocol": protocol, "command": ["sh", "-c", loop, "{seed}"], **more}


def engine(name="p.json", arm=0, **tables):
    """Write a portfolio of an engine, which draws one arm; the engine itself is harmless."""
    content = {"game": {"name": "domineering:4x4"}, "player": harmless("uci", go="x"), **tables}
    if "open_spiel" in str(content["game"]):
        content["player"] = tables.get("player", {"protocol": "open_spiel", "bot": "mcts"})
    found = parse_specification(content, "it")
    written = {
        "file": "bot.toml",
        "specification": content,
        "digest": found.digest,
        "identity": {"uci": "it", "gtp": "2 2"}.get(found.player.protocol, "OpenSpiel mcts"),
        "arms": {},
        "answers": [{"arm": arm, "moves": [], "move": "a1"}] if arm == MET else [],
    }
    data = json.loads(load_portfolio(OLD / "perfect-2.json").text())
    data |= {"engine": written, "book": None, "first": {str(arm): 1.0}, "second": {"0": 1.0}}
    data["game"] |= {"source": content["game"]["name"], "name": content["game"]["name"]}
    Path(name).write_text(json.dumps(data))
    Path("bot.toml").write_text("")


SPIEL = {"name": "open_spiel:tic_tac_toe"}
GO = {"name": "go", "board": 5, "komi": 0.5}


def met(**opponent):
    engine(game=SPIEL, arm=MET, opponents=[opponent])


def _opponents_toml():
    Path("other.toml").write_text(
        '[game]\nname = "open_spiel:tic_tac_toe"\n[player]\nprotocol = "uci"\n'
        'command = ["touch", "it-ran", "{seed}"]\ngo = "x"\n'
    )
    met(file="other.toml")


def _opponents_portfolio():
    engine("other.json", game=SPIEL, player={**UCI, "command": [*TOUCH, "{seed}"]})
    met(file="other.json")


UCI = {"protocol": "uci", "go": "x"}
BOT = {"protocol": "open_spiel", "bot": "evil.py:Bot"}
SHELL = {**UCI, "command": ["sh", "-c", "$IT {seed}"], "environ": {"IT": "touch it-ran"}}
JOINED = {**UCI, "command": [*TOUCH, "{seed}"]}
NAMES = {
    "game.source": partial(stranger, game={"source": "evil.py"}),
    "player.source": partial(stranger, player={"source": "evil.py"}),
    "game.name": partial(engine, game={"name": "evil.py"}),
    "player.command": partial(engine, player={**UCI, "command": [*TOUCH, "{seed}"]}),
    "player.bot": partial(engine, game=SPIEL, player=BOT),
    "player.environ": partial(engine, player=SHELL),
    "arms.grid": partial(
        engine, player={**UCI, "command": ["sh"]}, arms={"grid": {"-c": ["touch it-ran", "exit"]}}
    ),
    "referee.command": partial(engine, game=GO, player=harmless("gtp"), referee={"command": TOUCH}),
    "joint.others": partial(
        engine,
        arm=1,
        joint={
            "names": ["bot", "other"],
            "files": ["other.toml"],
            "others": [{"game": {"name": "domineering:4x4"}, "player": JOINED}],
        },
    ),
    "opponents.command": partial(met, name="x", **UCI, command=TOUCH),
    "opponents.environ": partial(met, name="x", **{**SHELL, "command": ["sh", "-c", "$IT"]}),
    "opponents.bot": partial(met, name="x", **BOT),
    "opponents.file (.toml)": _opponents_toml,
    "opponents.file (.json)": _opponents_portfolio,
}
"""Fields that name what runs; all but the first two are of an engine's specification."""
SAID_TO_IT = """player.cwd player.setup player.options player.go player.score referee.cwd
    referee.setup opponents.cwd opponents.setup opponents.options opponents.go opponents.score
    log.folder"""
"""What the specification says to an engine once it runs, which trust in the engine covers."""
ONLY_READ = """openings.file openings.moves opponents.name opponents.seeds arms.seeds clock.time
    joint.names joint.files"""
"""Texts of it that are shown or compared; no file is loaded by them, and nothing runs."""
OF_PORTFOLIOS = {
    *("engine.answers.moves", "engine.answers.move", "engine.arms", "engine.against"),
    *("engine.file", "engine.digest", "engine.identity", "behaviour", "learner", "against"),
    *("game.name", "game.parameters", "player.name", "player.parameters"),
}
"""The same outside of the specification."""
READ_BELOW = ("provenance.", "book.", "evaluation.")


def texts(model, prefix=""):
    model.model_rebuild()
    for name, field in model.model_fields.items():
        if f"{prefix}{name}" == "engine.specification":
            yield from texts(Specification, "engine.specification.")
            continue
        inner = [each for each in parts_of(field.annotation) if isinstance(each, type)]
        models = [each for each in inner if issubclass(each, BaseModel)]
        for each in models:
            if each is Specification:  # the same once more
                yield f"{prefix}{name}"
            else:
                yield from texts(each, f"{prefix}{name}.")
        if not models and any(each in (str, object) for each in inner):
            yield f"{prefix}{name}"


def parts_of(annotation):
    if typing.get_origin(annotation) is typing.Literal:
        return
    yield object if annotation is typing.Any else annotation
    for each in typing.get_args(annotation):
        yield from parts_of(each)


def test_every_field_and_every_command_is_decided():
    named = [name.partition(" ")[0] for name in NAMES]
    written = [*named[2:], *SAID_TO_IT.split(), *ONLY_READ.split()]
    decided = {*named[:2], *OF_PORTFOLIOS, *(f"engine.specification.{each}" for each in written)}
    found = {each for each in texts(PortfolioFile) if not each.startswith(READ_BELOW)}
    assert found == decided, "a field that may name something: what does it run?"
    assert {*texts(Request)} == {"learners"}, "of a study's request"
    assert {*_command().commands} == {*PORTFOLIO_COMMANDS} | TAKE_NONE


PORTFOLIO_COMMANDS = {
    "play": [["play", "p.json"]],
    "gtp": [["gtp", "p.json"], ["gtp", "p.json", "--arm", "0"]],
    "uci": [["uci", "p.json"], ["uci", "p.json", "--arm", "0"]],
    "match": [["match", "p.json", "p.json"], ["match", "domineering:4x4", "p.json"]],
    "adapt": [["adapt", "p.json"]],
    "worth": [["worth", "p.json"]],
    "replay": [["replay", "p.json", "1", str(MET)]],
    "show": [["show", "p.json"], ["show", "p.json", "--json"]],
    "book": [["book", "show", "p.json"], ["book", "polyglot", "p.json", "out.bin"]],
    "online": [["online", "s.study", "--games", "4", "--repetitions", "1", "--arms", "9"]],
    "cross-validate": [["cross-validate", "s.study", "--size", "4", "--redraws", "2"]],
    "export": [["export", "s.study", "out.csv"]],
    "learn": [["learn", "p.json"]],
    "boost": [
        ["boost", "p.json"],
        ["boost", "mine.toml", "--k", "2"],
        ["boost", "domineering:4x4", "--against", "p.json", "--budget", "20"],
    ],
    "exploit": [["exploit", "p.json", "--budget", "20"]],
    "compare": [["compare", "p.json"], ["compare", "mine.toml"]],
    "plan": [["plan", "p.json"], ["plan", "mine.toml"]],
    "tune": [["tune", each, "--parameter", "a=1..2"] for each in ("p.json", "mine.toml")],
    "check": [["check", "p.json"], ["check", "mine.toml"]],
    "teach": [["teach", "p.json"]],
}
TAKE_NONE = {"reproduce", "games", "players", "learners", "new", "web"}
"""Commands that take no file from elsewhere; those of the page are below."""


def strange_study(made):
    shutil.copy(made.study, "s.study")
    with Study.read(Path("s.study")) as study:
        identity = study.identity
    with Study.open(Path("s.study"), identity) as study:
        for name in study.portfolios():
            study.save_portfolio(name, Path("p.json").read_text())


OPPOSED = (
    '[game]\nname = "open_spiel:tic_tac_toe"\n[player]\nprotocol = "open_spiel"\nbot = "mcts"\n'
    '[[opponents]]\nfile = "p.json"\n'
)
"""A file of the user's own, which meets a stranger's portfolio."""


@pytest.mark.parametrize("field", NAMES)
def test_no_command_runs_what_a_stranger_names(field, made, capsys):
    NAMES[field]()
    strange_study(made)
    Path("mine.toml").write_text(OPPOSED)
    asked = set()
    for name, ways in PORTFOLIO_COMMANDS.items():
        for words in ways:
            code = run(words)
            out, err = capsys.readouterr()
            assert not RAN.exists(), words
            assert "Traceback" not in out + err
            assert code in (0, 2), words
            assert code == 0 or err.count("\n") == 1, err
            if "this would run" in err:
                assert "--trust" in err
                asked.add(name)
    assert asked >= {"play", "match", "uci"}
    for name in ("replay", "uci", "gtp", "match"):  # with trust it runs
        for words in PORTFOLIO_COMMANDS[name]:
            run([*words, "--trust"])
            assert "this would run" not in capsys.readouterr().err
            if RAN.exists():
                return
    pytest.fail("nothing ran")


def test_the_page_never_trusts(capsys):
    assert run(["web", "--trust"]) == 2
    assert "the page never trusts" in capsys.readouterr().err
    folder = Path("served")
    folder.mkdir()
    for number, write in enumerate(NAMES.values()):
        write()
        shutil.move("p.json", folder / f"p{number}.json")
    for each in ("evil.py", "other.toml", "bot.toml"):
        shutil.copy(each, folder)
    (folder / "evil_game.py").write_text(f"{EVIL}# @game(\n")
    app = site_of(folder)
    try:
        with trusting():
            found = visit(app, [("first", "sgf"), ("second", "json"), ("first", "svg")])
    finally:
        app.state.site.close()
    statuses, pages = found
    assert len(pages) >= len(NAMES)
    assert all("would run" in page or "cannot" in page for page in pages)
    assert max(statuses.values()) < 500
    assert not RAN.exists()
    assert not (folder / RAN).exists()


def test_trust_is_for_the_same_content_at_the_same_place(tmp_path, monkeypatch):
    file, copy = tmp_path / "game.py", tmp_path / "copy.py"

    def may_run(place, content=b"one", permit=Permit.LISTED):
        return Claim(permit, place, content).holds

    assert not may_run(file)
    Claim(Permit.USER, file, b"one").check("it")
    trust._run_here.clear()
    assert may_run(file)
    assert may_run(file, permit=Permit.PAGE)
    assert not may_run(copy)
    assert not may_run(file, b"two")
    Claim(Permit.USER, file, b"two").check("it")
    assert (tmp_path / "state" / "seedfolio" / "trusted").read_text().count("\n") == 2
    with trusting():
        assert may_run(copy)
        assert not may_run(copy, permit=Permit.PAGE)
    assert not may_run(copy)
    assert not trust.NOBODY.holds
    # A list that nobody can write lasts for the process.
    monkeypatch.setenv("XDG_STATE_HOME", "/proc/nothing")
    Claim(Permit.USER, file, b"one").check("it")
    assert may_run(file)
    trust._run_here.clear()
    assert not may_run(file)


def forget_modules(before):
    for name in {*sys.modules} - before:
        del sys.modules[name]


@pytest.fixture
def fresh_modules():
    yield (before := {*sys.modules})
    forget_modules(before)


def plant(source, target=None):
    """Compile a file to bytecode that Python would run whatever the source is."""
    planted = target or importlib.util.cache_from_source(source)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(source, planted, invalidation_mode=mode)


LATE = "import pkg\ndef late():\n    from pkg.late import NUMBER\n    return NUMBER\n"
PACKAGES = {
    "a changed file beside it": ("import helper_of_mine\n", "helper_of_mine.py"),
    "a changed module of a package": ("from pkg import sub\n", "pkg/sub.py"),
    "bytecode without a source": ("from pkg import sub\n", "pkg/sub.pyc"),
    "a changed module of a folder": ("from plain_folder import two\n", "plain_folder/two.py"),
    "a module that is imported late": (LATE, "pkg/late.py"),
    "a library's name": ("import netrc\n", "netrc.py"),
}


@pytest.mark.parametrize("case", PACKAGES)
@pytest.mark.parametrize("permit", [Permit.LISTED, Permit.PAGE])
def test_trust_covers_packages(case, permit, fresh_modules):
    text, planted = PACKAGES[case]
    for each in ("helper_of_mine", "pkg/__init__", "pkg/sub", "pkg/late", "plain_folder/two"):
        Path(each).parent.mkdir(exist_ok=True)
        Path(f"{each}.py").write_text("")
    Path("mine.py").write_text(text)
    load_file(Path("mine.py"), "game", Permit.USER)
    forget_modules(fresh_modules)
    if planted.endswith(".pyc"):
        Path("pkg/sub.py").unlink()
        plant("evil.py", planted)
    else:
        Path(planted).write_text(EVIL)
    with pytest.raises((PortfolioError, SpecificationError, ModuleNotFoundError)):
        load_file(Path("mine.py"), "game", permit).late()
    assert not RAN.exists()


def test_bytecode_on_disk_is_not_run(fresh_modules):
    Path("pkg").mkdir()
    Path("pkg/__init__.py").write_text("")
    for name, text in {
        "pkg/late.py": "NUMBER = 4\n",
        "helper_too.py": "HELPED = 3\n",
        "mine_too.py": f"from helper_too import HELPED\n{LATE}",
    }.items():
        Path(name).write_text(EVIL)
        plant(name)
        Path(name).write_text(text)
    loaded = load_file(Path("mine_too.py"), "game", Permit.USER)
    assert (loaded.HELPED, loaded.late()) == (3, 4)
    assert not RAN.exists()


OWN_ENGINE = """
[game]
name = "domineering:4x4"
[player]
protocol = "uci"
command = ["sh", "./bot.sh", "{seed}"]
go = "nodes 1"
"""


@pytest.mark.parametrize("by", ["portfolio", "toml", "opponent"])
def test_a_link_to_a_trusted_file_does_not_run_what_is_beside_the_link(by):
    home, elsewhere = Path("home"), Path("elsewhere")
    for folder in (home, elsewhere):
        folder.mkdir()
    (home / "bot.toml").write_text(OWN_ENGINE)
    (home / "bot.sh").write_text("exit\n")
    run(["check", str(home / "bot.toml")])  # the user has run it
    (elsewhere / "bot.toml").symlink_to((home / "bot.toml").resolve())
    (elsewhere / "bot.sh").write_text("touch it-ran ../it-ran\n")
    engine(str(elsewhere / "p.json"), **tomllib.loads(OWN_ENGINE))
    Path("bot.toml").unlink()
    meets = '[[opponents]]\nfile = "elsewhere/p.json"\n'
    shell = json.dumps(harmless("uci")["command"])
    Path("mine.toml").write_text(OWN_ENGINE.replace('["sh", "./bot.sh", "{seed}"]', shell) + meets)
    words = {
        "portfolio": ["uci", "elsewhere/p.json"],
        "toml": ["check", "elsewhere/bot.toml"],
        "opponent": ["replay", "mine.toml", str(MET), "0"],
    }
    run(words[by])
    assert not RAN.exists()
    assert not (elsewhere / RAN).exists()


def test_a_move_from_a_file_is_never_a_command():
    Path("gnu.toml").write_text(
        '[game]\nname = "go"\nboard = 5\nkomi = 0.5\n[player]\nprotocol = "gtp"\n'
        'command = ["gnugo", "--mode", "gtp"]\nsetup = ["set_random_seed {seed}"]\n'
    )
    with closing(started(load_engine_program("gnu.toml"), 0)) as playing:
        with pytest.raises(IllegalMoveError):
            playing.told(0, "a1\nprintsgf it-ran")
        assert playing.choose(0)
    assert not RAN.exists()
    engine()
    data = json.loads(Path("p.json").read_text())
    data["engine"]["answers"] = [{"arm": 0, "moves": ["a1\nprintsgf it-ran"], "move": "a2"}]
    Path("p.json").write_text(json.dumps(data))
    with pytest.raises(PortfolioError, match="is not a portfolio"):
        load_portfolio("p.json")


@pytest.mark.slow
def test_a_game_does_not_bring_a_player_that_nobody_has_run(capsys):
    it = EXAMPLE.read_text()
    Path("home").mkdir()
    Path("home/mine.py").write_text(it.replace("return Rules(", 'return Rules(player="tuned.py", '))
    shutil.copy(PLAYER, "tuned.py")
    assert run(["boost", "home/mine.py", *SMALL, "-l", "best-seed", "--study", "a.study"]) == 0
    listed = (Path("state") / "seedfolio" / "trusted").read_text()
    Path("tuned.py").write_text(EVIL)
    trust._run_here.clear()
    capsys.readouterr()
    assert run(["play", "a-best-seed.json"]) == 2
    assert "would run the Python file" in capsys.readouterr().err
    assert not RAN.exists()
    assert (Path("state") / "seedfolio" / "trusted").read_text() == listed


def test_a_name_adds_nothing_to_the_list_and_an_engine_is_no_python_file(tmp_path):
    found = parse_specification(tomllib.loads(OWN_ENGINE), "it")
    assert b"\0" in found.claim(Permit.USER, Path("bot.toml")).content
    evil = Claim(Permit.PAGE, tmp_path / "evil.py", b"evil")
    for separator in ("\n", "\r", "\u2028", "\x85", "\x1e"):
        Claim(Permit.USER, tmp_path / f"x{separator}{evil._mark} y", b"one").check("it")
    trust._run_here.clear()
    assert not evil.holds
    listed = (tmp_path / "state" / "seedfolio" / "trusted").read_text()
    assert len(listed.splitlines()) == 5


def test_the_line_shows_all_that_runs(capsys):
    player = {**UCI, "command": ["gnuchess", "{seed}"], "environ": {"LD_PRELOAD": "./evil.so"}}
    engine(player={**player, "cwd": "there"}, arms={"grid": {"--evil": ["x", "y"]}})
    assert run(["uci", "p.json"]) == 2
    said = capsys.readouterr().err
    for each in ("LD_PRELOAD=./evil.so", "gnuchess", "--evil", "in there"):
        assert each in said


def test_a_file_that_ends_the_program_is_said(capsys):
    Path("game.py").write_text("import sys\nprint('hello')\nsys.exit(0)\n")
    assert run(["play", "game.py"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].endswith("it ends the program (SystemExit)")


@pytest.mark.parametrize("ending", [".json", ".json.gz"])
def test_a_portfolio_as_opponent_is_read_with_bounds(ending, capsys):
    Path("mine.toml").write_text(OPPOSED.replace("p.json", f"p{ending}"))
    packed = gzip.compress(b"0" * 200 * 2**20, 1) if ending.endswith("gz") else b"[" * 200_000
    Path(f"p{ending}").write_bytes(packed)
    assert (run(["check", "mine.toml"]), capsys.readouterr().err.count("\n")) == (2, 1)
