"""A match in neutral JSON (``spec/schema/neutral-game.schema.json``) becomes a record of full depth.

Every event finds its place: a turn is a line, the program's own counts after a discard become claims, a call that it
refused becomes a comment. What a red three out of a pile or after the last card of the stock does is not written,
since the cards tell it.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeAlias

from canasta.convert.shape import faults_of_shape
from canasta.diagnostics import Diagnostic, Span
from canasta.games import load_ruleset
from canasta.language.naming import known
from canasta.notation import record as r
from canasta.notation.cards import JOKER, Card, write_cards
from canasta.notation.record import Action, Written
from canasta.playing.pad import Pad

Json: TypeAlias = dict[str, Any]

NAMES = {2: "NS", 3: "NES", 4: "NESW"}
RULES: Final = "classic"
"""The rule set whose items of the ledger the program's figures are written as."""


@cache
def _pad() -> Pad:
    return Pad(load_ruleset(RULES))


@cache
def _rules_for(sides: tuple[tuple[int, ...], ...]) -> str:
    """Find the rule set of the family for a table with these sides; nothing when there is none."""
    family = (name for name in known() if name == RULES or name.startswith(f"{RULES}/"))
    return next((n for n in family if sorted(map(tuple, load_ruleset(n).table.sides)) == list(sides)), "")


def _item(name: str) -> str:
    """Find the item of the ledger that a program's name for it stands for; a name that the rules do not know is kept."""
    return next(iter(_pad().items(name)), name)


def convert(text: str, file: str, *, claims: bool = True) -> tuple[r.Record | None, tuple[Diagnostic, ...]]:
    """Turn a match in neutral JSON into a record; None, and the findings, when it does not have that form.

    ``claims``: write the program's counts after each discard, to be checked when the record is replayed.
    """
    try:
        game = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        return None, (_no_json(error, file),)
    found = faults_of_shape(game, text, file)
    if found:
        return None, tuple(found)
    return _Match(game, claims).record(), ()


def _no_json(error: json.JSONDecodeError | RecursionError, file: str) -> Diagnostic:
    hint = "a match in neutral JSON is one object a file; see docs/reference/neutral-game.md"
    if isinstance(error, RecursionError):
        return Diagnostic("PL0040", "this JSON is nested too deeply for a match", Span(file, 1, 1, 1, 1), hint)
    place = Span(file, error.lineno, error.colno, error.lineno, error.colno + 1)
    return Diagnostic("PL0040", f"this is no JSON: {error.msg}", place, hint)


def card(text: str) -> Card:
    """Read a card of the neutral form, such as ``TH`` or ``Jk``."""
    return Card(JOKER) if text == JOKER else Card(text[0], text[1].lower())


def cards(texts: Sequence[str]) -> tuple[Card, ...]:
    """Read cards of the neutral form."""
    return tuple(card(text) for text in texts)


@dataclass(slots=True)
class _Match:
    """A match on its way into a record."""

    game: Json
    claims: bool
    seats: tuple[str, ...] = field(init=False)
    sides: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        number = self.game["players"]
        self.seats = tuple(NAMES.get(number, "ABCDEFGH"[:number]))
        self.sides = tuple("".join(self.seats[s] for s in sorted(side)) for side in self.game["sides"])

    def record(self) -> r.Record:
        """Make the record."""
        running = self.game.get("result", {}).get("running", [])
        deals = tuple(
            _Deal(self, told, running[at] if at < len(running) else []).deal()
            for at, told in enumerate(self.game["deals"])
        )
        totals = tuple(zip(self.sides, running[-1], strict=False)) if running else ()
        word = "" if self.game.get("result", {}).get("finished", True) else "unfinished"
        return r.Record(tuple(self._tags()), deals, r.Result(word, totals) if running or word else None)

    def _tags(self) -> list[r.Tag]:
        told = {
            "Rules": _rules_for(tuple(sorted(tuple(sorted(side)) for side in self.game["sides"]))),
            "Seats": "" if self.seats == r.COMPASS else " ".join(self.seats),
            "Source": self.game.get("source", ""),
            "Licence": self.game.get("licence", ""),
            "PlayedBy": self.game.get("rules", {}).get("name", ""),
            "Shuffle": str(self.game.get("seed") or ""),
        }
        told |= dict(zip(self.seats, self.game.get("bots", []), strict=False))
        return [r.Tag(name, " ".join(value.split())) for name, value in told.items() if value]


@dataclass(slots=True)
class _Line:
    """A turn while its events come in."""

    seat: int
    actions: list[Action] = field(default_factory=list)
    claims: list[r.Claim] = field(default_factory=list)
    comments: list[r.Comment] = field(default_factory=list)

    def do(self, kind: Written, played: tuple[Card, ...] = (), target: r.Target | None = None, **more: Any) -> None:  # noqa: ANN401 - the fields of an action
        self.actions.append(Action(kind, played, target, **more))

    def say(self, text: str) -> None:
        self.comments.append(r.Comment(text, len(self.actions)))


@dataclass(slots=True)
class _Deal:
    """A deal on its way into a record; ``hands`` follows what everyone holds, for takes that went to the hand."""

    match: _Match
    told: Json
    totals: list[int]
    hands: list[Counter[Card]] = field(init=False)
    lines: list[r.Line] = field(default_factory=list)
    open: _Line | None = None
    minimum_told: bool = False

    def __post_init__(self) -> None:
        self.hands = [Counter(cards(hand)) for hand in self.told["hands"]]

    def deal(self) -> r.Deal:
        """Make the deal."""
        seats = self.match.seats
        self.lines += [r.Hand(seats[s], cards(hand)) for s, hand in enumerate(self.told["hands"])]
        self.lines.append(r.Stock(cards(self.told["stock"])))
        skip: set[int] = set()
        for at, event in enumerate(self.told["events"]):
            self._refused_before(at)
            if at not in skip:
                self._event(event, skip)
        self._refused_before(len(self.told["events"]))
        self._close()
        self._ended()
        return r.Deal(self.told["deal"], seats[self.told["dealer"]], tuple(self.lines), r.Notes(beside=self._beside()))

    def _beside(self) -> tuple[str, ...]:
        """What the program said of the whole deal."""
        told = []
        if self.told.get("upcard_not_from_top"):
            told.append("the program did not take the upcard from the top of its stock")
        if number := self.told.get("retried_turns"):
            told.append(f"turns begun and taken back: {number}")
        return tuple(told)

    # ---- events ----

    def _event(self, event: Json, skip: set[int]) -> None:
        """Write one event."""
        kind, seat = event["do"], event["seat"]
        if kind == "turn":
            self._close()
            self.lines.append(r.Upcards(cards(event["cards"])))
            return
        starts = kind in ("draw", "take") and self._acted()
        actor: int = event["to"] if kind == "answer" and "to" in event else seat
        if self.open is None or self.open.seat != actor or starts:
            self._close()
            self.open = _Line(actor)
        line = self.open
        match kind:
            case "draw":
                self._draw(line, event)
            case "lay":
                self._lay(line, event)
            case "take":
                self._take(line, event, skip)
            case "meld":
                self._meld(line, event)
            case "discard":
                self._discard(line, event)
            case "out":
                self._out(line, event)
            case "ask":
                line.do(Written.ASK)
            case "answer":
                line.do(Written.ANSWER, word="yes" if event.get("yes") else "no")
            case _:
                line.say(f"{kind} {write_cards(cards(event.get('cards', [])))}")

    def _acted(self) -> bool:
        """Whether the open line has gone beyond drawing, so that another draw begins another turn."""
        begun = (Written.DISCARD, Written.LAY, Written.TAKE, Written.OUT)
        return self.open is not None and any(a.kind in begun for a in self.open.actions)

    def _draw(self, line: _Line, event: Json) -> None:
        drawn = cards(event["cards"])
        line.do(Written.DRAW, drawn)
        self.hands[line.seat].update(drawn)

    def _lay(self, line: _Line, event: Json) -> None:
        """A red three goes down; one that no card was drawn for follows from the cards and is not written."""
        shown, drawn = cards(event["cards"]), cards(event.get("replacement", []))
        self.hands[line.seat].subtract(shown)
        self.hands[line.seat].update(drawn)
        if drawn:
            line.do(Written.SHOW, shown, replacement=drawn)

    def _take(self, line: _Line, event: Json, skip: set[int]) -> None:
        pile, hand = cards(event["pile"]), self.hands[line.seat]
        added = cards(event.get("with") or [])
        if event.get("top_to_hand") and event.get("top_melded") is not None:
            self._take_then_meld(line, event, skip)
        elif event.get("top_to_hand"):
            line.do(Written.TAKE)
            hand.update(pile)
        else:
            line.do(Written.TAKE, (pile[-1], *added))
            hand.subtract(added)
            hand.update(pile[:-1])

    def _take_then_meld(self, line: _Line, event: Json, skip: set[int]) -> None:
        """The whole pile went to the hand and its top card was melded afterwards: that meld took the pile.

        The cards of the meld that were held before are what took it; those that lay under the top card follow.
        """
        pile, hand = cards(event["pile"]), self.hands[line.seat]
        at = event["top_melded"]
        melded = list(cards(self.told["events"][at]["cards"]))
        melded.remove(pile[-1])
        before, added, later = Counter(hand), [], []
        for one in melded:
            if before[one] > 0:
                before[one] -= 1
                added.append(one)
            else:
                later.append(one)
        line.do(Written.TAKE, (pile[-1], *added))
        if later:
            line.do(Written.LAY, tuple(later))
        hand.update(pile)
        hand.subtract((pile[-1], *melded))
        skip.add(at)

    def _meld(self, line: _Line, event: Json) -> None:
        melded = cards(event["cards"])
        rank = event.get("rank") or ""
        wild_only = all(one.rank in (JOKER, "2") for one in melded)
        line.do(Written.LAY, melded, r.Target(Card(rank)) if wild_only and rank and not event.get("new") else None)
        if event.get("parts"):
            line.say("laid card by card")
        self.hands[line.seat].subtract(melded)

    def _discard(self, line: _Line, event: Json) -> None:
        line.do(Written.DISCARD, (card(event["card"]),))
        self.hands[line.seat][card(event["card"])] -= 1
        told = event.get("after")
        if told and self.match.claims:
            after, seat = len(line.actions), self.match.seats[line.seat]
            if "hands" in told:
                line.claims.append(r.Claim("hand", seat, str(told["hands"][line.seat]), after))
            line.claims += [r.Claim(place, "", str(told[place]), after) for place in ("stock", "pile") if place in told]
            if "frozen" in told:
                line.claims.append(r.Claim("frozen", "", "yes" if told["frozen"] else "no", after))
            if not self.minimum_told:
                self.minimum_told = True
                named = zip(self.match.sides, self.told.get("minimum", []), strict=False)
                line.claims += [r.Claim("minimum_needed", side, str(points), after) for side, points in named]

    def _out(self, line: _Line, event: Json) -> None:
        if not any(a.kind is Written.DISCARD for a in line.actions):
            line.do(Written.OUT)
        if event.get("concealed") and not self.told["end"].get("concealed"):
            line.say("concealed")

    def _refused_before(self, at: int) -> None:
        """Keep the calls that the program turned down as comments where they were made."""
        for told in self.told.get("refused", []):
            if told["before"] != at:
                continue
            tried = " ".join(filter(None, [told["do"], write_cards(cards(told.get("cards", [])))]))
            if self.open is None or self.open.seat != told["seat"] or self._ended_turn():
                self._close()
                self.open = _Line(told["seat"])
            self.open.say(f"tried to {tried}, refused: {told.get('reason', '')}")

    def _ended_turn(self) -> bool:
        return self.open is not None and any(a.kind is Written.DISCARD for a in self.open.actions)

    def _close(self) -> None:
        """Write the open line down."""
        if self.open is not None and (self.open.actions or self.open.comments):
            told = self.open
            seat = self.match.seats[told.seat]
            self.lines.append(
                r.Turn(seat, tuple(told.actions), claims=tuple(told.claims), comments=tuple(told.comments))
            )
        self.open = None

    # ---- the end of the deal ----

    def _ended(self) -> None:
        seats, sides, told = self.match.seats, self.match.sides, self.told
        for at, groups in enumerate(told.get("melds", [])):
            if groups:
                self.lines.append(r.Melds(sides[at], tuple(cards(g["cards"]) for g in groups)))
        for at, laid in enumerate(told.get("red_threes", [])):
            if laid:
                self.lines.append(r.RedThrees(sides[at], cards(laid)))
        self.lines += [r.Left(seats[s], cards(left)) for s, left in enumerate(told.get("left", [])) if left]
        end = told["end"]
        words = ("concealed",) if end.get("concealed") else (end["how"],) if end.get("how") else ()
        self.lines.append(r.Ending(end["reason"], seats[end["seat"]] if "seat" in end else "", words))
        for at, score in enumerate(told.get("score", [])):
            self.lines.append(self._score(at, score))

    def _score(self, at: int, score: Json) -> r.Score:
        """One side's score; the program's single figure for going out is parted into its two items."""
        items = [r.Item(_item(name), score[name]) for name in ("natural", "mixed") if score.get(name)]
        if out := score.get("out"):
            plain, more = _item("out"), _item("concealed")
            bonus, extra = _pad().grain[plain], _pad().grain[more]  # each is earned once or not at all
            both = out == bonus + extra and bool(self.told["end"].get("concealed"))
            items.append(r.Item(plain, bonus if both else out))
            items += [r.Item(more, extra)] if both else []
        items += [r.Item(_item(name), score[name]) for name in ("red_threes", "melded", "hand") if score.get(name)]
        total = self.totals[at] if at < len(self.totals) else None
        return r.Score(self.match.sides[at], tuple(items) or (r.Item("points", 0),), score["total"], total)
