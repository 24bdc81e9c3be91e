"""The values that decided a violation, told to a player: figures with the names the rules have for them.

The judge keeps every value under the expression that gave it. At the table nobody reads expressions, so only what has a
name is told (a parameter, a definition, a word such as ``left``), and by that name; conditions are left to the text of
the rule and to `canasta why`.
"""

from collections.abc import Iterator
from typing import Final

from canasta.kernel.acts import Violation
from canasta.language.ruleset import Bound, Requirement, Ruleset, Structure
from canasta.language.types import BOOL, ELEMENT, INT, Expr, Op
from canasta.mechanical import mechanical

LONGEST: Final = 60
"""Name or value, whatever is longer than this is left out."""

_NAMED: Final = frozenset(
    {Op.CONST, Op.CONTEXT, Op.DEFINE, Op.GROUP_ATTR, Op.PART_ATTR, Op.CALL, Op.ZONE, Op.STATE, Op.STEP}
)
_SHORT: Final = {
    "laid": "the cards laid", "from_hand": "the cards from the hand", "left": "cards left in the hand",
    "size": "cards of the group", "body": "{body} cards of the group", "filler": "{filler} cards of the group",
}  # fmt: skip
"""What a player calls the words of the language whose full phrase is long; in braces a class of the group's shape."""

_ENDINGS: Final = ("_of", "_in", "_from", "_for")


def deciding_values(ruleset: Ruleset, violation: Violation) -> tuple[tuple[str, str], ...]:
    """Give the values that decided a violation as pairs of a name in words and the value; none that has no short name."""
    if isinstance(ruleset.clauses.get(violation.clause), Structure):
        return violation.values  # what the kernel itself refuses has its values under names in words
    nodes = {node.text: node for node in reversed(list(_nodes(ruleset, violation)))}
    told: dict[str, str] = {}
    for text, value in violation.values:
        node = nodes.get(text)
        if node is None or not _has_name(node):
            continue
        name = _of_shape(ruleset, violation, _name(ruleset, node)) + seen_when(ruleset, violation.act, node)
        if max(len(name), len(value)) <= LONGEST:
            told.setdefault(name, value)
    return tuple(told.items())


def _nodes(ruleset: Ruleset, violation: Violation) -> Iterator[Expr]:
    """Go through all nodes of the demand that was not met, the bodies of the definitions that it uses among them."""
    clause = ruleset.clauses.get(violation.clause)
    if not isinstance(clause, Requirement | Bound):
        return
    waiting = [demand.that for demand in clause.require if demand.code == violation.code]
    bodies = {definition.name: definition.body for definition in ruleset.definitions.values()}
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.args
        if node.op is Op.DEFINE and node.ref in bodies:
            waiting.append(bodies.pop(node.ref))


def _has_name(node: Expr) -> bool:
    if node.op is Op.CONST:
        return bool(node.ref) and node.type == INT
    return node.op in _NAMED and node.type not in ELEMENT and (node.type != BOOL or node.op is Op.DEFINE)


def seen_when(ruleset: Ruleset, act: str, node: Expr) -> str:
    """Say that a stack is seen after its top card was taken, where only such a take leads to the act."""
    phases = ruleset.phases.values()
    where = {phase.name for phase in phases if act in phase.acts or act in phase.auto}
    tops = {a.top for a in ruleset.acts.values() if a.top and a.then in where}
    return " after the take" if any(inner.op is Op.ZONE and inner.ref in tops for inner in _within(node)) else ""


def _within(node: Expr) -> Iterator[Expr]:
    yield node
    for arg in node.args:
        yield from _within(arg)


def _of_shape(ruleset: Ruleset, violation: Violation, name: str) -> str:
    """Put in the classes of cards that the shape of a bound speaks of."""
    clause = ruleset.clauses[violation.clause]
    shape = ruleset.shapes[clause.shape] if isinstance(clause, Bound) else None
    if shape is None:
        return name
    body, filler = (kind.replace("_", " ") for kind in (shape.body, shape.filler))
    return name.replace("{body}", body).replace("{filler}", filler)


def _name(ruleset: Ruleset, node: Expr) -> str:
    """Name a node in words; the function of a definition is told with what it was asked of."""
    words = node.ref.replace("_", " ")
    if node.op is Op.CONST:
        return words
    if node.op is Op.DEFINE:
        told = [_name(ruleset, arg) if arg.op is Op.CONTEXT else mechanical(ruleset, arg) for arg in node.args]
        joined = words if not told or node.ref.endswith(_ENDINGS) else f"{words} of"
        return f"{joined} {', '.join(told)}".strip()
    if node.op is Op.CONTEXT and node.ref in _SHORT:
        return _SHORT[node.ref]
    return mechanical(ruleset, node)
