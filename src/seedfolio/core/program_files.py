"""Reading portfolio files, whoever has written them, and finding the files that they name.

Plain JSON, or compressed by gzip: that shows in the first bytes, not in the name.
"""

from __future__ import annotations

import gzip
import io
import re
import zlib
from contextlib import suppress
from pathlib import Path

from seedfolio.core.files import read_regular
from seedfolio.errors import PortfolioError


def is_engine_file(text: object) -> bool:
    """Tell whether `text` names a specification."""
    return isinstance(text, str | Path) and str(text).endswith(".toml")


def split_engines(text: str) -> list[str]:
    """Return the specifications that a text joins with a +.

    >>> split_engines("gnugo.toml+bots/mine.toml")
    ['gnugo.toml', 'bots/mine.toml']
    """
    return [text] if is_file(Path(text)) else re.split(r"(?<=\.toml)\+", text)


PLAIN, COMPRESSED = ".json", ".json.gz"


def is_portfolio_name(name: str | Path) -> bool:
    """Tell whether a name is that of a portfolio file."""
    return str(name).endswith((PLAIN, COMPRESSED))


def portfolio_stem(path: Path) -> str:
    """Return the name of a file without the ending of a portfolio, or without its own."""
    return path.name.removesuffix(COMPRESSED) if path.name.endswith(COMPRESSED) else path.stem


def with_ending(path: Path, ending: str) -> Path:
    """Return the path of a portfolio with the other ending, if it has one of the two."""
    return path.with_name(portfolio_stem(path) + ending) if is_portfolio_name(path) else path


_GZIP = b"\x1f\x8b"
_MOST_BYTES = 100 * 2**20
"""Of the content of a file. The largest book so far has a tenth of it; a few bytes of a compressed
file can stand for far more than there is memory."""


def stored_at(path: Path) -> Path:
    """Return the file that is meant: `path`, or the one with the other ending if only that is."""
    if not path.exists():
        for ending in (PLAIN, COMPRESSED):
            if (other := with_ending(path, ending)).is_file():
                return other
    return path


def read_portfolio_bytes(path: Path) -> bytes:
    """Return the content of a portfolio file, unpacked; PortfolioError if that fails."""
    try:
        content = _unpacked(read_regular(stored_at(path), _MOST_BYTES))
    except FileNotFoundError:
        raise PortfolioError(f"there is no portfolio file {path}") from None
    except IsADirectoryError:
        raise PortfolioError(
            f"{path} is a folder; a portfolio is a .json file that seedfolio boost has made"
        ) from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise PortfolioError(
            f"{path} is damaged: it is compressed, and its end is missing or wrong; copy it "
            "again, or make it again with seedfolio boost"
        ) from None
    except OSError as error:
        raise PortfolioError(f"cannot read portfolio file {path}: {error.strerror}") from error
    if len(content) > _MOST_BYTES:
        raise PortfolioError(
            f"{path} is not a portfolio: it has more than {_MOST_BYTES // 2**20} MiB"
        )
    return content


def _unpacked(content: bytes) -> bytes:
    """Return the content of a file, or somewhat more than the most that one may have."""
    if not content.startswith(_GZIP):
        return content
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as unpacked:
        return unpacked.read(_MOST_BYTES + 1)


BEGINNING = 20_000
"""How many bytes tell what a file is."""


def beginning(path: Path, size: int) -> bytes:
    """Return the first bytes of a portfolio file, unpacked; fewer if it is damaged."""
    with path.open("rb") as file:
        content = file.read(size)
    if not content.startswith(_GZIP):
        return content
    with suppress(zlib.error):
        return zlib.decompressobj(wbits=31).decompress(content, size)
    return b""


def engine_file(name: str, folder: Path) -> Path:
    """Return where the file of an engine is: at its path, else in `folder` or from the one above.

    If there is none, where it would be in `folder`. Links are followed.
    """
    found = named_file(name, folder)
    try:
        return found.resolve()
    except (OSError, RuntimeError, ValueError):  # a link to itself, a name that no file can have
        return found.absolute()


def named_file(name: str, folder: Path) -> Path:
    """Return where the file is that a portfolio in `folder` names, as `engine_file` says."""
    places = [Path(name), folder / Path(name).name, folder.parent / name]
    return next((place for place in places if is_file(place)), places[1])


def is_file(path: Path) -> bool:
    """Tell whether a file exists; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False
