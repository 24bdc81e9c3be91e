"""`python -m canasta_tools.bench.deals N`: play N random deals, and keep none of them."""

import sys
from itertools import count, islice

from canasta.games import open_game
from canasta.random_play import play_match
from canasta_tools.bench.matches import RULES


def main() -> int:
    """Play so many deals, match after match, each from the next seed."""
    game = open_game(RULES)
    deals = (None for seed in count(1) for _ in play_match(game, seed))
    for _ in islice(deals, int(sys.argv[1])):
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
