"""Bits, counter-based randomness, fixed-point tables, and the compiler behind all play."""
