"""A record replayed by a rule set: every turn judged as it was played, every figure checked that can be checked.

What the table did is believed and played on, whatever the rules say of it; what was against them becomes a finding with
its clause and its place. A record of any depth can be replayed; what it does not tell is left open.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from canasta.diagnostics import CanastaError, Diagnostic, Severity, Span
from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.effects import every_groups
from canasta.kernel.game import Game
from canasta.kernel.ledger import Ledger
from canasta.kernel.state import State
from canasta.language.ruleset import Owner
from canasta.notation import record as r
from canasta.notation.cards import Card
from canasta.notation.record import Depth
from canasta.playing.cards import names_every_suit
from canasta.playing.counting import Counting, count_lines
from canasta.playing.ending import declared_against_the_rules, ending_clause
from canasta.playing.judging import judge_turn, lays_unseen_cards, to_bind
from canasta.playing.named_rules import DEFAULT_RULES, rules_of
from canasta.playing.pad import Pad
from canasta.playing.parties import unknown_accounts
from canasta.playing.report import DealReport, MatchReport, TurnReport
from canasta.playing.scoring import Expected, check_scores
from canasta.playing.seats import seats_of
from canasta.playing.setup import set_up
from canasta.playing.table import Table
from canasta.playing.table_end import DealEnd
from canasta.playing.tally import Tally

ENDS = {
    r.Written.DISCARD: "a discard",
    r.Written.KNOCK: "knock and a discard",
    r.Written.OUT: "out",
    r.Written.DECLINE: "pass",
}
"""What may end a turn, as it is written."""

_DEPTHS = (Depth.PAD, Depth.MELDS, Depth.MOVES, Depth.FULL)


def replay(record: r.Record, rules: str | None = None, *, positions: bool = True) -> MatchReport:
    """Replay a record by the rule set it names, or by ``rules``; by classic when neither is said.

    Without ``positions`` everything is judged and counted all the same, but no position is kept, which is quicker: the
    report's deals then have neither turns nor first and last position.

    It raises nothing: a rule set that cannot be opened, or does not fit the record's seats, is a finding too.
    """
    name = rules or record.tag("Rules") or DEFAULT_RULES
    depth = deepest(record)
    try:
        name = rules or rules_of(record)
        table = _table(name, _by_face(record), record.seats if record.tag("Seats") else ())
    except CanastaError as error:
        found = tuple(replace(d, span=d.span or _rules_span(record)) for d in error.diagnostics)
        return MatchReport(record, name, depth, findings=found)
    wrong = _seats_that_do_not_fit(record, table)
    if wrong is not None:
        return MatchReport(record, name, depth, findings=(wrong,))
    return _Match(record, table, positions=positions).report(depth)


def replay_all(
    records: Iterable[r.Record], rules: str | None = None, *, positions: bool = True
) -> Iterator[MatchReport]:
    """Replay records one after another, keeping none of them."""
    for record in records:
        yield replay(record, rules, positions=positions)


def deepest(record: r.Record) -> Depth:
    """Find how much the fullest deal of a record tells."""
    return max((deal.depth for deal in record.deals), key=_DEPTHS.index, default=Depth.PAD)


@lru_cache(maxsize=8)
def _table(name: str, by_face: bool, seats: tuple[str, ...]) -> Table:  # noqa: FBT001 - one of three keys of a cache
    game = open_game(name, by_face=by_face)
    return Table(game, seats_of(game.ruleset.table, seats))


def _by_face(record: r.Record) -> bool:
    """Whether the record tells every printed card apart; a seed always does."""
    return any(d.seed for d in record.deals) or names_every_suit(_cards(record))


def _cards(record: r.Record) -> Iterator[Card]:
    for deal in record.deals:
        for line in deal.lines:
            match line:
                case r.Hand() | r.Stock() | r.Upcards() | r.Left():
                    yield from line.cards
                case r.Melds():
                    yield from (card for group in line.groups for card in group)
                case r.Turn():
                    for action in line.actions:
                        yield from action.cards
                        yield from action.replacement
                case _:
                    pass


def _rules_span(record: r.Record) -> Span | None:
    return next((tag.span for tag in record.tags if tag.name == "Rules"), record.span)


def _seats_that_do_not_fit(record: r.Record, table: Table) -> Diagnostic | None:
    number = table.game.ruleset.table.seats
    if len(record.seats) == number or (not record.tag("Seats") and _known_seats(record, table)):
        return None
    span = next((tag.span for tag in record.tags if tag.name in ("Seats", "Rules")), record.span)
    message = f"{table.game.ruleset.name} is for {number} players, and the record has {len(record.seats)}"
    hint = f'name the seats of the table: [Seats "{" ".join(seats_of(table.game.ruleset.table).names)}"]'
    return Diagnostic("PL0039", message, span, hint)


def _known_seats(record: r.Record, table: Table) -> bool:
    return all(turn.seat in table.seats.names for turn in record.turns())


@dataclass(slots=True)
class _Turns:
    """The turns of one deal as far as they were judged."""

    start: State
    state: State
    counting: Counting
    findings: list[Diagnostic]
    turns: list[TurnReport] = field(default_factory=list)
    goes_on: bool = True
    wrong: bool = False
    doubts: set[tuple[str, str]] = field(default_factory=set)
    """What has been told in this deal that it cannot be known: the clause and the code."""

    def anew(self, found: Sequence[Diagnostic]) -> list[Diagnostic]:
        """Tell once for each deal what cannot be known: hands that were not written leave it in doubt turn after turn."""
        told: list[Diagnostic] = []
        for finding in found:
            doubt = (finding.clause, finding.code)
            if finding.id != "PL0030":
                told.append(finding)
            elif doubt not in self.doubts:
                self.doubts.add(doubt)
                told.append(replace(finding, hint=f"{finding.hint}; this is told once for each deal"))
        return told


@dataclass(slots=True)
class _Match:
    """One record while it is replayed."""

    record: r.Record
    table: Table
    positions: bool
    pad: Pad = field(init=False)
    tally: Tally = field(init=False)
    findings: list[Diagnostic] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pad = Pad(self.game.ruleset)
        self.tally = Tally(self.game, self.table.seats, self.record)

    @property
    def game(self) -> Game:
        return self.table.game

    def report(self, depth: Depth) -> MatchReport:
        """Replay all deals."""
        deals: list[DealReport] = []
        for deal in self.record.deals:
            found: list[Diagnostic] = [*self.tally.begin(deal), *unknown_accounts(self.table, deal.scores)]
            done = self._deal(deal, found)
            deals.append(done)
            self.findings += done.findings
        self.findings += self.tally.close()
        ending, winners = self.tally.over()
        totals = self.tally.by_side()
        rules = self.game.ruleset
        return MatchReport(self.record, rules.name, depth, tuple(deals), totals, winners, ending, tuple(self.findings))

    def _deal(self, deal: r.Deal, found: list[Diagnostic]) -> DealReport:
        depth = deal.depth
        if depth is Depth.PAD:
            return self._pad_only(deal, found)
        if depth is Depth.MELDS:
            return self._melds_only(deal, found)
        return self._played(deal, found)

    def _pad_only(self, deal: r.Deal, found: list[Diagnostic]) -> DealReport:
        """Only figures were written: see that they are possible, and count on."""
        for score in deal.scores:
            found += self.pad.check(score)
        scored = self._written(deal)
        found += self.tally.add(deal, scored)
        items = {s.side: {i.name: i.points for i in s.items} for s in deal.scores}
        return self._closed(DealReport(deal.number, deal.depth, deal.dealer, items=items, scored=scored), found)

    def _melds_only(self, deal: r.Deal, found: list[Diagnostic]) -> DealReport:
        """Only the end was written: lay the table as it lay, and score it if every hand is known."""
        from canasta.playing.from_melds import TableAsItLay  # noqa: PLC0415 - few records stop at this depth

        lying = TableAsItLay(self.table, deal, self.tally.dealer, self.tally.carried)
        state = lying.state()
        found += lying.findings
        found += count_lines(self.table, deal)
        if not lying.hands_known or deal.ending is None:
            return self._pad_only(deal, found)
        return self._ended(deal, state if self.positions else None, state, [], found)

    def _played(self, deal: r.Deal, found: list[Diagnostic]) -> DealReport:
        """The turns were written: set the deal up and judge them one by one."""
        run = self._turns(deal, keep=self.positions)
        if run.wrong and not self.positions:
            # What was wrong is told with its exact place, for which every position is needed.
            run = self._turns(deal, keep=True)
        found += run.findings
        start, turns = (run.start, run.turns) if self.positions else (None, [])
        if not run.goes_on:
            return self._broken_off(deal, start, run.state, turns, found)
        return self._ended(deal, start, run.state, turns, found, run.counting)

    def _turns(self, deal: r.Deal, *, keep: bool) -> "_Turns":
        """Set a deal up and judge its turns; without ``keep`` only as far as nothing is wrong, and quicker."""
        begun = set_up(self.table, deal, self.tally.dealer, self.tally.carried)
        run = _Turns(begun.state, begun.state, Counting(self.table), list(begun.findings))
        run.counting.begin(begun.state, deal.upcards.cards if deal.upcards else ())
        last: r.Turn | None = None
        unfinished = False
        for turn in begun.turns:
            if not turn.actions and not turn.marks and not turn.claims:
                continue
            if self.table.seats.seat(turn.seat) not in run.state.playing:
                run.findings.append(_sits_out(self.table, run.state, turn))
                continue
            if run.state.over:
                run.state = self._goes_on(run, turn)
            elif last is not None and unfinished and self._another_plays(run.state, turn):
                run.state = self._passed(last, run.state, turn, run.findings)
            before = run.state
            run.state, found, steps, run.goes_on, unfinished = judge_turn(self.table, before, turn, own=not keep)
            findings = found if lays_unseen_cards(turn) else run.anew(found)
            run.findings += findings
            last = turn
            if keep:
                run.turns.append(report := TurnReport(turn, before, run.state, steps, tuple(findings)))
                run.findings += run.counting.turn(report, to_bind(self.table, turn)[1])
            elif len(run.findings) > len(begun.findings):
                break
            if not run.goes_on:
                break
        run.wrong = len(run.findings) > len(begun.findings) or run.counting.in_doubt(run.state, begun.turns)
        return run

    def _goes_on(self, run: "_Turns", turn: r.Turn) -> State:
        """Play went on after the deal had ended: say so where the rules had ended it, and play on."""
        state = run.state
        step = run.turns[-1].steps[-1] if run.turns and run.turns[-1].steps else None
        if step is None or not declared_against_the_rules(self.game, step):
            message = f"the deal had ended ({state.reason}) before this turn"
            clause = ending_clause(self.game, state.reason, step)
            hint = "what follows is judged all the same"
            run.findings.append(Diagnostic("PL0043", message, turn.span, hint, clause=clause))
        on = state.copy()
        on.over, on.reason = False, ""
        if on.turn_no == state.turn_no:
            seat = self.table.seats.seat(turn.seat)
            if seat is not None and seat != on.turn_seat:
                self.game.turn.effects.begin_turn(on, seat)
        return on

    def _another_plays(self, state: State, turn: r.Turn) -> bool:
        names = self.table.seats.names
        return turn.seat not in (names[state.turn_seat], names[state.seat])

    def _ways_to_end(self, state: State) -> str:
        """Say how the end of a turn is written in the phase that it has come to."""
        acts = self.game.ruleset.acts
        here = {acts[name].written for name in self.game.machine.phases[state.phase].acts if acts[name].commit}
        return " or ".join(said for sign, said in ENDS.items() if sign in here) or ENDS[r.Written.DISCARD]

    def _passed(self, last: r.Turn, state: State, turn: r.Turn, found: list[Diagnostic]) -> State:
        """Say that the end of a turn was not written, and go on: a card that nobody knows is taken as discarded."""
        hint = f"such a turn ends with {self._ways_to_end(state)}; what was not seen is written ?"
        message = f"the turn of {last.seat} has no end, and {turn.seat} plays on"
        found.append(Diagnostic("PL0044", message, last.span, hint))
        on, _ = self.game.turn.force_pending(state, Move("", state.seat))
        unknown = self.game.deck.size
        act = next((a for a in self.game.ruleset.acts.values() if a.written == r.Written.DISCARD), None)
        if act is not None and on.zone(self.game.machine.hand)[on.seat][unknown]:
            on, _ = self.game.as_played(on, Move(act.name, on.seat, (unknown,)))
        if not on.over and on.turn_no == state.turn_no:
            on = on.copy()
            for groups in every_groups(self.game.machine, on):
                for i, group in enumerate(groups):
                    groups[i] = settled = group.copy()
                    settled.was, settled.added = group.size, self.game.deck.empty()
            seat = self.table.seats.seat(turn.seat)
            self.game.turn.effects.begin_turn(on, on.turn_seat if seat is None else seat)
        return on

    def _broken_off(
        self, deal: r.Deal, start: State | None, state: State, turns: list[TurnReport], found: list[Diagnostic]
    ) -> DealReport:
        """A turn could not have happened: nothing after it is judged, the pad is believed."""
        scored = self._written(deal)
        found += self.tally.add(deal, scored)
        last = state if self.positions else None
        done = DealReport(deal.number, deal.depth, self._dealer(), start, last, "", tuple(turns), scored=scored)
        return self._closed(done, found)

    def _ended(
        self,
        deal: r.Deal,
        start: State | None,
        state: State,
        turns: list[TurnReport],
        found: list[Diagnostic],
        counting: Counting | None = None,
    ) -> DealReport:
        """All turns are judged: compare the end, the table and the pad."""
        end = DealEnd(self.table, deal, state, played=counting is not None)
        end.ended()
        end.lying()
        found += end.findings
        if counting is not None:
            found += counting.end(end.state, deal)
        state = end.state
        ledger: Ledger | None = None
        items: dict[str, dict[str, int]] = {}
        scored = self._written(deal)
        if state.over:
            expected = Expected(self.game, self.pad, self.table.seats, state)
            found += check_scores(expected, deal)
            if expected.certain:
                ledger = expected.ledger
                names = self.table.seats.owners(expected.of)
                items = {names[o]: expected.exactly(o) for o in expected.owners}
                for owner in expected.owners:
                    scored.setdefault(names[owner], expected.total(deal, owner))
        found += self.tally.add(deal, scored, state if state.over else None, certain=ledger is not None)
        last = state if self.positions else None
        done = DealReport(
            deal.number, deal.depth, self._dealer(), start, last, state.reason, tuple(turns), ledger, items, scored
        )
        return self._closed(done, found)

    def _dealer(self) -> str:
        return self.table.seats.names[self.tally.dealer]

    def _written(self, deal: r.Deal) -> dict[str, int]:
        """What the pad gives each account for the deal, in points."""
        of = self.game.ruleset.state[self.game.ruleset.table.account].of
        found: dict[str, int] = {}
        for score in deal.scores:
            owner = self.table.seats.owner(of, score.side)
            if owner is not None:
                found[self.table.seats.owners(of)[owner]] = sum(item.points for item in score.items)
        return found

    def _closed(self, done: DealReport, found: list[Diagnostic]) -> DealReport:
        """Add what every deal has: running totals, the step tables for them, the findings in order."""
        totals = self.tally.by_side()
        account = self.game.ruleset.state.get(self.game.ruleset.table.account)
        steps = {
            table.name: {owner: table.look_up(total) for owner, total in totals.items()}
            for table in self.game.ruleset.steps.values()
            if account is not None and account.of is not Owner.TABLE
        }
        return replace(done, totals=totals, steps=steps, findings=tuple(in_order(found)))


def _sits_out(table: Table, state: State, turn: r.Turn) -> Diagnostic:
    """Say that a seat does not play in this deal."""
    message = f"{turn.seat} sits out in deal {state.deal_no}; the turn is passed over"
    hint = (
        f"{', '.join(table.seats.names[s] for s in sorted(state.playing))} play; is it another deal, or another seat?"
    )
    return Diagnostic("PL0049", message, turn.span, hint)


def in_order(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort findings by their places, those without a place last."""
    return sorted(found, key=lambda d: (d.span is None, d.span.line if d.span else 0, d.span.column if d.span else 0))


def worst(report: MatchReport) -> Severity | None:
    """Find the gravest severity among the findings of a report, None when there are none."""
    order = (Severity.ERROR, Severity.WARNING, Severity.NOTE)
    return next((s for s in order if any(d.severity is s for d in report.findings)), None)
