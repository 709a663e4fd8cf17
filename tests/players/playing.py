"""Games between two programs, and positions with a win at hand, for tests of what players find."""

from seedfolio.players.program import Program


def winning_moves(game, history):
    """The moves that end the game and win it."""
    position = game.position(history)
    won = 2 * (1 - position.mover)
    return {m for m in position.moves if game.position([*history, m]).score == won}


def share_of_match(game, strong, weak, games):
    """The share of points of `strong` over games with alternating colours."""
    programs = [Program(game, strong), Program(game, weak)]
    points = 0
    for number in range(games):
        first = number % 2
        history: list[int] = []
        while (position := game.position(history)).score is None:
            history.append(programs[position.mover ^ first].choose(history, arm=number))
        points += position.score if first == 0 else 2 - position.score
    return points / (2 * games)
