"""Studies, portfolios and books as pages, and what can be downloaded."""

import io
import json
import re
import zipfile
import zlib
from contextlib import closing
from types import SimpleNamespace

import chess.pgn
import numpy as np
from web_client import FREE, PROGRAM, Guest, make_app

from seedfolio import Study, boost, export, load_portfolio, show
from seedfolio.engines.endings import Ending
from seedfolio.engines.record import GameRecord
from seedfolio.report.books.tree import line_moves
from seedfolio.report.plots.matrix import matrix_png
from seedfolio.report.portfolio import portfolio_tables
from seedfolio.web.study_state import Paces, portfolio_line, study_line


def links(page, beginning):
    return list(dict.fromkeys(re.findall(rf'href="({re.escape(beginning)}[^"]*)"', page)))


def study_of(guest, name="small"):
    site = guest.client.app.state.site
    (file,) = [each for each in site.library.files("study") if each.name == name]
    return f"/studies/{file.id}"


def test_the_first_page_and_a_study_with_its_table_and_its_verdict(guest, boosted):
    page = guest.text("/")
    assert len(links(page, "/studies/")) == 2
    assert len(links(page, "/portfolios/")) == 8  # six, two of them with a book
    assert "domineering 4x4, uct:simulations=5" in page
    assert str(boosted) not in page
    page = guest.text(study_of(guest))
    found = show(boosted / "small.study")
    for row in found.rows:
        assert f'<th scope="row">{row.name}</th>' in page
        assert f"{100 * row.estimates[0].mean:.1f}±{100 * row.estimates[0].error:.1f}" in page
    for line in found.verdict.text.splitlines():
        assert line.replace("'", "&#39;") in page
    assert found.caption.replace("'", "&#39;") in page


def test_studies_are_sorted_filtered_and_compared(guest):
    small, tree = (study_of(guest, name).rpartition("/")[2] for name in ("small", "tree"))

    def order(query):
        return links(guest.text(f"/studies?{query}").partition('"lists"')[2], "/studies/")

    assert {*order("")} == {f"/studies/{small}", f"/studies/{tree}"}
    assert order("sort=games&game=domineering") == [f"/studies/{small}", f"/studies/{tree}"]
    by_success = [study_line(each).success for each in _files(guest)]
    best = _files(guest)[by_success.index(max(by_success))]
    assert order("sort=success")[0] == f"/studies/{best.id}"
    assert len(order("sort=newest")) == 2
    none = guest.text("/studies?game=chess")
    assert (links(none, "/studies/"), links(none, "/portfolios/")) == ([], [])
    both = guest.text(f"/side-by-side?one={small}&other={tree}")
    assert [f'href="/studies/{each}"' in both for each in (small, tree)] == [True, True]
    for name in ("small", "tree"):
        (line, *_) = re.findall(
            r'class="verdict">\s*<p>(.*?)</p>', guest.text(study_of(guest, name))
        )
        assert line in both
    assert guest.get("/side-by-side?one=x").status_code == 404


def _files(guest):
    return guest.client.app.state.site.library.files("study")


def test_a_damaged_result_is_not_called_a_missing_one(tmp_path):
    for name in ("few", "bad"):
        boost(*PROGRAM, k=8, opponents=8, learners="nash", study=tmp_path / f"{name}.study")
    with Study.read(tmp_path / "bad.study") as study:
        identity = study.identity
    with Study.open(tmp_path / "bad.study", identity) as study:
        study.save_evaluation("boost", "{}")
    with Study.open(tmp_path / "begun.study", identity):
        pass
    with closing(make_app(tmp_path, FREE).state.site) as site:
        lines = {each.name: study_line(each) for each in site.library.files("study")}
    assert lines["few"].found is not None
    assert lines["begun"].found is None
    assert not lines["begun"].problem
    assert "bad.study is damaged" in lines["bad"].problem


def test_a_portfolio_of_a_seat_names_its_sides(guest, boosted):
    plain = load_portfolio(boosted / "small-nash.json")
    game = plain.game.model_copy(update={"parameters": {"players": 3, "seat": 2}})
    library = guest.client.app.state.site.library
    file = library.files("portfolio")[0]
    seated = SimpleNamespace(
        portfolio=lambda _: plain.model_copy(update={"game": game}),
        remember=lambda kind, file, make, most: make(),
    )
    assert portfolio_line(library, file).sides == ("first player", "second player")
    assert portfolio_line(seated, file).sides == ("seat 2", "the others")
    again = plain.model_copy(update={"game": game, "fresh": plain.evaluation})
    (table, _) = portfolio_tables(again)
    assert [row[0] for row in table.rows] == ["nash", "nash, again"]
    assert "unseen seeds as seat 2 and as the others." in table.caption


def test_downloads_are_what_the_commands_write(guest, boosted, tmp_path):
    address = study_of(guest)
    export(boosted / "small.study", tmp_path / "a.csv")
    assert guest.get(f"{address}/download.csv").content == (tmp_path / "a.csv").read_bytes()
    matrix = np.load(io.BytesIO(guest.get(f"{address}/download.npz").content))
    assert matrix["half_points"].shape == (16, 16)
    table = json.loads(guest.text(f"{address}/download.json"))
    assert table == json.loads(json.dumps(show(boosted / "small.study").as_data()))
    refused = guest.get(f"{address}/download.zip")  # no games of a Go engine
    assert refused.status_code == 400
    assert str(boosted) not in refused.text


def test_pictures(guest):
    address = study_of(guest)
    for name, start in (("seeds", b"<?xml"), ("curves", b"<?xml"), ("matrix", b"\x89PNG")):
        while (answer := guest.get(f"{address}/pictures/{name}")).status_code == 503:
            assert "being drawn" in answer.text
        assert answer.content.startswith(start)
        assert f"pictures/{name}?v=" in (shown := guest.text(f"{address}/figures/{name}"))
    assert shown.count("<span>16</span>") == 2  # 16 seeds of each colour
    curves = guest.text(f"{address}/figures/curves")
    assert re.search(r"<circle [^>]*><title>K=16, K&#39;=1: [\d.]+±[\d.]+%</title>", curves)
    assert guest.get(f"{address}/pictures/other").status_code == 404
    address = study_of(guest, "tree")  # its learner chose its games
    while "Drawing" in (page := guest.text(f"{address}/figures/seeds")):
        pass
    assert "no whole matrix" in page
    # The matrix is sorted by success, the second player's best column first; 3 was not played.
    data = matrix_png(np.array([[0, 0, 255], [2, 2, 2], [2, 0, 2]], np.uint8), 2)
    assert data[16:24] == bytes([0, 0, 0, 3, 0, 0, 0, 3])
    begin = data.index(b"IDAT") + 4
    pixels = zlib.decompress(data[begin : data.index(b"IEND") - 8])
    assert [*pixels] == [*(0, 2, 2, 2), *(0, 0, 2, 2), *(0, 0, 0, 3)]


def test_a_portfolio_shows_its_arms_and_gives_its_file(guest, boosted):
    library = guest.client.app.state.site.library
    (found,) = [each for each in library.files("portfolio") if each.name == "small-nash"]
    page = guest.text(address := f"/portfolios/{found.id}")
    file = load_portfolio(boosted / "small-nash.json")
    for arm, weight in file.first.items():
        assert f"seed {arm}</td>" in page
        assert f"{100 * weight:.1f}%" in page
    assert guest.text(f"{address}/portfolio.json") == file.text()


def app_index(guest):
    loaded = guest.client.app.state.site.library._loaded
    return [index for name, kept in loaded.items() if "book" in name for index in kept.values()]


def test_a_book_can_be_walked_to_every_entry(guest, boosted):
    book = load_portfolio(boosted / "tree-book.json").book.first[0]
    (_, address) = [each for each in links(guest.text("/"), "/portfolios/") if "/book/" in each]
    assert "Book as first player" in guest.text(address.partition("/book/")[0])
    base = f"{address}?number=1"
    seen, ahead = set(), [base]
    while ahead:
        page = guest.text(ahead.pop())
        found = re.findall(r'<li><a href="[^"]*entry=(\d+)">', page.partition('entries">')[2])
        for entry in set(map(int, found)) - seen:
            seen.add(entry)
            ahead.append(f"{base}&entry={entry}")
        ahead += [f"{base}&{each}" for each in re.findall(r"(?:entry=\d+&amp;)?from=\d+", page)]
        ahead = [each.replace("&amp;", "&") for each in ahead]
    assert seen == set(range(len(book.entries)))
    entry = book.entries[-1]
    page = guest.text(f"{base}&entry={len(book.entries) - 1}")
    assert f"Play {entry.move}" in page
    assert f"{100 * entry.success:.1f}%" in page
    assert f"{entry.games:,}" in page
    index = next(each for each in app_index(guest) if each.book.entries == book.entries)
    joined = [(k, other) for k in seen for other in index.transpositions(k)]
    for place, other in joined:
        one, two = (line_moves(book.entries[each], index.game) for each in (place, other))
        assert one != two
        assert (index.game.position(one).cells == index.game.position(two).cells).all()
    assert f"entry={joined[0][1]}" in guest.text(f"{base}&entry={joined[0][0]}")
    form = {"number": "1", "entry": str(len(book.entries) - 1)}
    begun = guest.post(f"{address}/play", **form).headers["location"]
    shown = re.findall(r"plays? (\w+)\.</li>", guest.settle(begun))
    assert shown == [*entry.line.split(), entry.move][: len(shown)]
    assert guest.post(f"{address}/play", number="1").status_code == 400
    for wrong in ("entry=999999", "entry=-1", "entry=x", "number=2", "entry=%00"):
        assert guest.get(f"{address}?{wrong}").status_code == 404
    assert guest.get(address.replace("first", "third")).status_code == 404
    assert "first player" in guest.text(f"{address}/book.txt")
    assert guest.text(f"{address}/book.svg").startswith("<svg")
    assert guest.get(f"{address}/book.sgf").status_code == 400  # no Go stones
    assert guest.get(f"{address}/book.exe").status_code == 404
    base = address.partition("/book/")[0]
    assert "Polyglot" not in guest.text(base)
    assert guest.get(f"{base}/book.bin").status_code == 400  # not chess


def test_a_running_study_shows_how_far_it_is_and_is_not_blocked(tmp_path):
    path = tmp_path / "live.study"
    found = boost(*PROGRAM, k=8, opponents=17, learners="nash", study=path)
    app = make_app(tmp_path, FREE)
    guest = Guest(app)
    address = study_of(guest, "live")
    assert "running" not in guest.text(address)
    with Study.read(path) as study:
        identity = study.identity
    seeds = np.arange(100, 103, dtype=np.uint64)
    with Study.open(path, identity) as writer:
        before = writer.count()
        for page in ("/", address):
            assert "running" in guest.text(page)
            assert "<progress" in guest.text(page)
        writer.record(seeds, seeds, np.zeros(3, np.uint8))  # a reader does not stop it
        assert f"{before + 3:,} games so far" in guest.text(address)
    assert "running" not in guest.text(address)
    assert found.title in guest.text(address)
    app.state.site.close()


def test_the_pace_of_a_study_is_that_of_now():
    now = 0.0
    paces = Paces(lambda: now)
    assert paces.text("a", 1_000, 0.1) == ""
    now = 10.0
    assert paces.text("a", 2_000, 0.5) == "100 games a second, about 20 s left"
    now = 86_400.0
    assert paces.text("a", 3_000, 0.1) == ""
    now += 5
    assert paces.text("a", 3_050, 0.5) == "10 games a second, about 5 min left"


def test_the_games_of_engines(tmp_path):
    plain = {"protocol": "gtp", "command": "my-engine --seed {seed}"}
    mate, late = (Ending.NORMAL, 0, "f2f3 e7e5 g2g4 d8h4"), (Ending.TIMEOUT, 2, "e2e4")
    for game, player, played in (
        ({"name": "go", "board": 9, "komi": 7.5}, plain, [(Ending.NORMAL, 2, "a1 j9 pass")]),
        ({"name": "chess"}, {**plain, "protocol": "uci", "go": "nodes 10"}, [mate, late]),
    ):
        arms = {"seeds": "0..", "numbering": "plain"}
        specification = {"game": game, "player": player, "arms": arms}
        identity = {"specification": specification, "engine": "My Engine 1"}
        games = [
            GameRecord(arms=(2, 0), ending=how, points=points, moves=(*line.split(),), number=k)
            for k, (how, points, line) in enumerate(played)
        ]
        with Study.open(tmp_path / f"{game['name']}.study", identity) as study:
            study.engine_games().keep(games, [])
    with closing((app := make_app(tmp_path)).state.site):
        guest = Guest(app)
        downloads = {}
        for name, kind in (("go", "zip"), ("chess", "pgn")):
            address = f"{study_of(guest, name)}/download.{kind}"
            assert f'href="{address}"' in guest.text(study_of(guest, name))
            downloads[name] = guest.get(address)
    with zipfile.ZipFile(io.BytesIO(downloads["go"].content)) as archive:
        (name,) = archive.namelist()
        assert archive.read(name).startswith(b"(;FF[4]")
    written = io.StringIO(downloads["chess"].text)
    first, second = (chess.pgn.read_game(written) for _ in range(2))
    assert (first.headers["White"], first.headers["Result"]) == ("My Engine 1, seed 2", "0-1")
    assert first.end().board().is_checkmate()
    assert second.headers["Termination"] == "timeout"
    assert chess.pgn.read_game(written) is None
