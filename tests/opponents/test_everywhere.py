"""The same words work in every command; where one cannot take a kind, it says why."""

import io
import json
import re

import pytest
from external import need_open_spiel
from kinds import BOOSTED, ENGINES, KINDS, ORIGINALS
from test_load import NAMES
from web_page import page_against

import seedfolio
from seedfolio import boost, load_boosted, load_portfolio, load_program, match, replay, worth
from seedfolio.cli import run
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.opponents.load import load_opponent
from seedfolio.portfolios import file as portfolio_file

pytestmark = pytest.mark.slow
NO_GTP = "is not played with stones on a Go board, so GTP has no words for it"
NOT_UCI = "is of an engine of protocol gtp; try seedfolio gtp"
LEARNT = "is a portfolio, which is learnt already"


@pytest.fixture
def command(kinds, monkeypatch, capsys):
    """Return a function that runs a command with lines to read: its code, output and errors."""

    def running(*words, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        code = run([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return running


@pytest.fixture
def parses(monkeypatch):
    """Return the list of all portfolios that are parsed."""
    found, parse = [], portfolio_file.parse_portfolio
    monkeypatch.setattr(
        portfolio_file, "parse_portfolio", lambda *given: found.append(given[1]) or parse(*given)
    )
    return found


def refused(answer, why):
    code, out, err = answer
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err


@pytest.mark.parametrize("kind", KINDS)
def test_boost(command, kind, tmp_path):
    words = KINDS[kind], "--k", 2, "--kt", 2, "--opponents", 2, "-l", "best-seed", "-q"
    answer = command("boost", *words, "--study", tmp_path / "a.study", "--json")
    if ".json" in KINDS[kind]:
        refused(answer, LEARNT)
    else:
        assert answer[0] == 0
        (path,) = json.loads(answer[1])["portfolios"].values()
        assert load_portfolio(path).learner == "best-seed"


@pytest.mark.parametrize("kind", KINDS)
def test_match(command, kind, parses):
    code, out, _ = command("match", KINDS[kind], "nim@uct:simulations=2", "--games", 2, "--json")
    assert code == 0
    assert json.loads(out)["programs"] == [NAMES[kind], "uct:simulations=2"]
    assert len(parses) == (".json" in KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_play(command, kind, parses):
    code, out, _ = command("play", KINDS[kind], "--key", 3, typed="moves\nresign\n")
    assert code == 0
    name = NAMES[kind].replace("engine", "scripted 1")
    assert f"you are first player, {name} is second player." in " ".join(out.split())
    assert "You resign. The program wins. It played seed " in out
    assert len(parses) == (".json" in KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_gtp(command, kind, parses):
    answer = command("gtp", KINDS[kind], "--key", 3, typed="name\ngenmove b\nquit\n")
    assert len(parses) == (".json" in KINDS[kind])
    if kind not in ENGINES:
        return refused(answer, NO_GTP)
    assert answer[0] == 0
    assert f"= Seedfolio {NAMES[kind].replace('engine', 'scripted 1')}\n" in answer[1]
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_uci(command, kind, parses):
    typed = "uci\nposition startpos\ngo\n"
    answer = command("uci", KINDS[kind], "--key", 3, typed=typed)
    assert len(parses) == (".json" in KINDS[kind])
    if kind in ENGINES:
        return refused(answer, NOT_UCI)
    assert answer[0] == 0
    assert f"id name Seedfolio {NAMES[kind]} " in answer[1]
    assert re.search(r"bestmove [a-g][1-4]\n", answer[1])
    return None


@pytest.mark.parametrize("kind", KINDS)
def test_worth(command, kind, parses):
    words = ["--games", 2, "--most", 2, "--steps", 0, "-q", "--json"]
    words += [] if kind not in ENGINES else ["--parameter", "level"]
    words += ["--parameter", "noise"] if kind in ("seeds", "own files") else []
    answer = command("worth", KINDS[kind], *words)
    assert len(parses) == (".json" in KINDS[kind])
    if kind in ORIGINALS:
        refused(answer, "is not boosted, so it is worth its own thinking")
    elif kind in ENGINES:
        refused(answer, "has no whole number for level")
    else:
        assert answer[0] == 0
        assert json.loads(answer[1])["steps"]


@pytest.mark.parametrize("kind", KINDS)
def test_replay(command, kind, parses):
    code, out, _ = command("replay", KINDS[kind], 1, 2, "--json")
    assert code == 0
    assert json.loads(out)["arms"] == [1, 2]
    assert len(parses) == (".json" in KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
def test_teach(command, kind, parses, tmp_path):
    words = "--name", "Ann", "--games", 1, "--file", tmp_path / "a.teach"
    answer = command("teach", KINDS[kind], *words, typed="resign\n")
    assert len(parses) == (".json" in KINDS[kind])
    if kind in ENGINES:
        refused(answer, "is an external engine; teach takes a built-in program")
    elif kind in BOOSTED:
        refused(answer, "draws its arms from a portfolio, and teach chooses them by itself")
    else:
        assert answer[0] == 0
        assert "You resign." in answer[1]


ON_THE_PAGE = {kind: words for kind, words in KINDS.items() if "@" not in words}
"""A visitor chooses a file or a built-in game, and names no players."""


@pytest.mark.parametrize("kind", ON_THE_PAGE)
def test_page(kinds, kind):
    name, moves = page_against(kinds, ON_THE_PAGE[kind])
    assert name == NAMES[kind].replace("engine", "scripted 1")
    assert len(moves) == 2  # the program's first, and it answers the visitor's


@pytest.mark.parametrize("kind", sorted(ENGINES))
def test_an_engine_is_the_same_program_everywhere(command, kind):
    """With one key, `play`, `gtp`, `match` and Python draw the same arm and play the same move."""
    key = 11
    opponent = load_opponent(KINDS[kind])
    seat = opponent.draw(0, key)
    first = opponent.game.move_name(seat.choose([]))
    opponent.close()
    drawn = opponent.plays and opponent.plays.distributions
    assert (seat.number in drawn.first.arms) if drawn else (seat.number in UNSEEN_SEEDS)
    _, out, _ = command("gtp", KINDS[kind], "--key", key, typed="seedfolio-arm\ngenmove b\nquit\n")
    assert f"Black: {seat.name};" in out
    assert f"= {first}\n" in out
    _, out, _ = command("play", KINDS[kind], "--second", "--key", key, typed="resign\n")
    assert f"The program plays {first}." in out
    assert f"It played {seat.name}." in out
    played = seedfolio.matches.match.load_pairings([KINDS[kind], "nim"], 5)
    assert played.arms(0)[0] == opponent.draw_arm(0, played.key_of(0))


def test_what_boost_returned_is_a_program_everywhere(kinds, monkeypatch):
    made = boost(
        "domineering:4x4@uct:simulations=5",
        k=8,
        kt=8,
        opponents=17,
        study=":memory:",
        progress=False,
    )
    best = load_boosted(made)
    assert match(made, best.original, games=4) == match(best, best.original, games=4)
    assert worth(made, games=4, most=2, steps=0) == worth(best, games=4, most=2, steps=0)
    arm = best.draw_arm(0, 1)
    assert replay(made, arm, 2).moves == replay(best, arm, 2).moves
    for job in (seedfolio.gtp, seedfolio.uci, seedfolio.play):
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        if job is seedfolio.gtp:
            with pytest.raises(seedfolio.SpecificationError, match="stones on a Go board"):
                job(made)
        else:
            job(made)
    program = load_program("domineering:4x4@uct:simulations=5")
    sizes = {"k": 8, "kt": 8, "opponents": 17, "study": ":memory:", "progress": False}
    assert boost(program, **sizes).rows == made.rows


def test_original_is_the_program_that_a_portfolio_was_learnt_with(kinds):
    played = match("seeds-nash.json", "seeds-nash.json@original", "nim", games=2)
    assert played.names == (
        "boosted table:noise=1 (nash)",
        "original table:noise=1",
        "table:noise=0",
    )


def test_books_of_open_spiel_have_no_board(tmp_path, monkeypatch):
    need_open_spiel()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.toml").write_text(
        '[game]\nname = "open_spiel:tic_tac_toe"\n[player]\nprotocol = "open_spiel"\nbot = "mcts"\n'
        "options = { simulations = 3 }\n"
    )
    opponent = load_opponent("bot.toml")
    assert opponent.draw(0, 1).choose([]) in range(9)
    opponent.close()
    with pytest.raises(seedfolio.SpecificationError, match="has no board here"):
        seedfolio.play("bot.toml")
