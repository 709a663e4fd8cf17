"""An arena on a Ray cluster."""
