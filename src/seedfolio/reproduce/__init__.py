"""The papers' tables, made again."""
