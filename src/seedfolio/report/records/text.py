"""Finished games as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable

from seedfolio.engines.record import GameRecord
from seedfolio.games.game import Game
from seedfolio.games.rules import CHANCE


def games_text(games: Iterable[GameRecord]) -> str:
    """Return games, a line each: both players, the result, the ending, the moves."""
    lines = ["# first player | second player | result | ending | moves"]
    for game in games:
        how = f"{game.ending.value}: {game.detail}" if game.detail else game.ending.value
        parts = *game.players, game.result, how, " ".join(game.moves)
        lines.append(" | ".join(parts))
    return "\n".join(lines) + "\n"


def game_text(game: Game, record: GameRecord, result: str) -> str:
    """Return one game for people, refused tries in brackets, with its result in words."""
    sides, history = game.rules.board.colours, [game.parse_move(move) for move in record.moves]
    moves = " ".join(
        f"({each['move']})" if each["refused"] else str(each["move"])
        for each in told_moves(game, record)
    )
    first, second = record.players
    return (
        f"{game.title}\n{sides[0]}: {first}\n{sides[1]}: {second}\n\n"
        f"{moves}\n\n{game.draw(history)}\n{result}\n"
    )


def game_json(game: Game, record: GameRecord, arm: str, result: str) -> str:
    """Return one game with a person: the name of the program's arm, the result in words."""
    history = [game.parse_move(move) for move in record.moves]
    position = (game.whole or game).position(history)
    data = {
        "game": game.text,
        "players": record.players,
        "arm": arm,
        "result": result,
        "ending": position.ending,
        "half_points": position.score,
        **({} if game.rules.par is None else {"points": position.points}),
        "moves": told_moves(game, record),
    }
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def told_moves(game: Game, record: GameRecord) -> list[dict[str, object]]:
    """Return every move: who played it, its name, whether it was refused."""
    history = [game.parse_move(move) for move in record.moves]
    told: list[dict[str, object]] = []
    for ply, move in enumerate(record.moves):
        mover = game.position(history[:ply]).mover
        who = "chance" if mover == CHANCE else game.rules.board.colours[mover]
        refused = game.position(history[: ply + 1]).refused
        told.append({"by": who, "move": move, "refused": refused})
    return told
