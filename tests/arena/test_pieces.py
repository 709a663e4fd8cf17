"""Pieces for the nodes of a cluster: each cell once, sizes by speed, three failures at most."""

from itertools import pairwise

import pytest

from seedfolio.arena.ray.blocks import IN_FLIGHT, Pace, Piece, Pieces
from seedfolio.errors import ClusterError


def test_pieces_cover_every_cell_once_whatever_the_speeds():
    for total in (1, 7, 1000, 123_457):
        pieces, paces = Pieces(total), [Pace(1), Pace(4), Pace(64)]
        seen = []
        while not pieces.done:
            for number, pace in enumerate(paces):
                speed = sum(each.speed or 0.0 for each in paces)
                piece = pieces.take(pace, speed)
                if piece is not None:
                    seen.append(piece)
                    pieces.finish(piece)
                    pace.note(len(piece), len(piece) / (10 * 7**number))
        seen.sort(key=lambda piece: piece.first)
        assert seen[0].first == 0
        assert seen[-1].last == total
        assert all(one.last == next_.first for one, next_ in pairwise(seen))


def test_pieces_grow_to_two_seconds_and_shrink_towards_the_end():
    pieces, pace = Pieces(100_000), Pace(2)
    sizes = []
    while (piece := pieces.take(pace, pace.speed or 0.0)) is not None:
        sizes.append(len(piece))
        pace.note(len(piece), len(piece) / 5000)  # 5000 cells a second
    assert sizes[:4] == [1, 8, 64, 512]
    assert max(sizes) == 10_000
    assert sizes[-1] <= 250
    assert sizes.index(10_000) < 10


def test_slow_games_keep_all_cores_busy():
    pace = Pace(16)
    pace.note(8, 80.0)  # ten seconds a game
    assert IN_FLIGHT * pace.size() > 16


def test_a_piece_may_fail_twice():
    pieces, pace = Pieces(10), Pace(64)
    pieces.fail(pieces.take(pace, 0.0), "node a", "lost")
    again = pieces.take(pace, 0.0)
    assert again == Piece(0, 10, failed=("node a",))
    pieces.fail(again, "node b", "lost")
    with pytest.raises(ClusterError) as raised:
        pieces.fail(pieces.take(pace, 0.0), "node c", "it broke")
    assert str(raised.value) == (
        "a block of cells (10) failed 3 times, on node a, node b, node c, the last time with: it "
        "broke; look there, then go on with the same command"
    )


def test_a_piece_goes_where_it_has_not_failed_if_it_can():
    pieces, pace = Pieces(1, nodes={"node a", "node b"}), Pace(1)
    pieces.fail(pieces.take(pace, 0.0, "node a"), "node a", "lost")
    assert pieces.take(pace, 0.0, "node a") is None
    pieces.fail(pieces.take(pace, 0.0, "node b"), "node b", "lost")
    assert pieces.take(pace, 0.0, "node a") == Piece(0, 1, failed=("node a", "node b"))
