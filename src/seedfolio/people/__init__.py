"""Games of people: in a terminal, taught, and blind."""
