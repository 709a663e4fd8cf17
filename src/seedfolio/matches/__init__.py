"""Games between any programs: matches, worth, replay."""
