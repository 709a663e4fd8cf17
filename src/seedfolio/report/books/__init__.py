"""Books for people and for other programs."""
