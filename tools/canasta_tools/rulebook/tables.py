"""Tables of a player's book, made of what the rule set declares: what cards count, steps, and what is scored."""

from collections import Counter
from dataclasses import dataclass

from canasta.games import open_game
from canasta.language.ruleset import Score
from canasta.notation.cards import Card
from canasta.playing.cards import card_names
from canasta_tools.rulebook.cards import Face
from canasta_tools.rulebook.dealing import Dealer
from canasta_tools.rulebook.material import Material
from canasta_tools.rulebook.telling import Said


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: what it is about, in words or as cards, and what goes with it."""

    words: Said
    cards: tuple[Face, ...]
    value: Said


def table(book: Material, name: str) -> tuple[Line, ...]:
    """Make a table by its name: ``values.NAME``, ``steps.NAME`` or ``scores``; an unknown one has no lines."""
    kind, _, of = name.partition(".")
    match kind:
        case "values" if of in book.ruleset.values:
            return _values(book, of)
        case "steps" if of in book.ruleset.steps:
            return _steps(book, of)
        case "scores":
            return _scores(book)
        case _:
            return ()


def heads(book: Material, name: str) -> tuple[Said, Said]:
    """Name the two columns of a table."""
    told, (kind, _, of) = book.teller, name.partition(".")
    match kind:
        case "values":
            return told.say_in("table", "card"), told.say_in("table", "points")
        case "steps":
            return told.say_in("table", "total"), Said(told.name(of))
        case _:
            return told.say_in("table", "for"), told.say_in("table", "points")


def _values(book: Material, name: str) -> tuple[Line, ...]:
    """List what cards count, the dearest first; of cards that differ only in suit one is shown."""
    game = open_game(book.loaded.name)
    deck, names = game.deck, card_names(game.ruleset, game.deck)
    dealer = Dealer(game.ruleset.pack)
    found: dict[int, dict[int, int]] = {}
    for kind in range(deck.size):
        found.setdefault(deck.values[name][kind], {}).setdefault(deck.rank[kind], kind)
    often = Counter(rank for ranks in found.values() for rank in ranks)

    def face(kind: int) -> Face:
        """Show a card with its suit only where cards of its rank count differently."""
        card = names.card(kind)
        return dealer.face(card if often[deck.rank[kind]] > 1 else Card(card.rank))

    return tuple(
        Line(Said(""), tuple(face(kind) for kind in found[value].values()), _figure(book, value))
        for value in sorted(found, reverse=True)
    )


def _steps(book: Material, name: str) -> tuple[Line, ...]:
    steps, told = book.ruleset.steps[name], book.teller
    if not steps.rows:
        return (Line(told.say_in("steps", "always"), (), _figure(book, steps.below)),)
    lines = [Line(told.say_in("steps", "below {start}", start=steps.rows[0][0]), (), _figure(book, steps.below))]
    for start, value in steps.rows:
        lines.append(Line(told.say_in("steps", "from {start}", start=start), (), _figure(book, value)))
    return tuple(lines)


def _scores(book: Material) -> tuple[Line, ...]:
    return tuple(Line(e.title, (), e.text) for e in book.clauses if isinstance(e.clause, Score) and not e.idle)


def _figure(book: Material, number: int) -> Said:
    return Said(book.teller.wording.figures(number))
