"""Tables: the numbers, the winners, and what a plain terminal shows."""

import json
from dataclasses import replace
from io import StringIO
from math import nan

import pytest
from pydantic import TypeAdapter
from rich.console import Console

from seedfolio.evaluation.exploiters import Estimate
from seedfolio.report.table import Row, success_table


def estimates(*percent, error=1.4):
    return tuple(Estimate(value / 100, error / 100) for value in percent)


NASH = Row("nash", "37 + 41", estimates(63.8, 56.1, 50.3, 45.44, 41.3), "learner")
BEST = Row("best seed", "1 + 1", estimates(70.7, 49.8, 23.4, 45.36, 0.2), "learner")
FIXED = Row("one fixed seed", "380 + 380", estimates(50, 30.5, 12.5, 0.5, 0), "baseline")
MIXTURE = Row(
    "mixture of all seeds", "380 + 380", estimates(99, 48, 46, 44, 100, error=nan), "baseline"
)
ROWS = [NASH, FIXED, BEST, MIXTURE]


READER = TypeAdapter(list[Row])


def as_json(rows):
    return READER.dump_python(rows, mode="json", by_alias=True)


def markdown(rows):
    return success_table("", rows, caption="").markdown()


def render(rows, *, terminal=False):
    colours = {"force_terminal": True, "color_system": "standard"} if terminal else {}
    console = Console(width=100, file=(file := StringIO()), **colours)
    console.print(success_table("Phantom Go 5x5", rows, caption="unseen opponents"))
    return file.getvalue().splitlines()


def test_plain_text_and_what_is_bold():
    lines = render(ROWS)
    assert "\x1b" not in "".join(lines)
    assert max(map(len, lines)) <= 100
    (mixture,) = (n for n, line in enumerate(lines) if "mixture" in line)
    assert set(lines[mixture + 1].strip()) <= {"─"}  # a rule before the learners
    assert "[red]" in "".join(render([Row("[.5]", "2 + [red]", NASH.estimates, "learner")]))
    written = [" ".join(line.split()) for line in lines if line.strip(" ─")]
    assert written[1:4] == [
        "success in % arms K'=1 K'=2 K'=4 K'=8 K'=16",
        "one fixed seed 380 + 380 50.0±1.4 30.5±1.4 12.5±1.4 0.5±1.4 0.0±1.4",
        "mixture of all seeds 380 + 380 99.0 48.0 46.0 44.0 100.0",
    ]
    text = "\n".join(render(ROWS, terminal=True))
    bold = [cell.split("\x1b[0m")[0].strip() for cell in text.split("\x1b[1m")[1:]]
    assert [c for c in bold if "±" in c] == ["56.1±1.4", "50.3±1.4", "45.4±1.4", "45.4±1.4"]
    assert markdown(ROWS).count("**45.4±1.4**") == 2
    assert "**" not in markdown([FIXED, MIXTURE])


def exact(row, best_response):
    return replace(row, best_response=best_response)


def test_the_best_response_is_one_more_column_where_it_is_known():
    rows = [exact(FIXED, None), exact(MIXTURE, 0.3), exact(NASH, 0.3514), exact(BEST, 0.3511)]
    text = markdown(rows)
    ends = [line.split(" | ")[-1].removesuffix(" |") for line in text.splitlines()]
    assert ends == ["best response", "---:", "-", "30.0", "**35.1**", "**35.1**"]
    written = [" ".join(line.split()) for line in render(rows)]
    assert [line for line in written if line.endswith(("best", "response"))] == [
        "best",
        "success in % arms K'=1 K'=2 K'=4 K'=8 K'=16 response",
    ]
    assert any(line.startswith("nash") and line.endswith(" 35.1") for line in written)
    data = json.loads(json.dumps(as_json(rows)))
    assert [row["best_response"] for row in data] == [None, 0.3, 0.3514, 0.3511]
    assert READER.validate_python(data)[2] == rows[2]
    data = as_json([NASH])  # as an earlier version has saved it
    del data[0]["best_response"]
    assert READER.validate_python(data) == [NASH]
    for columns in (0, 6):
        with pytest.raises(ValueError, match="nash: expected 1 to 5 estimates"):
            Row("nash", "", estimates(50) * columns, "learner")


def test_json_is_plain_data():
    rows = json.loads(json.dumps(as_json(ROWS), allow_nan=False))
    assert [row["name"] for row in rows] == [row.name for row in ROWS]
    assert rows[3]["success"][4] == {"exploiter": 16, "mean": 1.0, "error": None}
    assert (rows[0]["detail"], rows[0]["group"]) == ("37 + 41", "learner")
    assert READER.validate_python(rows)[0] == NASH
    assert rows[0]["success"][1] == {
        "exploiter": 2,
        "mean": pytest.approx(0.561),
        "error": pytest.approx(0.014),
    }
