"""Make the figures of the paper, beside it: `python paper/figures.py [FOLDER]`.

The studies are kept in FOLDER (default: studies/paper), so an interrupted run continues.
"""

import sys
from pathlib import Path

from seedfolio import boost, compare

HERE = Path(__file__).parent


def main(folder: Path) -> None:
    """Play what is missing and draw both figures."""
    folder.mkdir(parents=True, exist_ok=True)
    seeds = boost(
        "domineering:7x7",
        "uct:simulations=100",
        k=300,
        kt=100,
        opponents=50,
        learners=["best-seed", "best-half", "nash"],
        study=folder / "seeds.study",
        progress=False,
    )
    seeds.plot_seeds(HERE / "seeds.svg")
    compared = compare(
        "domineering:5x5",
        "uct:simulations=10",
        budget=[500, 2000, 8000],
        repetitions=10,
        learners=["auto:book=0", "halving", "best-seed", "nash"],
        opponents=50,
        study=folder / "compared.study",
        progress=False,
        note=print,
    )
    compared.plot(HERE / "compared.svg")
    print(seeds, compared, sep="\n\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("studies/paper"))
