"""Nothing that a client can see tells the original from the boosted program, moves aside."""

import random
import re
from contextlib import closing
from dataclasses import replace
from math import log
from time import perf_counter, thread_time
from types import SimpleNamespace

import numpy as np
import pytest
from web_browser import served
from web_client import FREE, PROGRAM, Guest, blind_address, make_app

from seedfolio import BlindTrial, Opponent, load_boosted
from seedfolio.people.blind.design import Assignment
from seedfolio.programs.built_in import load_built_in

SETTINGS = replace(FREE, answer_times=(0.03, 0.06))
THINKING = "uct:simulations=3000"
"""So slow that a book which answers at once would stand out."""


@pytest.fixture(scope="module")
def slow(boosted):
    """The book of a quick program, played by one that thinks for some milliseconds."""
    quick = load_boosted(boosted / "small-book.json")
    return Opponent(load_built_in(PROGRAM[0], THINKING), quick.plays, "book")


def features(seen):
    times = np.array(seen.answers)
    of_times = [times.mean(), times.min(), times.max(), times.std(), times[0], times[-1]]
    sizes = [[len(body) for body in seen.bodies], [len(str(each)) for each in seen.headers]]
    return [*of_times, *(float(np.mean(each)) for each in (seen.requests, *sizes))]


def play(boosted, slow, tmp_path, games, monkeypatch):
    monkeypatch.setattr("seedfolio.web.kinds.BlindTrial", lambda path, _: trial)
    trial = BlindTrial(tmp_path / "a.blind", slow)
    seen, programs = [], []
    with served(boosted, SETTINGS) as address:
        for begun in range(0, games, 20):
            visitor = BlindVisitor(address)
            visitor.random = random.Random(begun)
            length = min(20, games - begun)
            series = visitor.begin_series(blind_address(boosted), length)
            seen += [visitor.play_game(series) for _ in range(length)]
            plan = trial.reveal(series.rpartition("/")[2])
            programs += [each.program == 1 for each in plan.games]
    return seen, np.array(programs)


@pytest.mark.parametrize(
    ("taught", "games"),
    [
        pytest.param(4, 8, marks=pytest.mark.slow),
        pytest.param(240, 1_000, marks=pytest.mark.long),
    ],
)
def test_a_classifier_finds_nothing(boosted, slow, tmp_path, monkeypatch, taught, games):
    """What the classifiers learn from the first games is fixed when the others begin."""
    seen, programs = play(boosted, slow, tmp_path, taught + games, monkeypatch)
    # On a busy machine an answer may be late; then one group alone has pages that wait for it.
    assert len({body for game in seen for body in game.bodies if WAITS in body}) <= 2
    mine, other = (
        [game for game, each in zip(seen, programs, strict=True) if each == whose]
        for whose in (True, False)
    )
    for part in ("bodies", "headers"):
        pages = [{p for g in group for p in getattr(g, part)} for group in (mine, other)]
        settled = [{page for page in each if WAITS not in page} for each in pages]
        assert settled[0] == settled[1]
    # The moves decide how long a game is, and longer games have larger pages.
    lengths = np.array([len(game.answers) for game in seen])
    found = p_value(np.array([features(game) for game in seen]), programs, lengths, taught)
    answers = lengths[taught:].sum()
    print(f"{games} games, {answers} answers, after {taught} to learn from: p = {found:.3f}")
    assert found > 0.001


def test_the_classifier_finds_times_that_are_not_held_back(slow):
    """The same programs, asked directly: a book's answers are told from a search at once."""
    rows, groups = [], []
    for key in range(12):
        for mine, each in enumerate((slow.original, slow)):
            # The processor's time, which other processes do not lengthen.
            begun = thread_time()
            each.new_game(0, key).choose([])
            rows.append([log(thread_time() - begun)])
            groups.append(bool(mine))
    assert p_value(np.array(rows), np.array(groups), np.zeros(len(rows)), 8) < 0.01


def test_a_page_is_the_same_whichever_program_plays(slow, tmp_path, boosted):
    """Byte for byte, for the same moves; the commitment is a hash with a nonce."""
    app = make_app(boosted, SETTINGS)
    with closing(app.state.site), closing(BlindTrial(tmp_path / "a.blind", slow)) as trial:
        site = app.state.site
        (file,) = [e for e in site.library.files("portfolio") if e.name == "small-book"]
        choice = site.opponents.boosted(file)
        site.blind._trials[choice] = trial
        series, guest = trial.begin(4), Guest(app)
        guest.text("/blind")
        visitor = site.visitors.of_cookie(guest.client.cookies["seedfolio"]).id
        site.blind.add(visitor, choice, series)
        game = trial.begin_game(series.token)
        colour = series.assignment(game).colour
        history: list[int] = []
        while len(history) < 4 - (1 - colour) * 2 or trial.game.position(history).mover != colour:
            history.append(trial.game.position(history).moves[0])
        trial._games.keep(game, history)
        texts = []
        for program in (0, 1):
            plan = replace(series.plan, games=(Assignment(program, colour, 7),) * 4)
            with trial._games._file.transaction() as connection:
                connection.execute(
                    "UPDATE series SET plan = ?, commitment = ?", (plan.text, plan.commitment)
                )
            answer = guest.get(f"/blind/{file.id}/{series.token}")
            assert answer.status_code == 200
            assert "Your turn" in answer.text
            headers = sorted((k, v) for k, v in answer.headers.items() if k not in OWN)
            texts.append((headers, re.sub("[0-9a-f]{64}", "#", answer.text)))
        assert texts[0] == texts[1]
        for each in site.sittings.of(visitor, "blind"):  # the folder is also that of other tests
            site.sittings.close(each)


OWN = "set-cookie", "content-length"
"""Headers that differ with the visitor, and with random text that is compressed."""
WAITS = 'hx-trigger="load'
"""In a page that waits for the program."""
_SHOWN_GAME = re.compile(
    r'<svg.*?</svg>|<form class="cells.*?</form>|<ol class="moves.*?</ol>|<pre>.*?</pre>'
    r'|<p id="news".*?</p>|<div class="scroll".*?</div>|data-at="\d*"|name="at" value="\d+"'
    r"|You win\.|A draw\.|The program wins\.|You are \w+\. The program is \w+\."
    r'|<nav class="steps.*?</nav>'
    r"|Begin game \d+ of|[0-9a-f]{32,}",
    re.DOTALL,
)
"""What follows from the moves, the colour, the number of the game, the series and the visitor."""


class BlindVisitor(Guest):
    """Plays games of a series by htmx's requests, with random moves."""

    def begin_series(self, trial, games):
        self.settle(trial)
        return self.post(trial, games=str(games)).headers["location"]

    def play_game(self, series, guess="boosted"):
        """Play the next game and guess; return the seconds of answers and of other requests."""
        seen = SimpleNamespace(answers=[], requests=[], headers=[], bodies=[])
        self._request(seen, "POST", f"{series}/game")
        begun = perf_counter()
        page = self._settled(seen, series, self._request(seen, "GET", series))
        if "The program" in page and 'class="program"' in page:
            seen.answers.append(perf_counter() - begun)  # it had the first move
        while moves := self.moves(page):
            at = re.findall(r'name="at" value="(\d+)"', page)[0]
            asked, move = perf_counter(), self.random.choice(moves)
            page = self._request(seen, "POST", f"{series}/move", move=move, at=at)
            page = self._settled(seen, series, page)
            seen.answers.append(perf_counter() - asked)
        assert "Which program was it?" in page
        self._request(seen, "POST", f"{series}/guess", guess=guess)
        return seen

    def _settled(self, seen, series, page):
        while WAITS in page:
            page = self._request(seen, "GET", f"{series}/table")
        return page

    def _request(self, seen, method, path, **form):
        data = {"token": self.token(), **form} if method == "POST" else None
        begun = perf_counter()
        answer = self.client.request(method, path, data=data, headers={"HX-Request": "true"})
        assert answer.status_code in (200, 204), answer.text
        if not path.endswith(("/move", "/table")):
            seen.requests.append(perf_counter() - begun)
        plain = [(k, v) for k, v in answer.headers.items() if k != "content-length"]
        own = tuple((k, re.sub("[0-9a-f]{16,}", "#", v)) for k, v in plain)
        seen.headers.append((answer.status_code, own))
        seen.bodies.append(_SHOWN_GAME.sub("#", answer.text))
        return answer.text


def p_value(features, groups, lengths, taught, permutations=999):
    """Return how likely as many right guesses come by chance, by the better of two classifiers.

    One asks the five nearest games, the other the feature that differs most. Both learn from the
    first games alone, `taught` of them, and guess about the others, whose labels are permuted among
    games of equal length.
    """
    known, mine = features[:taught], groups[:taught]
    spread = known.std(axis=0)
    scaled = (features - known.mean(axis=0)) / np.where(spread > 0, spread, 1)
    known, asked = scaled[:taught], scaled[taught:]
    nearest = np.argsort(np.linalg.norm(asked[:, None] - known[None], axis=2), axis=1)[:, :5]
    means = np.array([known[mine == each].mean(axis=0) for each in (False, True)])
    apart = means[1] - means[0]
    best = np.abs(apart).argmax()
    above = (asked[:, best] > means[:, best].mean()) == (apart[best] > 0)
    rng = np.random.default_rng(2015)
    drawn = np.tile(groups[taught:], (permutations + 1, 1))
    for length in np.unique(lengths[taught:]):
        same = np.flatnonzero(lengths[taught:] == length)
        drawn[1:, same] = [rng.permutation(drawn[0, same]) for _ in range(permutations)]
    right = [
        (drawn == guessed).mean(axis=1) for guessed in (mine[nearest].mean(axis=1) > 0.5, above)
    ]
    return float(min(1.0, 2 * min((found >= found[0]).mean() for found in right)))
