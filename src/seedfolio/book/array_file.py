"""Arrays in a file as numpy writes them (.npz), read with care: any content but what was written,
raises ValueError.

numpy's own reader takes sizes from the file on trust, unpacks what is compressed however large it
gets, and raises whatever a damaged file leads to.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from seedfolio.core.regular_file import read_regular
from seedfolio.study.files import atomic_write

_CHECKSUM = "checksum"
_MOST_BYTES = 16 * 2**30
"""Far more than the checkpoint of a book needs."""

Arrays = dict[str, NDArray[Any]]


def write_arrays(path: Path, arrays: Mapping[str, Any]) -> None:
    """Write arrays and a checksum over all of them; the file changes at once or not at all."""
    whole: dict[str, Any] = {name: np.asarray(array) for name, array in arrays.items()}
    whole[_CHECKSUM] = np.array(_digest(whole))
    atomic_write(path, lambda file: np.savez(file, **whole))


def read_arrays(path: Path) -> Arrays:
    """Return all arrays of a file; OSError if it cannot be read, ValueError if it is damaged.

    Files of earlier versions have no checksum.
    """
    content = read_regular(path, _MOST_BYTES)
    try:
        arrays = _parsed(content)
    except Exception as error:  # the readers of both formats raise whatever they meet
        what = " ".join(str(error).split()) or type(error).__name__
        raise ValueError(what) from error
    checksum = arrays.pop(_CHECKSUM, None)
    if checksum is not None and str(checksum) != _digest(arrays):
        raise ValueError("its content does not match its checksum")
    return arrays


def _parsed(content: bytes) -> Arrays:
    arrays: Arrays = {}
    with ZipFile(io.BytesIO(content)) as file:
        for part in file.infolist():
            name = part.filename.removesuffix(".npy")
            if part.compress_type != ZIP_STORED or part.file_size > len(content):
                raise ValueError(f"{name!r} is compressed, or larger than the file")
            if name in arrays:
                raise ValueError(f"{name!r} is there twice")
            arrays[name] = _array(file.read(part))
    return arrays


def _array(data: bytes) -> NDArray[Any]:
    """Return the array that bytes hold; nothing is allocated for what is not there."""
    file = io.BytesIO(data)
    version = npy.read_magic(file)
    read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, kind = read(file)
    rest = len(data) - file.tell()
    if kind.kind not in "iuU" or kind.hasobject or len(shape) > 1:
        raise ValueError(f"an array of kind {kind} and shape {shape}")
    length = shape[0] if shape else 1
    if length < 0 or length * kind.itemsize != rest:
        raise ValueError(f"an array of {length} has {rest} bytes")
    found = np.frombuffer(data, kind, length, file.tell())
    return found if shape else found.reshape(())


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    """Return a checksum of the names, kinds and bytes of arrays, in order of their names."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
