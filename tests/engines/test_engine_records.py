"""Records: forfeits with their moves, the margin in Go, moves of other games."""

import pytest
from external import GNU_GO, left_behind, need, play_matrix, program_of, scripted_text

from seedfolio import boost, export, forfeits
from seedfolio.cli import run
from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.report.records.study import NamedArms, sgf_name, study_sgf

SEED = 'setup = ["seed {seed}"]'


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """A study in which an arm that the check does not play forfeits, by a crash."""
    folder = tmp_path_factory.mktemp("faulty")
    text = scripted_text(folder, "die", bad="18", seed="0", more=SEED)
    (folder / "engine.toml").write_text(text)
    sizes = {"k": 19, "kt": 1, "opponents": 17, "learners": ["best-seed"]}
    boost(folder / "engine.toml", **sizes, study=folder / "a.study")
    return folder


@pytest.mark.slow
def test_forfeits_are_listed_with_their_moves(faulty, capsys):
    found = forfeits(faulty / "a.study")
    assert found
    assert {each.arm for each in found} == {"scripted 1, seed 18"}
    assert all("something broke inside" in each.detail for each in found)
    assert all(len(each.moves) >= 2 for each in found)
    assert run(["show", str(faulty / "a.study"), "--forfeits"]) == 0
    printed = capsys.readouterr().out
    first = found[0]
    assert f"{first.arm} against {first.opponent}: crash" in printed
    assert f"  moves so far: {' '.join(first.moves)}\n" in printed
    assert printed.endswith(f"{len(found)} forfeited\n")


@pytest.mark.slow
def test_games_other_than_go_are_written_with_their_moves(faulty):
    written = export(faulty / "a.study", faulty / "games")
    lines = (faulty / "games" / "games.txt").read_text().splitlines()
    assert len(lines) == written + 1
    parts = [line.split(" | ") for line in lines[1:]]
    assert {each[2] for each in parts} <= {"1-0", "0-1"}
    assert parts[0][:2] == ["scripted 1, seed 0", "scripted 1, seed 0"]
    assert all(len(each[4].split()) >= 2 for each in parts)


def test_an_illegal_move_comes_with_the_moves_before_it(tmp_path):
    text = scripted_text(tmp_path, "illegal", bad="1", seed="0", more=SEED)
    _, games = play_matrix(program_of(tmp_path, text), 2)
    bad = [each for each in games if each.ending is Ending.ILLEGAL_MOVE]
    assert bad
    for each in bad:
        after = " ".join(each.moves)
        assert each.detail == f"seed 1 plays g1, which is illegal after {after}"
    assert not left_behind(tmp_path)


def test_the_margin_of_go_is_in_the_record():
    content = {
        "game": {"name": "go", "board": 9, "komi": 7.5},
        "player": {"protocol": "gtp", "command": "my-engine --seed {seed}"},
    }
    programs = NamedArms.of({"specification": content, "engine": "My Engine 1"}, "here")
    how = {"ending": Ending.NORMAL, "points": 2, "moves": ("a1", "pass", "pass")}
    game = GameRecord(arms=(2, 2**32 + 1), detail="B+3.5", **how)
    assert "RE[B+3.5]" in study_sgf(programs, game)
    assert sgf_name(programs, game) == "2-unseen1.sgf"


@pytest.mark.slow
def test_gnu_go_tells_the_margin(tmp_path):
    need("gnugo")
    program = program_of(tmp_path, GNU_GO.format(board=5, games=10))
    for remember in (False, True):
        _, games = play_matrix(program, 1, remember=remember)
        assert games[0].detail[:2] in ("B+", "W+")
