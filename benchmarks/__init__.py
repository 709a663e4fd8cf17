"""Speed against peers, each benchmark in one run: `python -m benchmarks`."""
