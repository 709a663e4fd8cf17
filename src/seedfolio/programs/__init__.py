"""What is boosted: a built-in player or an external engine, asked the same questions."""
