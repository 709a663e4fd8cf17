"""Matrices of results from elsewhere: arrays, frames, tables in files, tournaments."""
