"""What was written reads back as the same record, whatever the record: text, canonical text and JSON."""

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from canasta.diagnostics import Diagnostic, Severity
from canasta.notation import record as r
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.json_form import from_json, to_json
from canasta.notation.position_text import (
    Field,
    Position,
    Value,
    cards_of,
    parse_position,
    position_to_json,
    write_position,
)
from canasta.notation.reader import read_text
from canasta.notation.record import Action, Written
from canasta.notation.turns import parse_turn
from canasta.notation.writer import write, write_actions, write_all

MANY = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
FEW = settings(MANY, max_examples=8)

# ---- records as a person might have written them, and stranger ones -------------------------------------------------

SEATS = ("N", "E", "S", "W")
SIDES = ("N", "NS", "EW", "NESW")

seats = st.sampled_from(SEATS)
sides = st.sampled_from(SIDES)
known = st.builds(Card, st.sampled_from("AKQJT98765432"), st.sampled_from(["", *"cdhsrb"]))
jokers = st.builds(Card, st.just("Jk"), st.sampled_from(["", "r", "b"]))
cards = known | jokers | st.just(UNKNOWN)
seen = known | jokers
runs = st.lists(cards, min_size=1, max_size=7).map(tuple)
words = st.sampled_from(["out", "stock", "red_threes", "no-take", "concealed", "melded", "deal", "hand"])
names = st.sampled_from(["hand", "frozen", "total", "stock", "x", "a_1", "no"])
owners = st.sampled_from(["", "N", "NS", "P1", "me"])
awkward = st.sampled_from(list("aZ 7c;{}[]\\\"'!=:+^/?-.,#é♥\N{CYRILLIC CAPITAL LETTER KA}—\u00a0\u200b𝄞"))
points = st.integers(-999_999_999, 999_999_999)
texts = st.text(awkward, max_size=10).map(str.strip)
several_texts = st.lists(texts, max_size=2).map(tuple)
notes = st.just(r.NO_NOTES) | st.builds(r.Notes, several_texts, several_texts)
values = names | seats | st.integers(-999, 9999).map(str)
targets = st.none() | st.builds(r.Target, seen, st.integers(0, 9)) | st.just(r.Target(None))

actions = st.one_of(
    st.builds(Action, st.just(Written.DRAW), runs),
    st.builds(Action, st.just(Written.TAKE), runs, targets),
    st.just(Action(Written.TAKE)),
    st.builds(Action, st.just(Written.LAY), runs, targets),
    st.builds(Action, st.just(Written.SHOW), runs, st.none(), runs),
    st.builds(Action, st.just(Written.DISCARD), st.tuples(cards)),
    st.builds(Action, st.just(Written.ANSWER), word=st.sampled_from(["yes", "no"])),
    st.sampled_from(
        [Action(kind) for kind in (Written.PICK, Written.ASK, Written.OUT, Written.DECLINE, Written.KNOCK)]
    ),
)


@st.composite
def turns(draw: st.DrawFn) -> r.Turn:
    acted = draw(st.lists(actions, max_size=5).map(tuple))
    after = st.integers(0, len(acted))
    plain = st.builds(r.Mark, st.sampled_from([r.MarkKind.STOOD, r.MarkKind.BACK]), after, why=texts)
    penalty = st.builds(r.Mark, st.just(r.MarkKind.PENALTY), after, st.just("") | sides, points, texts)
    marks = draw(st.lists(plain | penalty, max_size=2))
    claims = draw(
        st.lists(
            st.builds(r.Claim, names, st.just("") | sides, values, after),
            max_size=2,
        )
    )
    least = 0 if acted or marks or claims else 1
    comments = draw(st.lists(st.builds(r.Comment, texts, after), min_size=least, max_size=3))
    return r.Turn(
        draw(seats),
        acted,
        tuple(sorted(marks, key=lambda m: m.after)),
        tuple(sorted(claims, key=lambda c: c.after)),
        tuple(sorted(comments, key=lambda c: c.after)),
        draw(several_texts),
    )


def one_each(kind: st.SearchStrategy[r.Line], key: str) -> st.SearchStrategy[list[r.Line]]:
    return st.lists(kind, max_size=3, unique_by=lambda line: getattr(line, key))


def at_most_one(kind: st.SearchStrategy[r.Line]) -> st.SearchStrategy[list[r.Line]]:
    return st.lists(kind, max_size=1)


@st.composite
def deals(draw: st.DrawFn, number: int) -> r.Deal:
    suited = cards.filter(lambda card: bool(card.suit) or card.hidden)
    red_threes = st.lists(suited, min_size=1, max_size=5).map(tuple) | st.integers(0, 4).map(
        lambda n: (Card("3", "r"),) * n
    )
    items = st.lists(
        st.builds(r.Item, words | st.sampled_from(["base", "count", "points"]), points), min_size=1, max_size=4
    )
    parts = (
        one_each(st.builds(r.Hand, seats, runs, notes), "seat"),
        at_most_one(st.builds(r.Stock, st.lists(cards, min_size=1, max_size=25).map(tuple), notes)),
        at_most_one(st.builds(r.Seed, st.integers(0, 10**20 - 1), notes)),
        st.lists(turns(), max_size=4),
        at_most_one(st.builds(r.Upcards, runs, notes)),
        st.lists(turns(), max_size=3),
        one_each(st.builds(r.Melds, sides, st.lists(runs, max_size=3).map(tuple), notes), "side"),
        one_each(st.builds(r.RedThrees, sides, red_threes, notes), "side"),
        one_each(st.builds(r.Left, seats, st.lists(cards, max_size=5).map(tuple), notes), "seat"),
        at_most_one(st.builds(r.Ending, words, st.just("") | seats, st.lists(words, max_size=2).map(tuple), notes)),
        one_each(st.builds(r.Score, sides, items.map(tuple), st.none() | points, st.none() | points, notes), "side"),
    )
    lines = tuple(line for part in parts for line in draw(part))
    return r.Deal(number, draw(st.just("") | seats), lines, draw(notes))


tag_names = st.sampled_from(["Rules", "Date", "N", "E", "Event", "Mood_1", "x"])
tags = st.lists(
    st.builds(r.Tag, tag_names, st.text(awkward, max_size=8), notes),
    max_size=4,
    unique_by=lambda tag: tag.name,
).map(tuple)


@st.composite
def records(draw: st.DrawFn) -> r.Record:
    named = draw(tags)
    language = draw(st.sampled_from(["", "en", "ru", "lt", "sk"]))
    if language:
        named = (r.Tag("Language", language), *named)
    numbers = draw(st.lists(st.integers(1, 99), max_size=3, unique=True).map(sorted))
    result = draw(
        st.none()
        | st.builds(
            r.Result,
            st.sampled_from(["", "unfinished", "conceded", "abandoned"]),
            st.lists(st.tuples(sides, points), max_size=2).map(tuple),
            notes,
        )
    )
    return r.Record(named, tuple(draw(deals(number)) for number in numbers), result, draw(several_texts))


# ---- what must hold of them -----------------------------------------------------------------------------------------


def empty(record: r.Record) -> bool:
    return not (record.tags or record.deals or record.result or record.comments)


@MANY
@given(records())
def test_a_written_record_reads_as_itself_and_formatting_twice_changes_nothing(record: r.Record) -> None:
    text = write(record)
    again, found = read_text(text, "t.cgn")
    assert again == ([] if empty(record) else [record])
    assert not [d for d in found if d.id.startswith("CN0") and d.severity is Severity.ERROR]
    assert write_all(again) == text


@MANY
@given(records().filter(lambda record: not empty(record)))
def test_json_gives_the_same_record(record: r.Record) -> None:
    again, found = from_json(json.loads(json.dumps(to_json(record))), "t.json")
    assert again == record, found


@FEW
@given(st.lists(records().filter(lambda record: bool(record.tags and record.deals)), max_size=3))
def test_many_records_in_one_file_stay_apart(many: list[r.Record]) -> None:
    assert read_text(write_all(many), "t.cgn")[0] == many


@MANY
@given(st.lists(actions, min_size=1, max_size=6).map(tuple))
def test_a_turn_without_its_seat_reads_as_itself(acted: tuple[Action, ...]) -> None:
    assert parse_turn(write_actions(acted), "t") == (acted, ())


positions = st.builds(
    Position,
    st.just("N"),
    st.sampled_from(["start", "play", "reply"]),
    st.lists(
        st.builds(
            Field,
            names.filter(lambda name: len(name) > 1),
            owners,
            st.lists(st.builds(Value, st.from_regex(r"[^\s;]{1,8}", fullmatch=True)), max_size=3).map(tuple),
        ),
        max_size=4,
        unique_by=lambda part: (part.place, part.owner),
    ).map(tuple),
)


@MANY
@given(positions)
def test_a_position_reads_as_itself(position: Position) -> None:
    assert parse_position(write_position(position), "t") == (position, ())
    told = position_to_json(position)
    assert json.loads(json.dumps(told)) == told


def test_a_word_of_a_position_is_read_as_cards_or_refused_in_its_place() -> None:
    position, found = parse_position("N at play; hand.N KK?2; pile 2 G", "t", 7, 11)
    assert position is not None
    assert not found
    hand, pile = position.find("hand", "N"), position.find("pile")
    assert hand is not None
    assert pile is not None
    assert cards_of(hand.values[0]) == (Card("K"), Card("K"), UNKNOWN, UNKNOWN)
    refused = cards_of(pile.values[1])
    assert isinstance(refused, Diagnostic)
    assert (refused.id, str(refused.span)) == ("CN0041", "t:7:42")
