"""Writing down what was played: from the moves of a match to a full record."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from canasta.diagnostics import Findings
from canasta.kernel.acts import NEW_GROUP, Move
from canasta.kernel.effects import every_groups, round_from
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Context, Group, Stack, State
from canasta.language.ruleset import Act, Form, Owner
from canasta.language.types import StatementOp
from canasta.notation.cards import Card
from canasta.notation.record import (
    COMPASS,
    Action,
    Claim,
    Deal,
    Ending,
    Hand,
    Item,
    Line,
    Record,
    Result,
    Score,
    Stock,
    Tag,
    Target,
    Turn,
    Upcards,
    Written,
)  # fmt: skip
from canasta.playing.cards import CardNames
from canasta.playing.claims import PLAYING, SIDES, members_of
from canasta.playing.seats import Seats, seats_of
from canasta.playing.signs import signs_of
from canasta.playing.targets import Targets
from canasta.playing.words import WORDS


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal as it was played: the pack in the order dealt, the first state, the moves, each with the state after it."""

    number: int
    pack: Sequence[int]
    first: State
    moves: Sequence[Move]


def record_match(game: Game, deals: Iterable[PlayedDeal], tags: Sequence[Tag] = ()) -> Record:
    """Write a match down as a full record, with the ledger of each deal and the result; the game must be one of faces."""
    recorder = Recorder(game)
    lines: list[Deal] = []
    last: State | None = None
    for deal in deals:
        written, last = recorder.deal(deal)
        lines.append(written)
    own = tuple(tags)
    if not set(recorder.seats.names) <= set(COMPASS) and not any(tag.name == "Seats" for tag in own):
        own = (*own, Tag("Seats", " ".join(recorder.seats.names)))
    return Record(own, tuple(lines), recorder.result(last))


@dataclass(slots=True)
class Recorder:
    """Writes deals of one game down."""

    game: Game
    seats: Seats = field(init=False)
    names: CardNames = field(init=False)
    targets: Targets = field(init=False)
    several: bool = field(init=False)
    """Whether more than one group may take a card, so that what is laid must be written in the order in which it was."""

    def __post_init__(self) -> None:
        """Prepare the names of seats, cards and groups."""
        self.seats = seats_of(self.game.ruleset.table)
        self.names = CardNames(self.game.ruleset, self.game.deck)
        self.targets = Targets(self.game, self.names)
        shapes = self.game.ruleset.shapes.values()
        self.several = bool(self.game.machine.united_zones) or any(s.same != "rank" for s in shapes)

    def deal(self, played: PlayedDeal) -> tuple[Deal, State]:
        """Write one deal down, and give its last state."""
        lines: list[Line] = list(self._setup(played))
        state = played.first
        turn: list[Action] = []
        who, number, begun = state.seat, state.turn_no, state
        told = list(self._sitting_out(state))
        laying: dict[int, int] = {}
        for move in played.moves:
            if state.turn_no != number:
                lines.append(self._turn(who, turn, [*told, *self._joined(begun, state)]))
                turn, who, number, begun, told, laying = [], state.seat, state.turn_no, state, [], {}
            after = self.game.turn.perform(state, move)
            self._write(turn, laying, state, move, after)
            state = after
        if turn:
            lines.append(self._turn(who, turn, [*told, *self._joined(begun, state)]))
        lines += self._ending(state, who)
        return Deal(played.number, self.seats.names[played.first.dealer], tuple(lines)), state

    def _turn(self, who: int, turn: list[Action], told: list[tuple[str, str, str]]) -> Turn:
        claims = tuple(Claim(place, owner, value, len(turn)) for place, owner, value in told)
        return Turn(self.seats.names[who], tuple(turn), claims=claims)

    def _sitting_out(self, state: State) -> Iterator[tuple[str, str, str]]:
        """Claim of each seat that does not play in the deal that it does not, since a reader sees no other sign of it."""
        yield from ((PLAYING, name, "no") for seat, name in enumerate(self.seats.names) if seat not in state.playing)

    def _joined(self, before: State, after: State) -> Iterator[tuple[str, str, str]]:
        """Claim the sides that have come about in a turn."""
        if before.sides != after.sides:
            for side in after.sides:
                members = members_of(after, side)
                if members != members_of(before, side):
                    yield SIDES, self.seats.party(members), "yes"

    def result(self, last: State | None) -> Result | None:
        """Write the totals of a match after its last deal, if it is over."""
        if last is None:
            return None
        totals = self.game.scoring.carried(last)[self.game.ruleset.table.account]
        over = self.game.match_over(last) is not None
        names = self.seats.owners(self._account)
        return Result("" if over else "unfinished", tuple((names[o], totals[o]) for o in self._owners(last)))

    # -- before the first turn ---------------------------------------------------------------------------------------

    def _setup(self, played: PlayedDeal) -> Iterator[Line]:
        state, seats = played.first, len(played.first.playing)
        number = dealt_to_each(self.game, state)
        order = round_from(state.after, state.after[state.dealer])
        hands = {seat: list(played.pack[i : number * seats : seats]) for i, seat in enumerate(order)}
        for seat in sorted(order):
            yield Hand(self.seats.names[seat], self._cards(hands[seat]))
        rest = list(played.pack[number * seats :])
        yield Stock(self._cards(rest))
        left = len(self._stock(state))
        gone = rest[: len(rest) - left]
        pile = self._pile(state)
        turned_first = gone[: len(pile)] == pile
        spent = iter(gone[len(pile) :] if turned_first else gone)
        laid = [
            Turn(self.seats.names[seat], shown)
            for seat in order
            if (shown := tuple(self._shown(seat, hands[seat], state, spent)))
        ]
        upcards: list[Line] = [Upcards(self._cards(pile))] if pile else []
        yield from [*upcards, *laid] if turned_first else [*laid, *upcards]

    def _shown(self, seat: int, dealt: list[int], state: State, spent: Iterator[int]) -> Iterator[Action]:
        kept = Counter({k: n for k, n in enumerate(state.zone(self.game.machine.hand)[seat]) if n})
        waiting = list((Counter(dealt) - kept).elements())
        while waiting:
            card = waiting.pop(0)
            drawn = next(spent, None)
            yield Action(Written.SHOW, self._cards([card]), replacement=self._cards([] if drawn is None else [drawn]))
            if drawn is not None and kept[drawn] <= dealt.count(drawn) - (drawn in waiting):
                waiting.append(drawn)

    # -- a turn ------------------------------------------------------------------------------------------------------

    def _write(self, turn: list[Action], laying: dict[int, int], state: State, move: Move, after: State) -> None:
        act = self.game.ruleset.acts[move.act]
        match act.written:
            case Written.LAY:
                self._lay(turn, laying, state, move, act)
            case Written.TAKE if not act.top:
                turn.append(Action(Written.TAKE, self._cards(self._came(state, after, act))))
            case Written.TAKE:
                top = self.game.turn.judge.stack(state, act.top, move.seat).cards[-1]
                group = self.game.turn.judge.find(state, move, act) if move.group != NEW_GROUP else None
                laying.clear()
                laying[move.group if group is not None else state.next_gid] = len(turn)
                target = self._target(state, act, move, top)
                turn.append(Action(Written.TAKE, self._cards([top, *move.cards]), target))
            case Written.DRAW:
                self._draw(turn, state, act, after)
                return
            case Written.SHOW:
                drawn = self._cards(self._drawn(state, after))
                turn.append(Action(Written.SHOW, self._cards(move.cards), replacement=drawn))
            case Written.UNITE:
                laying.clear()
                groups = self.game.turn.judge.groups(state, act, move.seat)
                stays, goes = self._named(groups, move.group), self._named(groups, move.other, always=True)
                turn.append(Action(Written.UNITE, target=stays, other=goes))
            case Written.ANSWER:
                options = act.options
                words = act.option_type.words if act.option_type is not None else ()
                turn.append(Action(Written.ANSWER, word="yes" if words[move.option] == options[0] else "no"))
            case word if word in WORDS and act.choose == "card":
                turn += [Action(Written(word)), Action(Written.DISCARD, self._cards(move.cards))]
            case _:
                turn.append(Action(Written(act.written), self._cards(move.cards)))
        if after.stage != state.stage:
            laying.clear()
            due = [self.game.ruleset.acts[a] for a in self.game.machine.phases[state.phase].auto]
            by_itself = next((a for a in due if a.written == Written.DRAW), None)
            if by_itself is not None and act.lays and self._drawn(state, after):
                self._draw(turn, state, by_itself, after)

    def _draw(self, turn: list[Action], state: State, act: Act, after: State) -> None:
        """Write what came off the stock: the cards drawn at once, then each that was laid out with what replaced it."""
        drawn = self._drawn(state, after)
        shown = sorted(self._newly_shown(state, after), key=lambda k: drawn.index(k) if k in drawn else -1)
        first = drawn_at_once(self.game, state, act) or max(1, len(drawn) - len(shown))
        turn.append(Action(Written.DRAW, self._cards(drawn[:first])))
        later = drawn[first:]
        turn += [
            Action(Written.SHOW, self._cards([card]), replacement=self._cards(later[i : i + 1]))
            for i, card in enumerate(shown[: len(later)])  # without a replacement the cards tell it themselves
        ]

    def _lay(self, turn: list[Action], laying: dict[int, int], state: State, move: Move, act: Act) -> None:
        gid = move.group if move.group != NEW_GROUP else state.next_gid
        if gid in laying and (laying[gid] == len(turn) - 1 or not (self.several or self._waits(state))):
            before = turn[laying[gid]]
            cards = (*before.cards, *self._cards(move.cards))
            target = before.target
            if target is None and self.several and self._lies_new(state, gid):
                others = [g for g in self.game.turn.judge.groups(state, act, move.seat) if g.gid != gid]
                target = self._begun(others, [self.names.kinds(card)[0] for card in cards])
            turn[laying[gid]] = Action(before.kind, cards, target)
            return
        laying[gid] = len(turn)
        turn.append(Action(Written.LAY, self._cards(move.cards), self._target(state, act, move, NOBODY)))

    def _lies_new(self, state: State, gid: int) -> bool:
        """Whether a group was begun in the present play."""
        return any(g.gid == gid and not g.was for groups in every_groups(self.game.machine, state) for g in groups)

    def _waits(self, state: State) -> bool:
        """Whether something happens by itself as soon as enough is laid, so that the order of laying tells when."""
        return any(p.auto for p in self.game.ruleset.phases.values() if p.index == state.phase)

    def _target(self, state: State, act: Act, move: Move, top: int) -> Target | None:
        """Name the group only where the cards themselves do not say which one they join."""
        groups = self.game.turn.judge.groups(state, act, move.seat)
        cards = [*move.cards, *([top] if top >= 0 else [])]
        if self.several:
            if move.group == NEW_GROUP:
                return self._begun(groups, cards)
            forms = self.game.machine.shapes.forms
            near = [
                g.gid
                for g in groups
                if g.shape >= 0 and any(forms[g.shape].body[c] and forms[g.shape].column[c] == g.key for c in cards)
            ]
            return None if near == [move.group] else self._named(groups, move.group)
        deck = self.game.deck
        alike = [g for g in groups if g.rank >= 0 and any(deck.rank[c] == g.rank for c in cards)]
        if move.group == NEW_GROUP:
            return Target(None) if alike else None
        if [g.gid for g in alike] == [move.group]:
            return None
        return self._named(groups, move.group)

    def _begun(self, groups: list[Group], cards: Sequence[int]) -> Target | None:
        """Say that cards begin a group where they could be read as joining one."""
        return Target(None) if self.targets.find(groups, Action(Written.LAY), cards, Findings()) != NEW_GROUP else None

    def _named(self, groups: Sequence[Group], gid: int, *, always: bool = False) -> Target:
        """Name a group by a card of its body, and by its place where several hold that card or it is ``always`` said."""
        group = next(g for g in groups if g.gid == gid)
        body = next(k for k, n in enumerate(group.cards) if n and self.game.machine.shapes.forms[group.shape].body[k])
        name = self.names.card(body)
        named = Card(name.rank) if group.rank >= 0 else name
        same = [g.gid for g in self.targets.holding(groups, named)]
        return Target(named, 0 if len(same) == 1 and not always else 1 + same.index(gid))

    def _drawn(self, state: State, after: State) -> list[int]:
        before, now = self._stock(state), self._stock(after)
        return before[len(now) :][::-1]

    def _newly_shown(self, state: State, after: State) -> list[int]:
        """List the cards that went from hands, draws and piles into bags on the table: red threes, in the order of the deck."""
        found: list[int] = []
        for zone in self.game.machine.zones:
            if zone.form is Form.BAG and zone.index != self.game.machine.hand:
                old, new = state.zone(zone.index), after.zone(zone.index)
                for a, b in [(old, new)] if zone.of is Owner.TABLE else zip(old, new, strict=True):
                    found += [k for k, (x, y) in enumerate(zip(a, b, strict=True)) for _ in range(y - x)]
        return found

    # -- the end -----------------------------------------------------------------------------------------------------

    def _ending(self, state: State, who: int) -> Iterator[Line]:
        if not state.over:
            return
        yield Ending(state.reason, self.seats.names[who])
        ledger = self.game.ledger(state)
        totals = self.game.scoring.carried(state)[self.game.ruleset.table.account]
        names = self.seats.owners(self._account)
        for owner in self._owners(state):
            seats = self._account is Owner.SEAT
            found = ledger.share(owner, state.side_of[owner]) if seats else ledger.items(owner)
            items = tuple(Item(name, points) for name, points in found.items())
            yield Score(names[owner], items or (Item("nothing", 0),), sum(found.values()), totals[owner])

    @property
    def _account(self) -> Owner:
        return self.game.ruleset.state[self.game.ruleset.table.account].of

    def _owners(self, state: State) -> Sequence[int]:
        """List whose accounts there are: all seats or all sides."""
        return range(len(self.seats.names)) if self._account is Owner.SEAT else state.sides

    def _cards(self, kinds: Iterable[int]) -> tuple[Card, ...]:
        return tuple(self.names.card(k) for k in kinds)

    def _stock(self, state: State) -> list[int]:
        zone = self.game.ruleset.zones[self.game.ruleset.table.order]
        cards: list[int] = state.zone(zone.index).cards
        return cards

    def _pile(self, state: State) -> list[int]:
        takes = [a for a in self.game.ruleset.acts.values() if a.written == Written.TAKE]
        return list(self._source(state, takes[0]).cards) if takes else []

    def _source(self, state: State, take: Act) -> Stack:
        """Find the stack from which an act takes cards: whose top card it melds, or from which its effects bring cards."""
        name = take.top or signs_of(self.game).source(take)
        return self.game.turn.judge.stack(state, name, state.seat)

    def _came(self, state: State, after: State, take: Act) -> list[int]:
        """List what a take brought to the hand, the top card first."""
        before, now = self._source(state, take).cards, self._source(after, take).cards
        return before[len(now) :][::-1]


def dealt_to_each(game: Game, state: State) -> int:
    """Find how many cards each seat is dealt, from the effects that set a deal up."""
    for doing in game.machine.effects["setup"]:
        for statement in doing.do:
            if statement.op is StatementOp.DEAL:
                number: int = game.backend.function(statement.exprs[0])(state, Context(), NOBODY, NOBODY)
                return number
    return 0


def drawn_at_once(game: Game, state: State, act: Act) -> int:
    """Find how many cards an act takes off a stack before any of them is laid out and replaced; 0 if it does not say."""
    for doing in game.machine.effects[act.name]:
        for statement in doing.do:
            if statement.op is StatementOp.MOVE and statement.places[1].name == game.ruleset.table.hand:
                side = state.side_of[state.seat]
                number: int = game.backend.function(statement.exprs[0])(state, Context(), state.seat, side)
                return number
    return 0
