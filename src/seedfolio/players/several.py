"""Several players as one program: the seed also says which of them plays.

So the arms of different programs, or of one with different values of a parameter, meet in one
matrix, and learners mix them as they mix seeds. Seed s plays as the player with number s % n, with
s as its seed there. In a `Meeting`, which only plays, an arm names its player and has any seed; in
a `Duel` the colour decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import int64, uint64

from seedfolio.core.compiler import compiled, fingerprint
from seedfolio.core.seeds import GUEST_SHIFT, SYMMETRY_SHIFT
from seedfolio.errors import SpecificationError
from seedfolio.games.game import Game
from seedfolio.players.interface import Bound, Player, identity
from seedfolio.players.seated import bind

JOINT = "+"
"""Between the players in the text of several."""
MOST_PLAYERS = 24

# The knobs: the number of players; for each player where its own begin, and where the last ones
# end; for each player the number of its code; then the knobs of each.
_FIRST = 1
_SEEDS = np.uint64(2**GUEST_SHIFT - 1)


@dataclass(frozen=True)
class Several:
    """The player that plays each seed as one of its players does."""

    players: tuple[Player, ...]

    name = "several"
    version = 1
    thinking = None

    def __post_init__(self) -> None:
        texts = self.texts
        if twice := {text for text in texts if texts.count(text) > 1}:
            raise SpecificationError(f"the player {min(twice)} is named twice; leave one out")
        if not 2 <= len(texts) <= MOST_PLAYERS:
            raise SpecificationError(
                f"{len(texts)} players in one program, and it takes 2 to {MOST_PLAYERS}"
            )

    @property
    def texts(self) -> tuple[str, ...]:
        """The short forms of its players."""
        return tuple(each.text for each in self.players)

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The versions of its players, by their names and parameters."""
        return self.parameters_in(None)

    def parameters_in(self, game: Game | None) -> Mapping[str, Any]:
        """Return the versions of its players that play this game, by their names and parameters."""
        known = [identity(each, game) for each in self.players]
        return {f"{each['name']}:{_options(each['parameters'])}": each["version"] for each in known}

    @property
    def text(self) -> str:
        """The short form that `load_player` takes: `uct+rave`."""
        return JOINT.join(self.texts)

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seed is fixed."""
        return any(each.stochastic for each in self.players)

    def bind(self, game: Game) -> Bound:
        """Return the players for one game. Those with the same code share it."""
        return _joined(self.players, game, _by_seed)


@dataclass(frozen=True)
class Meeting:
    """The player whose arms have the number of one of its players from bit `GUEST_SHIFT` on.

    Any of them can play any other, in one call of an arena: arms as `engines.meeting` has them.
    """

    players: tuple[Player, ...]

    name = "meeting"
    version = 1
    thinking = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """Its players."""
        return {str(number): identity(each) for number, each in enumerate(self.players)}

    @property
    def text(self) -> str:
        """What people see in messages."""
        host, *guests = dict.fromkeys(each.text for each in self.players)
        return f"{host} meets {', '.join(guests)}" if guests else host

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seeds are fixed."""
        return any(each.stochastic for each in self.players)

    def bind(self, game: Game) -> Bound:
        """Return the players for one game. Those with the same code share it."""
        return _joined(self.players, game, _by_number)


@dataclass(frozen=True)
class Duel:
    """The player that plays each colour as another player does.

    So every arena plays games between two programs as it plays those of one.
    """

    first: Player
    second: Player

    name = "duel"
    version = 1
    thinking = None

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The two players."""
        return {"first": identity(self.first), "second": identity(self.second)}

    @property
    def text(self) -> str:
        """What people see in messages."""
        return f"{self.first.text} against {self.second.text}"

    @property
    def stochastic(self) -> bool:
        """Whether some moves are random even when the seeds are fixed."""
        return self.first.stochastic or self.second.stochastic

    def bind(self, game: Game) -> Bound:
        """Return the two players for one game."""
        return _joined((self.first, self.second), game, _by_colour)


def _joined(players: Sequence[Player], game: Game, turn_of: Callable[..., Any]) -> Bound:
    """Return several as one; `turn_of` makes the function that finds whose arm it is."""
    bounds = [bind(each, game) for each in players]
    codes = [_code(each) or str(place) for place, each in enumerate(bounds)]
    first = list(dict.fromkeys(codes))
    apart = [bounds[codes.index(code)] for code in first]
    stops = {each.stop for each in bounds}
    begins = _FIRST + 2 * len(bounds) + 1
    ends = begins + np.cumsum([0, *(len(each.knobs) for each in bounds)])
    header = [len(bounds), *ends, *map(first.index, codes)]
    knobs = np.concatenate([np.array(header, np.int64), *(each.knobs for each in bounds)])
    choose = turn_of(_one_of([each.choose for each in apart]))
    searches_again = any(each.again is not each.choose for each in apart)
    return Bound(
        choose=choose,
        again=turn_of(_one_of([each.again for each in apart])) if searches_again else choose,
        knobs=knobs,
        workspace=max(each.workspace for each in bounds),
        largest=max(each.largest for each in bounds),
        stop=stops.pop() if len(stops) == 1 else None,
    )


def _options(parameters: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in parameters.items())


def _code(bound: Bound) -> str | None:
    """Return what is the same for players that differ in their knobs only."""
    return fingerprint(bound.choose, bound.again)


def _one_of(functions: Sequence[Callable[..., Any]]) -> Callable[..., Any]:
    """Return a function that takes the number of one of `functions` first, and calls that."""
    head, *rest = functions
    if not rest:

        @compiled
        def only(which: Any, view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
            return int64(head(view, seed, moment, knobs, workspace))

        return only
    other = _one_of(rest)

    @compiled
    def either(which: Any, view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        if which == 0:
            return int64(head(view, seed, moment, knobs, workspace))
        return int64(other(which - 1, view, seed, moment, knobs, workspace))

    return either


def _by_seed(play: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of the player that a seed belongs to, with its own knobs."""

    @compiled
    def of_seed(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        players = knobs[0]
        turn = int64(uint64(seed) % uint64(players))
        own = knobs[knobs[_FIRST + turn] : knobs[_FIRST + turn + 1]]
        return play(knobs[_FIRST + players + 1 + turn], view, seed, moment, own, workspace)

    return of_seed


def _by_number(play: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of the player that an arm names, with its own knobs."""

    @compiled
    def of_number(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        turn = int64(uint64(seed) >> uint64(GUEST_SHIFT))
        own = knobs[knobs[_FIRST + turn] : knobs[_FIRST + turn + 1]]
        code = knobs[_FIRST + knobs[0] + 1 + turn]
        return play(code, view, uint64(seed) & _SEEDS, moment, own, workspace)

    return of_number


def _by_colour(play: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function of the player of the colour to move, with its own knobs."""

    @compiled
    def of_colour(view: Any, seed: Any, moment: Any, knobs: Any, workspace: Any) -> Any:
        turn = int64(moment[0] != 0)
        own = knobs[knobs[_FIRST + turn] : knobs[_FIRST + turn + 1]]
        return play(knobs[_FIRST + 3 + turn], view, seed, moment, own, workspace)

    return of_colour


def kind_of_seed(arm: int, players: int) -> int:
    """Return which of several players an arm is."""
    return arm % (1 << SYMMETRY_SHIFT) % players


def parts_of(player: Player) -> tuple[Player, ...]:
    """Return the players of several, or the one."""
    return player.players if isinstance(player, Several) else (player,)


def differences(players: Sequence[Player]) -> tuple[str, ...]:
    """Return the texts of players, or only what differs between those of one kind.

    >>> from seedfolio import load_player
    >>> differences([load_player("uct:exploration=0.2"), load_player("uct:exploration=0.4")])
    ('exploration=0.2', 'exploration=0.4')
    """
    texts = tuple(each.text for each in players)
    known = [dict(each.parameters) for each in players]
    kinds = {(each.name, *values) for each, values in zip(players, known, strict=True)}
    names = [name for name in known[0] if len({str(each.get(name)) for each in known}) > 1]
    if len(kinds) > 1 or not names:
        return texts
    return tuple(",".join(f"{name}={each[name]}" for name in names) for each in known)
