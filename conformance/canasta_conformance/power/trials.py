"""One mutant before the cases: whether it is one, and which cases notice it at a step that they expect something of.

The rules are changed in memory and built anew, and the reference answers by them in this very process. A case notices a fault when
an answer of which it expects something is not as expected. An answer that merely goes wrong on the way (a position that can no longer be
set up) is no notice, for it says nothing of the clause.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple

from canasta.diagnostics import CanastaError
from canasta.games import game_of, open_game
from canasta.kernel.game import Game
from canasta.kernel.machine import EffectOrderError
from canasta.language.build import Earlier, build, build_to_change
from canasta.language.loading import Loaded
from canasta.language.ruleset import Bound, Option, Ruleset
from canasta.language.source import Mapping as Document
from canasta.language.types import BOOL
from canasta.playing.examples import with_options
from canasta_conformance.adapters import answer
from canasta_conformance.inprocess.answering import UNREACHED, answered
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.power.compiled import Print, print_of, tables_of
from canasta_conformance.power.making import Mutant
from canasta_conformance.power.nodes import Places
from canasta_conformance.stopping import stopped_after
from canasta_conformance.suite import Case, Form

SECONDS: Final = 3.0
"""How much of the processor's time one answer may take under changed rules; they may lead into a play without an end."""

OVERTIME: Final = "no answer in time"
"""By what a case notices a fault that leads into a play without an end."""

ERROR: Final = "error"
"""By what a case notices a fault by which the reference does not answer, but fails."""

TO_BUILD: Final = 10.0
"""The same for making changed rules ready."""


class Fate(StrEnum):
    """What became of a mutant."""

    STILLBORN = "stillborn"
    """Refused like any rule that does not fit, or never ready to play: no mutant."""
    SAME = "same"
    """Compiled to the very same: no mutant."""
    KILLED = "killed"
    """A case that asserts the changed clause notices it where the clause decides."""
    ELSEWHERE = "killed elsewhere"
    """Only a case that asserts another clause, or a whole game, notices it."""
    SURVIVED = "survived"


class Notice(NamedTuple):
    """A case that noticed a fault, by which of its forms, and by what: the grade that was wrong, an error, or that no answer came."""

    case: str
    by: str
    whole_game: bool
    form: int = 0


class TooLongError(BaseException):
    """A case takes too long; nothing on the way may take it for a fault of its own."""


def at_most(seconds: float) -> AbstractContextManager[None]:
    """Stop what takes more of the processor's time.

    Raises:
        TooLongError: when the time is over.
    """
    return stopped_after(seconds, TooLongError, of_processor=True)


@dataclass(slots=True)
class Family:
    """The rule sets that one mutant may touch: the one that says the clause, and those that inherit it."""

    loaded: Mapping[str, Loaded]
    digest: str = ""
    """The digest of all that the rule sets say."""
    digests: dict[tuple[str, str], str] = field(default_factory=dict)
    """The digests of single clauses and declarations of rule sets, as they are worked out."""
    _prints: dict[str, Print] = field(default_factory=dict)
    _built: dict[str, Earlier] = field(default_factory=dict)
    _places: dict[str, Places] = field(default_factory=dict)

    def opened(self, mutant: Mutant) -> "Changed":
        """Open the rule sets with a fault in them."""
        return Changed(self, mutant)

    def opened_as_it_is(self, ruleset: str, options: Mapping[str, str]) -> Game:
        """Open a rule set without a fault."""
        return open_game(with_options(ruleset, dict(options)), by_face=True, reasons=False)

    def print_of(self, ruleset: str, options: Mapping[str, str]) -> Print:
        """Give what the unchanged rule set is executed by."""
        name = with_options(ruleset, dict(options))
        if name not in self._prints:
            self._prints[name] = print_of(game_of(self.built(ruleset, options).ruleset, by_face=True))
        return self._prints[name]

    def built(self, ruleset: str, options: Mapping[str, str]) -> Earlier:
        """Give the unchanged rule set as it is built from the document that is changed."""
        name = with_options(ruleset, dict(options))
        if name not in self._built:
            loaded = self.loaded[ruleset]
            chosen = loaded.chosen | dict(options)
            self._built[name] = build_to_change(loaded.document, loaded.name, loaded.profile, chosen, loaded.chapter_of)
        return self._built[name]

    def with_fault(self, ruleset: str, mutant: Mutant) -> Document:
        """Put a fault into the document of a rule set."""
        if ruleset not in self._places:
            self._places[ruleset] = Places(self.loaded[ruleset].document)
        return mutant.applied(self.loaded[ruleset].document, self._places[ruleset])

    def choices(self, ruleset: str) -> Mapping[str, tuple[str, ...]]:
        """List the options of a rule set, and how each can be chosen."""
        return {o.name: _words_of(o) for o in self.opened_as_it_is(ruleset, {}).ruleset.options.values()}

    def default(self, ruleset: str, option: str) -> str:
        """Name the choice that a rule set makes itself."""
        found = self.opened_as_it_is(ruleset, {}).ruleset.options[option]
        return _words_of(found)[
            found.value if found.type.words or found.type == BOOL else found.allowed.index(found.value)
        ]


def _words_of(option: Option) -> tuple[str, ...]:
    """Write the choices of an option as they are chosen: words, no and yes, or figures."""
    if option.type == BOOL:
        return ("no", "yes")
    return tuple(option.type.words) or tuple(str(figure) for figure in option.allowed)


def built(loaded: Loaded, document: Document, options: Mapping[str, str], earlier: Earlier | None = None) -> Ruleset:
    """Build a rule set from a changed document.

    Raises:
        CanastaError: when the change does not fit.
    """
    return build(document, loaded.name, loaded.profile, loaded.chosen | dict(options), loaded.chapter_of, earlier)


class Changed:
    """Rule sets with one fault in them, each opened when a case first asks for it."""

    def __init__(self, family: Family, mutant: Mutant) -> None:
        """Know the fault; nothing is built yet."""
        self.family, self.mutant = family, mutant
        self._games: dict[tuple[str, tuple[tuple[str, str], ...]], Game] = {}
        self._documents: dict[str, Document] = {}

    def game(self, ruleset: str, options: Mapping[str, str] | None = None) -> Game:
        """Open a rule set with its options.

        Raises:
            CanastaError: when the fault does not fit.
        """
        chosen = tuple(sorted((options or {}).items()))
        if (ruleset, chosen) not in self._games:
            self._games[ruleset, chosen] = self._opened(ruleset, dict(chosen))
        return self._games[ruleset, chosen]

    def _opened(self, ruleset: str, options: dict[str, str]) -> Game:
        loaded = self.family.loaded[ruleset]
        document = self._document(ruleset)
        if document is loaded.document:
            return self.family.opened_as_it_is(ruleset, options)
        earlier = self.family.built(ruleset, options)
        return game_of(built(loaded, document, options, earlier), by_face=True).without_reasons()

    def _document(self, ruleset: str) -> Document:
        if ruleset not in self._documents:
            self._documents[ruleset] = self.family.with_fault(ruleset, self.mutant)
        return self._documents[ruleset]

    def touches(self, ruleset: str) -> bool:
        """Ask whether the fault is in a rule set."""
        found: Document = self.family.loaded[ruleset].document
        return self._document(ruleset) is not found

    def fits(self) -> bool:
        """Ask whether the changed rule set can be made ready at all."""
        try:
            with at_most(TO_BUILD):
                self.game(self.mutant.ruleset)
        except (CanastaError, EffectOrderError, TooLongError):
            return False
        return True

    def kind(self) -> Fate | None:
        """Say whether the mutant is none: it does not fit, or is compiled to the same, whatever is chosen and in every heir."""
        try:
            with at_most(TO_BUILD):
                same = all(self._is_same(ruleset, options) for ruleset, options in self.ways())
        except (CanastaError, EffectOrderError, TooLongError):
            return Fate.STILLBORN
        return Fate.SAME if same else None

    def ways(self) -> Iterator[tuple[str, dict[str, str]]]:
        """Go through the ways of playing in which it may show: as the book says, by each choice that its clauses speak of, by heirs."""
        own = self.mutant.ruleset
        yield own, {}
        for option, choices in self.family.choices(own).items():
            if option in self.mutant.words:
                yield from ((own, {option: choice}) for choice in choices)
        yield from ((heir, {}) for heir in self.family.loaded if heir != own and self.touches(heir))

    def _is_same(self, ruleset: str, options: dict[str, str]) -> bool:
        try:
            game = self.game(ruleset, options)
        except (CanastaError, EffectOrderError):
            if ruleset == self.mutant.ruleset and not options:
                raise
            return True  # it does not fit there, and nobody could play by it
        # A bound is what its table says, however it is written.
        clause = game.ruleset.clauses.get(self.mutant.place.partition("/")[0])
        if isinstance(clause, Bound):
            return tables_of(game) == tables_of(self.family.opened_as_it_is(ruleset, options))
        return print_of(game) == self.family.print_of(ruleset, options)

    def noticed(self, case: Case) -> Notice | None:
        """Ask one case whether it notices the fault."""
        engine = ByGame(self.game)
        for number, form in enumerate(case.forms):
            by = notice(engine, form)
            if by:
                return Notice(case.id, by, is_whole_game(form), number)
        return None


class ByGame(ReferenceEngine):
    """The reference, but that somebody else opens the games."""

    def __init__(self, opened: Callable[[str, Mapping[str, str] | None], Game]) -> None:
        """Know who opens them."""
        super().__init__()
        self._opened = opened

    def _game(self, ruleset: str, options: Mapping[str, str] | None) -> Game:
        return self._opened(ruleset, options)


def notice(engine: ReferenceEngine, form: Form) -> str:
    """Put one form to the reference, and say by what it fails; nothing where all is as expected."""
    came = answered(engine, form.exchanges, complete=True, ask=_in_time)
    if not came.stopped or came.stopped == UNREACHED:
        return came.wrong  # nothing is wrong where what is asked about is never reached
    last = len(came.replies) - 1
    if not form.exchanges[last].expect and not begins(form, last):
        return ""
    return OVERTIME if came.replies[last].get("text") == OVERTIME else ERROR


def _in_time(engine: object, request: Mapping[str, Any]) -> dict[str, Any]:
    """Let the reference answer, if it does not take too long."""
    try:
        with at_most(SECONDS):
            return answer(engine, request)
    except TooLongError:
        return {"error": True, "text": OVERTIME}


def begins(form: Form, number: int) -> bool:
    """Ask whether a request is what is asked about: a deal is set up, and nothing but how it then lies is expected."""
    rest = [exchange.send["op"] for exchange in form.exchanges[number:]]
    return rest[0] == "start" and "turn" not in rest and len(rest) > 1


def is_whole_game(form: Form) -> bool:
    """Ask whether a form plays more than one turn: what it notices may come from anything in between."""
    return len([exchange for exchange in form.exchanges if exchange.send["op"] == "turn"]) > 1


def passes(game: Callable[[str, Mapping[str, str] | None], Game], case: Case) -> bool:
    """Ask whether a case comes out as expected by the rules as they are."""
    engine = ByGame(game)
    return all(answered(engine, form.exchanges, complete=True).holds for form in case.forms)
