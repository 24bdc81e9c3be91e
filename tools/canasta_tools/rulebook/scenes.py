"""What an example shows: how the cards lie, what is done, what has come of it; all taken from the states that were executed.

Nothing here knows a game: places, acts and facts are those of the rule set, told by their names.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from canasta.diagnostics import CanastaError
from canasta.games import open_game
from canasta.kernel.cards import listed
from canasta.kernel.game import Game
from canasta.kernel.state import Group, Stack, State
from canasta.language.ruleset import Example, Form, Seen, Zone
from canasta.language.types import BOOL
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.position_text import Field, Position, parse_position
from canasta.notation.turns import parse_turn
from canasta.playing.asking import ask
from canasta.playing.binding import play_turn
from canasta.playing.cards import card_names
from canasta.playing.examples import with_options
from canasta.playing.outcomes import committed
from canasta.playing.played import Played
from canasta.playing.positions import to_state
from canasta.playing.seats import Seats, seats_of
from canasta_tools.positions import cards_of
from canasta_tools.rulebook.cards import Face, faces
from canasta_tools.rulebook.dealing import Dealer
from canasta_tools.rulebook.seating import Row, Seating, seated
from canasta_tools.rulebook.telling import Teller


@dataclass(frozen=True, slots=True)
class Scene:
    """One moment: who is to act and in which phase, the places that matter, and facts that no card shows."""

    actor: str
    phase: str
    rows: tuple[Row, ...]
    facts: tuple[str, ...]
    seating: Seating


@dataclass(frozen=True, slots=True)
class Deed:
    """One act: what it is called, and the cards that it moves."""

    name: str
    cards: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """An example as a picture tells it: before, the acts, after (if that is asked for)."""

    before: Scene
    deeds: tuple[Deed, ...]
    after: Scene | None


def story(name: str, example: Example, told: Teller) -> Story | None:
    """Carry an example out and say what there is to see; nothing for one without a position.

    Raises:
        CanastaError: when the example cannot be carried out.
    """
    if not example.given:
        return None
    game = open_game(with_options(name, dict(example.options)))
    given = _position(example.given, example)
    dealer = Dealer(game.ruleset.pack)
    dealer.know(cards_of(given))
    view = _View(game, told, dealer)
    state = to_state(game, given)
    before = view.scene(state, given)
    dealer.begin()
    played = _played(game, state, example)
    deeds = tuple(view.deeds(played)) if played is not None else ()
    wanted = example.expect.get("after") if isinstance(example.expect, dict) else None
    if wanted is None:
        return Story(before, deeds, None)
    dealer.begin()
    reached = committed(game, played)[0] if played is not None else game.turn.unstick(state)
    return Story(before, deeds, view.scene(reached, _position(str(wanted), example)))


def _position(text: str, example: Example) -> Position:
    span = example.span
    position, findings = parse_position(text, span.file, span.line, span.column)
    if position is None:
        raise CanastaError(findings)
    return position


def _played(game: Game, state: State, example: Example) -> Played | None:
    if not example.do:
        return None
    actions, findings = parse_turn(example.do, example.span.file, example.span.line, example.span.column)
    if not actions:
        raise CanastaError(findings)
    return play_turn(game, state, actions)


class _View:
    """Looks at the states of one game, place by place."""

    def __init__(self, game: Game, told: Teller, dealer: Dealer) -> None:
        self.game, self.told, self.dealer = game, told, dealer
        self.rules = game.ruleset
        self.names = card_names(game.ruleset, game.deck)
        self.seats: Seats = seats_of(game.ruleset.table)

    def scene(self, state: State, asked: Position) -> Scene:
        """Look at the places that a position names."""
        named = [f for f in asked.fields if f.place in self.rules.zones]
        rows = tuple(self._row(state, self.rules.zones[f.place], f) for f in named)
        facts = tuple(self._fact(f) for f in asked.fields if f.place not in self.rules.zones)
        phase = self.told.name(asked.phase) if asked.phase else ""
        return Scene(asked.seat, phase, rows, facts, seated(state, self.seats, asked.seat, rows))

    def deeds(self, played: Played) -> Iterator[Deed]:
        """Go through the acts of a turn that a player chose, each with its cards."""
        for step in played.steps:
            act = self.rules.acts[step.move.act]
            if act.auto:
                continue
            faces: list[Face] = []
            if act.top:
                lying = step.before.zone(self.rules.zones[act.top].index).cards
                faces += [self.dealer.face(self.names.card(kind), act.top) for kind in lying[-1:]]
            hand = self._hand(step.move.seat)
            faces += [self.dealer.face(self.names.card(kind), hand) for kind in step.move.cards]
            if not faces:
                faces = [self.dealer.face(c) for c in self._gained(step.before, step.after, step.move.seat)]
            yield Deed(self.told.name(act.name), tuple(faces))

    def _hand(self, seat: int) -> str:
        """Name the place of a seat's hand as a position does."""
        return f"{self.rules.table.hand}.{self.seats.names[seat]}"

    def _gained(self, before: State, after: State, seat: int) -> Iterator[Card]:
        hand = self.game.machine.hand
        held, holds = before.zone(hand)[seat], after.zone(hand)[seat]
        for kind, (was, now) in enumerate(zip(held, holds, strict=True)):
            yield from (self.names.card(kind) for _ in range(now - was))

    def _row(self, state: State, zone: Zone, asked: Field) -> Row:
        owner = self.seats.owner(zone.of, asked.owner) or 0
        content = state.zone(zone.index)
        if asked.owner:
            content = content[owner]
        label = f"{self.told.name(zone.name)} {asked.owner}".strip()
        name = "" if zone.name == self.rules.table.hand else self.told.name(zone.name)
        place = f"{zone.name}.{asked.owner}".rstrip(".")
        if zone.form is Form.GROUPS:
            ordered = sorted(content, key=lambda g: (-g.rank, g.suit, g.gid))
            groups = tuple(self._group(group, place) for group in ordered)
            self.dealer.lie(place, (f for g in groups for f in g))
            marks = (self.told.name(self.rules.marks[m]) for g in ordered for m in g.marks)
            marked = tuple(dict.fromkeys(marks))
            return Row(label, groups, notes=marked, of=zone.of, owner=owner, name=name)
        cards = self._cards(content)
        known = tuple(self.dealer.face(card, place) for card in cards if not card.hidden)
        self.dealer.lie(place, known[-1:] if zone.seen is Seen.TOP else known)
        hidden = sum(card.hidden for card in cards)
        stacked = isinstance(content, Stack)
        notes: tuple[str, ...] = ()
        if zone.seen is Seen.TOP and len(known) > 1:
            notes = (self.told.say_in("picture", "top card last"),)
        elif zone.seen is Seen.NONE and stacked and known:
            notes = (self.told.say_in("picture", "the last one is drawn next"),)
        holding = self._holding(state, zone)
        return Row(
            label, (known,) if known else (), hidden, stacked, notes, tuple(self.told.name(d) for d in holding),
            of=zone.of, owner=owner, name=name, across=self._across(state, zone) if holding and not hidden else (),
        )  # fmt: skip

    def _holding(self, state: State, zone: Zone) -> tuple[str, ...]:
        """Name the definition that is told beside a place, if it holds there."""
        found = self.rules.definitions.get(faces().told.get(zone.name, ""))
        if found is None or found.of or found.parameters or found.body.type != BOOL:
            return ()
        holds = ask(self.rules, found.name).answer(self.game, state, self.seats) == "yes"
        return (found.name,) if holds else ()

    def _across(self, state: State, zone: Zone) -> tuple[int, ...]:
        """Number the cards that lie crosswise: each of them alone would make hold what is told beside the place, and no card would not."""
        content = state.zone(zone.index)
        if not isinstance(content, Stack) or self._holding(_with_only(state, zone, ()), zone):
            return ()
        found = {kind for kind in set(content.cards) if self._holding(_with_only(state, zone, (kind,)), zone)}
        return tuple(at for at, kind in enumerate(content.cards) if kind in found)

    def _cards(self, content: Any) -> list[Card]:  # noqa: ANN401 - what a zone holds
        if isinstance(content, Stack):
            return [self.names.card(kind) for kind in content.cards]
        known = sorted(listed(content[:-1]), key=lambda k: (-self.game.deck.rank[k], k))
        return [*(self.names.card(kind) for kind in known), *[UNKNOWN] * content[-1]]

    def _group(self, group: Group, place: str) -> tuple[Face, ...]:
        """Lay a group out: its body first, what stands in for it last."""
        forms = self.game.machine.shapes.forms
        body: Sequence[bool] = forms[group.shape].body if group.shape >= 0 else (True,) * len(group.cards)
        cards = listed(group.cards)
        laid = [*(c for c in cards if body[c]), *(c for c in cards if not body[c])]
        return tuple(self.dealer.face(self.names.card(kind), place) for kind in laid)

    def _fact(self, field: Field) -> str:
        values = " ".join(self.told.name(text) for text in field.texts)
        return " ".join(x for x in (field.owner, self.told.name(field.place), values) if x)


def _with_only(state: State, zone: Zone, cards: tuple[int, ...]) -> State:
    """Give the same moment with these cards alone in a place."""
    other = state.copy()
    stack: Stack = other.zone(zone.index)
    stack.empty()
    stack.fill(list(cards))
    return other
