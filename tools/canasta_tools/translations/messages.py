"""Every text that a person reads in a book, with the place it stands at: what there is to translate.

A rule set says only what is its own. What it takes over from the one it extends is translated there, and found there.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from canasta.language.build import PSEUDO_ACTS
from canasta.language.loading import load_document
from canasta.language.naming import known
from canasta.language.source import Mapping, Node, Scalar, Sequence, read_file
from canasta.language.types import CARD_ATTRIBUTES
from canasta.mechanical import name_context
from canasta.playing.positions import WORDS
from canasta.prose import STEPS
from canasta.register import Ruling, read_rulings
from canasta.rooms import room
from canasta.wording import context_of
from canasta_tools.rulebook import cards
from canasta_tools.rulebook.narrative import narratives
from canasta_tools.rulebook.narrative import texts_of as texts_of_narrative
from canasta_tools.translations.strings import strings
from canasta_tools.translations.terms import FILE, terms

BOOK: Final = "book"
"""The catalogue of the words that the books themselves add."""

SENTENCES: Final = "sentences"
"""The catalogue of the phrases by which the formal part of a clause is put into words."""

RULINGS: Final = "rulings"
"""What the names of the catalogues of rulings begin with."""

TERMS: Final = "terms"
"""The catalogue of the words of the game."""

PLAYER: Final = "player"
"""What the names of the catalogues of the player's books begin with."""

_TEXTS: Final = ("title", "about", "text", "note")
"""The keys of a rule file under which words for a reader stand."""

_DECLARED: Final = (
    "classes", "values", "parameters", "steps", "shapes", "zones", "state", "marks", "acts", "phases", "reasons", "options",
)  # fmt: skip
"""The keys under which things with names are declared."""

_WORDS: Final = ("of", "type", "options")
"""The keys of a declaration under which the words that it may take are listed."""

_NAMED: Final = {"clauses": "", "chapters": "chapter "}
"""Lists whose entries have names of their own, and what is put before these."""


@dataclass(frozen=True, slots=True)
class Message:
    """One text: the catalogue that it belongs to, its place, and the file it stands in."""

    domain: str
    context: str
    text: str
    file: str

    @property
    def key(self) -> tuple[str, str]:
        """What a translation is found by."""
        return self.context, self.text


@cache
def messages() -> tuple[Message, ...]:
    """List all texts there are to translate, in the order in which a reader of the files meets them.

    Raises:
        CanastaError: with every fault of a rule set or of the register.
    """
    return (*_rule_sets(), *_narratives(), *_rulings(read_rulings().values()), *_phrases(), *_terms(), *_own_words())


def domains() -> dict[str, list[Message]]:
    """Sort all texts into their catalogues."""
    found: dict[str, list[Message]] = {}
    for message in messages():
        found.setdefault(message.domain, []).append(message)
    return found


def domain_of(name: str) -> str:
    """Name the catalogue of a shipped rule set."""
    return name.replace("/", "-")


def texts_of(document: Mapping) -> Iterator[tuple[str, str, str]]:
    """Go through the words for readers of one whole rule set, then through the names that it declares: place, text, file."""
    yield from _of_mapping(document, ("rules",))
    names: dict[str, str] = {}
    for name, file in _names(document):
        names.setdefault(name, file)
    yield from ((name_context(name), name.replace("_", " "), file) for name, file in names.items())


def _names(document: Mapping) -> Iterator[tuple[str, str]]:
    for key in _DECLARED:
        table = document.items.get(key)
        for name, node in table.items.items() if isinstance(table, Mapping) else ():
            yield name, node.span.file
            if isinstance(node, Mapping):
                yield from _values(node)
    clauses = document.items.get("clauses")
    listed = clauses.items if isinstance(clauses, Sequence) else ()
    for word in (c.items.get(key) for c in listed if isinstance(c, Mapping) for key in ("name", "item")):
        if isinstance(word, Scalar):
            yield word.text, word.span.file
    for clause in (c for c in listed if isinstance(c, Mapping)):
        yield from _given(clause)


def _given(clause: Mapping) -> Iterator[tuple[str, str]]:
    """Go through the words by which a definition calls what it is asked of; a single letter is the same in all languages."""
    of = clause.items.get("of")
    for given in of.items if isinstance(of, Sequence) else ():
        if isinstance(given, Mapping):
            yield from ((name, given.span.file) for name in given.items if len(name) > 1)


def _values(declared: Mapping) -> Iterator[tuple[str, str]]:
    for key in _WORDS:
        listed = declared.items.get(key)
        words = listed.items if isinstance(listed, Sequence) else ()
        yield from ((w.text, w.span.file) for w in words if isinstance(w, Scalar) and not w.text.isdigit())


def _rule_sets() -> Iterator[Message]:
    told: dict[str, set[tuple[str, str]]] = {}
    loaded = {name: load_document(name) for name in known()}
    for name in sorted(loaded, key=lambda n: (len(loaded[n].lineage), n)):
        taken_over = set().union(*(told[parent] for parent in loaded[name].lineage))
        found = list(texts_of(loaded[name].document))
        told[name] = {(context, text) for context, text, _ in found}
        for context, text, file in found:
            if (context, text) not in taken_over:
                yield Message(domain_of(name), context, text, file)


def _of_mapping(node: Mapping, path: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    at = node.items.get("at")
    where = ".".join(path)
    for key in _TEXTS:
        words = node.items.get(key)
        if isinstance(words, Scalar) and words.text.strip():
            what = f"note on {at.text}" if key == "note" and isinstance(at, Scalar) else key
            yield context_of(where, what), " ".join(words.text.split()), words.span.file
    for key, inner in node.items.items():
        if isinstance(inner, Mapping):
            yield from _of_mapping(inner, (key,) if path == ("rules",) else (*path, key))
        elif isinstance(inner, Sequence):
            yield from _of_list(key, inner, path)


def _of_list(key: str, listed: Sequence, path: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    for item in listed.items:
        if not isinstance(item, Mapping):
            continue
        name = _word(item, "id") or _word(item, "chapter")
        if key in _NAMED:
            yield from _of_mapping(item, (f"{_NAMED[key]}{name}",))
        else:
            yield from _of_mapping(item, (f"{'.'.join(path)}/{name}",) if name else path)


def _word(of: Mapping, key: str) -> str:
    node = of.items.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _narratives() -> Iterator[Message]:
    for name, told in narratives().items():
        for context, text in texts_of_narrative(told):
            yield Message(f"{PLAYER}-{domain_of(name)}", context, text, told.span.file)


def _rulings(rulings: Iterable[Ruling]) -> Iterator[Message]:
    for ruling in rulings:
        where = f"ruling {ruling.slug}"
        domain, file = rulings_domain(ruling), f"spec/rulings/{ruling.slug}.yaml"
        told = [("question", ruling.question), *((f"reading {i}", r.says) for i, r in enumerate(ruling.readings, 1))]
        told += [("sole", ruling.sole), ("decision", ruling.decision), ("reason", ruling.reason)]
        if ruling.option is not None:
            told += [(f"{ruling.option.name} = {value}", meaning) for value, meaning in ruling.option.values]
        told += [(f"example {example.id}", example.text) for example in ruling.examples]
        for what, text in told:
            if text:
                yield Message(domain, context_of(where, what), " ".join(text.split()), file)


def rulings_domain(ruling: Ruling) -> str:
    """Name the catalogue of a ruling: that of the oldest game that it is about, or of all games that are not shipped."""
    families = [game.partition("/")[0] for game in ruling.applies]
    return f"{RULINGS}-{next((f for f in families if f in known()), 'others')}"


def _phrases() -> Iterator[Message]:
    file = "spec/phrases.yaml"
    page = read_file(room("spec") / "phrases.yaml", file)
    for chapter, node in page.items.items():
        for key, value in node.items.items() if isinstance(node, Mapping) else ():
            for what, text in _forms(value):
                yield Message(SENTENCES, context_of(f"{chapter}.{key}", what), text, file)


def _forms(value: Node) -> Iterator[tuple[str, str]]:
    if isinstance(value, Scalar):
        yield "phrase", value.text
    elif isinstance(value, Sequence):
        words = [x.text for x in value.items if isinstance(x, Scalar)]
        yield from zip(("one", "many"), words, strict=False)


def _terms() -> Iterator[Message]:
    yield from (Message(TERMS, term.context, term.word, FILE) for term in terms())


def _own_words() -> Iterator[Message]:
    for text in ("{value} below {start}", "{value} from {start}", "{all} and {last}"):
        yield Message(BOOK, STEPS, text, "reference/canasta/prose.py")
    for word in ("yes", "no", *CARD_ATTRIBUTES):
        yield Message(SENTENCES, name_context(word), word, "reference/canasta/mechanical.py")
    for moment in sorted(PSEUDO_ACTS):
        yield Message(SENTENCES, name_context(moment), moment, "reference/canasta/language/build.py")
    for word in WORDS:
        yield Message(SENTENCES, name_context(word), word.replace("_", " "), "reference/canasta/playing/positions.py")
    for context, text in cards.names():
        yield Message(BOOK, context, text, cards.FILE)
    for context, text, file in strings():
        yield Message(BOOK, context, text, file)
