"""Solvers of matrix games: exact, nearly exact, and against exploiters."""
