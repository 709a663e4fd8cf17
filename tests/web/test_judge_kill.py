"""A server that is killed loses nothing that a visitor has seen accepted."""

import signal
from collections import defaultdict

import httpx2
import pytest
from waiting import finish
from web_client import PLAYED, SMALL, Guest, blind_address, started

pytestmark = pytest.mark.slow
ENDS = "It played seed", "Which program was it?", "Next game"


def test_killed_in_the_middle_of_games(judged):
    """A visitor plays an ordinary, a blind and a taught game in turn until the server is killed."""
    # The visitor's second move in a place follows the program's first one there and their own
    # first ones in the others: at the eighth move each place has an accepted one.
    process, address = started(judged, "before", "move", "8", "SIGKILL")
    guest, accepted, places = Guest(address), defaultdict(list), []

    def move(place):
        """Play a move, which is noted when it was accepted; return False if the game is over."""
        if moves := guest.moves(guest.settle(place)):
            chosen = moves[len(moves) // 2]
            assert guest.play(place, chosen).status_code == 303
            accepted[place].append(chosen)
        return bool(moves)

    def visit():
        guest.settle(trial := blind_address(judged))
        for page, form in (
            ("/games", {**SMALL, "colour": "first"}),
            (trial, {"games": "4"}),
            ("/teach", {**SMALL, "person": "Kim"}),
        ):
            places.append(guest.post(page, **form).headers["location"])
        for place in places[1:]:
            guest.settle(place)
            guest.post(f"{place}/game", colour="first")
        moved = [True]
        while any(moved):
            moved = [move(place) for place in places]

    with pytest.raises(httpx2.TransportError):
        visit()
    assert finish(process)[0] == -signal.SIGKILL
    assert all(accepted[place] for place in places)
    process, guest.client.base_url = started(judged)
    try:
        for place, end in zip(places, ENDS, strict=True):
            kept = PLAYED.findall(guest.settle(place))
            # The last one may have been kept without an answer to say so.
            assert kept[: len(accepted[place])] == accepted[place]
            assert len(kept) <= len(accepted[place]) + 1
            while move(place):
                pass
            assert end in guest.settle(place)
    finally:
        process.terminate()
        finish(process)
