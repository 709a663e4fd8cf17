"""Learners of a user's own, written from docs/add-a-learner.md, beside the same in plain numpy."""

import re
from pathlib import Path

import numpy as np
import pytest
from case_files import programs
from synthetic_arena import differing, exploring_learner, from_matrix, run

from seedfolio import PortfolioError, SpecificationError, boost, check, compare, learn, new_learner
from seedfolio import show as show_study
from seedfolio.core import trust
from seedfolio.learning.registry import find_learner

PAGE = Path(__file__).parents[2] / "docs/add-a-learner.md"
MATRIX = differing(30, 20, 3)
SUCCESS = MATRIX / 2
(LCB_BEST,) = programs(__file__)


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL):
        if "write_text" in block:
            exec(block, {})
    (tmp_path / "lcb.py").write_text(LCB_BEST)


@pytest.mark.parametrize("text", ["softmax.py", "softmax.py:temperature=0.5"])
def test_softmax_over_means(text):
    temperature = float(text.partition("=")[2] or 0.05)
    powers = [np.exp(sum(row) / len(row) / temperature) for row in SUCCESS]
    found = find_learner(text)
    assert found.weigh(MATRIX, 2, 0).weights == pytest.approx(np.array(powers) / sum(powers))
    assert (found.name, check(text).passed) == (text, True)


@pytest.mark.parametrize("width", [0.0, 1.0, 5.0])
def test_the_best_lower_confidence_bound(width):
    bounds = []
    for row in SUCCESS:
        mean = sum(row) / len(row)
        variance = sum((each - mean) ** 2 for each in row) / len(row)
        bounds.append(mean - width * (variance / len(row)) ** 0.5)
    text = f"lcb.py:width={width}"
    best = dict(learn(SUCCESS, learners=[text]).portfolios[text].first)
    assert best == {f"row {1 + bounds.index(max(bounds))}": 1.0}
    assert check(text).passed


@pytest.mark.parametrize("budget", [2, 50, 600])
def test_a_bandit(budget):
    arms, counts = min(20, budget // 2), []
    for own in (SUCCESS, 1 - SUCCESS.T):
        results = [[] for _ in range(arms)]
        for game in range(budget // 2):
            indices = [
                np.mean(r) + 0.5 * np.sqrt(np.log(game) / len(r)) if r else np.inf for r in results
            ]
            arm = int(np.argmax(indices))
            results[arm].append(own[arm % len(own), game % own.shape[1]])
        counts.append([len(each) / (budget // 2) for each in results])
    exploration = exploring_learner("bandit.py").begin(budget, 2, 7)
    assert len(set(run(exploration, from_matrix(MATRIX)))) <= budget
    for found, count in zip(exploration.choice().portfolio[:2], counts, strict=True):
        assert found.weights == pytest.approx([each for each in count if each])


HEADS = {"l": "def learn(results, rng):\n    ", "e": "def explore(budget, rng):\n    "}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("l return results.meen()", "learn raises AttributeError in line 2"),
        ("l return rng.random(len(results) + 1)", "returns weights of shape"),
        ("l return -results.mean(axis=1) - 1", "not all 0 or more"),
        ("l return results.mean(axis=1) * float('nan')", "are no numbers (nan)"),
        ("l return 'abc'", "no numbers as weights"),
        ("l results[0, 0] = 1", "learn raises ValueError in line 2: assignment destination"),
        ("l import random; return [random.random() for _ in results]", "the second time"),
        ("l " + "return 1\n\n\ndef explore(budget, rng):\n    yield", "has 2 learners"),
        ("e return [1], [1]", "is no generator"),
        ("e yield [(0, k) for k in range(budget + 1)]", "2 different cells, and its budget is 1"),
        ("e yield [(0, 2**32)]", "asks for arm 4294967296"),
        ("e yield [(-1, 0)]", "asks for arm -1"),
        ("e yield 5", "yields no cells"),
        ("e yield [(0, 0)]", "must return two things"),
        ("e yield [(0, 0)]\n    return [1], {2**40: 1}", "is no arm"),
        ("e import random as r; yield [(r.randrange(10**6), 0)]\n    return [1], [1]", "it asks"),
        ("l ) return", "holds no learner"),
    ],
)
def test_what_breaks_a_rule_gets_a_line(text, said, tmp_path):
    (tmp_path / "wrong.py").write_text(HEADS[text[0]] + text[2:] + "\n")
    if text == "l ) return":
        with pytest.raises(SpecificationError, match="fails to load: SyntaxError"):
            find_learner("wrong.py")
        return
    found = check("wrong.py")
    assert said in found.problem
    assert found.text == found.problem
    assert "\n" not in found.problem


PROGRAM = {"game": "domineering:4x4", "player": "uct:simulations=5", "opponents": 17}


@pytest.mark.slow
def test_a_file_learns_wherever_a_learner_does_and_resumes(tmp_path, monkeypatch):
    new_learner("choosing.py", chooses=True)
    names = ["softmax.py", "lcb.py:width=0.5", "bandit.py:arms=4", "choosing.py"]
    boosted = boost(**PROGRAM, k=8, kt=8, learners=names, study="a.study")
    assert [row.name for row in boosted.rows[2:]] == names
    assert boosted.save_portfolios()["softmax.py"].name == "a-softmax.py.json"
    again = boost(**PROGRAM, k=8, kt=8, learners=names, study="a.study")
    assert again.rows == boosted.rows
    compared = compare(**PROGRAM, budget=60, learners=names[:3], study="a.study")
    assert [row.name for row in compared.rows[2:]] == names[:3]
    # Of a study from elsewhere, nothing runs that the user has not run.
    (tmp_path / "softmax.py").write_text("def learn(results, rng):\n    return results.sum(1)\n")
    monkeypatch.setattr(trust, "_run_here", set())
    with pytest.raises(PortfolioError, match=r"this would run the Python file .*softmax\.py"):
        show_study("a.study", plot_k="k.svg")


def test_functions_and_classes_from_python():
    def halves(results, rng):
        return results.mean(axis=1) > 0.5

    class Last:
        def __init__(self, number=2):
            self.number = number

        def learn(self, results, rng):
            return [0] * (len(results) - 1) + [self.number]

    learnt = learn(SUCCESS, learners=[halves, Last]).portfolios
    assert len(learnt["halves"].first) == np.count_nonzero(SUCCESS.mean(axis=1) > 0.5)
    assert dict(learnt["Last"].second) == {"column 20": 1.0}

    def other(results, rng):
        return [1] * len(results)

    other.__name__ = "halves"
    with pytest.raises(SpecificationError, match="two learners are called halves; rename one"):
        learn(SUCCESS, learners=[halves, other])
    with pytest.raises(SpecificationError, match="functions that have a name"):
        learn(SUCCESS, learners=[lambda results, rng: results])
