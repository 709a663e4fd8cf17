"""The same words work in every command; where one cannot take a kind, it says why."""

import io
import json
import re
from contextlib import closing

import pytest
from external import BREAKTHROUGH, need_open_spiel
from kinds import BOOSTED, ENGINES, KINDS, NAMES, ORIGINALS, each

import seedfolio
from seedfolio import Settings, load_boosted, load_portfolio, match, replay, worth
from seedfolio.cli import run
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.opponents.load import load_opponent
from seedfolio.portfolios import file as portfolio_file
from seedfolio.web.library import ENGINE, GAME, PORTFOLIO
from seedfolio.web.opponents import EXTERNAL, ORIGINAL, OWN, OpponentChoice
from seedfolio.web.site import Site


@pytest.fixture
def command(kinds, monkeypatch, capsys):
    parsed, parse = [], portfolio_file.parse_portfolio
    monkeypatch.setattr(
        portfolio_file, "parse_portfolio", lambda *given: parsed.append(given[1]) or parse(*given)
    )

    def running(job, kind, *words, typed=""):
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        parsed.clear()
        code = run([job, KINDS[kind], *map(str, words)])
        assert len(parsed) == (".json" in KINDS[kind] and job != "boost")
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return running


def refused(answer, why):
    code, out, err = answer
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert why in err


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_boost(command, kind, tmp_path):
    words = "--k", 2, "--kt", 2, "--opponents", 2, "-l", "best-seed", "-q", "--json"
    answer = command("boost", kind, *words, "--study", tmp_path / "a.study")
    if ".json" in KINDS[kind]:
        return refused(answer, "is a portfolio, which is learnt already")
    (path,) = json.loads(answer[1])["portfolios"].values()
    assert load_portfolio(path).learner == "best-seed"
    return None


@pytest.mark.parametrize("kind", each(KINDS))
def test_match_and_replay(command, kind):
    _, out, _ = command("match", kind, "nim@table:noise=30", "--games", 2, "--json")
    assert json.loads(out)["programs"] == [NAMES[kind], "table:noise=30"]
    _, out, _ = command("replay", kind, 1, 2, "--json")
    assert json.loads(out)["arms"] == [1, 2]


@pytest.mark.parametrize("kind", each(KINDS))
def test_play_and_teach(command, kind, tmp_path):
    code, out, _ = command("play", kind, "--key", 3, typed="moves\nresign\n")
    assert code == 0
    name = NAMES[kind].replace("engine", "scripted 1")
    assert f"you are first player, {name} is second player." in " ".join(out.split())
    assert "You resign. The program wins. It played seed " in out
    words = "--name", "Ann", "--games", 1, "--file", tmp_path / "a.teach"
    answer = command("teach", kind, *words, typed="resign\n")
    if kind in ENGINES:
        return refused(answer, "is an external engine; teach takes a built-in program")
    if kind in BOOSTED:
        return refused(answer, "draws its arms from a portfolio, and teach chooses them by itself")
    assert answer[0] == 0
    assert "You resign." in answer[1]
    return None


@pytest.mark.parametrize("kind", each(KINDS))
def test_gtp_and_uci(command, kind):
    gtp = command("gtp", kind, "--key", 3, typed="name\ngenmove b\nquit\n")
    uci = command("uci", kind, "--key", 3, typed="uci\nposition startpos\ngo\n")
    if kind in ENGINES:
        refused(uci, "is of an engine of protocol gtp; try seedfolio gtp")
        assert gtp[0] == 0
        assert f"= Seedfolio {NAMES[kind].replace('engine', 'scripted 1')}\n" in gtp[1]
    else:
        refused(gtp, "is not played with stones on a Go board, so GTP has no words for it")
        assert uci[0] == 0
        assert f"id name Seedfolio {NAMES[kind]} " in uci[1]
        assert re.search(r"bestmove [a-g][1-4]\n", uci[1])


@pytest.mark.parametrize("kind", each(KINDS))
def test_worth(command, kind):
    words = ["--games", 2, "--most", 2, "--steps", 0, "-q", "--json"]
    words += [] if kind not in ENGINES else ["--parameter", "level"]
    words += ["--parameter", "noise"] if kind in BOOSTED and kind not in ENGINES else []
    answer = command("worth", kind, *words)
    if kind in ORIGINALS:
        return refused(answer, "is not boosted, so it is worth its own thinking")
    if kind in ENGINES:
        return refused(answer, "has no whole number for level")
    assert json.loads(answer[1])["steps"]
    return None


ON_THE_PAGE = {kind: words for kind, words in KINDS.items() if "@" not in words}
"""A visitor chooses a file or a built-in game, and names no players."""


@pytest.mark.parametrize("kind", each(ON_THE_PAGE))
def test_page(kinds, kind):
    name, moves = page_against(kinds, ON_THE_PAGE[kind])
    assert name == NAMES[kind].replace("engine", "scripted 1")
    assert len(moves) == 2  # the program's first, and it answers the visitor's


@pytest.mark.parametrize("kind", each(sorted(ENGINES)))
def test_an_engine_is_the_same_program_everywhere(command, kind):
    """With one key, `play`, `gtp`, `match` and Python draw the same arm and play the same move."""
    key = 11
    opponent = load_opponent(KINDS[kind])
    seat = opponent.draw(0, key)
    first = opponent.game.move_name(seat.choose([]))
    opponent.close()
    drawn = opponent.plays and opponent.plays.distributions
    assert (seat.number in drawn.first.arms) if drawn else (seat.number in UNSEEN_SEEDS)
    _, out, _ = command("gtp", kind, "--key", key, typed="seedfolio-arm\ngenmove b\nquit\n")
    assert f"Black: {seat.name};" in out
    assert f"= {first}\n" in out
    _, out, _ = command("play", kind, "--second", "--key", key, typed="resign\n")
    assert f"The program plays {first}." in out
    assert f"It played {seat.name}." in out
    played = seedfolio.matches.match.load_pairings([KINDS[kind], "nim"], 5)
    assert played.arms(0)[0] == opponent.draw_arm(0, played.key_of(0))


def test_what_boost_returned_is_a_program_everywhere(monkeypatch, made):
    made = made.boosted()
    best = load_boosted(made)
    assert match(made, best.original, games=4) == match(best, best.original, games=4)
    assert worth(made, games=4, most=2, steps=0) == worth(best, games=4, most=2, steps=0)
    arm = best.draw_arm(0, 1)
    assert replay(made, arm, 2).moves == replay(best, arm, 2).moves
    for job in (seedfolio.uci, seedfolio.play):
        monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
        job(made)
    with pytest.raises(seedfolio.SpecificationError, match="stones on a Go board"):
        seedfolio.gtp(made)


def test_books_of_open_spiel_have_no_board(tmp_path, monkeypatch):
    need_open_spiel()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.toml").write_text(BREAKTHROUGH.format(simulations=3))
    with pytest.raises(seedfolio.SpecificationError, match="has no board here"):
        seedfolio.play("bot.toml")


def page_against(folder, words):
    """Return the name of the program and its first two moves; the visitor has the second move."""
    with closing(Site(folder, Settings())) as site:
        sitting = site.played.begin("ann", _choice(site, words), 1)
        site.tables.proceed(sitting).result()
        view = site.tables.look(sitting)
        assert not view.game.note, view.game.note
        move = view.now.game.move_name(view.now.position.moves[0])
        site.tables.move(sitting, move, str(len(view.now.seen.events)))
        if (thinks := site.tables.proceed(sitting)) is not None:
            thinks.result()
        view = site.tables.look(sitting)
        assert not view.game.note, view.game.note
        return view.table.opponent.full_name, view.game.history[::2]


def _choice(site, words):
    for kind, files in ((EXTERNAL, ENGINE), (OWN, GAME), (PORTFOLIO, PORTFOLIO)):
        for file in site.library.files(files):
            if file.path.name == words:
                if kind == PORTFOLIO:
                    return site.opponents.boosted(file)
                return OpponentChoice(kind, file.id)
    return OpponentChoice(ORIGINAL, words)
