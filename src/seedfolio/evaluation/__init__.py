"""Evaluation of portfolios against opponents that learning never met."""
