"""The boosted program: portfolio files, and players made from them."""
