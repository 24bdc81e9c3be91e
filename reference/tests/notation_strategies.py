"""Hypothesis strategies that build records as a person might have written them, and stranger ones."""

from hypothesis import strategies as st

from canasta.notation import record as r
from canasta.notation.cards import UNKNOWN, Card
from canasta.notation.record import Action, Written

SEATS = ("N", "E", "S", "W")
SIDES = ("N", "NS", "EW", "NESW")

seats = st.sampled_from(SEATS)
sides = st.sampled_from(SIDES)
known = st.builds(Card, st.sampled_from("AKQJT98765432"), st.sampled_from(["", *"cdhsrb"]))
jokers = st.builds(Card, st.just("Jk"), st.sampled_from(["", "r", "b"]))
cards = known | jokers | st.just(UNKNOWN)
seen = known | jokers
runs = st.lists(cards, min_size=1, max_size=7).map(tuple)
words = st.from_regex(r"[a-z][a-z_-]{1,8}", fullmatch=True).filter(lambda w: w != "total")
names = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
points = st.integers(-999_999_999, 999_999_999)
texts = st.text(st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp")), max_size=12).map(str.strip)
several_texts = st.lists(texts, max_size=2).map(tuple)
notes = st.just(r.NO_NOTES) | st.builds(r.Notes, several_texts, several_texts)
values = words.filter(lambda w: "-" not in w) | st.integers(-999, 9999).map(str)
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
            st.builds(r.Claim, names, st.just("") | st.from_regex(r"[A-Za-z0-9]{1,3}", fullmatch=True), values, after),
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
    red_threes = runs | st.integers(0, 4).map(lambda n: (Card("3", "r"),) * n)
    items = st.lists(st.builds(r.Item, words | st.sampled_from(["base", "count", "points"]), points), min_size=1, max_size=4)
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
        one_each(
            st.builds(r.Score, sides, items.map(tuple), st.none() | points, st.none() | points, notes), "side"
        ),
    )
    lines = tuple(line for part in parts for line in draw(part))
    return r.Deal(number, draw(st.just("") | seats), lines, draw(notes))


tag_names = st.sampled_from(["Rules", "Date", "N", "E", "Event", "Mood_1", "x"])
tags = st.lists(
    st.builds(r.Tag, tag_names, st.text(st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp")), max_size=8), notes),
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
