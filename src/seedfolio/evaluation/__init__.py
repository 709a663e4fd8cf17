"""Judging portfolios against opponents that learning never met."""
