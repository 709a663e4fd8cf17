"""Ways to make a move on the page in a browser: by click, by keyboard alone, by typing."""

from __future__ import annotations

from web_browser import Watched


def offered(watched: Watched) -> list[str]:
    """Return the moves that one click makes."""
    found = watched.page.locator("button[name=move]").evaluate_all("all => all.map(b => b.value)")
    return [str(each) for each in found]


def by_click(watched: Watched, move: str) -> None:
    if move not in offered(watched):
        _piece(watched, move).click()
    _button(watched, move).click()


def by_keyboard(watched: Watched, move: str) -> None:
    """Go to a move with Tab and the arrows, and press Enter; first to its piece, if it has one."""
    if move not in offered(watched):
        _enter(watched, _piece(watched, move))
        _button(watched, move).wait_for()
    _enter(watched, _button(watched, move))


def by_typing(watched: Watched, move: str) -> None:
    watched.page.locator("#move").fill(move.upper())
    watched.page.keyboard.press("Enter")


def _button(watched, move):
    return watched.page.locator(f"button[name=move][value='{move}']")


def _piece(watched, move):
    return watched.page.locator(f".cells a[data-cell='{move[:2]}']")


def _enter(watched, target):
    page = watched.page
    in_board = target.evaluate("each => each.closest('.cells') !== null")
    for _ in range(60):
        if target.evaluate("each => each === document.activeElement"):
            page.keyboard.press("Enter")
            return
        on_board = page.evaluate("() => document.activeElement.matches('.cells *')")
        page.keyboard.press("ArrowRight" if on_board and in_board else "Tab")
    raise AssertionError("the move is not reached by the keyboard")
