"""An engine that was built anew, under the same name, is noticed before randomness is blamed."""

import json
import shutil
import sys

import pytest
from external import SCRIPTED, left_behind

from seedfolio import boost
from seedfolio.errors import EngineError, PortfolioError
from seedfolio.portfolios.file import load_portfolio, parse_portfolio

REBUILT = "the engine answers differently than when .*: was it rebuilt"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Boost an engine that lives in a file of its own, which a test may change."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copy(SCRIPTED, folder / "bot.py")
    words = [sys.executable, "-S", "-E", "bot.py", "0", "well", "-", f"token-{folder}"]
    (folder / "engine.toml").write_text(f"""
        [game]
        name = "nim"
        [player]
        protocol = "gtp"
        command = {words!r}
        setup = ["seed {{seed}}"]
        [limits]
        start = 500
        command = 500
        move = 500
    """)
    sizes = {"k": 2, "kt": 2, "opponents": 17, "learners": ["best-seed"]}
    outcome = boost(folder / "engine.toml", **sizes, study=folder / "a.study")
    return folder, sizes, outcome.save_portfolios()["best-seed"]


@pytest.fixture
def rebuilt(built):
    folder, *_ = built
    source = (folder / "bot.py").read_text()
    (folder / "bot.py").write_text(source.replace('f"{shared} {played}"', 'f"{shared}, {played}"'))
    yield built
    (folder / "bot.py").write_text(source)


@pytest.mark.slow
def test_the_same_engine_goes_on(built):
    folder, sizes, path = built
    file = load_portfolio(path)
    assert 1 <= len(file.engine.answers) <= 3
    assert {each.arm for each in file.engine.answers} <= {*file.first, *file.second}
    file.engine_program(folder)
    boost(folder / "engine.toml", **sizes, study=folder / "a.study")
    assert not left_behind(folder)


@pytest.mark.slow
def test_a_portfolio_notices(rebuilt):
    folder, _, path = rebuilt
    with pytest.raises(PortfolioError, match=f"{REBUILT}.*learn it again"):
        load_portfolio(path).engine_program(folder)
    assert not left_behind(folder)


@pytest.mark.slow
def test_a_study_notices(rebuilt):
    folder, sizes, _ = rebuilt
    with pytest.raises(EngineError, match=f"{REBUILT}.*start a new study"):
        boost(folder / "engine.toml", **sizes, study=folder / "a.study")
    assert not left_behind(folder)


@pytest.mark.slow
def test_a_portfolio_without_answers_opens(built):
    """Those of version 0.2 have none."""
    folder, _, path = built
    content = json.loads(path.read_text())
    del content["engine"]["answers"], content["engine"]["against"]
    file = parse_portfolio(json.dumps(content), "old")
    assert file.engine.answers == []
    file.engine_program(folder)
