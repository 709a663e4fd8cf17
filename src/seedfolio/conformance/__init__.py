"""The rules that every game keeps, and the checks that find a game that does not."""
