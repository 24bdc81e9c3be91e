"""Carrying out the worked examples of a rule set: what a person expects of a clause, compared with what the rules do.

An example gives a position, what is done in it, and what must come of it: ``legal``, the codes of every violation, how
things lie afterwards, lines of the ledger, the value of a question, or the winner.
"""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic, Severity
from canasta.games import game_of, load_ruleset, open_game
from canasta.kernel.acts import Move, Ruling, Verdict, Violation
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, State
from canasta.language.build import build
from canasta.language.digests import formal_digest, text_digest
from canasta.language.loading import Loaded, load_document
from canasta.language.merging import Origin, OriginKind, word
from canasta.language.naming import parse_name
from canasta.language.nodes import Mapping as Node
from canasta.language.nodes import Sequence as Listed
from canasta.language.ruleset import Bound, Clause, Example, Requirement, Ruleset, Score, Structure
from canasta.language.types import BOOL
from canasta.notation.position_text import Position, parse_position
from canasta.notation.turns import parse_turn
from canasta.playing.asking import ask
from canasta.playing.binding import play_turn
from canasta.playing.comparing import differences
from canasta.playing.played import Played
from canasta.playing.positions import to_state
from canasta.playing.reseating import reseated
from canasta.playing.seats import Seats, seats_of
from canasta.playing.unfinished import stranded

LEGAL, UNKNOWN = "legal", "unknown"
UNSETTLED_SUIT: Final = "PL0015"
KEYS: Final = ("illegal", "legal", "after", "ledger", "value", "winner")

MOST_NAMED: Final = 8
"""More inherited examples than this that come out otherwise are counted and not named, unless that is asked for."""


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """One example as it was carried out: everything that was wrong with the turn, and where it is not as expected."""

    clause: str
    example: Example
    violations: tuple[Violation, ...] = ()
    findings: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything came out as expected."""
        return not self.findings

    @property
    def name(self) -> str:
        """The name by which the example is cited."""
        return f"{self.clause}/{self.example.id}"


def run_examples(
    name: str, *, evaluated: bool = False, of: str = "", among: Container[str] | None = None
) -> list[ExampleResult]:
    """Carry out the examples of a rule set, or only those of one clause or of some, compiled or by the slow evaluator.

    Raises:
        CanastaError: when the rule set cannot be loaded.
    """
    ruleset = load_ruleset(name)

    def opened(example: Example) -> Game:
        return open_game(with_options(ruleset.name, dict(example.options)), evaluated=evaluated)

    return list(_results(ruleset, opened, of, among))


def check_examples(ruleset: Ruleset, *, named: bool = False) -> tuple[Diagnostic, ...]:
    """Find every example of a rule set that does not come out as expected: the last stage of checking a rule set.

    Examples are carried out with the options that the rule set itself chooses, whatever profile it was opened with. An
    example that was inherited with its clause binds the rule set it was written for; where it comes out otherwise, that
    is a note. One that stands beside a clause replaced since is a warning, for it needs to be read again.
    Where many come out otherwise they are counted, and named one by one only if ``named``.
    """
    base = replace(parse_name(ruleset.name), profile="", options={})
    loaded = load_document(str(base))
    opened = _Opened(loaded)
    found: list[Diagnostic] = []
    otherwise: list[ExampleResult] = []
    for result in _results(opened.ruleset(()), opened, ""):
        origin = loaded.origin[result.clause]
        inherited = result.example.span.file != loaded.files[0]
        if origin.kind is OriginKind.INHERITED or (inherited and _means_the_same(origin, loaded, result.clause)):
            otherwise += [] if result.passed else [result]
        elif origin.kind is OriginKind.REPLACED and inherited:
            hint = "if the example no longer holds, write `examples` of your own where the clause is replaced"
            found += [replace(d, severity=Severity.WARNING, hint=d.hint or hint) for d in result.findings]
        else:
            found += result.findings
    found += _otherwise_than_in_parent(loaded, otherwise, named=named)
    return tuple(found)


def _means_the_same(origin: Origin, loaded: Loaded, clause: str) -> bool:
    """Ask whether a variant changed only what is said about a clause, such as its ruling, and not what it does or its text."""
    listed = loaded.document.items.get("clauses")
    nodes = listed.items if isinstance(listed, Listed) else ()
    now = next((n for n in nodes if isinstance(n, Node) and word(n, "id") == clause), None)
    if now is None or origin.parent is None:
        return False
    return (formal_digest(now), text_digest(now)) == (formal_digest(origin.parent), text_digest(origin.parent))


def _otherwise_than_in_parent(loaded: Loaded, results: Sequence[ExampleResult], *, named: bool) -> Iterator[Diagnostic]:
    """Note the inherited examples that come out in the parent and not here; what is so in the parent already is its own."""
    if not results:
        return
    parent = load_document(loaded.extends)
    opened = _Opened(parent)
    there = _results(opened.ruleset(()), opened, "", {r.clause for r in results})
    known = {(r.name, r.example.span) for r in there if not r.passed}
    new: dict[str, list[str]] = {}
    for result in results:
        if (result.name, result.example.span) not in known:
            new.setdefault(result.clause, []).append(result.example.id)
    if not new:
        return
    number = sum(map(len, new.values()))
    told = "; ".join(f"{clause}: {', '.join(ids)}" for clause, ids in new.items())
    counted = number > MOST_NAMED and not named
    comes = "example comes" if number == 1 else "examples come"
    message = f"{number} inherited {comes} out otherwise here than in {parent.base}"
    message += f", of {len(new)} clause{'' if len(new) == 1 else 's'}" if counted else f": {told}"
    hint = "each should follow from a change that was meant; the names are those of clauses, each with its examples"
    if counted:
        hint = f"each should follow from a change that was meant; `canasta rules check --long {loaded.base}` names them"
    yield Diagnostic("RS5013", message, hint=hint, severity=Severity.NOTE)


def coming_out_otherwise(name: str) -> frozenset[str]:
    """Name the inherited examples, as CLAUSE/EXAMPLE, that do not come out in a variant as they do in its parent."""
    loaded = load_document(str(replace(parse_name(name), profile="", options={})))
    opened = _Opened(loaded)
    ruleset = opened.ruleset(())
    own = set(loaded.files[:1])
    inherited = {c.id for c in ruleset.clauses.values() if any(e.span.file not in own for e in c.examples)}
    return frozenset(
        r.name for r in _results(ruleset, opened, "", inherited) if not r.passed and r.example.span.file not in own
    )


def carried_out(name: str, examples: Mapping[str, Sequence[Example]]) -> dict[str, list[ExampleResult]]:
    """Carry out examples that stand in no clause, such as those of rulings, given by whose they are.

    Seats and sides may be named as at a table of four: they stand for those in the same places here.

    Raises:
        CanastaError: when the rule set cannot be loaded.
    """
    opened = _Opened(load_document(name))
    ruleset = opened.ruleset(())
    codes = codes_of(ruleset)
    return {
        owner: [_result(opened, owner, reseated(example, ruleset.table), codes) for example in listed]
        for owner, listed in examples.items()
    }


@dataclass(slots=True)
class _Opened:
    """Opens one rule set with the options of its examples; its files are read only once."""

    loaded: Loaded
    _rulesets: dict[tuple[tuple[str, str], ...], Ruleset] = field(default_factory=dict)
    _games: dict[tuple[tuple[str, str], ...], Game] = field(default_factory=dict)

    def ruleset(self, options: tuple[tuple[str, str], ...]) -> Ruleset:
        """Build the rule set with options chosen otherwise."""
        if options not in self._rulesets:
            loaded = self.loaded
            if any(not self._fits(option, value) for option, value in options):
                loaded = load_document(with_options(loaded.name, dict(options)))  # says what is wrong with the choice
            chosen = loaded.chosen | dict(options)
            built = build(loaded.document, loaded.name, loaded.profile, chosen, loaded.chapter_of)
            self._rulesets[options] = built
        return self._rulesets[options]

    def _fits(self, option: str, value: str) -> bool:
        known = self.ruleset(()).options.get(option)
        words = known.type.words or (("no", "yes") if known.type == BOOL else ()) if known else ()
        return value in words

    def __call__(self, example: Example) -> Game:
        """Open the game in which an example is carried out."""
        options = tuple(sorted(example.options))
        if options not in self._games:
            self._games[options] = game_of(self.ruleset(options))
        return self._games[options]


def with_options(name: str, options: dict[str, str]) -> str:
    """Name a rule set with further options chosen."""
    parsed = parse_name(name)
    return str(replace(parsed, options=parsed.options | options)) if options else name


def _results(
    ruleset: Ruleset, opened: Callable[[Example], Game], of: str, among: Container[str] | None = None
) -> Iterator[ExampleResult]:
    codes = codes_of(ruleset)
    for clause in ruleset.clauses.values():
        if (of and clause.id != of) or (among is not None and clause.id not in among):
            continue
        for example in clause.examples:
            yield _result(opened, clause.id, example, codes)


def _result(
    opened: Callable[[Example], Game], owner: str, example: Example, codes: dict[str, set[str]]
) -> ExampleResult:
    violations: tuple[Violation, ...] = ()
    try:
        trial = Trial(opened(example), example, codes)
        trial.run()
        findings, violations = tuple(trial.findings), trial.violations
    except CanastaError as error:
        findings = error.diagnostics
    name = f"{owner}/{example.id}"
    placed = tuple(replace(d, message=f"{name}: {d.message}", span=example.span, clause=owner) for d in findings)
    return ExampleResult(owner, example, violations, placed)


def codes_of(ruleset: Ruleset) -> dict[str, set[str]]:
    """List the codes of violations, each with the clauses that give it."""
    found: dict[str, set[str]] = {}
    for clause in ruleset.clauses.values():
        if isinstance(clause, (Requirement, Bound)):
            for demand in clause.require:
                found.setdefault(demand.code, set()).add(clause.id)
        elif isinstance(clause, Structure):
            found.setdefault(clause.code, set()).add(clause.id)
    return found


@dataclass
class Trial:
    """One example while it is carried out."""

    game: Game
    example: Example
    codes: dict[str, set[str]]
    findings: list[Diagnostic] = field(default_factory=list)
    violations: tuple[Violation, ...] = ()

    @cached_property
    def seats(self) -> Seats:
        """The names of seats and sides."""
        return seats_of(self.game.ruleset.table)

    def run(self) -> None:
        """Set up, play, compare."""
        expected = self._expected()
        if not expected:
            return
        state = to_state(self.game, self._position(self.example.given)) if self.example.given else self._blank()
        settles = LEGAL in expected or "illegal" in expected or UNKNOWN in expected
        if self.example.do:
            state = self._played(state, settles=settles)
            self._judged(expected)
        elif settles:
            self._say("RS5008", "a verdict is expected, but nothing is done", "add `do`, the turn that is judged")
        elif "after" in expected:
            state = self.game.turn.unstick(state)
        if "after" in expected:
            for d in differences(self.game, state, self._position(str(expected["after"]))):
                self._say("RS5003", f"{d.place} should be {d.expected}, and is {d.found}")
        if "ledger" in expected:
            self._ledger(state, expected["ledger"])
        if "value" in expected or self.example.ask:
            self._value(state, expected)
        if "winner" in expected:
            self._winner(state, str(expected["winner"]))

    def _say(self, id_: str, message: str, hint: str = "") -> None:
        self.findings.append(Diagnostic(id_, message, hint=hint))

    def _blank(self) -> State:
        table = self.game.ruleset.table
        return self.game.turn.blank(table.seats - 1, 1, {})

    def _expected(self) -> dict[str, object]:
        """Read what is expected; nothing when that says nothing."""
        told = self.example.expect
        found: dict[str, object] = (
            {str(k): v for k, v in told.items()} if isinstance(told, dict) else {str(told): "yes"}
        )
        known = set(KEYS) | {UNKNOWN}
        if found.get(LEGAL, "yes") != "yes":
            self._say(
                "RS5008",
                "that a turn is not legal says too little",
                "write the codes of what is wrong: illegal: [CODE]",
            )
            return {}
        if not found or not set(found) <= known:
            self._say(
                "RS5008",
                f"nothing that could be checked is expected: {told or 'nothing'}",
                f"known: {', '.join(sorted(known))}",
            )
            return {}
        return found

    def _position(self, text: str) -> Position:
        span = self.example.span
        position, findings = parse_position(text, span.file, span.line, span.column)
        if position is None:
            raise CanastaError(findings)
        return position

    # -- verdicts ----------------------------------------------------------------------------------------------------

    def _played(self, state: State, *, settles: bool) -> State:
        span = self.example.span
        actions, findings = parse_turn(self.example.do, span.file, span.line, span.column)
        if not actions:
            raise CanastaError(findings)
        played = play_turn(self.game, state, actions)
        # Which of several suits is taken from the hand is no matter in an example that does not name it.
        self.findings += [d for d in played.findings if d.id != UNSETTLED_SUIT]
        self.violations = played.violations
        if not settles or played.stopped is not None:
            return played.state
        after = self._committed(played)
        self.violations += () if self.violations else stranded(self.game, state, after)
        return after

    def _committed(self, played: Played) -> State:
        """See that what was laid is judged: a play that is due to be settled by itself is settled now."""
        state = played.state
        if not state.draft:
            return state
        after, forced = self.game.turn.force_pending(state, Move("", state.seat))
        self.violations += tuple(forced)
        if after.draft and not self.violations:
            self._say(
                "RS5008", "the turn is not ended, so nothing of it is judged", "end it in `do`, with a discard say"
            )
        return after

    def _judged(self, expected: dict[str, object]) -> None:
        verdict = Verdict(self.violations)
        found = sorted(set(verdict.codes))
        if "illegal" in expected:
            told = expected["illegal"]
            wanted = sorted({str(c) for c in told}) if isinstance(told, list) else [str(told)]
            for code in wanted:
                if code not in self.codes:
                    close = get_close_matches(code, self.codes, 1)
                    self._say(
                        "RS5009", f"no clause gives the code {code}", f"did you mean {close[0]}?" if close else ""
                    )
            if wanted != found:
                self._say("RS5002", f"illegal by {', '.join(wanted)} is expected, and it is {self._told(verdict)}")
        elif UNKNOWN in expected:
            if verdict.ruling is not Ruling.UNKNOWN:
                self._say("RS5001", f"that it cannot be known is expected, and it is {self._told(verdict)}")
        elif verdict.ruling is not Ruling.LEGAL:
            self._say("RS5001", f"a legal turn is expected, and it is {self._told(verdict)}")

    def _told(self, verdict: Verdict) -> str:
        if verdict.ruling is Ruling.LEGAL:
            return "legal"
        told = ", ".join(dict.fromkeys(f"{v.code} ({v.clause})" for v in verdict.violations))
        return f"illegal by {told}" if verdict.ruling is Ruling.ILLEGAL else f"not to be known, because of {told}"

    # -- figures -----------------------------------------------------------------------------------------------------

    def _ledger(self, state: State, told: object) -> None:
        ledger = self.game.ledger(state)
        items = {s.item for s in self.game.ruleset.of_kind(Score)}
        account = self.game.ruleset.table.account  # stands for the sum of all lines
        for name, points in told.items() if isinstance(told, dict) else ():
            owner, _, item = str(name).partition(".")
            side, seat = self.seats.side(owner), self.seats.seat(owner)
            if (side is None and seat is None) or item not in {*items, account}:
                known = [f"{s}.{i}" for s in self.seats.sides for i in (*sorted(items), account)]
                close = get_close_matches(str(name), known, 1)
                self._say("RS5010", f"the ledger has no line {name}", f"did you mean {close[0]}?" if close else "")
                continue
            party = state.side_of[seat] if seat is not None else side
            mine = [x for x in ledger.lines if x.side == party and (seat is None or x.seat in (NOBODY, seat))]
            found = sum(x.points for x in mine if item in (x.item, account))
            if str(points).replace("_", "") != str(found):
                self._say("RS5004", f"{name} should be {points}, and is {found}")

    def _value(self, state: State, expected: dict[str, object]) -> None:
        if "value" not in expected or not self.example.ask:
            missing = "value" if self.example.ask else "ask"
            self._say("RS5008", f"`ask` and an expected `value` belong together, and there is no `{missing}`")
            return
        found = ask(self.game.ruleset, self.example.ask, self.example.span).answer(self.game, state, self.seats)
        if found != str(expected["value"]):
            self._say("RS5005", f"{self.example.ask} should be {expected['value']}, and is {found}")

    def _winner(self, state: State, wanted: str) -> None:
        over = self.game.scoring.match_over(state)
        names = self.seats.names if over and over.by_seat else self.seats.sides
        found = " ".join(names[w] for w in over.winners) if over else "nobody"
        if found != wanted:
            self._say("RS5006", f"{wanted} should have won the match, and {found} has")


def gaps(name: str, among: Container[str] | None = None) -> tuple[Diagnostic, ...]:
    """Find what no example shows: a requirement or bound without a legal or an illegal one, a code that none produces.

    Only the clauses ``among`` some are asked about, if so; the examples of all may show what is asked.
    """
    opened = _Opened(load_document(name))
    ruleset = opened.ruleset(())
    found: list[Diagnostic] = []
    demanded: dict[tuple[str, str], Clause] = {}
    for clause in ruleset.clauses.values():
        if among is not None and clause.id not in among:
            continue
        if isinstance(clause, Structure):
            codes = [clause.code] if clause.refuses != "dealer" else []  # no turn can show who should have dealt
        elif isinstance(clause, (Requirement, Bound)) and not comes_by_itself(ruleset, clause):
            codes = [d.code for d in clause.require]
            found += _kinds_missing(clause)
        else:
            continue
        demanded |= {(clause.id, code): clause for code in codes}
    for result in _first(ruleset, opened, {id_ for id_, _ in demanded}):
        if not demanded:
            break
        for violation in result.violations:
            demanded.pop((violation.clause, violation.code), None)
    found += [
        Diagnostic("RS5012", f"no example shows {code} of {id_}", clause.span, clause=id_, code=code)
        for (id_, code), clause in demanded.items()
    ]
    return tuple(sorted(found, key=lambda d: list(ruleset.clauses).index(d.clause)))


def _first(ruleset: Ruleset, opened: Callable[[Example], Game], ids: set[str]) -> Iterator[ExampleResult]:
    """Carry out the examples of some clauses, and only then those of the others."""
    yield from _results(ruleset, opened, "", ids)
    yield from _results(ruleset, opened, "", set(ruleset.clauses) - ids)


def _kinds_missing(clause: Requirement | Bound) -> Iterator[Diagnostic]:
    kinds = {"illegal" if isinstance(e.expect, dict) and "illegal" in e.expect else "legal" for e in clause.examples}
    for kind in ("legal", "illegal"):
        if kind not in kinds:
            yield Diagnostic("RS5011", f"{clause.id} has no {kind} example", clause.span, clause=clause.id)


def comes_by_itself(ruleset: Ruleset, clause: Requirement | Bound) -> bool:
    """Ask whether a clause judges only what happens by itself where one may go on without it: then no turn breaks it."""
    acts = [ruleset.acts[name] for name in clause.on] if isinstance(clause, Requirement) else []
    due_in = [p for p in ruleset.phases.values() if any(a.name in p.auto for a in acts)]
    return (
        bool(acts)
        and all(a.auto for a in acts)
        and all(any(not ruleset.acts[name].lays for name in phase.acts) for phase in due_in)
    )
