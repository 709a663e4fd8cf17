"""Chess and Havannah of the papers: the numbers as printed there, and small squares of seeds."""

from dataclasses import replace

import numpy as np
import pytest
from linear_program import row_strategy

from seedfolio import Study, ThreadArena, cross_validate, online, show
from seedfolio.arena import Run
from seedfolio.errors import SpecificationError, StudyError
from seedfolio.papers.experiment import Setting
from seedfolio.papers.seed_square import CHESS, HAVANNAH
from seedfolio.study.arms import TrainingArms, arms_that_met

K = 12
PLAYERS = ("table", "table:noise=30")
SMALL = replace(HAVANNAH, game="nim", players=PLAYERS)
SMALL_TITLE = "nim first=1 fourth=7 misere=0 second=3 third=5"
STUDIES = [f"nim-table-noise-{each}.study" for each in (0, 30)]


def run(folder, opponents=0, k=K, **more):
    given = {"k": k, "redraws": 3, **({"opponents": opponents} if opponents else {})}
    numbers = SMALL.sizes(given, paper=False)
    return SMALL.run(Setting(folder, numbers, run=Run(ThreadArena(1)), **more))


def matrix_of(path):
    seeds = TrainingArms(0, K).seeds()
    with Study.read(path) as study:
        return study.results(seeds, seeds) / study.full


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("square")
    return folder, run(folder, opponents=17)


def test_the_papers_numbers_and_a_figure_a_program(played, tmp_path):
    row, curve, ucbt, each_other, unseen = played[1].tables()
    assert [line[1] for line in unseen.rows] == [
        *("original, 1 seed", "original, mixture", "best-seed", "nash", "best-half", "uniform")
    ] * len(PLAYERS)
    assert list(row.rows[0])[:3] == ["paper", "100", "55.4"]
    assert list(curve.rows[0]) == ["paper", "best-seed", "-", "54.0", "-"]
    assert [line[:3] for line in ucbt.rows[1:4]] == [
        ["", "first", "uniform"],
        ["", "first", "each arm, mean"],
        ["", "second", "nash"],
    ]
    assert len(each_other.headings) == 3 + 4 + 1
    paths = replace(played[1], squares=played[1].squares[:1]).draw(tmp_path / "plots")
    stem = STUDIES[0].removesuffix(".study")
    assert [path.stem for path in paths] == [stem, f"{stem}-each-other", f"{stem}-ucbt"]
    words = ("best-seed", "best-half", "nash")
    assert all(word in path.read_text() for word, path in zip(words, paths, strict=True))


@pytest.mark.slow
def test_figures_are_of_the_seeds_of_the_table_where_the_study_has_more(tmp_path):
    drawn = []
    for sizes in ((K, 8), (8,)):
        folder = tmp_path / str(len(sizes))
        outcomes = [run(folder, player=PLAYERS[0], k=k) for k in sizes]
        drawn.append([path.read_bytes() for path in outcomes[-1].draw(folder)])
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("number", range(len(PLAYERS)))
def test_the_row_is_that_of_the_matrix_of_results(played, number):
    folder, outcome = played
    matrix = matrix_of(folder / STUDIES[number])
    _, value = row_strategy(matrix)
    line = outcome.tables()[0].rows[1 + number]
    assert line[1] == str(K)
    assert float(line[2]) == pytest.approx(100 * value, abs=0.051)
    found = [float(each) / 100 for each in line[2:7]]
    means = matrix.mean(axis=1), matrix.mean(axis=0)
    # Nash has V or more with each colour; against Uniform no row does better than the best one.
    assert value - 6e-4 <= found[1] <= means[0].max() + 6e-4
    assert means[1].min() - 6e-4 <= found[2] <= value + 6e-4
    assert found[3] >= 1 - value - 6e-4
    assert found[4] >= value - 6e-4


def test_the_curve_is_that_of_the_command(played):
    folder, outcome = played
    curve = outcome.tables()[1]
    lines = [line for line in curve.rows if line[0] != "paper"]
    expected = []
    for name in STUDIES:
        found = cross_validate(folder / name, redraws=3)
        sizes = sorted({size for size, _, _ in found.success})
        assert sizes[-1] == 3 * K // 4
        for learner in ("best-seed", "nash", "best-half", "uniform"):
            for size in sizes:
                texts = [found.success[size, learner, each].text for each in found.opponents]
                expected.append([learner, str(size), *texts])
    assert [list(line[1:]) for line in lines] == expected


def test_every_command_works_on_a_square_that_was_never_boosted(tmp_path):
    """The games of all arms with each other are enough."""
    run(tmp_path, player=PLAYERS[0])
    path = tmp_path / STUDIES[0]
    matrix = matrix_of(path)
    found = show(path)
    assert (found.title, found.arms) == (f"{SMALL_TITLE}, table noise=0", K)
    assert found.numbers[0] == pytest.approx(row_strategy(matrix)[1])
    assert [len(table.rows) for table in found.tables()] == [1]
    assert "no result of seedfolio boost yet" in found.caption
    against = cross_validate(path, sizes=[4], redraws=3, each_other=True)
    assert (against.arms, against.title) == (K, found.title)
    first, _ = online(path, games=16, repetitions=2).plays
    assert first.arms == K
    assert [each.opponent for each in first.portfolios] == ["nash", "uniform"]
    with pytest.raises(SpecificationError, match="ask for at most 12 `arms`"):
        online(path, games=16, arms=K + 1)
    with pytest.raises(StudyError, match="no result yet"):
        show(path, plot_k=tmp_path / "k.svg")


@pytest.mark.parametrize("lacking", [0, 1, 5, 11])
def test_the_arms_that_met_are_counted(lacking):
    """One game lacks, of the arm with the number `lacking`: only those before it all met."""
    seeds = TrainingArms(0, K).seeds()
    rows, columns = (each.ravel() for each in np.meshgrid(seeds, seeds, indexing="ij"))
    study = Study.temporary({"game": "none"})
    kept = (rows != lacking) | (columns != lacking)
    study.record(rows[kept], columns[kept], np.zeros(np.count_nonzero(kept), np.uint8))
    assert arms_that_met(study) == lacking
    study.record(seeds[lacking:][:1], seeds[lacking:][:1], np.zeros(1, np.uint8))
    assert arms_that_met(study) == K


@pytest.mark.parametrize(
    ("numbers", "more", "message"),
    [
        ({}, {"boards": ["hex"]}, "'hex' is hex; name boards of havannah"),
        ({}, {"boards": ["havannah:base=3"]}, "base=3 is not between 4 and 10"),
        ({}, {"player": "raev"}, "did you mean rave"),
        ({"k": 1}, {}, "K = 1 leaves no seed out"),
        ({"opponents": 16}, {}, "16 unseen opponents are too few"),
        ({"redraws": 2_000_000}, {}, "redraws must be 1 to 1,000,000, not 2,000,000"),
    ],
)
def test_nothing_is_written_for_what_cannot_be(tmp_path, numbers, more, message):
    usual = {"k": 100, "opponents": 0, "redraws": 1000}
    assert CHESS.sizes({}, paper=False) == HAVANNAH.sizes({}, paper=False) == usual
    with pytest.raises(SpecificationError, match="did you mean redraws"):
        HAVANNAH.sizes({"redraw": 3}, paper=False)
    setting = Setting(tmp_path / "studies", HAVANNAH.sizes(numbers, paper=False), **more)
    with pytest.raises(SpecificationError, match=message):
        HAVANNAH.run(setting)
    assert list(tmp_path.iterdir()) == []
