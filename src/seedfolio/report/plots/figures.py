"""Drawing figures with matplotlib, if it is installed, and writing them atomically.

A figure shows itself in a notebook. In an SVG a browser shows values of markers under the mouse.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedfolio.core.files import atomic_write
from seedfolio.errors import SpecificationError, StudyError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_ENDINGS = (".png", ".svg")
_NOTEBOOK_DPI = 80
"""Enough for a screen; a notebook keeps its pictures."""

_VALUES, _BETWEEN = "values: ", "; "
"""Begins the name of a line whose markers have values, which follow."""
_VALUE = re.compile(r'<use [^>]*?x="([-.\d]+)" y="([-.\d]+)"[^>]*><title>([^<]*)</title>')

_STYLE: Any = {  # the type of the keys depends on the version of matplotlib
    "axes.axisbelow": True,
    "axes.edgecolor": "#888888",
    "axes.grid": True,
    "axes.labelcolor": "#333333",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.constrained_layout.h_pad": 0.09,
    "figure.constrained_layout.w_pad": 0.09,
    "figure.titlesize": 12,
    "figure.titleweight": "bold",
    "font.size": 9,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.8,
    "legend.frameon": False,
    "legend.title_fontsize": 9,
    "savefig.dpi": 150,
    "svg.hashsalt": "seedfolio",
    "xtick.color": "#333333",
    "ytick.color": "#333333",
}


def picture_format(path: Path) -> str:
    """Return `png` or `svg` by the ending of `path`; SpecificationError for any other."""
    if path.suffix.lower() not in _ENDINGS:
        raise SpecificationError(
            f"cannot tell the format of the plot {path}: end its name with .png or .svg"
        )
    return path.suffix.lower().removeprefix(".")


def drawn_figure(draw: "Callable[[], Figure]", path: Path | None = None) -> "Figure":
    """Return the figure that `draw` returns; with a path, write it as the ending says.

    The same figure gives the same bytes: the user's matplotlib style is ignored, and no date is
    written. SpecificationError if the ending is not .png or .svg, if matplotlib is not installed,
    or if the file cannot be written.
    """
    ending = None if path is None else picture_format(path)
    with _style():
        figure = draw()
    if path is not None and ending is not None:
        try:
            atomic_write(path, _picture(figure, ending))
        except StudyError as error:
            # A plot is not a study: the given path was wrong.
            raise SpecificationError(str(error)) from error
    return figure


@contextmanager
def _style() -> Iterator[None]:
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise SpecificationError("plots need matplotlib: pip install 'seedfolio[plot]'") from None
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def _picture(figure: "Figure", ending: str, dpi: float | None = None) -> bytes:
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    buffer = BytesIO()
    shown: dict[str, Any] = {} if dpi is None else {"dpi": dpi}
    with _style():
        figure.savefig(buffer, format=ending, metadata=metadata[ending], **shown)
    content = buffer.getvalue()
    return _with_values(content.decode()).encode() if ending == "svg" else content


def show_values(line: "Line2D", texts: Sequence[str]) -> None:
    """Give each marker of a line a text, which an SVG shows under the mouse."""
    line.set_gid(_VALUES + _BETWEEN.join(texts))


def values_in(svg: str) -> list[tuple[str, str, str]]:
    """Return the place of each marker in an SVG that has a text, and the text."""
    return [(x, y, unescape(text)) for x, y, text in _VALUE.findall(svg)]


def _with_values(svg: str) -> str:
    """Return a picture whose markers have their texts, which are in the names of lines."""
    begin, *lines = svg.split(f'<g id="{_VALUES}')
    found = [begin]
    for number, line in enumerate(lines, 1):
        names, _, rest = line.partition('">')
        found.append(f'<g id="values_{number}">')
        for text in names.split(_BETWEEN):
            before, marker, rest = rest.partition("<use ")
            end = rest.index("/>")
            found.append(f"{before}{marker}{rest[:end]}><title>{text}</title></use>")
            rest = rest[end + 2 :]
        found.append(rest)
    return "".join(found)


@cache
def _shown_figure() -> "type[Figure]":
    """Return the class of our figures, defined once matplotlib is there."""
    from matplotlib.figure import Figure

    class ShownFigure(Figure):
        """A figure that shows itself in a notebook, also where nobody has imported pyplot."""

        def _repr_png_(self) -> bytes:
            return _picture(self, "png", _NOTEBOOK_DPI)

    return ShownFigure


def panels(number: int, *, share_y: bool = False) -> "tuple[Figure, list[Axes]]":
    """Return a figure with `number` panels, up to three side by side, and success in % upwards."""
    columns = 2 if number == 4 else min(number, 3)
    lines = -(-number // columns)
    figure = _shown_figure()(
        figsize=(max(3.3 * columns, 5.4), 3.0 * lines + 0.9), layout="constrained"
    )
    grid = figure.subplots(lines, columns, squeeze=False, sharey=share_y)
    for left in grid[:, 0]:
        left.set_ylabel("success in %")
    for unused in grid.flat[number:]:
        unused.remove()
    return figure, list(grid.flat[:number])
