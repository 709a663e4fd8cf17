"""The book: a move for every information state where one was learnt, a fresh seed elsewhere."""
