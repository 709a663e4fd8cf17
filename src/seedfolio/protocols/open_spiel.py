"""A program as a bot of OpenSpiel, for the games that both have alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from seedfolio.boosting.request import check_numbers
from seedfolio.core.randomness import mix_int
from seedfolio.engines.protocols.open_spiel_rules import import_pyspiel
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.opponents.load import AnyProgram, load_opponent
from seedfolio.opponents.opponent import Opponent
from seedfolio.opponents.seat import Seat

_Parameters = Mapping[str, Any]
_Move = Callable[[Any, int], str | int]


@dataclass(frozen=True)
class _Alike:
    """A game of OpenSpiel that is one of ours."""

    form: Callable[[_Parameters], str]
    """What OpenSpiel calls the game with our parameters."""
    move: Callable[[_Parameters], _Move]
    """Our name or number of OpenSpiel's action in a state."""


def as_open_spiel_bot(program: AnyProgram, player: str | None = None, *, key: int = 0) -> Any:
    """Return a program, boosted or not, as a bot of OpenSpiel (`pyspiel.Bot`).

    It plays either side of Breakthrough, Hex, Havannah, Nim, Pig, Kuhn and Leduc poker, Liar's dice
    and phantom tic-tac-toe, by the functions of OpenSpiel that take bots, such as `evaluate_bots`.
    Each game begins with `restart` or `restart_at` and has an arm of its own: game n has the arms
    that game n of `match` has with the same `key`.

    Args:
        program: A portfolio file, or any other program that `match` takes.
        player: As in `boost`.
        key: Draws the arms of all games.

    >>> import numpy as np
    >>> import pyspiel
    >>> from open_spiel.python.algorithms.evaluate_bots import evaluate_bots
    >>> from seedfolio import as_open_spiel_bot
    >>> bots = [as_open_spiel_bot("hex:3x3", "uct:simulations=5", key=k) for k in (1, 2)]
    >>> state = pyspiel.load_game("hex(board_size=3)").new_initial_state()
    >>> sum(evaluate_bots(state, bots, np.random.RandomState(0)))
    0.0
    """
    check_numbers(key=key)
    pyspiel = import_pyspiel()
    opponent = load_opponent(program, player)
    if opponent.is_engine:
        raise SpecificationError(
            f"{opponent.name} is an external engine; a bot of OpenSpiel is a built-in program"
        )
    game = opponent.game
    if game.name not in _GAMES:
        known = ", ".join(_GAMES)
        raise SpecificationError(f"OpenSpiel has no {game.name} like ours; there are {known}")
    alike, parameters = _GAMES[game.name], _Known(game.parameters)
    if parameters["players"] > 2:
        raise SpecificationError(f"{game.title} has more than two players; a bot plays with two")
    theirs = pyspiel.load_game(alike.form(parameters))
    return _bot_class()(_Games(opponent, theirs, alike.move(parameters), key))


class _Known(dict[str, Any]):
    """Parameters, of which those that a game does not name are 0."""

    def __missing__(self, name: str) -> int:
        return 0


class _Games:
    """The games of a bot: which it plays now, and its arms."""

    def __init__(self, opponent: Opponent, theirs: Any, move: _Move, key: int) -> None:
        self._opponent, self._theirs, self._move, self._key = opponent, theirs, move, key
        self._number = -1
        self._seats: dict[int, Seat] = {}
        self.restart()

    def restart(self) -> None:
        """Begin another game."""
        self._number += bool(self._seats) or self._number < 0
        self._seats = {}
        self._state, self._history = self._theirs.new_initial_state(), list[int]()
        self._actions: list[int] = []

    def step(self, state: Any) -> int:
        """Return our action in a state of the game."""
        try:
            self._follow(state.history())
        except import_pyspiel().SpielError:  # an action that is not legal there
            raise self._another(state) from None
        if str(state) != str(self._state):
            raise self._another(state)
        colour = state.current_player()
        if colour not in self._seats:
            drawn = mix_int(mix_int(self._key) + self._number)
            self._seats[colour] = self._opponent.draw(colour, drawn)
        moves = {self._number_of(action): action for action in state.legal_actions()}
        return int(moves[self._seats[colour].choose(self._history)])

    def _another(self, state: Any) -> SpecificationError:
        return SpecificationError(f"the bot plays {self._theirs}, not {state.get_game()}")

    def _follow(self, actions: list[int]) -> None:
        """Translate the actions of the game so far, from where it was before if it goes on."""
        if actions[: len(self._actions)] != self._actions:
            self._state, self._history = self._theirs.new_initial_state(), []
            self._actions = []
        for action in actions[len(self._actions) :]:
            self._history.append(self._number_of(action))
            self._state.apply_action(action)
        self._actions = list(actions)

    def _number_of(self, action: int) -> int:
        found = self._move(self._state, action)
        return self._game.parse_move(found) if isinstance(found, str) else found

    @property
    def _game(self) -> Game:
        return self._opponent.game


@cache
def _bot_class() -> Any:
    """Return the class of our bots, defined once OpenSpiel is there."""
    pyspiel = import_pyspiel()

    class SeedfolioBot(pyspiel.Bot):  # type: ignore[misc,name-defined]
        """A program of Seedfolio's."""

        def __init__(self, games: _Games) -> None:
            pyspiel.Bot.__init__(self)
            self._games = games

        def restart(self) -> None:
            self._games.restart()

        def restart_at(self, state: Any) -> None:
            self._games.restart()

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            """Do nothing: a state knows its history."""

        def provides_policy(self) -> bool:
            return False

        def step(self, state: Any) -> int:
            return self._games.step(state)

    return SeedfolioBot


def _same(state: Any, action: int) -> int:
    return action


def _named(state: Any, action: int) -> str:
    return str(state.action_to_string(state.current_player(), action))


def _swapped(state: Any, action: int) -> str:
    """Return the name of a move; Havannah's swap is there a move on the first stone."""
    return "swap" if [action] == state.history() else _named(state, action)


def _turned(rows: int) -> _Move:
    """Return the move of Breakthrough, whose first player starts at the top there."""

    def move(state: Any, action: int) -> str:
        name = _named(state, action).rstrip("*")
        return re.sub(r"\d+", lambda rank: str(rows + 1 - int(rank[0])), name)

    return move


def _taken(state: Any, action: int) -> str:
    """Return the move of Nim: `pile:3, take:2;` is the leftmost object that is taken."""
    taken = re.fullmatch(r"pile:(\d+), take:(\d+);", _named(state, action))
    assert taken is not None, "so OpenSpiel writes them"
    pile, take = int(taken[1]), int(taken[2])
    sizes = str(state).partition(": ")[2].split()
    return f"{'abcdefghij'[int(sizes[pile - 1]) - take]}{pile}"


def _rolled(state: Any, action: int) -> str:
    return str(action + 1) if state.is_chance_node() else ("roll", "hold")[action]


def _dealt(first: int) -> _Move:
    """Return the move of a game of cards or dice: outcomes come after moves."""
    return lambda state, action: action + (first if state.is_chance_node() else 0)


def _piles(given: _Parameters) -> str:
    names = ("first", "second", "third", "fourth")
    return ";".join(str(given[name]) for name in names if given[name])


def _swap(given: _Parameters) -> str:
    return str(bool(given["swap"]))


_GAMES = {
    "breakthrough": _Alike(
        lambda p: f"breakthrough(rows={p['rows']},columns={p['columns']})",
        lambda p: _turned(p["rows"]),
    ),
    "hex": _Alike(lambda p: f"hex(board_size={p['size']},swap={_swap(p)})", lambda p: _named),
    "havannah": _Alike(
        lambda p: f"havannah(board_size={p['base']},swap={_swap(p)})", lambda p: _swapped
    ),
    "nim": _Alike(
        lambda p: f"nim(pile_sizes={_piles(p)},is_misere={str(bool(p['misere'])).lower()})",
        lambda p: _taken,
    ),
    "pig": _Alike(
        lambda p: f"pig(winscore={p['target']},diceoutcomes={p['sides']},horizon={p['horizon']})",
        lambda p: _rolled,
    ),
    "kuhn-poker": _Alike(lambda p: "kuhn_poker", lambda p: _dealt(2)),
    "leduc-poker": _Alike(lambda p: "leduc_poker(suit_isomorphism=true)", lambda p: _dealt(3)),
    "liars-dice": _Alike(lambda p: "liars_dice", lambda p: _dealt(13)),
    "phantom-tic-tac-toe": _Alike(lambda p: "phantom_ttt", lambda p: _same),
}
