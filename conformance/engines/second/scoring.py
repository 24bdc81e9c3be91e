"""What a deal brings, and when a match is over."""

from .cards import BLACK_THREES, RANK_OF, RED_THREES, values
from .melds import RUN, SET, WILDS, canastas, escaleras, is_canasta
from .rules import Rules
from .table import Table

RED_THREES_KEPT = 750
"""What it costs a side to have kept red threes in hand, however many."""

Scores = dict[str, int]


def side_scores(table: Table, side: int) -> Scores:
    """What a side earns and loses together, by entry; red threes of accounts that are not the side's stay out."""
    rules, melds = table.rules, [meld for meld in table.melds[side] if is_canasta(meld)]
    out = table.went_out is not None and table.side[table.went_out] == side
    sevens = [meld for meld in melds if meld.kind == SET and meld.rank == "7" and any(rules.sevens)]
    sets = [meld for meld in melds if meld.kind == SET and meld not in sevens]
    natural = sum(not meld.wilds for meld in sets)
    scores = {
        "natural_canastas": rules.natural_canasta_bonus * natural,
        "mixed_canastas": rules.mixed_canasta_bonus * (len(sets) - natural),
        "going_out": rules.going_out_bonus if out else 0,
        "concealed": rules.concealed_bonus if out and table.concealed else 0,
        "melded_cards": sum(meld.value for meld in table.melds[side]),
        "penalties": -table.fined[side],
        **_left_in_hand(table, side),
    }
    if rules.concealed_canasta:
        scores["concealed_canastas"] = rules.concealed_canasta_bonus * sum(meld.concealed for meld in melds)
    if rules.runs:
        scores["sambas"] = rules.samba_bonus * sum(meld.kind == RUN for meld in melds)
    if rules.wild_melds:
        scores["bolivias"] = rules.bolivia_bonus * sum(meld.kind == WILDS for meld in melds)
    if any(rules.sevens):
        scores["sevens"] = sum(rules.sevens[meld.wilds > 0] for meld in sevens)
    return scores


def _left_in_hand(table: Table, side: int) -> Scores:
    """What the cards that are left cost; some games count black threes and sevens apart."""
    rules = table.rules
    left = [card for seat in table.seats_of(side) for card in table.hands[seat]]
    scores: Scores = {}
    if rules.wild_melds:
        black = sum(card in BLACK_THREES for card in left)
        dear = rules.black_threes_cost_always or table.went_out is not None
        scores["black_threes_in_hand"] = -black * rules.black_three_in_hand if dear else 0
        left = [card for card in left if not (dear and card in BLACK_THREES)]
    if rules.seven_in_hand:
        scores["sevens_in_hand"] = -rules.seven_in_hand * sum(RANK_OF[card] == "7" for card in left)
        left = [card for card in left if RANK_OF[card] != "7"]
    if rules.red_threes_laid == "at_will" and any(card in RED_THREES for card in left):
        scores["red_threes_in_hand"] = -RED_THREES_KEPT
    scores["cards_left"] = -values(left)
    return scores


def red_threes_count(table: Table, side: int) -> bool:
    """Whether red threes count for a side, and not against it."""
    melds = table.melds[side]
    enough = canastas(melds) >= table.rules.canastas_to_go_out
    match table.rules.red_threes_need:
        case "canasta":
            return canastas(melds) > 0
        case "two_canastas":
            return enough
        case "going_out":
            return enough and escaleras(melds) > 0
        case "key":
            keys = (
                meld.kind in {RUN, WILDS} or (meld.rank == "7" and not meld.wilds) for meld in melds if is_canasta(meld)
            )
            return any(keys)
        case _:
            return bool(melds)


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


def match_over(rules: Rules, totals: dict[int, int], deals: int = 0) -> bool:
    """Whether a deal was the last one: by the totals, or by how many deals have been played."""
    first, *others = sorted(totals.values(), reverse=True)
    if deals < rules.deals if rules.deals else first < rules.match_target:
        return False
    return rules.tie == "drawn" or first != others[0]


def winners(totals: dict[int, int]) -> list[int]:
    """The accounts with the highest total: several in a drawn match."""
    best = max(totals.values())
    return [account for account, total in totals.items() if total == best]
