"""Tables, plots, game records and progress for people."""
