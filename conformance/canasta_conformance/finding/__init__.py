"""Finding positions that show what no example shows: each condition mattering alone, both sides of every bound, a legal twin."""
