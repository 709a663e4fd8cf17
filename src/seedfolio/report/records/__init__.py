"""Finished games in files: SGF, PGN, text."""
