"""Blind trials: which of two programs is stronger."""
