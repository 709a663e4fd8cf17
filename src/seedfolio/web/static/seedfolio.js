// Arrow keys on a board, and the place of the keyboard after a move. All else works without this.
"use strict";

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function columnsOf(cells) {
  const found = cells.className.match(/columns-(\d+)/);
  return found ? Number(found[1]) : 1;
}

// The next cell in a direction that can be played or chosen.
function next(cells, from, [right, down]) {
  const all = [...cells.querySelectorAll("[data-cell]")];
  const columns = columnsOf(cells);
  const rows = all.length / columns;
  let place = all.indexOf(from);
  let column = place % columns;
  let row = Math.floor(place / columns);
  for (;;) {
    column += right;
    row += down;
    if (column < 0 || row < 0 || column >= columns || row >= rows) return null;
    const cell = all[row * columns + column];
    if (cell.matches("button, a")) return cell;
  }
}

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest && event.target.closest(".cells [data-cell]");
  if (!cell || !(event.key in STEPS)) return;
  event.preventDefault();
  const found = next(cell.closest(".cells"), cell, STEPS[event.key]);
  if (found) found.focus();
});

// Where the keyboard was before the table was replaced: a cell, the typed move, or neither.
let place = null;

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  if (!active || !active.closest("#table")) return;
  if (active.matches("[data-cell]")) place = { cell: active.dataset.cell };
  else if (active.matches("#move, .typed button")) place = { typed: true };
  else if (active.matches(".others button")) place = { other: active.value };
});

document.addEventListener("htmx:afterSettle", () => {
  const table = document.getElementById("table");
  if (!place || !table) return;
  let found = null;
  if (place.cell) {
    const cells = [...table.querySelectorAll(".cells [data-cell]")];
    const at = cells.findIndex((each) => each.dataset.cell === place.cell);
    const playable = cells
      .map((each, index) => [Math.abs(index - at), each])
      .filter(([, each]) => each.matches("button, a"))
      .sort((one, other) => one[0] - other[0]);
    found = playable.length ? playable[0][1] : null;
  } else if (place.typed) {
    found = table.querySelector("#move");
  } else {
    const others = [...table.querySelectorAll(".others button")];
    found = others.find((each) => each.value === place.other) || others[0];
  }
  if (found) {
    found.focus({ preventScroll: true });
    place = null;
  } else if (!table.hasAttribute("hx-get")) {
    place = null;
  }
});
