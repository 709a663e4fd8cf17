"""Cases in `cases.txt` beside the tests: lines `what is given -> what is said`, by section."""

from pathlib import Path


def cases(test, section, read=str):
    """Return the pairs of a section; `read` makes a value of what is given."""
    text = Path(test).with_name("cases.txt").read_text(encoding="utf-8")
    lines = text.split(f"[{section}]\n")[1].partition("\n\n")[0].splitlines()
    pairs = (line.rpartition(" -> ") for line in lines)
    return [(read(given), said) for given, _, said in pairs]


def programs(test):
    text = Path(test).with_suffix(".txt").read_text(encoding="utf-8")
    return [part.partition("\n")[2] for part in f"\n{text}".split("\n=== ")[1:]]
