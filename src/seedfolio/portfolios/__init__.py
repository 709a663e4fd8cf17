"""What plays in the end: distributions over arms, books, and their files."""
