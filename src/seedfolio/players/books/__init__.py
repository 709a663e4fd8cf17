"""Books in their compiled form."""
