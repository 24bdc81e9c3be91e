"""What a rule set makes of an example: set up, played, judged, scored, asked, whatever is expected of it.

Outcomes of two rule sets are compared in what both have words for. Seats and sides are compared by their number.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from canasta.diagnostics import CanastaError
from canasta.games import game_of
from canasta.kernel.acts import Move, Ruling, Verdict, Violation
from canasta.kernel.cards import Deck
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.build import Earlier, build, build_to_change
from canasta.language.nodes import Mapping
from canasta.language.ruleset import Example, Form, Owner, Ruleset
from canasta.language.types import SEAT
from canasta.notation.position_text import Position, parse_position, write_position
from canasta.notation.turns import parse_turn
from canasta.playing.asking import ask
from canasta.playing.binding import play_turn
from canasta.playing.describing import of_everything, of_state
from canasta.playing.played import Played
from canasta.playing.positions import to_state
from canasta.playing.restating import Restated, Unsayable, restate
from canasta.playing.seats import Seats, seats_of

_TURN: Final = re.compile(r":@\d+")
NO_WORD: Final = "no word for it"
SAYING: Final = "saying"
Place = tuple[str, str, int]
"""An aspect of an outcome: what it is about (`after`, `ledger` …), the place or item, and the number of its owner."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an example: every aspect that was asked for, as it is compared and as a person reads it.

    ``position`` is what was set up, in the words of the rule set, ``left_out`` what it had no words for. ``said`` tells why
    the example could not be carried out at all.
    """

    position: str = ""
    left_out: tuple[str, ...] = ()
    said: Unsayable | None = None
    aspects: dict[Place, str] = field(default_factory=dict)
    shown: dict[Place, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One aspect in which two outcomes differ, both as a person reads them."""

    aspect: Place
    one: str
    other: str
    sided: bool = False
    """Whether only one of the two rule sets has a word for it."""


def disagreements(one: Outcome, other: Outcome) -> tuple[Disagreement, ...]:
    """List in what two outcomes of one example differ: of what both can say everything, else whether it can be said."""
    if one.said is not None or other.said is not None:
        if one.said == other.said or (one.said is not None and other.said is not None):
            return ()
        mine, yours = (f"cannot be said: {o.said.why}" if o.said else "can be said" for o in (one, other))
        return (Disagreement((SAYING, "", 0), mine, yours),)
    return tuple(_differing(one, other))


def _differing(one: Outcome, other: Outcome) -> Iterator[Disagreement]:
    for aspect in dict.fromkeys((*one.aspects, *other.aspects)):
        mine, yours = one.aspects.get(aspect), other.aspects.get(aspect)
        if aspect[0] == "after" and (mine is None) is not (yours is None) and _both_looked(one, other):
            yield Disagreement(aspect, one.shown.get(aspect, NO_WORD), other.shown.get(aspect, NO_WORD), sided=True)
        if mine != yours and mine is not None and yours is not None:
            yield Disagreement(aspect, one.shown.get(aspect, mine), other.shown.get(aspect, yours))
        if mine != yours and None in (mine, yours) and _scored_by(one, aspect) and _scored_by(other, aspect):
            nothing = f"{aspect[1].partition(' ')[0]} 0"
            yield Disagreement(aspect, one.shown.get(aspect, nothing), other.shown.get(aspect, nothing))


def _both_looked(one: Outcome, other: Outcome) -> bool:
    """Ask whether both looked at how things lie, as they do after a legal turn."""
    return all(("after", "to act", 0) in outcome.aspects for outcome in (one, other))


def _scored_by(outcome: Outcome, aspect: Place) -> bool:
    """Ask whether a line of the ledger that is not there brought nothing, and not that nobody is there to score it."""
    about, name, owner = aspect
    if about != "ledger":
        return False
    return not name.endswith(f" of {Owner.SIDE}") or any(a[0] == about and a[2] == owner for a in outcome.aspects)


class Grain:
    """The cards that a rule set can tell apart, so that another's are written with no more than that."""

    __slots__ = ("_card", "_kind", "_names")

    def __init__(self, deck: Deck, ranks: Iterable[str]) -> None:
        """Note how cards of these ranks are called here."""
        longest = sorted(ranks, key=len, reverse=True)
        self._card: Final = re.compile(f"({'|'.join(map(re.escape, longest))})([a-z]?)")
        self._kind: Final = deck.kind_of
        self._names: Final = deck.names

    def written(self, texts: str, form: Form) -> str:
        """Write what lies in a place of some form; a card that there is not here stays as it is."""
        return " ".join(self._word(word, form) for word in texts.split(" "))

    def _word(self, word: str, form: Form) -> str:
        run, *flags = word.split(":")
        if run.startswith("?") or not self._card.match(run):
            return word
        cards = [
            self._names[k] if (k := self._kind.get(c)) is not None else "".join(c) for c in self._card.findall(run)
        ]
        return ":".join(["".join(cards if form is Form.STACK else sorted(cards)), *flags])


class Edition:
    """One rule set as a document, opened with whatever options an example asks for; outcomes are kept.

    Cards are compared in a ``grain`` that another rule set has, too, where that tells fewer of them apart. What is the same as in
    the document of another one that it is ``like`` need not be built again.
    """

    def __init__(
        self,
        document: Mapping,
        name: str,
        chapter_of: dict[str, str],
        grain: Grain | None = None,
        like: "Edition | None" = None,
    ) -> None:
        """Build the rule set.

        Raises:
            CanastaError: when the document is no rule set that holds together.
        """
        self.document, self.name, self.chapter_of, self.grain, self.like = document, name, chapter_of, grain, like
        self._earlier: dict[tuple[tuple[str, str], ...], Earlier | None] = {}
        self._rulesets: dict[tuple[tuple[str, str], ...], Ruleset] = {}
        self._games: dict[tuple[tuple[str, str], ...], Game] = {}
        self._outcomes: dict[object, Outcome] = {}
        self.ruleset = self._built(())
        self.seats = seats_of(self.ruleset.table)

    def _built(self, options: tuple[tuple[str, str], ...]) -> Ruleset:
        if options not in self._rulesets:
            earlier = self.like.to_change(options) if self.like is not None else None
            self._rulesets[options] = build(self.document, self.name, "", dict(options), self.chapter_of, earlier)
        return self._rulesets[options]

    def to_change(self, options: tuple[tuple[str, str], ...]) -> Earlier | None:
        """Build the rule set for others that are like it; nothing where these options cannot be chosen here."""
        if options not in self._earlier:
            try:
                told = build_to_change(self.document, self.name, "", dict(options), self.chapter_of)
            except CanastaError:
                told = None
            self._earlier[options] = told
        return self._earlier[options]

    def game(self, options: tuple[tuple[str, str], ...]) -> Game:
        """Open the game with options chosen."""
        chosen = tuple(sorted(options))
        if chosen not in self._games:
            self._games[chosen] = game_of(self._built(chosen))
        return self._games[chosen]

    def outcome(self, example: Example, spoken: Ruleset) -> Outcome:
        """Carry out an example that was written for the rule set ``spoken``."""
        key = (example.given, example.do, example.ask, example.options, str(example.expect), spoken.name)
        if key not in self._outcomes:
            try:
                self._outcomes[key] = _Carrying(self, example, spoken).outcome()
            except CanastaError as error:
                told = error.diagnostics[0]
                self._outcomes[key] = Outcome(said=Unsayable("", told.message))
        return self._outcomes[key]


def committed(game: Game, played: Played) -> tuple[State, tuple[Violation, ...]]:
    """See that what a turn laid is judged: a play that is due to be settled by itself is settled now."""
    if not played.state.draft or played.stopped is not None:
        return played.state, ()
    after, forced = game.turn.force_pending(played.state, Move("", played.state.seat))
    return after, tuple(forced)


class _Carrying:
    """One example while one rule set carries it out."""

    def __init__(self, edition: Edition, example: Example, spoken: Ruleset) -> None:
        self.edition, self.example = edition, example
        position = self._read(example.given) if example.given else Position()
        told = restate(position, example.options, spoken, edition.ruleset)
        self.said = told if isinstance(told, Unsayable) else None
        self.restated = told if isinstance(told, Restated) else Restated(Position())
        self.game = edition.game(self.restated.options)
        self.seats: Seats = edition.seats
        self.aspects: dict[Place, str] = {}
        self.shown: dict[Place, str] = {}

    def _read(self, text: str) -> Position:
        span = self.example.span
        position, findings = parse_position(text, span.file, span.line, span.column)
        if position is None:
            raise CanastaError(findings)
        return position

    def outcome(self) -> Outcome:
        """Set up, play, look."""
        if self.said is not None:
            return Outcome(said=self.said)
        expect = self.example.expect if isinstance(self.example.expect, dict) else {}
        state = self._set_up()
        if self.example.do:
            state = self._played(state)
        elif "after" in expect:
            state = self.game.turn.unstick(state)
        if self.aspects.get(("verdict", "", 0), "legal") == "legal" and (self.example.do or "after" in expect):
            self._after(state)
        if "ledger" in expect:
            self._ledger(state)
        if self.example.ask:
            self._note(("value", self.example.ask, 0), *self._answer(state))
        if "winner" in expect:
            self._winner(state)
        text = write_position(self.restated.position)
        return Outcome(text, self.restated.left_out, None, self.aspects, self.shown)

    def _note(self, aspect: Place, compared: str, shown: str) -> None:
        self.aspects[aspect], self.shown[aspect] = compared, shown

    def _set_up(self) -> State:
        if self.example.given:
            return to_state(self.game, self.restated.position)
        return self.game.turn.blank(self.edition.ruleset.table.seats - 1, 1, {})

    def _played(self, state: State) -> State:
        span = self.example.span
        actions, findings = parse_turn(self.example.do, span.file, span.line, span.column)
        if not actions:
            raise CanastaError(findings)
        played = play_turn(self.game, state, actions)
        after, forced = committed(self.game, played)
        verdict = Verdict((*played.violations, *forced))
        told = str(verdict.ruling)
        if verdict.ruling is Ruling.ILLEGAL:
            told = f"illegal: {', '.join(sorted(verdict.codes))}"
        elif verdict.ruling is Ruling.LEGAL and any(f.severity == "error" for f in played.findings):
            told = f"cannot be done: {next(f.message for f in played.findings if f.severity == 'error')}"
        self._note(("verdict", "", 0), told, told)
        return after

    # -- what is looked at -------------------------------------------------------------------------------------------

    def _after(self, state: State) -> None:
        """Note how everything lies: whose turn it is, every zone, every variable, of every owner."""
        rules, phase = self.game.ruleset, self.game.machine.phases[state.phase].name
        if state.over:
            self._note(("after", "to act", 0), f"over {state.reason}", f"the deal is over: {state.reason}")
        else:
            self._note(("after", "to act", 0), f"{state.seat} {phase}", f"{self.seats.names[state.seat]} at {phase}")
        owner_of = {n: z.of for n, z in rules.zones.items()} | {n: v.of for n, v in rules.state.items()}
        for one in of_everything(self.game, state, self.seats):
            of = owner_of[one.place]
            place = f"{one.place}.{one.owner}" if one.owner else one.place
            texts = _TURN.sub("", " ".join(one.texts) or "yes")
            at = self.seats.owner(of, one.owner) or 0
            self._note(("after", f"{one.place} of {of}", at), self._compared(one.place, texts), f"{place} {texts}")
        if state.draft or state.turn_seat != state.seat:
            for one in of_state(self.game, state, self.seats):
                if one.place in ("parts", "laid", "turn_seat"):
                    texts = _TURN.sub("", " ".join(one.texts))
                    self._note(("after", one.place, 0), self._compared(one.place, texts), f"{one.place} {texts}")

    def _compared(self, name: str, texts: str) -> str:
        """Write a seat as its number, for seats are called otherwise at another table, and cards in the common grain."""
        variable, zone = self.game.ruleset.state.get(name), self.game.ruleset.zones.get(name)
        if self.edition.grain is not None and (zone is not None or name in ("parts", "laid")):
            return self.edition.grain.written(texts, zone.form if zone is not None else Form.GROUPS)
        if name == "turn_seat" or (variable is not None and variable.type == SEAT):
            return str(self.seats.seat(texts))
        return texts

    def _ledger(self, state: State) -> None:
        account = self.game.ruleset.table.account
        for line in self.game.ledger(state).lines:
            by_seat = line.seat >= 0
            owner, name = (
                (line.seat, self.seats.names[line.seat]) if by_seat else (line.side, self.seats.sides[line.side])
            )
            aspect = ("ledger", f"{line.item} of {Owner.SEAT if by_seat else Owner.SIDE}", owner)
            points = int(self.aspects.get(aspect, "0")) + line.points
            self._note(aspect, str(points), f"{name}.{line.item} {points}")
        for side, name in enumerate(self.seats.sides):
            points = self.game.ledger(state).total(side)
            self._note(("ledger", f"{account} of {Owner.SIDE}", side), str(points), f"{name}.{account} {points}")

    def _answer(self, state: State) -> tuple[str, str]:
        found = ask(self.game.ruleset, self.example.ask, self.example.span).answer(self.game, state, self.seats)
        for names in (self.seats.names, self.seats.sides):
            if found in names and found not in ("yes", "no"):
                return f"number {names.index(found)}", found
        return found, found

    def _winner(self, state: State) -> None:
        over = self.game.scoring.match_over(state)
        names = self.seats.names if over and over.by_seat else self.seats.sides
        found = " ".join(names[w] for w in over.winners) if over else "nobody"
        self._note(("winner", "", 0), str(over.winners) if over else "nobody", found)
