"""Hiding cards of a state and finding out what else they could be: for the proofs about bounds."""

from canasta.kernel.game import Game
from canasta.kernel.outlook import Choice, Lying, Outlook
from canasta.kernel.state import Context, Group, Stack, State
from canasta.language.intervals import Bag, Many, exactly
from canasta.shuffle import SplitMix64

Slot = tuple[int, int, int]
"""A place of a hidden card: zone, owner (-1 for the table's), place in a stack (-1 for a bag)."""


def places_of(game: Game, state: State) -> list[tuple[int, int, Stack | list[int]]]:
    """List the stacks and bags of a state, with zone and owner."""
    found: list[tuple[int, int, Stack | list[int]]] = []
    for zone in game.ruleset.zones.values():
        if zone.form.value != "groups":
            content = state.zone(zone.index)
            found += (
                [(zone.index, -1, content)]
                if zone.of.value == "table"
                else [(zone.index, i, c) for i, c in enumerate(content)]
            )
    return found


def hide(game: Game, state: State, pick: SplitMix64, keep: set[int], *, share: int) -> tuple[State, list[Slot]]:
    """Make about one in ``share`` cards of hands and stacks unknown, never one of the kinds in ``keep``."""
    partial = state.copy()
    partial.open = True
    unknown = game.deck.size
    slots: list[Slot] = []
    for index, owner, content in places_of(game, partial):
        if isinstance(content, Stack):
            for i, card in enumerate(content.cards):
                if pick.below(share) == 0 and card not in keep:
                    content.cards[i] = unknown
                    content.counts[card] -= 1
                    content.counts[unknown] += 1
                    slots.append((index, owner, i))
        else:
            for kind in range(unknown):
                for _ in range(content[kind]):
                    if pick.below(share) == 0 and kind not in keep:
                        content[kind] -= 1
                        content[unknown] += 1
                        slots.append((index, owner, -1))
    return partial, slots


def completed(game: Game, partial: State, slots: list[Slot], pick: SplitMix64) -> State:
    """Fill the hidden places with the missing cards of the pack, in one of the ways there are."""
    state = partial.copy()
    state.open = False
    unknown = game.deck.size
    missing = game.deck.full()
    for _, _, content in places_of(game, state):
        counts = content.counts if isinstance(content, Stack) else content
        missing = [m - c for m, c in zip(missing, counts, strict=True)]
    for zone in game.ruleset.zones.values():
        if zone.form.value == "groups":
            content = state.zone(zone.index)
            for groups in [content] if zone.of.value == "table" else content:
                for group in groups:
                    missing = [m - c for m, c in zip(missing, group.cards, strict=True)]
    cards = [k for k, n in enumerate(missing[:-1]) for _ in range(n)]
    assert len(cards) == len(slots)
    for slot in slots:
        fill(state, slot, cards.pop(pick.below(len(cards))), unknown)
    return state


def fill(state: State, slot: Slot, card: int, unknown: int) -> None:
    index, owner, at = slot
    content = state.zone(index) if owner < 0 else state.zone(index)[owner]
    if isinstance(content, Stack):
        content.cards[at] = card
        content.counts[unknown] -= 1
        content.counts[card] += 1
    else:
        content[unknown] -= 1
        content[card] += 1


def choice_of(outlook: Outlook, context: Context) -> Choice:
    """Say in bounds, and exactly, what a context says."""
    choice = Choice()
    choice.card, choice.option, choice.left = context.card, context.option, (context.left, context.left)
    choice.top_card = context.top_card
    if context.from_hand:
        choice.from_hand = exactly(context.from_hand)
    if context.group is not None:
        choice.group = outlook.lying(context.group)
    choice.bound = {name: bounded(outlook, value) for name, value in context.bound.items()}
    return choice


class Number(int):
    """A number for a parameter that counts; other parameters are told by a plain number which thing is meant."""


def bounded(outlook: Outlook, value: object) -> object:
    if isinstance(value, Group):
        return outlook.lying(value)
    if isinstance(value, Number):
        return (value, value)
    return exactly(value) if isinstance(value, list) else value


def holds(found: object, value: object) -> bool:
    """Ask whether bounds hold a value."""
    if isinstance(found, Bag):
        counts = value.counts if isinstance(value, Stack) else value
        assert isinstance(counts, list)
        inside = all(a <= c <= b for a, c, b in zip(found.low[:-1], counts[:-1], found.high[:-1], strict=True))
        return inside and found.size_low <= sum(counts) <= found.size_high
    if isinstance(found, Many):
        assert isinstance(value, (list, range))
        return len(found.known) <= len(value) <= len(found.known) + found.extra
    if isinstance(found, tuple):
        return bool(found[0] <= value <= found[1])
    if isinstance(found, Lying):
        return isinstance(value, Group) and found.gid == value.gid
    return found is None or found == value


def closed(found: object) -> bool:
    """Ask whether bounds leave one value only."""
    if isinstance(found, Bag):
        return list(found.low) == list(found.high) and found.size_low == found.size_high
    if isinstance(found, Many):
        return found.extra == 0
    return found[0] == found[1] if isinstance(found, tuple) else found is not None
