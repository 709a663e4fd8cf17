"""Drawing figures with matplotlib, if it is installed, and writing them atomically."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from seedfolio.errors import SpecificationError, StudyError
from seedfolio.study.files import atomic_write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ENDINGS = (".png", ".svg")

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


def save_figure(path: Path, draw: "Callable[[], Figure]") -> None:
    """Write the figure that `draw` returns, in the format given by the ending of `path`.

    The same figure gives the same bytes: the user's matplotlib style is ignored, and no date is
    written. SpecificationError if the ending is not .png or .svg, if matplotlib is not installed,
    or if the file cannot be written.
    """
    ending = picture_format(path)
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise SpecificationError("plots need matplotlib: pip install 'seedfolio[plot]'") from None
    metadata = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
    buffer = BytesIO()
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        draw().savefig(buffer, format=ending, metadata=metadata[ending])
    try:
        atomic_write(path, buffer.getvalue())
    except StudyError as error:
        # A plot is not a study: the given path was wrong.
        raise SpecificationError(str(error)) from error


def panels(number: int, *, share_y: bool = False) -> "tuple[Figure, list[Axes]]":
    """Return a figure with `number` panels, up to three side by side, and success in % upwards."""
    from matplotlib.figure import Figure

    columns = 2 if number == 4 else min(number, 3)
    lines = -(-number // columns)
    figure = Figure(figsize=(max(3.3 * columns, 5.4), 3.0 * lines + 0.9), layout="constrained")
    grid = figure.subplots(lines, columns, squeeze=False, sharey=share_y)
    for left in grid[:, 0]:
        left.set_ylabel("success in %")
    for unused in grid.flat[number:]:
        unused.remove()
    return figure, list(grid.flat[:number])
