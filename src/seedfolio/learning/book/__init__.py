"""Learning a book."""
