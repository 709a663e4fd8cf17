// Arrow keys on a board, and the place of the keyboard after a move. All else works without this.
"use strict";

const CELLS = ".cells button[data-cell], .cells a[data-cell]";

// All cells that can be played or chosen, each with its place on the page.
function playable(board) {
  return [...board.querySelectorAll("[data-cell]")]
    .filter((cell) => cell.matches("button, a"))
    .map((cell) => ({ cell, row: cell.offsetTop, column: cell.offsetLeft }));
}

// Left and right go through all cells in the order of reading; up and down to the nearest in
// another row.
function next(all, from, key) {
  const at = all.findIndex(({ cell }) => cell === from);
  if (key === "ArrowLeft") return all[(at + all.length - 1) % all.length];
  if (key === "ArrowRight") return all[(at + 1) % all.length];
  const here = all[at];
  const beyond = all.filter(({ row }) => (key === "ArrowUp" ? row < here.row : row > here.row));
  const far = ({ row, column }) =>
    1000 * Math.abs(row - here.row) + Math.abs(column - here.column);
  return beyond.sort((one, other) => far(one) - far(other))[0] || here;
}

// Tab stops at a board once; arrows move inside it.
function oneStop() {
  const cells = [...document.querySelectorAll(CELLS)];
  const active = cells.includes(document.activeElement) ? document.activeElement : cells[0];
  for (const cell of cells) cell.tabIndex = cell === active ? 0 : -1;
}

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest && event.target.closest(CELLS);
  if (!cell || !/^Arrow(Left|Right|Up|Down)$/.test(event.key)) return;
  event.preventDefault();
  next(playable(cell.closest(".cells")), cell, event.key).cell.focus();
  oneStop();
});

oneStop();

// Where the keyboard was before the table was replaced: a cell, the typed move, another move, or
// elsewhere on the table.
let place = null;

document.addEventListener("htmx:beforeSwap", () => {
  const active = document.activeElement;
  if (!active || !active.closest("#table")) return;
  if (active.matches("[data-cell]")) place = { cell: active.dataset.cell };
  else if (active.matches("#move, .typed button")) place = { typed: true };
  else if (active.matches(".others button")) place = { other: active.value };
  else if (active.dataset.step) place = { step: active.dataset.step };
  else place = {};
});

document.addEventListener("htmx:afterSettle", () => {
  restore();
  oneStop();
});

function restore() {
  const table = document.getElementById("table");
  if (!place || !table) return;
  let found = null;
  if (place.cell) {
    const cells = [...table.querySelectorAll(".cells [data-cell]")];
    const at = cells.findIndex((each) => each.dataset.cell === place.cell);
    const nearest = cells
      .map((each, index) => [Math.abs(index - at), each])
      .filter(([, each]) => each.matches("button, a"))
      .sort((one, other) => one[0] - other[0]);
    found = nearest.length ? nearest[0][1] : null;
  } else if (place.typed) {
    found = table.querySelector("#move");
  } else if (place.step) {
    const steps = [...table.querySelectorAll("[data-step]")];
    found = steps.find((each) => each.dataset.step === place.step) || steps[0];
  } else if (place.other) {
    const others = [...table.querySelectorAll(".others button")];
    found = others.find((each) => each.value === place.other) || others[0];
  }
  // While the program thinks there is nothing to play; after the game there is the result.
  if (!found && !table.hasAttribute("hx-get")) found = table.querySelector(".turn");
  if (!found) return;
  found.focus({ preventScroll: true });
  place = null;
}
