"""Learners: from games to what should play. One file a learner; `registry` finds them by name."""
