"""Asking a rule set about a position: any expression of the rule language, answered for the player who acts."""

from dataclasses import dataclass
from typing import Any, Final

from canasta.diagnostics import CanastaError, Findings, Span
from canasta.kernel.game import Game
from canasta.kernel.state import Context, State
from canasta.language.checker import Checker
from canasta.language.ruleset import Ruleset
from canasta.language.scope import ACTOR, ALWAYS, Declared, Scope, Signature
from canasta.language.source import Scalar
from canasta.language.types import BOOL, CARD, COLOUR, INT, RANK, SEAT, SIDE, SUIT, Expr, Type
from canasta.playing.seats import Seats, seats_of

NOWHERE: Final = Span("question", 1, 1, 1, 1)


class QuestionError(CanastaError):
    """A question that is no expression of the rule set, or whose answer cannot be written."""


@dataclass(frozen=True, slots=True)
class Question:
    """An expression that was read for one rule set."""

    expr: Expr

    def answer(self, game: Game, state: State, seats: Seats | None = None) -> str:
        """Answer for the seat to act: a whole number, ``yes`` or ``no``, or a word of the rule set."""
        context = Context()
        context.runtime = game.listing
        value = game.backend.function(self.expr)(state, context, state.seat, state.side_of[state.seat])
        return _shown(game, self.expr, value, seats or seats_of(game.ruleset.table))


def ask(ruleset: Ruleset, text: str, span: Span = NOWHERE) -> Question:
    """Read a question.

    Raises:
        QuestionError: RS3xxx when the text is no expression, or names what the rule set does not have.
    """
    return Question(expression(ruleset, text, Scope(ALWAYS | ACTOR, where="a question"), None, span))


def expression(ruleset: Ruleset, text: str, scope: Scope, expected: Type | None, span: Span = NOWHERE) -> Expr:
    """Read an expression that may use the words of ``scope``; with ``expected`` it must be of that type.

    Raises:
        QuestionError: RS3xxx when the text is no such expression, or names what the rule set does not have.
    """
    findings = Findings()
    expr = Checker(_declared(ruleset), findings).expression(Scalar(text, span), scope, expected, "ask")
    findings.raise_errors(QuestionError)
    if expr is None:
        raise QuestionError(findings)
    return expr


def _declared(ruleset: Ruleset) -> Declared:
    """Give the declared names of a rule set that has been built."""
    definitions = ruleset.definitions

    def signature(name: str) -> Signature | None:
        found = definitions.get(name)
        return None if found is None else Signature(found.of, found.parameters, found.body.type)

    return Declared(
        ruleset.pack,
        classes=set(ruleset.classes),
        values=set(ruleset.values),
        parameters=ruleset.parameters,
        options=ruleset.options,
        steps=ruleset.steps,
        zones=ruleset.zones,
        state=ruleset.state,
        marks=ruleset.marks,
        shapes=ruleset.shapes,
        acts=ruleset.acts,
        phases=set(ruleset.phases),
        reasons=set(ruleset.reasons),
        definition_names=set(definitions),
        signature=signature,
    )


def _shown(game: Game, expr: Expr, value: Any, seats: Seats) -> str:  # noqa: ANN401 - a number, a bag or a collection
    pack, kind = game.ruleset.pack, expr.type
    if kind.words:
        return str(kind.words[value])
    if kind == BOOL:
        return "yes" if value else "no"
    if kind == CARD:
        return game.deck.name(value) if value >= 0 else "none"
    if kind == INT or not isinstance(value, int):
        return str(value)
    lists: dict[Type, tuple[str, ...]] = {
        RANK: (*pack.ranks, *(name for name, _ in pack.extra)),
        SUIT: pack.suits,
        COLOUR: pack.colours,
        SEAT: seats.names,
        SIDE: seats.sides,
    }
    return lists[kind][value] if value >= 0 else "none"
