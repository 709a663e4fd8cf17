"""Studies, matches and tunings on a cluster are those on one machine, bit for bit."""

import json
import re

import numpy as np
import pytest
from external import Kept, program_of, scripted_text, seeded_text
from ray_cases import matrix
from sessions import Whole
from studies import contents

from seedfolio import boost, match, tune

mark = pytest.mark
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


def book_of_an_engine(folder, file, arena):
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


def on_nodes(slow=(), long=()):
    counts = [*slow, *long]
    marked = [pytest.param(n, marks=mark.slow if n in slow else mark.long) for n in counts]
    return mark.parametrize("shared_arena", marked, indirect=True)


@on_nodes(slow=[2], long=[1, 4])
def test_studies_are_the_same_on_nodes_and_threads(shared_arena, tmp_path):
    _, files, _ = same(tmp_path / "domineering", *DOMINEERING, shared_arena, **SIZES)
    assert "book" in files
    check_book_of_an_engine(tmp_path / "book", shared_arena)


def played(folder, *programs, **options):
    record = folder / f"{options['arena'] == 'auto'}.jsonl"
    found = match(*programs, **options, record=record)
    return found.as_data() | {"record": None}, record.read_bytes()


@on_nodes(slow=[2])
def test_a_match_is_the_same_on_nodes_and_here(shared_arena, tmp_path):
    more = 'go = "nodes 5"\noptions = { Seed = "{seed}" }'
    text = scripted_text(tmp_path, "scores", seed="0", protocol="uci", more=more)
    tables = '[openings]\nmoves = ["a1 a2", "b2 a2", "c4 b4", "e4 d4"]\n'
    tables += "[adjudication]\nresign = { score = 600, moves = 2 }\n"
    program_of(tmp_path, text + tables)
    engine, sizes = str(tmp_path / "engine.toml"), {"k": 4, "kt": 4, "opponents": 17}
    learnt = boost("nim@table", **sizes, study=tmp_path / "a.study", learners=["nash", "book"])
    boosted = [*learnt.save_portfolios().values()]
    for name, programs, options in (
        ("engines", (engine, engine, "nim@table"), {"games": 8}),
        ("built in", (*boosted, "nim@table"), {"games": 40, "gauntlet": True}),
        ("stops", (boosted[0], "nim@table:noise=9"), {"games": 2000, "sprt": (0, 200)}),
    ):
        (tmp_path / name).mkdir()
        here = played(tmp_path / name, *programs, **options, arena="auto")
        assert played(tmp_path / name, *programs, **options, arena=shared_arena) == here


@on_nodes(long=[2])  # test_ray_worker.py shows it without a cluster
def test_engines_are_tuned_and_joined_on_nodes_as_here(shared_arena, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, mode in (("one", "fine"), ("two", "scores")):
        text = scripted_text(tmp_path, mode, protocol="uci", more='go = "nodes 3"')
        (tmp_path / f"{name}.toml").write_text(text)
    sizes = {"k": 4, "kt": 4, "opponents": 6, "learners": "nash"}
    found = {}
    for name, where in (("here", "auto"), ("there", shared_arena)):
        record = tmp_path / f"{name}.json"
        tune("one.toml", parameters=["nodes=1..9"], budget=200, record=record, arena=where)
        boosted = boost(
            "nim", ["one.toml", "two.toml"], study=f"{name}.study", arena=where, **sizes
        )
        portfolios = [each.text() for each in boosted.portfolios.values()]
        found[name] = record.read_bytes(), boosted.as_data(), portfolios
    assert found["here"] == found["there"]
