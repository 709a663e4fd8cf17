"""Games between any programs: matches, worth, tuning, replay."""
