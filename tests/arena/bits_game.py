"""A game whose result can be anything that compiles, or does not, or raises an error."""

from case_files import programs

from seedfolio import Program, SpecificationError, load_game, load_player

# Two players append 0 or 1 in turn.
GAME = "\n" + programs(__file__)[0]

LINE = 1 + GAME[: GAME.index("{score}")].count("\n")
"""Where the result is told."""


def failing_cells(program, rows, columns):
    failing = []
    for cell in range(len(rows)):
        alone = slice(cell, cell + 1)
        try:
            program.play(rows[alone], columns[alone], program.workspace())
        except SpecificationError:
            failing.append(cell)
    return failing


def bits(folder, score, player):
    path = folder / "bits.py"
    path.write_text(GAME.format(score=score))
    return Program(load_game(str(path)), load_player(player))
