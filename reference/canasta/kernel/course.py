"""What may come before a play is settled, read off the rule set alone: the acts that follow, and what the plain ones among them change."""

from collections.abc import Iterator
from dataclasses import dataclass

from canasta.kernel.machine import Machine
from canasta.language.ruleset import Act
from canasta.language.types import Op, Statement, StatementOp

UNFORESEEN = frozenset({StatementOp.TURN, StatementOp.END, StatementOp.MERGE, StatementOp.SET_MARK})
"""Statements of a plain act after which bounds on the play say nothing: it is over, or its groups are other ones."""


@dataclass(frozen=True, slots=True)
class Course:
    """The acts that may come from one phase on until the play is settled."""

    commits: tuple[str, ...]
    """What may settle it."""
    plain: tuple[str, ...]
    """What is no part and settles nothing."""
    tops: bool
    """Whether a part among them takes the top card of a stack."""
    written: frozenset[str] = frozenset()
    """The zones and variables that the plain acts may change."""
    hands_over: bool = False
    """Whether another seat may act in between."""
    foreseen: bool = True
    """Whether bounds can follow what the plain acts do."""
    unites: frozenset[int] = frozenset()
    """The zones in which groups may be united."""


def by_parts(machine: Machine, phase: int) -> Course:
    """Find what may come while nothing but parts is laid."""
    return _course(machine, _reached(machine, phase, plain=False))


def by_plain_acts(machine: Machine, phase: int) -> Course:
    """Find what may come if plain acts are done as well, by whichever seat."""
    found = _course(machine, _reached(machine, phase, plain=True))
    statements = [s for act in found.plain for s in _statements(machine, act)]
    written = frozenset(place.name for s in statements for place in s.places)
    hand = machine.ruleset.table.hand
    brings = any(place.name == hand for s in statements for place in s.places[1:])
    marked = any(s.op in UNFORESEEN for s in statements)
    # Who is asked may lay cards of another hand, unless it is the player whose turn it is.
    others = any(
        s.op is StatementOp.ACT
        and not (s.exprs[0].op is Op.CONTEXT and s.exprs[0].ref == "turn_seat")
        and any(machine.ruleset.acts[a].lays for a in machine.ruleset.phases[s.name].acts)
        for s in statements
    )
    return Course(
        found.commits,
        found.plain,
        found.tops,
        written,
        any(s.op is StatementOp.ACT for s in statements),
        not (brings or marked or others),
        found.unites,
    )


def _course(machine: Machine, phases: list[int]) -> Course:
    names = dict.fromkeys(n for p in phases for n in (*machine.phases[p].acts, *machine.phases[p].auto))
    acts = [machine.ruleset.acts[name] for name in names]
    return Course(
        tuple(a.name for a in acts if a.commit),
        tuple(a.name for a in acts if _is_plain(a)),
        any(bool(a.top) for a in acts if a.lays),
        unites=frozenset(machine.ruleset.zones[a.into].index for a in acts if a.choose == "groups" and a.into),
    )


def _is_plain(act: Act) -> bool:
    return not act.lays and not act.commit


def _reached(machine: Machine, phase: int, *, plain: bool) -> list[int]:
    """Find the phases to which parts lead, and with ``plain`` those to which plain acts do, too."""
    found = [phase]
    for at in found:
        for name in machine.phases[at].acts:
            act = machine.ruleset.acts[name]
            targets = [act.then] if act.lays and act.then else []
            if plain and _is_plain(act):
                ops = (StatementOp.PHASE, StatementOp.ACT)
                targets = [s.name for s in _statements(machine, name) if s.op in ops]
            for target in targets:
                index = machine.ruleset.phases[target].index
                if index not in found:
                    found.append(index)
    return found


def _statements(machine: Machine, act: str) -> Iterator[Statement]:
    """Give every statement of the effects and duties of an act, and those within others."""
    for doing in (*machine.effects[act], *machine.duties[act]):
        for statement in doing.do:
            inner: Statement | None = statement
            while inner is not None:
                yield inner
                inner = inner.body
