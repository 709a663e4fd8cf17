"""Run every page and write what is printed now into it: `python tests/docs/refresh.py`.

A block with `...`, and an empty one, is left to be edited by hand, and named; look at the
difference before you commit it. The README's table is refreshed by its own command, see its text.
"""

import sys
import tempfile
from pathlib import Path

from doc_pages import API_PAGE, PROMPT, RUN, matches, steps, with_summaries

sys.path.insert(0, str(Path(__file__).parents[1] / "shared"))
from test_docs_run import run


def refresh(page):
    if page == API_PAGE:
        page.write_text(with_summaries(page.read_text(encoding="utf-8")), encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for step in steps(page):
            printed = run(step, folder)
            if step.printed is None or matches(step.without_echo, printed):
                continue
            by_hand = "\n...\n" in f"\n{step.printed}" or PROMPT in step.printed
            if by_hand or not step.printed:  # an empty text is everywhere on the page
                print(f"{page.name}:{step.line}: edit by hand; now prints\n{printed}")
                continue
            text = page.read_text(encoding="utf-8")
            shown = "".join(f"{line.rstrip()}\n" for line in printed.strip("\n").splitlines())
            blank = "\n" if step.printed.endswith("\n\n") else ""
            page.write_text(text.replace(step.printed, shown + blank, 1), encoding="utf-8")


if __name__ == "__main__":
    for each in [page for page in RUN if page.name in sys.argv[1:] or len(sys.argv) == 1]:
        refresh(each)
