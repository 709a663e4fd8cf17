"""The file of an external engine."""
