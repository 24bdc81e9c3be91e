"""The running score of a match: who deals, what each side has, and when the match is over."""

from collections.abc import Iterator

from canasta.diagnostics import Diagnostic, Severity
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.language.ruleset import Ending, Lasts, Owner
from canasta.notation import record as r
from canasta.playing.parties import no_account
from canasta.playing.seats import Seats


class Tally:
    """Counts a match on, deal by deal, as the pad has it; what the pad does not say comes from the ledger."""

    def __init__(self, game: Game, seats: Seats, record: r.Record) -> None:
        """Begin before the first deal."""
        self.game = game
        self.seats = seats
        self.record = record
        self.last: int | None = None
        self.ended_after: int | None = None
        self.unsure = False
        self.begun = False
        self.dealer = self.game.ruleset.table.seats - 1
        self.next: int | None = None
        """Who deals next; nobody knows where the rules look at how the deal before went and that was not seen."""
        self.carried: dict[str, list[int]] = {}
        for variable in self.game.ruleset.state.values():
            if variable.lasts is Lasts.MATCH:
                number = {Owner.SEAT: len(self.seats.names), Owner.SIDE: len(self.seats.sides)}.get(variable.of, 1)
                self.carried[variable.name] = [variable.start] * number

    @property
    def accounts(self) -> list[int]:
        """The totals, in points by the owner of the account."""
        return self.carried[self.game.ruleset.table.account]

    def by_side(self) -> dict[str, int]:
        """Give the totals by the names of sides, or of seats where each has an account of its own."""
        of = self.game.ruleset.state[self.game.ruleset.table.account].of
        return dict(zip(self.seats.owners(of), self.accounts, strict=False))

    # ---- a deal ----

    def begin(self, deal: r.Deal) -> Iterator[Diagnostic]:
        """Settle who deals and what the sides have before it (PL0037, PL0038)."""
        due = self._due(deal.number) if self.next is not None else None
        written = self.seats.seat(deal.dealer) if deal.dealer else None
        if written is not None:
            follows = self.last is not None and deal.number == self.last + 1
            if due is not None and follows and written != due:
                yield self._not_rotated(deal, due)
            self.dealer = written
        elif due is not None:
            self.dealer = due
        elif deal.turns:
            first = self.seats.seat(deal.turns[0].seat)
            playing = self.game.ruleset.table.playing(deal.number)
            self.dealer = playing[playing.index(first) - 1] if first in playing else playing[-1]
        if self.ended_after is not None:
            clause, _ = self.over()
            message = f"the match was over after deal {self.ended_after}"
            yield Diagnostic("PL0038", message, deal.span, "what follows is counted all the same", clause=clause)
            self.ended_after = None
        if not self.begun:
            self._totals_before(deal)
            self.begun = True

    def _due(self, number: int) -> int:
        """Find who deals after the last deal; a seat that sits out is passed over."""
        return self.game.turn.blank(self.next or 0, number, {}).dealer

    def _not_rotated(self, deal: r.Deal, due: int) -> Diagnostic:
        clause, code = self.game.machine.refusals.get("dealer", ("", ""))
        message = f"{deal.dealer} deals, and it was the turn of {self.seats.names[due]}"
        hint = "it is played on with the dealer that is written"
        return Diagnostic("PL0037", message, deal.span, hint, clause=clause, code=code)

    def _totals_before(self, deal: r.Deal) -> None:
        """A record that begins in the middle of a match: what the sides had is what they have now, less this deal."""
        for score in deal.scores:
            owner = self._owner(score.side)
            if owner is not None and score.total is not None:
                self.accounts[owner] = score.total - sum(item.points for item in score.items)

    def _owner(self, side: str) -> int | None:
        of = self.game.ruleset.state[self.game.ruleset.table.account].of
        return self.seats.owner(of, side)

    def add(
        self, deal: r.Deal, scored: dict[str, int], state: State | None = None, *, certain: bool = False
    ) -> Iterator[Diagnostic]:
        """Add what a deal brought; ``state`` is its last position, for what else lasts a match.

        It is ``certain`` where no unwritten card could change what the deal comes to.
        """
        if state is not None:
            rules = self.game.ruleset
            for variable in rules.state.values():
                if variable.lasts is Lasts.MATCH and variable.name != rules.table.account:
                    content = state.variable(variable.index)
                    self.carried[variable.name] = [content] if variable.of is Owner.TABLE else list(content)
        written = {s.side: s.total for s in deal.scores if s.total is not None}
        for side, points in scored.items():
            owner = self._owner(side)
            if owner is not None:
                self.accounts[owner] = written.get(side, self.accounts[owner] + points)
        self.last = deal.number
        by_play = self.game.machine.deals_by_play
        ended = (state if certain else None) if by_play else self.game.turn.blank(self.dealer, deal.number, {})
        self.next = None if ended is None else self.game.next_dealer(ended)
        missing = [name for name in self.by_side() if name not in scored]
        if missing and (deal.scores or deal is not self.record.deals[-1]):
            message = f"what deal {deal.number} brought {' and '.join(missing)} cannot be known"
            hint = "write the score, or what was left in the hands; later minima are judged without it"
            # Who wrote what one side scored has forgotten the other; who wrote neither may have done so on purpose.
            severity = Severity.WARNING if deal.scores else Severity.NOTE
            yield Diagnostic("PL0034", message, deal.span, hint, severity=severity)
        if self.over()[0]:
            self.ended_after = deal.number

    # ---- the match ----

    def over(self) -> tuple[str, tuple[str, ...]]:
        """Say by which clause the match is over and who has won; nothing while it goes on."""
        state = self.game.turn.blank(self.dealer, self.last or 1, self.carried)
        found = self.game.scoring.match_over(state)
        if found is None or self.last is None:
            return "", ()
        names = self.seats.names if found.by_seat else self.seats.sides
        return found.clause, tuple(names[w] for w in found.winners)

    def close(self) -> Iterator[Diagnostic]:
        """Compare the result with the totals (PL0038, PL0048)."""
        result = self.record.result
        if result is None:
            return
        of = self.game.ruleset.state[self.game.ruleset.table.account].of
        for name, _ in result.totals:
            if self._owner(name) is None:
                yield no_account(self.seats, of, name, result.span)
        clause, winners = self.over()
        if not result.word and not clause:
            ending = next((c.id for c in self.game.ruleset.of_kind(Ending)), "")
            message = "a result is written, and by the rules the match goes on"
            yield Diagnostic(
                "PL0038", message, result.span, "write result unfinished, or the missing deals", clause=ending
            )
        elif result.word == "unfinished" and clause:
            message = f"the match is over: {' and '.join(winners)} won" if winners else "the match is over"
            yield Diagnostic("PL0038", message, result.span, "leave the word unfinished out", clause=clause)
