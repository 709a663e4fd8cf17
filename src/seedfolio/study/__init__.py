"""A study: one experiment on disk, in one SQLite file that resumes."""
