"""Learners: from games to a portfolio or a book. One file each; `registry` finds them by name."""
