"""The papers' experiments, made again: each table a file, with the paper's numbers as data."""
