"""The rules of Canasta and its family as data, and a reference interpreter that executes them."""

__version__ = "0.1.0"
