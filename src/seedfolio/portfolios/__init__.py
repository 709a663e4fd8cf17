"""The results of learning, ready to play: distributions over arms, books, and their files."""
