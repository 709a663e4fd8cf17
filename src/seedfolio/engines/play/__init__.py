"""Games between external engines."""
