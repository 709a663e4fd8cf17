"""Checks that a game keeps the rules that Seedfolio needs."""
