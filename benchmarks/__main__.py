"""Run every benchmark; exit with 1 if something required is missed beyond the noise."""

import sys

from benchmarks import (
    book,
    chess,
    go_playouts,
    hex_playouts,
    nash,
    nash_peers,
    openspiel,
    tournament,
)


def main() -> int:
    playing = openspiel.main(), go_playouts.main(), hex_playouts.main(), chess.main()
    solving = nash.main(), nash_peers.main(), tournament.main()
    return 0 if all([*playing, *solving, book.main()]) else 1


if __name__ == "__main__":
    sys.exit(main())
