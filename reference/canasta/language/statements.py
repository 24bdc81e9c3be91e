"""Reading effect statements: from their text to typed statements that name real zones, variables, phases and reasons."""

from dataclasses import dataclass, replace

from canasta.diagnostics import Diagnostic
from canasta.language.checker import Checker
from canasta.language.expressions import ExpressionSyntaxError, Tree, parse_statement, write
from canasta.language.ruleset import Form, Owner
from canasta.language.scope import ACTOR, Scope
from canasta.language.source import Scalar
from canasta.language.syntax_hints import syntax_finding
from canasta.language.types import (
    BOOL,
    CARD,
    ELEMENT,
    GROUP,
    INT,
    SEAT,
    SIDE,
    Expr,
    Op,
    Place,
    Statement,
    StatementOp,
    Type,
)  # fmt: skip


class _Faulty(Exception):  # noqa: N818 - raised and caught here only: the finding is already written down
    pass


@dataclass(slots=True)
class StatementReader:
    """Reads the statements of one rule set; faults go into the checker's findings."""

    checker: Checker

    def read(self, source: Scalar, scope: Scope, path: str) -> Statement | None:
        """Read one statement; no result when it has a fault."""
        try:
            return self._statement(parse_statement(source.text), source, scope, path)
        except ExpressionSyntaxError as error:
            self.checker.findings.add(syntax_finding(error, source))
        except _Faulty:
            pass
        return None

    def _statement(self, tree: Tree, source: Scalar, scope: Scope, path: str) -> Statement:
        p, span = tree.parts, source.within(tree.start, tree.end)
        op = StatementOp({"set_": "set", "move_bottom": "move"}.get(tree.op, tree.op))
        exprs: tuple[Expr, ...] = ()
        places: tuple[Place, ...] = ()
        name, body = "bottom" if tree.op == "move_bottom" else "", None
        match op:
            case StatementOp.MOVE | StatementOp.DEAL:
                exprs = (self._expr(p[0], source, scope, INT, f"{path}/number"),)
                everyone = scope if op is StatementOp.MOVE else replace(scope, words=scope.words | ACTOR)
                places = (
                    self._zone(p[1], source, scope, f"{path}/from"),
                    self._zone(p[2], source, everyone, f"{path}/to"),
                )
                self._ordered(places[0], p[1], source)
                if op is StatementOp.DEAL:
                    self._dealt_to(places[1], p[2], source)
            case StatementOp.MOVE_ALL | StatementOp.MOVE_CARD:
                places = (
                    self._zone(p[0], source, scope, f"{path}/from"),
                    self._zone(p[1], source, scope, f"{path}/to"),
                )
                if op is StatementOp.MOVE_CARD and "card" not in scope.words:
                    raise self._fault("RS3010", "no card is chosen here", tree, source)
            case StatementOp.MOVE_WHERE:
                name = self.checker.declared.numbering.fresh(tree.words[0])
                inner = Scope(
                    frozenset(), {tree.words[0]: (name, CARD)}, reads_state=False, where="a move of some cards"
                )
                exprs = (self._expr(p[0], source, inner, BOOL, f"{path}/where"),)
                places = (
                    self._zone(p[1], source, scope, f"{path}/from"),
                    self._zone(p[2], source, scope, f"{path}/to"),
                )
            case StatementOp.SET:
                return self._set(tree, source, scope, path)
            case StatementOp.PHASE | StatementOp.END:
                name = tree.words[0]
                self._known(op, name, tree, source)
            case StatementOp.TURN:
                exprs = (self._expr(p[0], source, scope, SEAT, f"{path}/seat"),)
            case StatementOp.ACT:
                name = tree.words[0]
                exprs = (self._expr(p[0], source, scope, SEAT, f"{path}/seat"),)
                self._known(StatementOp.PHASE, name, tree, source)
            case StatementOp.MERGE:
                exprs = tuple(self._expr(x, source, scope, SIDE, f"{path}/{i}") for i, x in enumerate(p))
            case StatementOp.WHEN:
                exprs = (self._expr(p[0], source, scope, BOOL, f"{path}/when"),)
                body = self._statement(p[1], source, scope, f"{path}/do")
            case _:
                return self._each(tree, source, scope, path)
        return Statement(op, exprs, places, name, body, span, path, write(tree))

    def _each(self, tree: Tree, source: Scalar, scope: Scope, path: str) -> Statement:
        coll = self._expr(tree.parts[0], source, scope, None, f"{path}/in")
        if coll.type not in ELEMENT or ELEMENT[coll.type] == CARD:
            raise self._fault("RS3008", "`each` goes through seats, sides, groups or parts", tree.parts[0], source)
        name = self.checker.declared.numbering.fresh(tree.words[0])
        inner = scope.bind(tree.words[0], name, ELEMENT[coll.type])
        body = self._statement(tree.parts[1], source, inner, f"{path}/do")
        span = source.within(tree.start, tree.end)
        return Statement(StatementOp.EACH, (coll,), (), name, body, span, path, write(tree))

    def _set(self, tree: Tree, source: Scalar, scope: Scope, path: str) -> Statement:
        target, span = tree.parts[0], source.within(tree.start, tree.end)
        if target.op == "mark":
            group, mark = target.words
            if group not in scope.variables or scope.variables[group][1] != GROUP:
                raise self._fault("RS3002", f"{group!r} is no group here", target, source)
            if mark not in self.checker.declared.marks:
                raise self._fault("RS3007", f"there is no mark named {mark!r}", target, source)
            of = Expr(Op.VAR, GROUP, ref=scope.variables[group][0], path=f"{path}/of", text=group)
            value = self._expr(tree.parts[1], source, scope, BOOL, f"{path}/value")
            return Statement(StatementOp.SET_MARK, (of, value), (), mark, None, span, path, write(tree))
        name = target.words[0]
        variable = self.checker.declared.state.get(name)
        if variable is None:
            raise self._unknown("variable", name, list(self.checker.declared.state), target, source)
        place = self._owned(target, variable.of, source, scope, f"{path}/of")
        value = self._expr(tree.parts[1], source, scope, variable.type, f"{path}/value")
        return Statement(StatementOp.SET, (value,), (place,), "", None, span, path, write(tree))

    def _expr(self, tree: Tree, source: Scalar, scope: Scope, kind: Type | None, path: str) -> Expr:
        expr = self.checker.tree(tree, source, scope, kind, path)
        if expr is None:
            raise _Faulty
        return expr

    def _zone(self, tree: Tree, source: Scalar, scope: Scope, path: str) -> Place:
        name = tree.words[0]
        zone = self.checker.declared.zones.get(name)
        if zone is None:
            raise self._unknown("zone", name, list(self.checker.declared.zones), tree, source)
        if zone.form is Form.GROUPS:
            raise self._fault("RS3003", f"{name!r} holds groups; only a part puts cards there", tree, source)
        return self._owned(tree, zone.of, source, scope, path)

    def _ordered(self, place: Place, tree: Tree, source: Scalar) -> None:
        if self.checker.declared.zones[place.name].form is not Form.STACK:
            raise self._fault(
                "RS3003", f"a number of cards comes off a stack, and {place.name!r} is none", tree, source
            )

    def _dealt_to(self, place: Place, tree: Tree, source: Scalar) -> None:
        """See that cards are dealt to everybody: into a zone that each player has, and not into somebody's."""
        if place.owner is not None:
            raise self._fault(
                "RS3006", "a deal goes round to everybody and takes no owner", tree, source, f"write {place.name}"
            )
        if self.checker.declared.zones[place.name].of is not Owner.SEAT:
            raise self._fault(
                "RS3003", f"a deal goes round the players, and {place.name!r} is no zone of theirs", tree, source,
                "deal into a zone of the seats, or `move` the cards",
            )  # fmt: skip

    def _owned(self, tree: Tree, of: Owner, source: Scalar, scope: Scope, path: str) -> Place:
        name = tree.words[0]
        if tree.op == "call":
            if of is Owner.TABLE:
                raise self._fault("RS3006", f"{name!r} belongs to the table and takes no owner", tree, source)
            kind = SEAT if of is Owner.SEAT else SIDE
            return Place(name, self._expr(tree.parts[0], source, scope, kind, path))
        if of is not Owner.TABLE and of.value not in scope.words:
            raise self._fault("RS3010", f"{name!r} needs to know whose it is here", tree, source, f"write {name}(…)")
        return Place(name)

    def _known(self, op: StatementOp, name: str, tree: Tree, source: Scalar) -> None:
        declared = self.checker.declared
        known = declared.phases if op is StatementOp.PHASE else declared.reasons
        if name not in known:
            raise self._unknown("phase" if op is StatementOp.PHASE else "reason", name, sorted(known), tree, source)

    def _fault(self, id_: str, message: str, tree: Tree, source: Scalar, hint: str = "") -> _Faulty:
        self.checker.findings.add(Diagnostic(id_, message, source.within(tree.start, tree.end), hint))
        return _Faulty(message)

    def _unknown(self, what: str, name: str, known: list[str], tree: Tree, source: Scalar) -> _Faulty:
        return self._fault("RS3011", f"there is no {what} named {name!r}", tree, source, f"known: {', '.join(known)}")
