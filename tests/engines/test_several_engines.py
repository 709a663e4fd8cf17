"""Several engines as one program: which arm is whose, studies that are killed, what is trusted."""

import json
import re
import sys

import numpy as np
import pytest
from external import numbered_text, scripted_text
from one_line import one_line
from waiting import killed

from seedfolio import ProcessArena, boost, load_boosted, load_portfolio, load_program, match, tune
from seedfolio.core.seeds import UNSEEN_SEEDS
from seedfolio.engines.program import load_engine_program
from seedfolio.errors import PortfolioError, SpecificationError

MASTER = """
import random
import sys

heaps, seed = [], "0"
for line in sys.stdin:
    command, *words = line.split() or [""]
    answer = {"protocol_version": "2", "name": "master", "version": "1"}.get(command, "")
    if command == "seed":
        seed = words[0]
    elif command == "clear_board":
        heaps = [1, 3, 5, 7]
    elif command in ("play", "genmove"):
        if command == "genmove":
            moves = [(row, left) for row in range(4) for left in range(heaps[row])]
            random.Random(f"{seed} {heaps}").shuffle(moves)
            total = heaps[0] ^ heaps[1] ^ heaps[2] ^ heaps[3]
            row, left = min(moves, key=lambda each: total ^ heaps[each[0]] ^ each[1])
            answer = "abcdefg"[left] + "1234"[row]
        move = answer or words[1]
        heaps["1234".index(move[1])] = "abcdefg".index(move[0])
    print(f"= {answer}\\n", flush=True)
    if command == "quit":
        break
"""
"""It leaves nim-sum 0 where it can; its seed chooses among such moves."""
SIZES = {"k": 6, "kt": 6, "opponents": 8, "learners": ["nash", "best-half"], "progress": False}
WORDS = ["--k", "6", "--kt", "6", "--opponents", "8", "-l", "nash", "-l", "best-half", "-q"]
FILES = ["any.toml", "bots/master.toml"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path)
    return tmp_path


def write(folder):
    (folder / "bots").mkdir(parents=True)
    (folder / "any.toml").write_text(scripted_text(folder, "well"))
    (folder / "bots" / "master.py").write_text(MASTER)
    text = scripted_text(folder, "well", seed="0", more='setup = ["seed {seed}"]')
    lines = [
        f'command = [{sys.executable!r}, "-S", "-E", "master.py", "token-{folder}"]'.replace(
            "'", '"'
        )
        if line.strip().startswith("command =") and "[" in line
        else line
        for line in text.splitlines()
    ]
    (folder / "bots" / "master.toml").write_text("\n".join(lines))


def test_arms_take_turns_and_play_as_those_of_their_engine(folder):
    both = load_program("nim", FILES)
    assert both.title == "nim, any+master"
    assert both.kinds == ("any", "master")
    assert load_program("any.toml+bots/master.toml").identity() == both.identity()
    apart = [load_engine_program(file) for file in FILES]
    numbers = np.arange(8, dtype=np.uint64)
    unseen = numbers + np.uint64(UNSEEN_SEEDS.start)
    assert both.kind_of(numbers).tolist() == both.kind_of(unseen).tolist() == [0, 1] * 4
    for number in (*range(8), *unseen.tolist()):
        start = UNSEEN_SEEDS.start if number >= UNSEEN_SEEDS.start else 0
        own = apart[number % 2].arm(start + (number - start) // 2)
        assert both.arm(number).values == own.values
        assert both.arm(number).name == f"{both.kinds[number % 2]}, {own.name}"
    games = np.arange(32, dtype=np.uint64)
    ours, theirs = both.book_arms(games)
    met = np.zeros((2, 2), int)
    np.add.at(met, (both.kind_of(ours), both.kind_of(theirs)), 1)
    assert (met == 8).all()
    assert not np.equal(ours, theirs).any()
    # Two arms of one engine play in the joint program as in their own.
    rows, columns = numbers[numbers % 2 == 1][:3], numbers[numbers % 2 == 1][1:]
    with ProcessArena(both, games=1) as arena:
        joint = [block.results.tolist() for block in arena.play(both, rows, columns)]
    with ProcessArena(apart[1], games=1) as arena:
        alone = [b.results.tolist() for b in arena.play(apart[1], rows // 2, columns // 2)]
    assert joint == alone


@pytest.mark.slow
def test_a_boost_of_two_engines_is_killed_and_goes_on_and_its_portfolio_plays(folder, command):
    whole = boost("nim", FILES, study="whole.study", **SIZES)
    killed(
        ["boost", "nim", "-p", FILES[0], "-p", FILES[1], "--study", "a.study", *WORDS],
        folder,
        *("after", "record", "2"),
    )
    code, out, _ = command(
        "boost", "nim", "-p", FILES[0], "-p", FILES[1], *WORDS, "--study", "a.study"
    )
    assert code == 0
    assert "drawn in %, as first / second" in out
    broken = boost("nim", FILES, study="a.study", **SIZES)
    assert broken.as_data() == whole.as_data()
    kinds = whole.kinds
    assert list(kinds.against) == ["any", "master"]
    assert kinds.against["master"][0].mean > 0.7
    assert kinds.second["nash"][1] > 0.9, "the second player wins nim"
    files = whole.save_portfolios()
    file = load_portfolio(files["nash"])
    assert set(map(int, file.engine.arms)) == {*file.first, *file.second}
    assert all(("master" in name) == (arm % 2 == 1) for arm, name in file.engine.arms.items())
    shown = command("show", str(files["nash"]))[1]
    assert re.search("player +as first player +as second player", shown)
    assert re.search("^any  ", shown, re.MULTILINE)
    found = match(files["nash"], "any.toml", games=6)
    assert found.pairings[0].success.mean > 0.5
    assert command("export", "a.study", "games")[0] == 0
    text = (folder / "games" / "games.txt").read_text()
    assert "any, seed" in text
    assert "master, seed" in text
    assert command("replay", str(files["nash"]), "0", "1")[0] == 0


MIXES = {
    ("nim", "any.toml", "uct"): "uct is built in and any.toml is an external engine",
    ("nim", "any.toml", "any.toml"): "any.toml is named twice",
    ("nim", "any.toml", "no.toml"): "there is no file no.toml",
    ("domineering:4x4", *FILES): "plays nim, not domineering:4x4",
    ("any.toml", "bots/master.toml"): "any.toml has its own player; leave out `player`",
    ("nim", "any.toml", "uci.toml"): "uci.toml has protocol uci, and the first file gtp",
    ("nim", "any.toml", "long.toml"): r"long.toml has another \[game\]",
    ("nim", "any.toml", "list.toml"): "give all of them an end, or none",
    ("nim", "any.toml", "met.toml"): "met.toml has opponents",
    ("nim", "met.toml", "any.toml"): "leave out \\[\\[opponents\\]\\]",
}


@pytest.mark.parametrize("words", MIXES)
def test_engines_that_do_not_go_together(words, folder):
    text = scripted_text(folder, "well")
    uci = scripted_text(folder, "well", protocol="uci", more='go = "nodes 1"')
    (folder / "uci.toml").write_text(uci)
    (folder / "long.toml").write_text(text.replace('"nim"', '"nim"\nmoves = 90'))
    (folder / "list.toml").write_text(numbered_text(folder, 4))
    (folder / "met.toml").write_text(f'{text}\n[[opponents]]\nfile = "any.toml"\n')
    with one_line(MIXES[words]):
        load_program(words[0], words[1:])


def test_lists_of_arms_are_joined(folder):
    for name, arms in (("few.toml", 2), ("more.toml", 4)):
        (folder / name).write_text(numbered_text(folder, arms))
    both = load_program("few.toml+more.toml")
    assert both.arms.training == both.arms.unseen == 6
    names = [both.arm(number).name for number in range(6)]
    assert len({*names}) == 6
    assert [name.partition(",")[0] for name in names] == ["few", "more"] * 2 + ["more"] * 2
    assert both.kinds == tuple(
        [f"few, number={n}" for n in (1, 2)] + [f"more, number={n}" for n in (1, 2, 3, 4)]
    )
    for number in range(6):
        (value,) = both.arm(number).values.values()
        kind = both.kinds[both.kind_of(np.array([number], np.uint64))[0]]
        assert kind.endswith(f"number={value}")
    ours, theirs = both.book_arms(np.arange(30, dtype=np.uint64))
    assert len({*zip(ours.tolist(), theirs.tolist(), strict=True)}) == 30
    with pytest.raises(SpecificationError, match="training arm 6 does not exist: there are 6"):
        both.arm(6)


def test_one_engine_is_tuned_and_met_at_a_time(folder):
    both = load_program("nim", FILES)
    with pytest.raises(SpecificationError, match="are several engines; name one of them"):
        tune(both, parameters=["level=1..3"], record="a.json")
    with pytest.raises(SpecificationError, match="are several engines; name one of them"):
        boost(both, vary="level=1,2")
    with pytest.raises(SpecificationError, match=r"any\+master is several engines; name one"):
        boost("any.toml", against=both)


@pytest.mark.slow
def test_a_portfolio_from_elsewhere_runs_only_engines_that_the_user_has_run(folder, monkeypatch):
    path = boost("nim", FILES, study="a.study", **SIZES).save_portfolios()["nash"].resolve()
    load_boosted(path).close()
    master = folder / "bots" / "master.toml"
    content = json.loads(path.read_text())
    (other,) = content["engine"]["specification"]["joint"]["others"]
    assert other["player"]["command"][-2] == "master.py"
    monkeypatch.setenv("XDG_STATE_HOME", str(folder / "another user"))
    monkeypatch.setattr("seedfolio.core.trust._run_here", set())
    for file in FILES:  # each is asked about, whichever the user has run
        with pytest.raises(PortfolioError, match=r"would run the command .*master.py"):
            load_boosted(path)
        if file == FILES[0]:
            load_engine_program(file).engine_identity  # noqa: B018 - runs it
    load_engine_program(master).engine_identity  # noqa: B018 - runs it
    load_boosted(path).close()
    other["player"]["command"][-2] = "evil.py"
    (folder / "evil.json").write_text(json.dumps(content))
    with pytest.raises(PortfolioError, match="has been changed"):
        load_boosted(folder / "evil.json")
