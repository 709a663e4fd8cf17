"""Identity, portfolios, evaluations and requests."""

import pytest

from seedfolio.errors import StudyError
from seedfolio.study.identity import JSON
from seedfolio.study.store import Study

IDENTITY: dict[str, JSON] = {
    "game": {"name": "domineering", "size": 7},
    "player": {"name": "uct", "simulations": 100},
    "behaviour": "abc123 é",
}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"player": {"name": "uct", "simulations": 200}},
            "player.simulations is 100 there, 200",
        ),
        (
            {"player": {"name": "uct", "simulations": 100.0}},
            "simulations is 100 there, 100.0 here",
        ),
        ({"player": {"name": "uct"}}, "player.simulations is 100 there, absent here"),
        ({"game": "go"}, 'game is {"name": "domineering", "size": 7} there, "go" here'),
        ({"arms": [1, 2]}, "arms is absent there, [1, 2] here"),
        ({"behaviour": "x" * 500}, "xxx... here"),
    ],
)
def test_another_identity_is_refused_by_its_first_difference(tmp_path, change, said):
    path = tmp_path / "a.study"
    Study.open(path, IDENTITY).close()
    before = path.read_bytes()
    with pytest.raises(StudyError) as raised:
        Study.open(path, {**IDENTITY, **change})
    assert said in str(raised.value)
    assert str(path) in str(raised.value)
    assert "choose another file" in str(raised.value)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    Study.open(path, IDENTITY).close()


def test_portfolios_and_evaluations_are_kept_by_name(tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        assert study.portfolios() == study.evaluations() == {}
        study.save_portfolio("nash", '{"black": 1}')
        study.save_portfolio("best", "{}")
        study.save_portfolio("nash", '{"black": 2}')
        study.save_evaluation("nash", "[é\n]" * 10_000)
    with Study.read(path) as study:
        assert list(study.portfolios().items()) == [("best", "{}"), ("nash", '{"black": 2}')]
        assert study.evaluations() == {"nash": "[é\n]" * 10_000}


def test_requests_are_kept_in_order_without_immediate_repeats(tmp_path):
    path = tmp_path / "a.study"
    for text in ("one", "two", "two", "one", "one"):
        with Study.open(path, IDENTITY) as study:
            study.log_request(text)
    with Study.read(path) as study:
        assert study.requests() == ["one", "two", "one"]


def test_an_identity_comes_back_and_only_an_open_writer_writes(tmp_path):
    path = tmp_path / "a.study"
    with Study.open(path, IDENTITY) as study:
        study.identity["behaviour"] = "other"
        assert study.identity == IDENTITY
        with pytest.raises(StudyError, match="not valid Unicode"):
            study.save_portfolio("stray \udcff byte", "{}")
    study.close()
    with pytest.raises(StudyError, match="closed"):
        study.count()
    with Study.open(path, dict(reversed(IDENTITY.items()))) as study:
        assert study.identity == IDENTITY
    with Study.read(path) as study:
        assert study.identity == IDENTITY
        with pytest.raises(StudyError, match="readonly"):
            study.save_portfolio("nash", "{}")
        assert study.portfolios() == {}
