"""Experiments of our own, each runnable: what pays, and how much."""
