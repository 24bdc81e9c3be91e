"""What a deal brings, and when a match is over."""

from collections.abc import Callable

from .cards import values
from .melds import Meld, canastas, is_canasta
from .rules import Rules
from .table import Table

Scores = dict[str, int]


def side_scores(table: Table, side: int) -> Scores:
    """What a side earns and loses together, by entry; red threes of accounts that are not the side's stay out."""
    rules, melds = table.rules, table.melds[side]
    out = table.went_out is not None and table.side[table.went_out] == side

    def bonus(points: int, earns: Callable[[Meld], bool]) -> int:
        return sum(points for meld in melds if is_canasta(meld) and earns(meld))

    scores = {
        "natural_canastas": bonus(rules.natural_canasta_bonus, lambda meld: not meld.wilds),
        "mixed_canastas": bonus(rules.mixed_canasta_bonus, lambda meld: meld.wilds > 0),
        "going_out": rules.going_out_bonus if out else 0,
        "concealed": rules.concealed_bonus if out and table.concealed else 0,
        "melded_cards": sum(meld.value for meld in melds),
        "cards_left": -sum(values(table.hands[seat]) for seat in table.seats_of(side)),
        "penalties": -table.fined[side],
    }
    if rules.concealed_canasta:
        scores["concealed_canastas"] = bonus(rules.concealed_canasta_bonus, lambda meld: meld.concealed)
    return scores


def red_threes_count(table: Table, side: int) -> bool:
    """Whether red threes count for a side, and not against it."""
    if table.rules.red_threes_need == "canasta":
        return canastas(table.melds[side]) > 0
    return bool(table.melds[side])


def red_three_points(table: Table, account: int) -> int:
    """What the red threes of a side, or of one of three players, bring."""
    rules = table.rules
    count = len(table.red_threes[account])
    points = rules.red_three_set_bonus if count == rules.red_three_set else count * rules.red_three_bonus
    return points if red_threes_count(table, table.side[account]) else -points


def scores_of(table: Table, account: int) -> Scores:
    """All entries of an account: a side, or one of three players."""
    return {**side_scores(table, table.side[account]), "red_threes": red_three_points(table, account)}


def totals_after(table: Table) -> dict[int, int]:
    """The totals with the deal added."""
    return {account: total + sum(scores_of(table, account).values()) for account, total in table.totals.items()}


def match_over(rules: Rules, totals: dict[int, int]) -> bool:
    """Whether a deal was the last one."""
    first, *others = sorted(totals.values(), reverse=True)
    if first < rules.match_target:
        return False
    return rules.tie == "drawn" or first != others[0]


def winners(totals: dict[int, int]) -> list[int]:
    """The account with the highest total, if it is alone in that."""
    best = max(totals.values())
    first = [account for account, total in totals.items() if total == best]
    return first if len(first) == 1 else []
