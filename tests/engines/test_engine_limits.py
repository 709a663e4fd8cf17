"""What an engine may use, what is said when it does not keep to it, and a log of the protocol."""

import pytest
from external import left_behind, play_matrix, program_of, scripted_text

from seedfolio.cli import run
from seedfolio.engines.endings import Ending

SEED = 'setup = ["seed {seed}"]'


def game(folder, mode, more="", **limits):
    text = scripted_text(folder, mode, bad="1", seed="0", more=SEED, limits=limits.items())
    _, games = play_matrix(program_of(folder, text + more), 2, reuse=False)
    (found,) = (each for each in games if each.arms == (1, 0))
    assert not left_behind(folder)
    return found


@pytest.mark.parametrize(
    ("mode", "limits", "ending", "said"),
    [
        ("closes input", {}, Ending.CRASH, "closed its standard input"),
        (
            "hang",
            {"move": 1.5},
            Ending.TIMEOUT,
            "does not answer within 1.5 s (limits.move) after 'genmove b'",
        ),
        ("eats memory", {"memory": 500}, Ending.CRASH, "MemoryError"),
        ("eats memory", {}, Ending.NORMAL, ""),
    ],
)
def test_what_is_said_of_a_fault(mode, limits, ending, said, tmp_path):
    found = game(tmp_path, mode, **limits)
    assert found.ending is ending
    assert said in found.detail


def test_a_log_has_all_that_is_said(tmp_path):
    found = game(tmp_path, "die", '[log]\nfolder = "logs"\n')
    assert found.ending is Ending.CRASH
    logs = [each.read_text() for each in sorted((tmp_path / "logs").iterdir())]
    crashed = next(text for text in logs if "something broke inside" in text)
    signs = [line.split()[1] for line in crashed.splitlines()]
    assert signs[:3] == ["$", ">", "<"]
    assert crashed.splitlines()[1].endswith("> protocol_version")
    assert "! something broke inside" in crashed
    assert crashed.splitlines()[-1].endswith("$ ended with code 3")


@pytest.mark.slow
def test_an_engine_that_ignores_quit_is_named(tmp_path, monkeypatch, capsys):
    text = scripted_text(tmp_path, "ignores quit", seed="0", bad="0", more=SEED)
    (tmp_path / "engine.toml").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert run(["check", "engine.toml", "--threads", "1"]) == 0
    assert "quit          it runs on for half a second after quit" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--learner", "halving", "--budget", "100"], "halving tries ever more arms"),
        (["--learner", "nash", "--budget", "2000"], "learns from 44 arms of each colour"),
    ],
)
def test_a_learner_that_needs_more_arms_is_refused_before_any_game(
    words, problem, tmp_path, monkeypatch, capsys
):
    text = scripted_text(tmp_path, "well", seed="{number}").replace('numbering = "plain"', "")
    (tmp_path / "engine.toml").write_text(text + '[arms.grid]\nnumber = "1..40"\n')
    monkeypatch.chdir(tmp_path)
    assert run(["boost", "engine.toml", *words]) == 2
    assert problem in capsys.readouterr().err
    assert not (tmp_path / "studies").exists()
