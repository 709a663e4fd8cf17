"""Go in plain Python: points are pairs, stones a dictionary, chains found by flooding."""

from functools import cache

import numpy as np

from seedfolio.core.randomness import mix_int

Point = tuple[int, int]

GOLDEN = 0x9E3779B97F4A7C15


def point_of(size, move):
    return divmod(move, size + 1) if move < size * (size + 1) else None


def openspiel_actions(size):
    table = np.full(size * (size + 1) + 1, -1, np.int64)
    for row in range(size):
        table[row * (size + 1) : row * (size + 1) + size] = np.arange(row * size, (row + 1) * size)
    table[-1] = size * size
    return table


@cache
def neighbours(size, point):
    row, column = point
    four = (row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)
    return tuple((r, c) for r, c in four if 0 <= r < size and 0 <= c < size)


class NaiveGo:
    def __init__(self, size):
        self.size = size
        self.stones = {}
        self.ko = None

    def points(self):
        return [(r, c) for r in range(self.size) for c in range(self.size)]

    def around(self, point):
        return neighbours(self.size, point)

    def region(self, point):
        """Return the points of one content that hang together, and those beside them."""
        content = self.stones.get(point)
        inside, border, waiting = {point}, set[Point](), [point]
        while waiting:
            for near in self.around(waiting.pop()):
                if self.stones.get(near) != content:
                    border.add(near)
                elif near not in inside:
                    inside.add(near)
                    waiting.append(near)
        return inside, border

    def chain_without_liberty(self, point):
        chain, border = self.region(point)
        return chain if border <= self.stones.keys() else set()

    def place(self, point, colour):
        """Play and return what is captured; None, and nothing done, if it is not legal."""
        if point in self.stones or point == self.ko:
            return None
        alone = all(self.stones.get(near) == 1 - colour for near in self.around(point))
        self.stones[point] = colour
        captured = set()
        for near in self.around(point):
            if self.stones.get(near) == 1 - colour:
                captured |= self.chain_without_liberty(near)
        if not captured and self.chain_without_liberty(point):
            del self.stones[point]
            return None
        for dead in captured:
            del self.stones[dead]
        self.ko = min(captured) if alone and len(captured) == 1 else None
        return captured

    def legal(self, colour):
        return {p for p in self.points() if self.copy().place(p, colour) is not None}

    def copy(self):
        twin = NaiveGo(self.size)
        twin.stones, twin.ko = dict(self.stones), self.ko
        return twin

    def lead(self):
        """Black's area minus White's."""
        total = 0
        for point in self.points():
            owners = {self.stones.get(point)}
            if owners == {None}:
                owners = {self.stones[beside] for beside in self.region(point)[1]}
            if len(owners) == 1:
                total += 1 - 2 * (owners.pop() or 0)
        return total

    def half_points(self, komi):
        margin = self.lead() - komi
        return (margin > 0) + (margin >= 0)

    def rollout(self, komi, colour, passes, left, key, step):
        """What our rollout should return, from its description."""
        left = min(left, 2 * self.size**2)
        hopeless = set(), set()
        refused = set(), set()
        while passes < 2 and left > 0:
            moved = False
            for again in (False, True):
                if again and not moved:
                    refused[colour].clear()
                while not moved and (free := self.free(colour, hopeless[colour] | refused[colour])):
                    point = drawn(free, key, step)
                    step += 1
                    moved = self.place(point, colour) is not None
                    if not moved:
                        refused[colour].add(point)
                        hopeless[colour].update(self.safe_eyes(point, 1 - colour))
            if moved:
                passes = 0
            else:
                passes += 1
                self.ko = None
            colour, left = 1 - colour, left - 1
        return self.half_points(komi)

    def free(self, colour, shunned):
        """Where a random game may go on."""
        return [
            p
            for p in self.points()
            if p not in self.stones
            and p != self.ko
            and p not in shunned
            and any(self.stones.get(near) != colour for near in self.around(p))
        ]

    def safe_eyes(self, point, colour):
        """The eyes that a chain around this one has to itself, if it has several."""
        if any(self.stones.get(near) != colour for near in self.around(point)):
            return set()
        chain, border = self.region(min(self.around(point)))
        eyes = {p for p in border if p not in self.stones and set(self.around(p)) <= chain}
        return eyes if len(eyes) > 1 else set()


def drawn(points, key, step):
    """The point that random number `step` of `key` draws."""
    return points[(mix_int(key + GOLDEN * (step + 1)) >> 32) * len(points) >> 32]
