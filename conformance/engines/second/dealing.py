"""From the stock to the first turn: hands, upcard, red threes; and what the end of a turn does for the next player."""

from .cards import BLACK_THREES, RED_THREES, UNKNOWN, WILD, Card
from .rules import Rules
from .table import OVER, START, Memory, Table, empty_table


def deal(rules: Rules, dealer: int, stock: list[Card], totals: dict[int, int] | None = None) -> Table:
    """A dealt table with the first player in turn; the last card of the list is dealt first."""
    table = empty_table(rules, dealer, totals)
    table.stock = list(stock)
    count = len(rules.seats)
    for _ in range(rules.hand_size):
        for step in range(1, count + 1):
            table.hands[(dealer + step) % count].append(table.stock.pop())
    turn_the_upcard(table)
    if rules.dealt_red_threes == "before_first_turn" and rules.red_threes_laid == "at_once":
        for step in range(1, count + 1):
            lay_red_threes(table, (dealer + step) % count)
    begin_turn(table, (dealer + 1) % count)
    return table


def turn_the_upcard(table: Table) -> None:
    """Turns cards from the stock until one may stay on top of the pile."""
    covered = WILD | RED_THREES
    if table.rules.upcard_black_three == "cover":
        covered |= BLACK_THREES
    table.pile.append(table.stock.pop())
    while table.pile[-1] in covered and table.stock:
        table.pile.append(table.stock.pop())
    table.turned = len(table.pile)


def lay_red_threes(table: Table, seat: int) -> None:
    """Lays a player's red threes out and replaces each from the stock, as long as there is one."""
    hand = table.hands[seat]
    while found := [card for card in hand if card in RED_THREES]:
        for card in found:
            hand.remove(card)
            table.red_threes[table.account[seat]].append(card)
            if table.stock:
                hand.append(table.stock.pop())


def begin_turn(table: Table, seat: int) -> None:
    """Makes it a player's turn."""
    table.turn = seat
    table.phase = START
    table.memory = Memory()
    begin_stretch(table)
    for melds in table.melds.values():
        for meld in melds:
            meld.new = False
    table.stock_was_gone = not table.stock
    if table.rules.dealt_red_threes == "on_first_turn" and table.rules.red_threes_laid == "at_once":
        lay_red_threes(table, seat)


def begin_stretch(table: Table) -> None:
    """From here on what lies on the table lies there: the turn begins, or the pile has been picked up."""
    for melds in table.melds.values():
        for meld in melds:
            meld.settled = len(meld.cards)
            meld.settled_wilds = meld.wilds


def end_deal(table: Table, reason: str) -> None:
    """Ends the deal; what has been fined and melded stays for the score."""
    table.phase = OVER
    table.reason = reason


def become_partners(table: Table, lone: int) -> None:
    """Three players: whoever does not play alone shares melds from now on."""
    first, *rest = [seat for seat in range(len(table.side)) if seat != lone]
    table.formed = True
    for seat in rest:
        old = table.side[seat]
        table.side[seat] = first
        table.melds[first] += table.melds.pop(old)
        table.opened[first] = table.opened.pop(old) or table.opened[first]
        table.fined[first] += table.fined.pop(old)


def draw_cards(table: Table, named: list[Card]) -> int:
    """Draws for the player in turn and returns how many cards stayed in the hand; red threes are laid out and replaced.

    `named` are the cards as somebody reports them, for a stock whose cards are not known here.
    """
    reported = list(named)
    kept = 0
    while kept < table.rules.draw_count and table.stock:
        card = table.stock.pop()
        if reported:
            told = reported.pop(0)
            card = told if card == UNKNOWN else card
        if card in RED_THREES and table.rules.red_threes_laid == "at_once":
            table.red_threes[table.account[table.turn]].append(card)
        else:
            table.hand.append(card)
            kept += 1
    return kept


def draw_prize(table: Table) -> None:
    """Draws the cards that a first canasta wins, or what is left of the stock; red threes are laid out and replaced."""
    for _ in range(min(table.rules.prize, len(table.stock))):
        table.hand.append(table.stock.pop())
    lay_red_threes(table, table.turn)
