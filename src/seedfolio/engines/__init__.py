"""External engines as players: GTP and UCI engines, and OpenSpiel's bots."""
