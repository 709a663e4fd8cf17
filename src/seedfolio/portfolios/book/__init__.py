"""Books: their values, and their part of a portfolio file."""
