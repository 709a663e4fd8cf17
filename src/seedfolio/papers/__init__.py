"""Reproductions of the papers' experiments: a file for each, with the paper's numbers as data."""
