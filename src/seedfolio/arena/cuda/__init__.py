"""An arena on a CUDA device."""
