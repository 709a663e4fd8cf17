"""The book: a seed for every information state where one was learnt, a fresh one elsewhere."""
