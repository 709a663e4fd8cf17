"""A match, a tuning and several engines on a cluster are those on this machine, game by game."""

import pytest
from external import left_behind, program_of, scripted_text
from ray_cases import ray_arena

from seedfolio import boost, match, tune


def played(folder, *programs, **options):
    record = folder / f"{options['arena'] == 'auto'}.jsonl"
    found = match(*programs, **options, record=record)
    return found.as_data() | {"record": None}, record.read_bytes()


@pytest.mark.slow
def test_a_match_is_the_same_on_nodes_and_here(nodes, tmp_path):
    more = 'go = "nodes 5"\noptions = { Seed = "{seed}" }'
    text = scripted_text(tmp_path, "scores", seed="0", protocol="uci", more=more)
    tables = '[openings]\nmoves = ["a1 a2", "b2 a2", "c4 b4", "e4 d4"]\n'
    tables += "[adjudication]\nresign = { score = 600, moves = 2 }\n"
    program_of(tmp_path, text + tables)
    engine, sizes = str(tmp_path / "engine.toml"), {"k": 4, "kt": 4, "opponents": 17}
    learnt = boost("nim@table", **sizes, study=tmp_path / "a.study", learners=["nash", "book"])
    boosted = [*learnt.save_portfolios().values()]
    nodes.start("n1", 1)
    with ray_arena(nodes) as arena:
        for name, programs, options in (
            ("engines", (engine, engine, "nim@table"), {"games": 8}),
            ("built in", (*boosted, "nim@table"), {"games": 40, "gauntlet": True}),
            ("stops", (boosted[0], "nim@table:noise=9"), {"games": 2000, "sprt": (0, 200)}),
        ):
            (tmp_path / name).mkdir()
            here = played(tmp_path / name, *programs, **options, arena="auto")
            assert played(tmp_path / name, *programs, **options, arena=arena) == here
    assert not left_behind(tmp_path)


@pytest.mark.slow
def test_engines_are_tuned_and_joined_on_nodes_as_here(nodes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, mode in (("one", "fine"), ("two", "scores")):
        text = scripted_text(tmp_path, mode, protocol="uci", more='go = "nodes 3"')
        (tmp_path / f"{name}.toml").write_text(text)
    sizes = {"k": 4, "kt": 4, "opponents": 6, "learners": "nash"}
    nodes.start("n1", 1)
    with ray_arena(nodes) as arena:
        found = {}
        for name, where in (("here", "auto"), ("there", arena)):
            record = tmp_path / f"{name}.json"
            tune("one.toml", parameters=["nodes=1..9"], budget=200, record=record, arena=where)
            boosted = boost(
                "nim", ["one.toml", "two.toml"], study=f"{name}.study", arena=where, **sizes
            )
            portfolios = [each.text() for each in boosted.portfolios.values()]
            found[name] = record.read_bytes(), boosted.as_data(), portfolios
    assert found["here"] == found["there"]
    assert not left_behind(tmp_path)
