"""The parts that zones, values and cards play in a game, read off its rules: nothing here knows what any of them is called."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from canasta.kernel.game import Game
from canasta.language.ruleset import Duty, Effect, Form, Lasts, Owner, Ruleset, Score, Seen
from canasta.language.types import BOOL, INT, Op, Statement, StatementOp
from canasta.notation.record import Written
from canasta_conformance.finding.goals import nodes
from canasta_conformance.finding.reaching import Reaching, within
from canasta_conformance.finding.sketch import Place

SETUP, TURN = "setup", "turn"


@dataclass(frozen=True, slots=True)
class Roles:
    """What plays which part in one game."""

    hand: str
    """The zone of the cards that a player holds."""
    stock: Place
    """Where the pack lies that is drawn from."""
    piles: frozenset[Place]
    """Stacks of the table of which the top card is seen."""
    melds: frozenset[str]
    """Zones into which groups are laid."""
    opened: str
    """The value that says whether somebody whose groups lie by themselves has laid any; empty where there is none."""
    answers: frozenset[str]
    """Values that are what a player has answered."""
    points: frozenset[str]
    """Values that count points."""
    follow: frozenset[str]
    """Values that come about by themselves while a deal is dealt and turns are played to their end."""
    fleeting: frozenset[int]
    """Kinds of card that never stay in a hand: whoever has one lays it out."""
    laid_out: tuple[tuple[str, frozenset[int]], ...]
    """Zones to which only cards of some kinds ever go, each with these kinds."""
    fillers: frozenset[int]
    """Kinds of card that stand in for others."""
    plain: frozenset[int]
    """Kinds of card of which groups are made that may grow, and that stand in for no other."""


@cache
def roles(game: Game) -> Roles:
    """Read off the rules of a game what plays which part."""
    rules, forms = game.ruleset, game.machine.shapes.forms
    melds = frozenset(act.into for act in rules.acts.values() if act.into)
    fleeting, laid_out = _laid_out(game)
    fillers = frozenset(kind for form in forms for kind in range(game.deck.size) if form.filler[kind])
    grown = frozenset(kind for form in forms if form.grows for kind in range(game.deck.size) if form.body[kind])
    return Roles(
        hand=rules.table.hand,
        stock=(rules.table.order, ""),
        piles=frozenset((z.name, "") for z in rules.zones.values() if z.form is Form.STACK and z.seen is Seen.TOP),
        melds=melds,
        opened=_opened(game, melds),
        answers=frozenset(s.places[0].name for _, s in _sets(rules) if _is_answer(s)),
        points=frozenset({rules.table.account, *_counted(rules)}),
        follow=_follow(game),
        fleeting=fleeting,
        laid_out=laid_out,
        fillers=fillers,
        plain=grown - fillers - fleeting,
    )  # fmt: skip


def _doings(rules: Ruleset) -> Iterator[tuple[Effect | Duty, Statement]]:
    for clause in rules.clauses.values():
        if isinstance(clause, Effect | Duty):
            for outer in clause.do:
                yield from ((clause, statement) for statement, _ in within(outer, ()))


def _sets(rules: Ruleset) -> Iterator[tuple[Effect | Duty, Statement]]:
    yield from ((clause, s) for clause, s in _doings(rules) if s.op is StatementOp.SET)


def _is_answer(statement: Statement) -> bool:
    (value, *_) = statement.exprs
    return value.op is Op.CONTEXT and value.ref == "option"


def _ends(rules: Ruleset) -> set[str]:
    return {act.name for act in rules.acts.values() if act.commit}


def _opened(game: Game, melds: frozenset[str]) -> str:
    """Find the value that becomes true, for those whose groups they are, when what was laid is settled."""
    rules, late = game.ruleset, Reaching(game).late
    owners = {rules.zones[name].of for name in melds} - {Owner.TABLE}
    for clause, statement in _sets(rules):
        variable, value = rules.state[statement.places[0].name], statement.exprs[0]
        becomes = variable.type == BOOL and value.op is Op.CONST and bool(value.value)
        lasting = variable.lasts is Lasts.DEAL and variable.of in owners and variable.name not in late
        if becomes and lasting and _ends(rules) & set(clause.on):
            return variable.name
    return ""


def _counted(rules: Ruleset) -> Iterator[str]:
    """Go through the values that a line of the ledger counts."""
    for score in rules.of_kind(Score):
        for node in nodes(score.points):
            if node.op is Op.STATE and rules.state[node.ref].type == INT:
                yield node.ref


def _follow(game: Game) -> frozenset[str]:
    rules, late = game.ruleset, Reaching(game).late
    by_itself = {SETUP, TURN, *_ends(rules), *(a.name for a in rules.acts.values() if a.written == Written.DRAW)}
    found = {s.places[0].name for clause, s in _sets(rules) if by_itself & set(clause.on)}
    return frozenset((found - set(late) - set(_counted(rules))) | {rules.table.account})


def _laid_out(game: Game) -> tuple[frozenset[int], tuple[tuple[str, frozenset[int]], ...]]:
    """Find the kinds that a duty takes from every hand, and the zones that only get cards that are chosen by their kind."""
    rules, fleeting, into = game.ruleset, set[int](), dict[str, set[int]]()
    for clause, statement in _doings(rules):
        kinds = _chosen(game, clause, statement)
        if kinds is None:
            continue
        source, target = (place.name for place in statement.places)
        into.setdefault(target, set()).update(kinds)
        if isinstance(clause, Duty) and source == rules.table.hand:
            fleeting |= kinds
    others = {
        statement.places[-1].name
        for _, statement in _doings(rules)
        if statement.op in (StatementOp.MOVE, StatementOp.MOVE_ALL)
    }
    laid = {name: frozenset(kinds) for name, kinds in into.items() if name not in others and name != rules.table.hand}
    return frozenset(fleeting), tuple(sorted(laid.items()))


def _chosen(game: Game, clause: Effect | Duty, statement: Statement) -> set[int] | None:
    """Find the kinds of card that a statement may move, where it moves what is chosen by its kind."""
    if statement.op is StatementOp.MOVE_WHERE:
        return {kind for kind, held in enumerate(game.machine.kinds_where(statement)) if held}
    if statement.op is StatementOp.MOVE_CARD:
        masks = [game.machine.card_masks[act] for act in clause.on if act in game.ruleset.acts]
        return {kind for kind in range(game.deck.size) if any(mask[kind] for mask in masks)}
    return None
