"""Run every benchmark; exit with 1 if something required is missed beyond the noise."""

import sys

from benchmarks import book, go_playouts, hex_playouts, nash, openspiel


def main() -> int:
    met = [openspiel.main(), go_playouts.main(), hex_playouts.main(), nash.main(), book.main()]
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
