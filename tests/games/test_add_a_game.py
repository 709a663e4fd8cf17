"""The page "Add a game" and its example: what it says is what happens."""

import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from one_line import one_line
from scipy.stats import chisquare
from walking import count_lines

from seedfolio import CHANCE, ConformanceError, Program, check_game, load_game, load_player

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLE = DOCS / "examples" / "three_in_a_row.py"
DARK = DOCS / "examples" / "dark_three.py"
PAGE = (DOCS / "add-a-game.md").read_text()
GAME, TEST, RANDOM_MOVE, SYMMETRIES, DARK_VIEW = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(SENTENCE,) = re.findall(r"```text\n(.*?)\n```", PAGE)
IMPORT_BELOW, IMPORT_SYMMETRY = re.findall(r"`(from \S+ import [^`]*)`", PAGE)


def edited(text, *edits):
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def test_the_page_shows_the_example():
    assert EXAMPLE.read_text() == GAME
    assert DARK_VIEW in DARK.read_text()


@pytest.mark.parametrize(
    ("old", "hint"),
    [
        ("parts=None", "write rollout=Parts(...) instead of parts=Parts(...)"),
        ("trace=None", "leave out trace, or give moves=... to Parts: see docs/add-a-game.md"),
    ],
)
def test_words_of_earlier_versions(tmp_path, old, hint):
    file = tmp_path / EXAMPLE.name
    file.write_text(edited(GAME, ("        board=board,\n", f"        board=board, {old},\n")))
    with one_line(re.escape(hint)):
        load_game(str(file))


def test_the_number_of_lines_of_tic_tac_toe():
    perft = count_lines(load_game(f"{EXAMPLE}:size=3"))
    # Well known: 255,168 games of tic-tac-toe, of which so many go on to each move.
    known = [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert [perft(depth) for depth in range(1, 10)] == known


@pytest.mark.parametrize(
    ("played", "score"),
    [
        ("a1 a2 b1 b2 c1", 2),
        ("a1 b2 a2 c1 b1 a3", 0),
        ("c1 a1 c2 b2 a2 c3", 0),
        ("a1 b1 c1 a2 c2 b2 a3 c3 b3", 1),
        # A full board whose last stone makes a row is no draw.
        ("a1 b1 c1 b2 a2 c2 b3 c3 a3", 2),
    ],
)
def test_who_wins(played, score):
    game = load_game(str(EXAMPLE))
    history = [game.parse_move(name) for name in played.split()]
    assert game.position(history[:-1]).score is None
    assert game.position(history).score == score


@pytest.mark.slow
def test_the_steps_further_play_the_same_games(tmp_path):
    text = edited(
        GAME,
        ("    board = Board(", f"{RANDOM_MOVE}\n    board = Board("),
        (
            "        board=board,\n",
            f"        board=board,\n        random_move=random_move,\n{SYMMETRIES}",
        ),
        (
            "from seedfolio import Board, Rules, compiled, game\n",
            f"{IMPORT_BELOW}\n{IMPORT_SYMMETRY}\n",
        ),
    )
    path = tmp_path / "faster.py"
    path.write_text(text)
    plain, faster = load_game(f"{EXAMPLE}:size=3"), load_game(f"{path}:size=3")
    check_game(faster, games=50)
    assert faster.rules.random_move is not None
    assert len(faster.rules.symmetries) == 7
    player = load_player("uct:simulations=30")
    assert Program(faster, player).behaviour == Program(plain, player).behaviour


@pytest.mark.slow
def test_a_broken_promise_gives_the_sentence_of_the_page(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text(edited(GAME, ("max_moves=area", "max_moves=9")))
    with pytest.raises(ConformanceError) as caught:
        check_game(load_game(f"{path}:size=4"))
    assert str(caught.value) == SENTENCE


@pytest.mark.slow
def test_the_dark_example_keeps_the_rules_of_games():
    check_game(str(DARK), games=50)


def test_the_referee_of_the_dark_example():
    game = load_game(str(DARK))

    def played(text):
        return [game.parse_move(name) for name in text.split()]

    assert game.position([]).mover == CHANCE
    assert game.position(played("O-begins")).mover == 1
    assert game.position(played("X-begins a1")).mover == 1
    tried = game.position(played("X-begins a1 a1"))
    assert (tried.mover, tried.refused, len(tried.moves)) == (1, True, 8)
    seen = [game.draw(played("X-begins b2 a1 c3 b2"), c).splitlines()[1:4] for c in (0, 1)]
    assert seen == [
        [" 3 . . X 3", " 2 . X . 2", " 1 . . . 1"],
        [" 3 . . . 3", " 2 . X . 2", " 1 O . . 1"],
    ]
    assert game.position(played("X-begins a1 b1 a2 b2 a3")).score == 2
    assert game.position(played("O-begins a1 b1 a2 b2 a3")).score == 0
    # X tries b2, where O has one: X has no turn fewer for that.
    assert game.position(played("O-begins b2 b2 a1 b1 a2 c1 a3")).score == 2


def test_what_completes_a_view_is_drawn_evenly():
    """X has b2 and c3 and has found one of O's two stones: the other is on one of six cells."""
    game = load_game(str(DARK))
    rules = game.rules
    state = rules.start()
    for name in ("X-begins", "b2", "a1", "c3", "b1", "a1"):
        state = rules.play(state, game.parse_move(name))
    seen = rules.view(state, 0)
    counts = Counter(rules.complete(seen, np.uint64(key), 0)[0][1] for key in range(7000))
    free = [cell for cell in range(9) if game.move_name(cell) not in ("b2", "a1", "c3")]
    assert sorted(counts) == sorted(1 | 1 << cell for cell in free)
    assert chisquare(list(counts.values())).pvalue > 1e-3
