"""Seedfolio: make any randomized game program stronger by learning which seeds to play."""
