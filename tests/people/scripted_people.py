"""People whose weaknesses are known, for the program to find."""

SMALL_NIM = "nim:first=1,second=2,third=3,fourth=0"
"""The second player can win."""


def nim_sum(game, history):
    board = game.rules.board
    heaps = (game.position(history).cells.reshape(board.rows, -1) > 0).sum(axis=1)
    found = 0
    for heap in heaps:
        found ^= int(heap)
    return found


def weak_after(game, openings):
    def choose(history):
        moves = game.position(history).moves
        weak = game.move_name(history[0]) in openings()
        wanted = [move for move in moves if (nim_sum(game, [*history, move]) == 0) != weak]
        return (wanted or list(moves))[0]

    return choose


def play_out(pupil, person, colour, key=None):
    game = pupil.begin(colour, key)
    while (game := pupil.answer(game)).ending is None:
        game = pupil.move(game, pupil.game.move_name(person(game.history)))
    return game
