"""Programs as engines for other software: GTP and UCI."""
