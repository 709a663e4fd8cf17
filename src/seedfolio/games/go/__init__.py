"""Go and its family: Atari-Go, Phantom Go, Batoo."""
