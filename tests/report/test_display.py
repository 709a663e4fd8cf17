"""Results show themselves: in a line, as HTML, as a frame; progress where somebody sees it."""

import sys
from contextlib import suppress
from html.parser import HTMLParser
from io import StringIO

import numpy as np
import pytest
from made_studies import PROGRAM, SMALL
from rich.console import Console

import seedfolio as sf
from seedfolio.arena import Silent
from seedfolio.core.display import Displayed
from seedfolio.core.table import Bold, Italic, Table
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.games import BUILT_IN
from seedfolio.report import progress as progress_module
from seedfolio.report.progress import TerminalProgress, chosen_progress


class Cells(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.cells = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self.open):
            self.cells[-1] += data


@pytest.fixture(scope="module")
def boosted():
    return sf.boost(*PROGRAM, **SMALL, learners=["book", "nash"], study=":memory:")


def results(boosted):
    program = sf.load_boosted(boosted, "nash")
    yield boosted
    yield sf.compare(*PROGRAM, budget=200, learners="nash", opponents=17, study=boosted.memory)
    yield sf.match(program, program.original, games=4)
    yield sf.worth(program, games=4, most=2, steps=0)
    yield sf.plan(*PROGRAM, k=20, kt=10)
    yield sf.online(boosted, games=8, arms=2, repetitions=2)
    yield boosted.portfolios["nash"]
    yield boosted.portfolios["book"]
    yield program
    yield program.original
    yield sf.load_boosted(boosted, "book")
    yield sf.show_book(boosted.portfolios["book"])
    yield sf.replay(program, 3, 5)


def test_every_result_shows_itself(boosted):
    for result in results(boosted):
        assert isinstance(result, Displayed)
        line = repr(result)
        assert line.startswith(f"<{type(result).__name__} ")
        assert "domineering" in line
        assert "\n" not in line
        assert len(line) <= 100
        html = result._repr_html_()
        assert "domineering" in html
        assert Cells(html).open == []
        frame = result.to_pandas()
        assert len(frame) >= 1
        file = StringIO()
        Console(file=file, width=80).print(result)
        assert max(map(len, file.getvalue().splitlines())) <= 80


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_game_and_its_parts_are_one_short_line(name):
    kind, game = BUILT_IN[name], sf.load_game(name)
    rules = game.rules
    parts = [rules.board, rules.rollout, rules.repetition, rules.evaluation, *rules.symmetries]
    for value in (kind, game, rules, *parts):
        assert "\n" not in repr(value)
        assert len(repr(value)) <= 100


def test_a_notebook_and_a_frame_have_the_numbers_of_the_terminal(boosted, monkeypatch):
    cells = Cells(boosted._repr_html_()).cells
    assert cells[:3] == ["success in %", "arms", "K'=1"]
    for row in boosted.rows:
        assert row.name in cells
        assert f"{100 * row.estimates[4].mean:.1f}±{100 * row.estimates[4].error:.1f}" in cells
    assert "Against strangers: " in boosted._repr_html_()
    frame = boosted.to_pandas()
    assert frame["name"].tolist() == [row.name for row in boosted.rows]
    assert frame["K'=4"].tolist() == [row.estimates[2].mean for row in boosted.rows]
    weights = boosted.portfolios["nash"].to_pandas().groupby("colour")["weight"].sum()
    assert weights.to_dict() == pytest.approx({"first": 1.0, "second": 1.0})
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(SpecificationError, match="pip install pandas"):
        boosted.to_pandas()


def test_figures_come_back_and_are_written(boosted, tmp_path):
    figure = boosted.plot(tmp_path / "rows.svg")
    assert type(figure).__mro__[1].__module__ == "matplotlib.figure"
    assert (tmp_path / "rows.svg").read_text().startswith("<?xml")
    lines = [line.get_ydata() for line in figure.axes[0].get_lines()]
    nash = [100 * each.mean for each in boosted.rows[-1].estimates]
    assert any(np.allclose(line, nash) for line in lines if len(line) == 5)
    for other in (boosted.plot_seeds(), boosted.plot_k()):
        assert other._repr_png_().startswith(b"\x89PNG")


def test_a_study_in_memory_goes_on_and_leaves_no_file(boosted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = boosted.memory.count()
    again = sf.boost(*PROGRAM, **SMALL, learners="nash", study=boosted.memory)
    assert again.memory is boosted.memory
    assert (boosted.memory.count(), again.rows[-1]) == (before, boosted.rows[-1])
    assert sf.show(again).to_pandas().equals(again.to_pandas())
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "kept").mkdir()
    (path,) = again.save_portfolios("kept").values()
    assert path.name == "domineering-4x4-uct-simulations-5-nash.json"
    assert sf.load_boosted(path).name == sf.load_boosted(again, "nash").name
    with pytest.raises(StudyError, match="different study"):
        sf.boost("domineering:4x4", "uct:simulations=6", k=8, opponents=17, study=boosted.memory)


def test_of_a_result_the_recommended_portfolio_plays(boosted):
    best = boosted.verdict.best
    assert sf.load_boosted(boosted).learner == best
    with pytest.raises(SpecificationError, match=r"no portfolio of 'top'; there are book, nash"):
        sf.load_boosted(boosted, "top")
    with pytest.raises(SpecificationError, match="leave out `learner`"):
        sf.load_boosted(boosted.portfolios["nash"], "nash")
    lost = sf.boost(*PROGRAM, k=8, opponents=17, learners="uniform", study=":memory:")
    assert lost.verdict.best is None
    assert repr(lost).endswith("nothing beat the original>")
    with pytest.raises(SpecificationError, match=r"nothing beat the original .*: uniform"):
        sf.load_boosted(lost)


def test_progress_shows_where_somebody_sees_it(monkeypatch):
    class Terminals(Console):
        terminal = True

        @property
        def is_terminal(self):
            return self.terminal

    monkeypatch.setattr(progress_module, "Console", Terminals)
    for seen, kinds in ((True, (TerminalProgress, Silent)), (False, (Silent, TerminalProgress))):
        Terminals.terminal = seen
        for asked, kind in zip((None, not seen), kinds, strict=True):
            assert isinstance(chosen_progress(asked), kind)
    assert chosen_progress(mine := Silent()) is mine


TABLE = Table(
    ["name", "wide\nnumber", "K"],
    [[Italic("all")], ["a|b", Bold("1.0"), "2"], (), ["[red]<b>", "0.5", "10"]],
    title="a < title",
    caption="what it means",
)


def test_a_table_shows_itself_everywhere():
    file = StringIO()
    Console(file=file, width=60).print(TABLE)
    assert [line.rstrip() for line in file.getvalue().splitlines()] == [
        "a < title",
        "            wide",
        "name      number   K",
        "────────────────────",
        "all",
        "a|b          1.0   2",
        "────────────────────",
        "[red]<b>     0.5  10",
        "what it means",
    ]
    assert TABLE.markdown() == (
        "| name | wide number | K |\n"
        "| --- | ---: | ---: |\n"
        "| *all* |  |  |\n"
        "| a\\|b | **1.0** | 2 |\n"
        "| [red]<b> | 0.5 | 10 |\n"
    )
    assert TABLE.records()[1:] == [
        {"name": "a|b", "wide number": "1.0", "K": "2"},
        {"name": "[red]<b>", "wide number": "0.5", "K": "10"},
    ]
    html = TABLE._repr_html_()
    assert Cells(html).cells[:6] == ["name", "wide number", "K", "all", "", ""]
    assert all(each in html for each in ("<b>1.0</b>", "a &lt; title", "[red]&lt;b&gt;"))
    assert html.count("border-top") == 1


def test_where_there_is_no_room_nothing_is_lost_but_the_ends_of_firm_numbers():
    console = Console(file=(file := StringIO()), width=12)
    console.print(Table(["name"], [["sparse-nash:alpha=0.5"]]))
    assert "".join(file.getvalue().split()).endswith("sparse-nash:alpha=0.5")
    console.print(Table(["n", "K"], [["a", "50.0±1.45±2.3"]], firm=True))
    assert "…" in file.getvalue()


@pytest.mark.parametrize(
    ("done", "fails", "words"),
    [
        (1773, False, ["1,773/1,773 games", "taken", "/s"]),  # it needed fewer games
        (2000, False, ["2,000/2,000 games", "taken"]),
        (1773, True, ["1,773/2,000 games"]),
    ],
)
def test_the_last_line_of_a_task(done, fails, words):
    progress = TerminalProgress(Console(file=(written := StringIO()), width=100))
    progress.begin("auto", 2000)
    with suppress(KeyboardInterrupt):
        try:
            progress.advance(done)
            if fails:
                raise KeyboardInterrupt
        finally:
            progress.end()
    line = written.getvalue().splitlines()[-1]
    assert all(each in line for each in words)
    assert ("taken" in line) is not fails


def test_who_is_at_work_is_shown_below_the_task():
    progress = TerminalProgress(Console(file=(written := StringIO()), width=80))
    progress.at_work("2 nodes, 16 cores")
    progress.begin("seeds against each other", 90_000)
    progress.at_work("3 nodes, 24 cores, 1 GPU")
    progress.advance(90_000)
    progress.end()
    first, second = written.getvalue().splitlines()
    assert "90,000/90,000 games" in first
    assert first.rstrip().endswith("taken")
    assert second.strip() == "3 nodes, 24 cores, 1 GPU"
