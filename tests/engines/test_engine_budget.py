"""External engines with learners that choose their games."""

import pytest
from external import scripted_text

from seedfolio import boost


@pytest.mark.slow
def test_learners_that_measure_their_outcome_find_seeds_for_that(tmp_path):
    """An external engine has fewer seeds than a built-in one."""
    file = tmp_path / "engine.toml"
    file.write_text(scripted_text(tmp_path, "well", seed="0", more='setup = ["seed {seed}"]'))
    names = ["auto:exploiters=1", "double-oracle"]
    outcome = boost(file, k=6, opponents=17, learners=names, budget=80, study=tmp_path / "a.study")
    assert [row.name for row in outcome.rows[2:]] == names
    assert (
        "games each against seeds that learning had not met" in outcome.notes["auto:exploiters=1"]
    )
