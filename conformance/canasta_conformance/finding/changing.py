"""Small changes of a sketch: a card more, less or other, on the table or in the turn or in both; a value; an act."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from canasta.kernel.game import Game
from canasta.language.ruleset import Form, Owner
from canasta.language.types import BAG, BOOL, INT, SEAT
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.record import Action, Target, Written
from canasta.playing.cards import card_names
from canasta.playing.seats import seats_of
from canasta.shuffle import SplitMix64
from canasta_conformance.finding.plausible import changeable, unit
from canasta_conformance.finding.reaching import SETUP
from canasta_conformance.finding.roles import Roles, roles
from canasta_conformance.finding.sketch import Place, Sketch

CARDED: Final = (Written.LAY, Written.TAKE)
STEPS: Final = (-1, 1, -5, 5, -10, 10)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What may stand in a sketch of a rule set: cards, zones with their owners, values and the words they take, numbers."""

    cards: tuple[Card, ...]
    zones: tuple[tuple[Place, Form], ...]
    values: tuple[tuple[Place, tuple[str, ...]], ...]
    numbers: tuple[int, ...]
    kinds: tuple[Written, ...]
    ending: frozenset[Place]
    """The values that a deal comes by only at its end."""
    parts: Roles


def vocabulary(game: Game) -> Vocabulary:
    """Collect the words of a rule set."""
    rules, seats, deck = game.ruleset, seats_of(game.ruleset.table), game.deck
    named = card_names(rules, deck)
    cards = tuple(named.card(kind) for kind in range(deck.size))

    def places(name: str, of: Owner) -> list[Place]:
        return [(name, owner) for owner in seats.owners(of)] or [(name, "")]

    zones = tuple((place, z.form) for z in rules.zones.values() for place in places(z.name, z.of))
    values: list[tuple[Place, tuple[str, ...]]] = []
    points = unit(game)
    for variable in rules.state.values():
        if variable.type == BAG or not changeable(game, (variable.name, ""), played=False):
            continue
        words = variable.type.words or {BOOL: ("yes", "no"), SEAT: seats.names}.get(variable.type, ())
        if words or variable.type == INT:
            values += [(place, tuple(words)) for place in places(variable.name, variable.of)]
    starts = [start for table in rules.steps.values() for start, _ in table.rows]
    numbers = sorted(
        {n + d for n in (*starts, *rules.parameters.values()) for d in (0, -1, 1, -5, 5) if (n + d) % points == 0}
    )
    kinds = tuple(dict.fromkeys(Written(a.written) for a in rules.acts.values() if a.written))
    ending = frozenset(place for place, _ in values if not changeable(game, place, played=True))
    return Vocabulary(cards, zones, tuple(values), tuple(numbers), kinds, ending, roles(game))


Change = Callable[[Sketch, Vocabulary, SplitMix64], bool]
"""Changes a sketch in place; says whether it found anything to change."""


def changed(sketch: Sketch, words: Vocabulary, generator: SplitMix64, steps: int) -> Sketch | None:
    """Give a sketch with so many small changes; nothing where one found nothing to change."""
    found = sketch.copy()
    for _ in range(steps):
        changes = OF_TURNS if found.acts else OF_SETUPS if found.phase == SETUP else OF_POSITIONS
        if not changes[generator.below(len(changes))](found, words, generator):
            return None
    return found


def _one(generator: SplitMix64, among: Sequence[Card]) -> Card:
    return among[generator.below(len(among))]


def _card(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> Card:
    """Mostly a card of the sketch, else any."""
    lying = [card for _, row in sketch.rows() for card in row if not card.hidden]
    return _one(generator, lying) if lying and generator.below(2) else _one(generator, words.cards)


def _row(sketch: Sketch, generator: SplitMix64) -> list[Card] | None:
    rows = [row for _, row in sketch.rows()]
    return rows[generator.below(len(rows))] if rows else None


def _own_hand(sketch: Sketch, words: Vocabulary) -> list[Card]:
    return sketch.cards.setdefault((words.parts.hand, sketch.seat), [[]])[0]


def _pile(sketch: Sketch, words: Vocabulary) -> list[list[Card]]:
    return next((sketch.cards[place] for place in sorted(words.parts.piles) if place in sketch.cards), [[]])


# ---- the position ----------------------------------------------------------------------------------------------------


def card_more(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A card more lies somewhere."""
    row = _row(sketch, generator)
    if row is None:
        return False
    row.insert(generator.below(len(row) + 1), _card(sketch, words, generator))
    return True


def card_less(sketch: Sketch, _: Vocabulary, generator: SplitMix64) -> bool:
    """A card less lies somewhere."""
    row = _row(sketch, generator)
    if not row:
        return False
    row.pop(generator.below(len(row)))
    return True


def card_other(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A card is another."""
    row = _row(sketch, generator)
    if not row:
        return False
    row[generator.below(len(row))] = _card(sketch, words, generator)
    return True


def cards_moved(sketch: Sketch, _: Vocabulary, generator: SplitMix64) -> bool:
    """A card lies in another row."""
    row, other = _row(sketch, generator), _row(sketch, generator)
    if not row or other is None or other is row:
        return False
    other.append(row.pop(generator.below(len(row))))
    return True


def stock_cut(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """The stock is empty, or has one or two cards."""
    cards = [_one(generator, words.cards) for _ in range(generator.below(3))]
    sketch.cards[words.parts.stock] = [cards]
    return True


def zone_more(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """Cards lie in a zone that was empty, or one more meld."""
    place, form = words.zones[generator.below(len(words.zones))]
    cards = [_card(sketch, words, generator)]
    if form is Form.GROUPS:
        cards *= 3 + generator.below(5)
        if generator.below(3) == 0:
            cards[-1] = _one(generator, words.cards)
        sketch.cards.setdefault(place, []).append(cards)
        return True
    rows = sketch.cards.setdefault(place, [[]])
    rows[0] += cards
    return True


def zone_less(sketch: Sketch, _: Vocabulary, generator: SplitMix64) -> bool:
    """A zone is empty, or has a meld less."""
    places = list(sketch.cards)
    if not places:
        return False
    place = places[generator.below(len(places))]
    rows = sketch.cards[place]
    if len(rows) > 1:
        rows.pop(generator.below(len(rows)))
    else:
        del sketch.cards[place]
    return True


def value_other(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A value is another."""
    place, known = words.values[generator.below(len(words.values))]
    if sketch.acts and place in words.ending:
        return False
    old = sketch.values.get(place, [])
    if known:
        word = known[generator.below(len(known))]
        if [word] == old:
            return False
        sketch.values[place] = [word]
    elif old and old[0].lstrip("-").isdecimal() and generator.below(2):
        sketch.values[place] = [str(int(old[0]) + STEPS[generator.below(len(STEPS))])]
    else:
        sketch.values[place] = [str(words.numbers[generator.below(len(words.numbers))])]
    return True


def value_near(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A value that is named is a little more or less, or another word, or is left out."""
    places = [place for place, _ in words.values if place in sketch.values]
    if not places:
        return value_other(sketch, words, generator)
    place = places[generator.below(len(places))]
    old = sketch.values[place]
    if old and old[0].lstrip("-").isdecimal():
        sketch.values[place] = [str(int(old[0]) + STEPS[generator.below(len(STEPS))])]
    else:
        del sketch.values[place]
    return True


def stacked_other(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A card of a stacked pack is another, or two change places."""
    row = sketch.cards.get(words.parts.stock, [[]])[0]
    known = [at for at, card in enumerate(row) if not card.hidden]
    if not known:
        return False
    # What is turned up lies just below the cards that are dealt; the rest of the known cards are the hands.
    beside, dealt = known[:6], known[max(0, len(known) - 60) :]
    one, other = (among[generator.below(len(among))] for among in (beside, dealt))
    if generator.below(2):
        row[one], row[other] = row[other], row[one]
    else:
        row[one] = _one(generator, words.cards)
    return True


# ---- the turn --------------------------------------------------------------------------------------------------------


def act_less(sketch: Sketch, _: Vocabulary, generator: SplitMix64) -> bool:
    """An act is not done."""
    if len(sketch.acts) < 2:  # noqa: PLR2004 - a turn has an act
        return False
    sketch.acts.pop(generator.below(len(sketch.acts)))
    return True


def act_more(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """An act more is done; its cards may be put into the hand for it."""
    kind = words.kinds[generator.below(len(words.kinds))]
    card = _card(sketch, words, generator)
    action = Action(kind)
    if kind is Written.LAY:
        cards = [card] * (1 + generator.below(4))
        action = Action(kind, tuple(cards), _aim(sketch, words, generator))
        if generator.below(2):
            _own_hand(sketch, words).extend(cards)
    elif kind is Written.TAKE:
        pile = _pile(sketch, words)[0]
        if not pile:
            return False
        action = Action(kind, (pile[-1], *[card] * generator.below(3)), _aim(sketch, words, generator))
    elif kind is Written.DRAW:
        action = Action(kind, (UNKNOWN,))
    elif kind in (Written.DISCARD, Written.SHOW, Written.KNOCK):
        action = Action(kind, (card,))
    elif kind is Written.ANSWER:
        action = Action(kind, word=("yes", "no")[generator.below(2)])
    elif kind is Written.UNITE:
        targets = _targets(sketch, words)
        if len(targets) < 2:  # noqa: PLR2004 - two are united
            return False
        action = Action(kind, target=_pick(generator, targets), other=_pick(generator, targets))
    sketch.acts.insert(generator.below(len(sketch.acts) + 1), action)
    return True


def _targets(sketch: Sketch, words: Vocabulary) -> list[Target]:
    return [Target(row[0]) for (name, _), row in sketch.rows() if name in words.parts.melds and row]


def _pick(generator: SplitMix64, targets: Sequence[Target]) -> Target:
    return targets[generator.below(len(targets))]


def _aim(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> Target | None:
    targets = _targets(sketch, words)
    return _pick(generator, targets) if targets and generator.below(2) else None


def _carded(sketch: Sketch, generator: SplitMix64) -> int | None:
    found = [at for at, act in enumerate(sketch.acts) if act.kind in CARDED]
    return found[generator.below(len(found))] if found else None


def card_laid_more(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A meld has a card more, which the hand has for it."""
    at = _carded(sketch, generator)
    if at is None:
        return False
    act = sketch.acts[at]
    same = [c for c in act.cards if not c.hidden]
    card = _one(generator, same) if same and generator.below(2) else _card(sketch, words, generator)
    sketch.acts[at] = replace(act, cards=(*act.cards, card))
    if generator.below(4):
        _own_hand(sketch, words).append(card)
    return True


def card_laid_less(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A meld has a card less, and mostly the hand as well."""
    at = _carded(sketch, generator)
    if at is None:
        return False
    act = sketch.acts[at]
    first = 1 if act.kind is Written.TAKE else 0
    if len(act.cards) <= first + 1:
        return False
    cards = list(act.cards)
    card = cards.pop(first + generator.below(len(cards) - first))
    sketch.acts[at] = replace(act, cards=tuple(cards))
    hand = _own_hand(sketch, words)
    if card in hand and generator.below(3):
        hand.remove(card)
    return True


def card_laid_other(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """A card of a meld, a discard or a take is another, in the hand as well."""
    found = [at for at, act in enumerate(sketch.acts) if act.cards]
    if not found:
        return False
    at = found[generator.below(len(found))]
    act, cards = sketch.acts[at], list(sketch.acts[at].cards)
    place = generator.below(len(cards))
    old, cards[place] = cards[place], _card(sketch, words, generator)
    sketch.acts[at] = replace(act, cards=tuple(cards))
    rows = [_own_hand(sketch, words)]
    if act.kind is Written.TAKE and place == 0:
        rows = _pile(sketch, words)
    elif act.kind is Written.DRAW:
        rows = sketch.cards.get(words.parts.stock, [[]])
    if generator.below(5):
        for row in rows:
            if old in row:
                row[len(row) - 1 - row[::-1].index(old)] = cards[place]
                break
    return True


def kind_swapped(sketch: Sketch, words: Vocabulary, generator: SplitMix64) -> bool:
    """Every card of one kind is of another, wherever it lies or is played."""
    old, new = _card(sketch, words, generator), _one(generator, words.cards)
    for _, row in sketch.rows():
        row[:] = [new if card == old else card for card in row]
    sketch.acts[:] = [
        replace(
            act,
            cards=tuple(new if card == old else card for card in act.cards),
            target=Target(new, act.target.nth) if act.target is not None and act.target.card == old else act.target,
        )
        for act in sketch.acts
    ]
    return True


OF_POSITIONS: Final[tuple[Change, ...]] = (
    card_more, card_less, card_other, cards_moved, zone_more, zone_more, zone_less, value_other, value_other, value_near, kind_swapped,
)  # fmt: skip
"""Where nothing is done but looking."""

OF_SETUPS: Final[tuple[Change, ...]] = (stacked_other,)
"""Where a deal is dealt."""

OF_TURNS: Final[tuple[Change, ...]] = (
    *OF_POSITIONS, stock_cut, act_less, act_more, act_more, card_laid_more, card_laid_more, card_laid_less,
    card_laid_less, card_laid_other, card_laid_other,
)  # fmt: skip
