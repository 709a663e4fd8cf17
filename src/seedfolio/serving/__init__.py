"""Programs as engines for others: GTP, UCI and games in the terminal."""
