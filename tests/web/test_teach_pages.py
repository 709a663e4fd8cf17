"""Being taught on the page: games that count, what was found out, and coming back."""

import json
import re
from contextlib import closing

import pytest
from waiting import finish
from web_client import FREE, PLAYED, SMALL, Guest, make_app, started

from seedfolio import teach


def sit_down(guest, person, **form):
    answer = guest.post("/teach", person=person, **{**SMALL, **form})
    assert answer.status_code == 303, answer.text
    guest.settle(answer.headers["location"])
    return answer.headers["location"]


def play(guest, seat, colour="first"):
    assert guest.post(f"{seat}/game", colour=colour).status_code == 303
    while moves := guest.moves(page := guest.settle(seat)):
        assert guest.play(seat, moves[0]).status_code == 303
    return page


def found(guest, seat):
    return json.loads(guest.text(f"{seat}/found?as=json"))


def test_games_and_what_is_found_out(guest, boosted):
    seat = sit_down(guest, "Ann <b>")
    assert "Ann &lt;b&gt;: domineering:4x4" in guest.text(seat)
    pages = [play(guest, seat, colour) for colour in ("first", "first", "second")]
    for page in pages:
        assert re.search("You win|The program wins", page)
        assert re.search(r"It played opponent \d+\.", page)
        assert "Undo" not in page
    assert [each["games"] for each in found(guest, seat)["colours"]] == [2, 1]
    page = guest.text(f"{seat}/found")
    assert "You as vertical" in page
    lost = sum(each["half_points"].count(0) for each in found(guest, seat)["colours"])
    assert ("you lose to" in page, "lost game" in page) == (lost > 0, lost > 0)
    assert page.count('<svg class="picture"') == sum(
        len(each["partings"][:3]) for each in found(guest, seat)["colours"]
    )
    # The terminal has the same file and the same person. The page plays as the game's own player.
    file = boosted / "people.teach"
    shown = teach(
        "domineering:4x4", "uct:simulations=5,exploration=0.3", name="Ann <b>", file=file, show=True
    )
    assert shown.as_data() == found(guest, seat)
    sides = []  # the colours come in turn
    for _ in range(3):
        guest.post(f"{seat}/game")
        sides.append(re.search(r"You are (\w+)\.", guest.settle(seat))[1])
        guest.post(f"{seat}/resign")
    assert sides[0] == sides[2] != sides[1]


def test_the_program_knows_a_person_again(app, guest, boosted):
    seat = sit_down(guest, "Ben")
    play(guest, seat)
    guest.post(f"{seat}/game", colour="first")
    page = guest.settle(seat)
    guest.play(seat, guest.moves(page)[0])
    in_play = guest.settle(seat)
    assert not re.search(r"seed \d", in_play)
    # Another visitor, of another server on the same folder, who gives the same name.
    with closing((other_app := make_app(boosted, FREE)).state.site):
        other = Guest(other_app)
        assert other.get(seat).status_code == 404
        other_seat = sit_down(other, " Ben ")
        assert other_seat != seat
        assert found(other, other_seat)["colours"][0]["games"] == 1
        assert other.moves(other.settle(other_seat)) == guest.moves(in_play)
        assert other.post(f"{other_seat}/resign").status_code == 303
    assert "You resigned." in guest.text(seat)
    assert found(guest, seat)["colours"][0]["half_points"][-1] == 0
    assert "Ben: domineering:4x4" in guest.text("/teach")


def test_games_against_another_program_are_told(guest):
    """As where the usual player of a game has changed since."""
    earlier = sit_down(guest, "Zoe", effort="4")
    play(guest, earlier)
    assert "another program" not in guest.text(earlier)
    seat = sit_down(guest, "Zoe")
    page = guest.text(seat)
    assert "1 game is kept against another program, uct:exploration=0.3,simulations=4." in page
    assert found(guest, seat)["colours"][0]["games"] == 0


def test_wrong_forms_and_addresses(guest):
    for person in ("", " ", "a" * 61):
        assert guest.post("/teach", person=person, **SMALL).status_code == 400
    wrong = guest.post("/teach", person="A", **{**SMALL, "name": "/etc/passwd"})
    assert (wrong.status_code, guest.get(f"/teach/{'0' * 32}").status_code) == (400, 404)
    seat = sit_down(guest, "Eve")
    assert guest.post(f"{seat}/move", move="b2b3", at="0").status_code == 400
    assert guest.post(f"{seat}/game", colour="white").status_code == 400
    guest.post(f"{seat}/game", colour="first")
    guest.settle(seat)
    assert guest.play(seat, "zz").status_code == 400
    assert guest.post(f"{seat}/move", move="b2b3", at="7").status_code == 409
    assert guest.post(f"{seat}/move", move="b2b3", at="0", token="0" * 64).status_code == 403


@pytest.mark.slow
def test_a_taught_game_goes_on_after_a_kill(tmp_path):
    process, address = started(tmp_path)
    guest = Guest(address)
    seat = sit_down(guest, "Ann")
    guest.post(f"{seat}/game", colour="first")
    chosen = guest.moves(guest.settle(seat))[0]
    assert guest.play(seat, chosen).status_code == 303
    process.kill()
    finish(process)
    process, guest.client.base_url = started(tmp_path)
    try:
        assert PLAYED.findall(guest.settle(seat)) == [chosen]
        while moves := guest.moves(page := guest.settle(seat)):
            assert guest.play(seat, moves[0]).status_code == 303
        assert "It played opponent" in page
    finally:
        process.terminate()
        finish(process)
