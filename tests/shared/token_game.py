"""A token on four places, for two laps. A state: place, mover, plies of the lap, times, laps."""

from numba import int64, uint64

from seedfolio import Board, Repetition, Rules, compiled, mix


@compiled
def token_moves(state, out, at):
    if state[2] == 8 or state[3] == 2 or state[4] == 2:
        return 0
    for move in range(3):
        out[at + move] = move
    return 3


@compiled
def token_play(state, move):
    place, turn, age, _, laps = state
    if move == 2:
        return int64(0), 1 - turn, int64(0), int64(0), laps + 1
    return (place + 2 * move + 3) % 4, 1 - turn, age + 1, int64(0), laps


@compiled
def token_key(state):
    return mix(uint64(state[0] + 4 * state[1] + 8 * state[4]))


@compiled
def token_cells(state, out):
    out[0] = state[0] + 4 * state[4]


TOKEN = Rules(
    start=compiled(lambda: (int64(0), int64(0), int64(0), int64(0), int64(0))),
    mover=compiled(lambda state: state[1]),
    moves=token_moves,
    play=token_play,
    score=compiled(lambda state: state[0] % 3),
    cells=token_cells,
    move_names=["back", "on", "lap"],
    max_moves=3,
    max_plies=18,
    board=Board(1, 1, "0123456789AB"),
    repetition=Repetition(
        key=token_key,
        age=compiled(lambda state: state[2]),
        marked=compiled(lambda state, times: (state[0], state[1], state[2], times, state[4])),
        oldest=8,
    ),
    placed=compiled(lambda numbers, at: (numbers[at], numbers[at], int64(0), int64(0), int64(0))),
    setup=[0],
)
