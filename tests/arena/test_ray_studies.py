"""A study on a cluster is the study on one machine, bit for bit."""

import json
import re
import shutil

import numpy as np
from external import GNU_GO, Kept, program_of, seeded_text
from needed import need
from ray_cases import EXAMPLES, matrix, play_until, ray_arena
from sessions import Whole
from sparing import levels
from studies import contents

from seedfolio import boost, compare
from seedfolio.arena.processes import ProcessArena
from seedfolio.study.arms import TrainingArms
from seedfolio.study.session import Session
from seedfolio.study.store import Study

DOMINEERING = "domineering:4x4", "uct:simulations=20"
SIZES = {"k": 24, "kt": 12, "opponents": 18}


def boosted(folder, game, player, arena, **options):
    folder.mkdir(parents=True)
    outcome = boost(game, player, **options, study=folder / "a.study", arena=arena)
    files = {name: path.read_bytes() for name, path in outcome.save_portfolios().items()}
    return outcome.as_data(), files, contents(folder / "a.study")


def same(folder, game, player, arena, **options):
    theirs = boosted(folder / "threads", game, player, "threads", **options)
    ours = boosted(folder / "ray", game, player, arena, **options)
    assert ours == theirs
    return ours


def played_by_gnu_go(folder, arena):
    """Play a small matrix of GNU Go into a study; `arena` is of a cluster, or None."""
    folder.mkdir(parents=True)
    program = program_of(folder.parent, GNU_GO.format(board=5, games=8), "gnugo.toml")
    seeds = TrainingArms(0, 4).seeds()
    options = {"remember": True, "reuse": False}
    with Study.open(folder / "a.study", program.identity()) as study:
        archive = study.engine_games()
        if arena is None:
            with ProcessArena(program, games=2, archive=archive, **options) as playing:
                Session(study, playing, program).results([(seeds, seeds)], "games")
        else:
            playing = arena.for_engine(program, archive, deterministic=True, **options)
            Session(study, playing, program).results([(seeds, seeds)], "games")
    return contents(folder / "a.study")


def book_of_an_engine(folder, file, arena):
    """Learn a book of an engine; return all that comes of it, without the times of its check."""
    whole, sizes = Whole(), {"k": 2, "opponents": 17, "budget": 400}
    outcome, files, (cells, more) = boosted(
        folder, file, None, arena, learners=["auto:book=400"], progress=whole, **sizes
    )
    ((_, text),) = whole.told
    assert re.search(r"; about \S+ \S+ at \S+ games/(s|min)$", text)
    more["evaluation"] = [row for row in more["evaluation"] if row[0] != "check"]
    with np.load(folder / "a-books-1.npz") as kept:
        return outcome, files, cells, more, {name: kept[name].tolist() for name in kept}


def answers_on(arena, program):
    """Play a few games of an engine; return all answers that come of them."""
    kept = Kept()
    options = {"remember": True, "reuse": True, "deterministic": True}
    matrix(arena.for_engine(program, kept, **options), program, 3)
    return set(kept.kept)


def check_book_of_an_engine(folder, arena):
    folder.mkdir()
    program = program_of(folder, seeded_text(folder))
    here = book_of_an_engine(folder / "processes", program.file, "auto")
    book = json.loads(here[1]["auto:book=400"])["book"]
    assert all(len(book[colour][0]["rows"]) > 5 for colour in ("first", "second"))
    assert book_of_an_engine(folder / "ray", program.file, arena) == here
    answers = answers_on(arena, program)
    assert answers
    assert answers_on(arena, program) == answers, "nodes knew them from another study"
    assert len(here[3]["engine_book_game"]) > 400


def check_more(folder, arena):
    need("gnugo")
    choosing = {"learners": ["auto", "exp3"], "budget": 200, "opponents": 18, "k": 12}
    same(folder / "auto", *DOMINEERING, arena, **choosing)
    few = {**SIZES, "learners": ["nash"]}
    own = folder / "mine.py"
    shutil.copy(EXAMPLES / "three_in_a_row.py", own)
    same(folder / "own", str(own), "uct:simulations=20", arena, **few, symmetries=False)
    same(folder / "phantom", "phantom-go:5x5", "flat:playouts=20", arena, **few)
    ours = played_by_gnu_go(folder / "gnugo" / "ray", arena)
    assert (ours, len(ours[0])) == (played_by_gnu_go(folder / "gnugo" / "processes", None), 16)
    asked = {"budget": 300, "learners": ["halving"], "opponents": 18}
    here = compare(*DOMINEERING, **asked, study=folder / "a.study", arena="threads")
    there = compare(*DOMINEERING, **asked, study=folder / "b.study", arena=arena)
    assert there.as_data() == here.as_data()


@levels("count", slow=[2], long=[1, 4])
def test_studies_are_the_same_on_nodes_and_threads(nodes, tmp_path, count):
    for number in range(1, count):
        nodes.start(f"n{number}", 1 + number % 2)
    at_work, notes = [], []
    cores = sum(1 + number % 2 for number in range(count))
    everybody = f"{count} node{'s' * (count > 1)}, {cores} core{'s' * (cores > 1)}"
    with ray_arena(nodes, notes, at_work) as arena:
        play_until(arena, lambda: everybody in at_work)
        _, files, _ = same(tmp_path / "domineering", *DOMINEERING, arena, **SIZES)
        assert "book" in files
        check_book_of_an_engine(tmp_path / "book", arena)
        if count != 2:  # at full size
            check_more(tmp_path, arena)
    # On a busy machine it may also say that it waits.
    assert [note for note in notes if not note.startswith("waiting for the cluster")] == []
