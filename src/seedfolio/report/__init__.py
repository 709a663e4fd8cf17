"""Tables, plots and progress for people."""
