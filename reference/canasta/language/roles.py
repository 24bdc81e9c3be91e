"""Whether declarations fit the parts they play: the hand is a bag of a seat, a part goes to groups, seats have sides."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.language.kinds import nodes
from canasta.language.nodes import Mapping
from canasta.language.ruleset import Act, Bound, Effect, Form, Owner, Requirement, Ruleset
from canasta.language.types import INT, Expr, Op, Statement, StatementOp

Misfit = tuple[str, str, str, str]
"""A declaration that does not fit: the list it stands in, its name, what is wrong, what to do."""

MOST_PACKS: Final = 50
MOST_CARDS: Final = 2_000
LARGEST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Places:
    """Where the declarations of a rule set are written, as far as its document is at hand."""

    document: Mapping | None = None
    inherited: frozenset[str] = frozenset()
    """The files of the rule sets that this one extends, where it is somebody's variant: what they say is not to be changed there."""
    own: Span | None = None
    """The head of the variant's own file."""

    def of(self, key: str, name: str = "") -> Span | None:
        """Find the place of a declaration, or of the whole list if it has no name or does not stand there."""
        if self.document is None:
            return None
        table = self.document.items.get(key)
        found = table.keys.get(name) if isinstance(table, Mapping) else None
        return found or self.document.keys.get(key)


def check_roles(ruleset: Ruleset, places: Places) -> Iterator[Diagnostic]:
    """Find declarations that the interpreter could not play with, and demands that would ask for each other for ever."""
    for part in (_table, _seats, _acts, _phases, _shapes):
        for key, name, message, hint in part(ruleset):
            yield Diagnostic("RS4015", message, places.of(key, name), hint)
    for key, name, message, hint in (*_pack(ruleset), *_figures(ruleset)):
        yield Diagnostic("RS4025", message, places.of(key, name), hint)
    yield from _without_bounds(ruleset, places)
    yield from _possible(ruleset)


def _pack(ruleset: Ruleset) -> Iterator[Misfit]:
    """A pack that no table could hold would only make the interpreter run out of memory."""
    pack = ruleset.pack
    if pack.packs > MOST_PACKS:
        yield "pack", "packs", f"{pack.packs} packs are more than can be played with", f"at most {MOST_PACKS} packs"
        return
    cards = pack.packs * (len(pack.ranks) * len(pack.suits) + sum(copies for _, copies in pack.extra))
    if cards > MOST_CARDS:
        yield "pack", "", f"{cards:_} cards are more than can be played with", f"at most {MOST_CARDS:_} cards in all"


def _figures(ruleset: Ruleset) -> Iterator[Misfit]:
    """Figures stay so small that no sum of them becomes unwieldy."""
    figures: list[tuple[str, str, tuple[int, ...]]] = [
        ("parameters", name, (value,)) for name, value in ruleset.parameters.items()
    ]
    figures += [("options", o.name, (o.default, o.value, *o.allowed)) for o in ruleset.options.values()]
    figures += [("steps", s.name, (s.below, *(n for row in s.rows for n in row))) for s in ruleset.steps.values()]
    for key, name, values in figures:
        largest = max(values, key=abs)
        if abs(largest) > LARGEST:
            yield key, name, f"the figure {largest} of {name!r} is larger than any game needs", f"at most {LARGEST:_}"


def _table(ruleset: Ruleset) -> Iterator[Misfit]:
    table = ruleset.table
    hand, order, account = ruleset.zones[table.hand], ruleset.zones[table.order], ruleset.state[table.account]
    if hand.of is not Owner.SEAT or hand.form is not Form.BAG:
        hint = f"declare {hand.name!r} with `of: seat, as: bag`"
        yield "zones", hand.name, f"the hand {hand.name!r} is not a bag of each seat", hint
    if order.of is not Owner.TABLE or order.form is not Form.STACK:
        message = f"the pack lies in {order.name!r} before the deal, and that is no stack of the table"
        yield "zones", order.name, message, f"declare {order.name!r} with `of: table, as: stack`"
    if account.type != INT or account.of is Owner.TABLE:
        hint = f"declare {account.name!r} with `of: side` or `of: seat`, and `type: int`"
        yield "state", account.name, f"the account {account.name!r} is no number of each side or seat", hint


def _seats(ruleset: Ruleset) -> Iterator[Misfit]:
    table = ruleset.table
    seated = [s for side in table.sides for s in side]
    if sorted(seated) != list(range(table.seats)):
        hint = f"name each of the seats 0 to {table.seats - 1} on one side, or write `sides: alone`"
        yield "table", "sides", "the sides do not hold every seat once", hint
    for line in table.rota:
        if not line or len(set(line)) < len(line) or not set(line) <= set(range(table.seats)):
            hint = f"a line of `rota` lists seats from 0 to {table.seats - 1}, none of them twice"
            yield "table", "rota", "a line of `rota` is no order of play", hint


def _acts(ruleset: Ruleset) -> Iterator[Misfit]:
    for act in ruleset.acts.values():
        for message, hint in (*_part(ruleset, act), *_choice(ruleset, act)):
            yield "acts", act.name, message, hint


def _part(ruleset: Ruleset, act: Act) -> Iterator[tuple[str, str]]:
    united = act.choose == "groups"
    if (
        act.top or act.target != "either"
        if united
        else not act.lays and (act.into or act.top or act.then or act.target != "either")
    ):
        hint = (
            "`top` and `target` belong to an act with `choose: part`, `into` and `then` to one with `part` or `groups`"
        )
        yield f"{act.name!r} is no part, and says where its cards go", hint
    if not act.lays:
        return
    into, top = ruleset.zones.get(act.into), ruleset.zones.get(act.top)
    if into is None or into.form is not Form.GROUPS:
        yield f"the part {act.name!r} goes to no zone of groups", "say `into:` with a zone `as: groups`"
    if act.top and (top is None or top.form is not Form.STACK):
        yield f"{act.name!r} takes the top of {act.top!r}, which is no stack", "name a zone `as: stack`"
    if act.commit or act.auto:
        hint = "a part moves cards and has no other effect; let another act end the play"
        yield f"the part {act.name!r} cannot be a commit", hint
    if act.then and act.then not in ruleset.phases:
        message = f"{act.name!r} leads to the phase {act.then!r}, which is not declared"
        yield message, f"known: {', '.join(ruleset.phases)}"


def _choice(ruleset: Ruleset, act: Act) -> Iterator[tuple[str, str]]:
    if act.auto and (act.choose != "none" or not act.commit):
        yield f"{act.name!r} cannot happen by itself", "an `auto` act has `choose: none` and `commit: yes`"
    if act.choose == "option" and not act.options:
        yield f"{act.name!r} has no words to choose from", "list them under `options`"
    for phase in ruleset.phases.values():
        if act.auto and act.name in phase.acts:
            hint = f"name it under `auto` of the phase {phase.name!r}"
            yield f"{act.name!r} happens by itself, and nobody chooses it", hint
        if not act.auto and act.name in phase.auto:
            yield f"{act.name!r} happens by itself in the phase {phase.name!r}, but is not `auto`", "say `auto: yes`"


def _phases(ruleset: Ruleset) -> Iterator[Misfit]:
    if not ruleset.phases:
        hint = "declare `phases`; the first begins every turn"
        yield "phases", "", "there is no phase, so that nobody can act", hint


def _shapes(ruleset: Ruleset) -> Iterator[Misfit]:
    for shape in ruleset.shapes.values():
        if not shape.body:
            yield "shapes", shape.name, f"the shape {shape.name!r} has no body", "say `body:` with a class of cards"
        if shape.order and shape.same != "suit":
            message = f"the shape {shape.name!r} is a run, and its cards need not be of one suit"
            yield "shapes", shape.name, message, "say `same: suit`: a run is made of cards of one suit"
        if len(set(shape.order)) < len(shape.order):
            message = f"the shape {shape.name!r} names a rank twice in its `order`"
            yield "shapes", shape.name, message, "name each rank once"


def _without_bounds(ruleset: Ruleset, places: Places) -> Iterator[Diagnostic]:
    bounded = {b.shape for b in ruleset.of_kind(Bound)}
    for shape in ruleset.shapes.values():
        if shape.name not in bounded and shape.grows:
            message = f"nothing says how many cards make a {shape.name!r}; a single card would do"
            hint = f"add a clause of kind `bound` for {shape.name!r}, as `size >= 3`"
            yield Diagnostic("RS4017", message, places.of("shapes", shape.name), hint, severity=Severity.WARNING)


# -- demands that ask what is possible ---------------------------------------------------------------------------------


def _possible(ruleset: Ruleset) -> Iterator[Diagnostic]:
    """A demand that asks whether an act is possible must not be asked itself in finding out."""
    asks = {r.id: asked for r in ruleset.of_kind(Requirement) if (asked := _asked(ruleset, r))}
    waits = {id_: {r.id for a in acts for r in _judged_with(ruleset, a) if r.id in asks} for id_, acts in asks.items()}
    for id_, asked in asks.items():
        reached, waiting = set[str](), list(waits[id_])
        while waiting:
            one = waiting.pop()
            if one not in reached:
                reached.add(one)
                waiting += waits[one]
        if id_ in reached:
            message = f"{id_} asks whether {' or '.join(sorted(asked))} is possible, which cannot be told without it"
            hint = "say in other words when the act is possible"
            yield Diagnostic("RS4016", message, ruleset.clauses[id_].span, hint, clause=id_)


def _asked(ruleset: Ruleset, clause: Requirement) -> set[str]:
    found: set[str] = set()
    entered: set[str] = set()
    waiting: list[Expr] = [d.that for d in clause.require] + ([clause.when] if clause.when is not None else [])
    while waiting:
        for node in nodes(waiting.pop()):
            if node.op is Op.POSSIBLE:
                found.add(node.ref)
            if node.op is Op.DEFINE and node.ref not in entered:
                entered.add(node.ref)
                waiting.append(ruleset.definitions[node.ref].body)
    return found


def _judged_with(ruleset: Ruleset, act: str) -> list[Requirement]:
    """List the requirements that are asked when it is asked whether an act is possible: its own, and those of the way on."""
    acts, phases = {act}, set[str]()
    if ruleset.acts[act].lays:
        waiting = (
            [ruleset.acts[act].then]
            if ruleset.acts[act].then
            else [p.name for p in ruleset.phases.values() if act in p.acts]
        )
        while waiting:
            phase = waiting.pop()
            if phase in phases:
                continue
            phases.add(phase)
            ways_on = [a for a in ruleset.phases[phase].acts if ruleset.acts[a].lays or _closes(ruleset, a)]
            ways_on += ruleset.phases[phase].auto
            acts |= set(ways_on)
            waiting += [p for a in ways_on for p in _led_to(ruleset, a)]
    return [r for r in ruleset.of_kind(Requirement) if acts & set(r.on)]


def _statements(ruleset: Ruleset, act: str) -> Iterator[Statement]:
    waiting = [s for e in ruleset.of_kind(Effect) if act in e.on for s in e.do]
    while waiting:
        statement = waiting.pop()
        yield statement
        if statement.body is not None:
            waiting.append(statement.body)


def _closes(ruleset: Ruleset, act: str) -> bool:
    return any(s.op in (StatementOp.TURN, StatementOp.END) for s in _statements(ruleset, act))


def _led_to(ruleset: Ruleset, act: str) -> set[str]:
    then = {ruleset.acts[act].then} if ruleset.acts[act].then else set()
    return then | {s.name for s in _statements(ruleset, act) if s.op is StatementOp.PHASE}
