"""The harness at level 1, as far as a position can be set up."""

from harness import Harness, Unsupported, serve
from table import Table


class Level1(Harness):
    """Fills a table, and shows it."""

    operations = ("load", "observe")

    def __init__(self, table=None):
        """Take a table."""
        self.table = table or Table()

    def hello(self, **fields):
        """Say what can be asked besides level 0."""
        told = super().hello(**fields)
        return {**told, "levels": [0, 1], "operations": [*told["operations"], *self.operations]}

    def load(self, position, **_):
        """Set the position up, whatever went before, and show it."""
        self.table.load(position)
        return {"observation": self.table.show()}

    def observe(self, seat=None, **_):
        """Show how things lie."""
        if seat:
            raise Unsupported("what one player sees")
        return {"observation": self.table.show()}


if __name__ == "__main__":
    serve(Level1())
