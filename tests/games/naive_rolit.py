"""Rolit as one would write it first: a dictionary of cells, and a walk in each direction."""

from itertools import product

Cell = tuple[int, int]
DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


class NaiveRolit:
    """A position of Rolit; cells are (row, column), owners are seats."""

    def __init__(self, rows, columns, players):
        self.rows, self.columns, self.players = rows, columns, players
        low, left = rows // 2 - 1, columns // 2 - 1
        around = [(low, left), (low + 1, left), (low + 1, left + 1), (low, left + 1)]
        self.balls = {cell: k % players for k, cell in enumerate(around)}
        self.mover = 0

    def turned(self, cell):
        """The balls that the mover turns by putting one on a cell."""
        found = []
        for up, right in DIRECTIONS:
            line, (row, column) = [], (cell[0] + up, cell[1] + right)
            while self.balls.get((row, column), self.mover) != self.mover:
                line.append((row, column))
                row, column = row + up, column + right
            if self.balls.get((row, column)) == self.mover:
                found += line
        return found

    def moves(self):
        """The cells where the mover may put a ball."""
        empty = [c for c in product(range(self.rows), range(self.columns)) if c not in self.balls]
        turning = [cell for cell in empty if self.turned(cell)]
        beside = [
            (row, column)
            for row, column in empty
            if any((row + up, column + right) in self.balls for up, right in DIRECTIONS)
        ]
        return turning or beside

    def play(self, cell):
        """Put a ball."""
        for each in [cell, *self.turned(cell)]:
            self.balls[each] = self.mover
        self.mover = (self.mover + 1) % self.players

    def winners(self):
        """The seats with the most balls."""
        counts = [list(self.balls.values()).count(seat) for seat in range(self.players)]
        return [seat for seat, count in enumerate(counts) if count == max(counts)]
