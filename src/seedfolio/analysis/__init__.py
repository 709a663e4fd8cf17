"""Studies of learners: cross-validation, online play, matrix games."""
