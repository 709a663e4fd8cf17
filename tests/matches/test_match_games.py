"""The games of a match: compiled code, arenas and single moves play the same ones; SGF."""

from threading import Event

import pytest

import seedfolio
from seedfolio import SeedfolioError, SpecificationError, load_boosted, match
from seedfolio.matches.host import Host, compiled_game
from seedfolio.matches.schedule import load_pairings

GAME = "domineering:4x4"
PLAYER = "uct:simulations=5"
ORIGINAL = f"{GAME}@{PLAYER}"


@pytest.fixture
def portfolio(made):
    files = {"book": ("book", "tree"), "seeds": ("best-half",), "turned": ("best-half", "turned")}
    return lambda name: made.portfolio(*files[name])


def compare(programs, compiled=True, games=6):
    pairings = load_pairings(programs, 0)
    host = Host(pairings)
    host.prepare()
    for each in pairings.programs:
        each.prepare()
    assert all((each is not None) == compiled for each in host._compiled.values())
    lengths = set()
    for number in range(games * len(pairings.pairs)):
        seated = host.play_by_seats(number, Event())
        game = host.play(number, Event())
        assert (game.moves, game.points) == (seated.moves, seated.points)
        rules = pairings.programs[0].game
        assert game.points == rules.position(game.moves).score
        lengths.add(game.moves)
    assert len(lengths) > games // 2


@pytest.mark.parametrize(
    "programs",
    [
        (ORIGINAL, f"{GAME}@uct:simulations=9", f"{GAME}@uct:simulations=5,exploration=0.3"),
        pytest.param((ORIGINAL, f"{GAME}@flat:playouts=3"), marks=pytest.mark.slow),
        pytest.param(("pig@table:noise=30", "pig@table"), marks=pytest.mark.slow),
    ],
)
def test_compiled_games_are_those_of_single_moves(programs):
    compare(programs)


@pytest.mark.slow
def test_portfolios_play_compiled_games_as_single_moves(portfolio):
    compare([portfolio("book"), ORIGINAL], games=20)
    compare([portfolio("turned"), portfolio("seeds")], games=20)
    # What compiled code does not play together is played move by move.
    compare((portfolio("book"), portfolio("turned")), compiled=False)
    with pytest.raises(SpecificationError, match="no arena plays these programs together"):
        match(portfolio("book"), portfolio("turned"), games=2, arena=seedfolio.ThreadArena(1))


def test_programs_that_differ_in_numbers_share_their_code():
    opponents = [
        seedfolio.Opponent(seedfolio.load_program(GAME, f"uct:simulations={n}")) for n in (2, 3, 4)
    ]
    code = {}
    programs = [compiled_game(one, other, code) for one in opponents for other in opponents]
    assert len({id(each.play_cell) for each in programs}) == 1
    assert len({tuple(each.bound.knobs.tolist()) for each in programs}) == 9


@pytest.mark.slow
def test_an_arena_plays_the_same_games(portfolio, tmp_path):
    programs = portfolio("book"), ORIGINAL
    expected = match(*programs, games=40)
    boosted = load_boosted(programs[0])
    same = match(boosted, boosted.original, games=40)
    assert same == match(programs[0], f"{programs[0]}@original", games=40)
    assert match(*programs, games=40, arena=seedfolio.ThreadArena(1)) == expected
    for more in ({"record": tmp_path / "games.jsonl"}, {"sgf": tmp_path / "games.sgf"}):
        with pytest.raises(SpecificationError, match="an arena keeps no moves"):
            match(*programs, games=2, arena=seedfolio.ThreadArena(1), **more)
    assert not [*tmp_path.iterdir()]
    with pytest.raises(SpecificationError, match="no arena plays these programs"):
        match("pig@table", "pig@table", games=2, arena=seedfolio.ThreadArena(1))
    with pytest.raises(SpecificationError, match="unknown arena 'gpu'"):
        match(*programs, games=2, arena="gpu")


def test_files_of_games_that_nobody_can_write(tmp_path):
    (tmp_path / "games.txt").write_text("mine")
    for program, record, problem in (
        (ORIGINAL, {"sgf": "games.sgf"}, "leave out `sgf`"),
        ("go:5x5@table", {"sgf": "none/games.sgf"}, "does not exist"),
        ("go:5x5@table", {"sgf": "games.txt"}, "name a folder, or a file that ends in"),
        ("nim@table", {"pgn": "games.pgn"}, "nim is not chess, so it has no PGN record"),
        ("chess@table", {"pgn": "none/games.pgn"}, r"the folder .* does not exist"),
        ("chess@table", {"pgn": "."}, "is a folder; name a file for the games"),
    ):
        files = {kind: tmp_path / name for kind, name in record.items()}
        with pytest.raises(SeedfolioError, match=problem):
            match(program, program, games=2, **files)
    assert [path.name for path in tmp_path.iterdir()] == ["games.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["book", "seeds"])
def test_a_match_agrees_with_the_evaluation(portfolio, name):
    written = seedfolio.load_portfolio(portfolio(name)).evaluation.success[0]
    success = match(portfolio(name), ORIGINAL, games=4000).pairings[0].success
    own = (success.high - success.low) / (2 * 1.96)
    assert abs(success.mean - written.success) < 2 * (own**2 + written.error**2) ** 0.5
    assert success.low > 0.5
