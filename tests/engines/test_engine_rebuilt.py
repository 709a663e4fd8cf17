"""An engine that was built anew, under the same name, is noticed before randomness is blamed."""

import json
import shutil

import pytest
from external import SCRIPTED, left_behind, scripted_text

from seedfolio import boost
from seedfolio.errors import EngineError, PortfolioError
from seedfolio.portfolios.file import load_portfolio, parse_portfolio

REBUILT = "the engine answers differently than when .*: was it rebuilt"


@pytest.mark.slow
def test_a_portfolio_and_a_study_notice(tmp_path):
    bot = tmp_path / "bot.py"
    shutil.copy(SCRIPTED, bot)
    text = scripted_text(tmp_path, "well", seed="0", bad="-", more='setup = ["seed {seed}"]')
    (tmp_path / "engine.toml").write_text(text.replace(str(SCRIPTED), "bot.py"))

    def again():
        sizes = {"k": 2, "kt": 2, "opponents": 17, "learners": ["best-seed"]}
        return boost(tmp_path / "engine.toml", **sizes, study=tmp_path / "a.study")

    path = again().save_portfolios()["best-seed"]
    file = load_portfolio(path)
    assert 1 <= len(file.engine.answers) <= 3
    assert {each.arm for each in file.engine.answers} <= {*file.first, *file.second}
    file.engine_program(tmp_path)  # the same engine
    again()
    source = bot.read_text()
    bot.write_text(source.replace('f"{shared} {played}"', 'f"{shared}, {played}"'))
    with pytest.raises(PortfolioError, match=f"{REBUILT}.*learn it again"):
        file.engine_program(tmp_path)
    with pytest.raises(EngineError, match=f"{REBUILT}.*start a new study"):
        again()
    content = json.loads(path.read_text())  # of version 0.2, which kept no answers
    del content["engine"]["answers"], content["engine"]["against"]
    old = parse_portfolio(json.dumps(content), "old")
    assert old.engine.answers == []
    old.engine_program(tmp_path)
    assert not left_behind(tmp_path)
