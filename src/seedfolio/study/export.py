"""Export of a study's matrix for other programs, as CSV or as NumPy's NPZ."""

from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from seedfolio.core.files import atomic_write
from seedfolio.study.identity import canonical
from seedfolio.study.store import UNPLAYED, Study


def export_csv(
    study: Study, rows: NDArray[np.uint64], columns: NDArray[np.uint64], path: Path
) -> int:
    r"""Write the matrix as CSV: a header with the column arms, then a line for each row arm.

    The header begins with ``first\second (half points of FULL)``. A cell has the half points of the
    first player: FULL if it wins every game, empty if not played. Return how many were played.
    """
    results = study.results(rows, columns)
    texts = [*(b"%d" % points for points in range(UNPLAYED)), b""]
    corner = b"first\\second (half points of %d)" % study.full

    def write(file: BinaryIO) -> None:
        file.write(b",".join([corner, *(b"%d" % seed for seed in columns.tolist())]))
        file.write(b"\n")
        for seed, line in zip(rows.tolist(), results, strict=True):
            file.write(b",".join([b"%d" % seed, *map(texts.__getitem__, line.tolist())]) + b"\n")

    atomic_write(path, write)
    return int(np.count_nonzero(results != UNPLAYED))


def export_npz(
    study: Study, rows: NDArray[np.uint64], columns: NDArray[np.uint64], path: Path
) -> int:
    """Write the matrix as NPZ: ``rows``, ``columns``, ``half_points``, ``full`` and ``identity``.

    ``half_points`` is ``full`` where the first player wins every game, and 255 where a cell was not
    played. ``identity`` is JSON text. Return how many cells were played.
    """
    results = study.results(rows, columns)
    identity = np.array(canonical(study.identity))

    def write(file: BinaryIO) -> None:
        np.savez_compressed(
            file,
            rows=rows,
            columns=columns,
            half_points=results,
            full=np.array(study.full),
            identity=identity,
        )

    atomic_write(path, write)
    return int(np.count_nonzero(results != UNPLAYED))
