"""Games on hexagons: Hex and Havannah."""
