"""Records of games: SGF, PGN."""
