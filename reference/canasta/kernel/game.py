"""A game that can be played: the four doors, and what stands beside them."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from canasta.kernel.acts import Move, Verdict, Violation
from canasta.kernel.cards import Deck
from canasta.kernel.judge import Judge
from canasta.kernel.ledger import Ledger, MatchEnd, Scoring
from canasta.kernel.listing import Answer, Legal, Listing
from canasta.kernel.machine import Backend, Machine
from canasta.kernel.state import NOBODY, Context, State
from canasta.kernel.turn import Turn
from canasta.language.ruleset import Act, Ruleset

if TYPE_CHECKING:
    from canasta.kernel.bounds import BoundedJudge, Bounder
    from canasta.kernel.explaining import Asked, Explainer
    from canasta.kernel.observing import Observation
    from canasta.language.compiler import Compiler


class Game:
    """A rule set ready to play on one deck.

    States are values: no door changes a state that it is given. ``make_bounder`` and ``make_explaining`` make the back ends for unknown
    cards and for reasons, which a sound record never needs; they are loaded when first asked for.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        deck: Deck,
        backend: Backend,
        make_bounder: "Callable[[], Bounder]",
        make_explaining: "Callable[[], Compiler]",
    ) -> None:
        """Wire judge, turn and listing together: the judge asks the listing what is possible, the listing asks the judge."""
        self.ruleset = ruleset
        self.deck = deck
        self.backend = backend
        self.make_bounder = make_bounder
        self.make_explaining = make_explaining
        self._bounds: BoundedJudge | None = None
        self._explainer: Explainer | None = None
        self.machine = Machine(self.ruleset, self.deck, self.backend)
        self._judge = Judge(self.machine)
        self.turn = Turn(self.machine, self._judge)
        bounds = _Bounds(self)
        self.listing = Listing(self.turn, self._judge, bounds)
        self._judge.runtime = self.listing
        self._judge.bounds, self._judge.explainer = bounds, _Explaining(self)
        self.scoring = Scoring(self.machine)

    @property
    def bounds(self) -> "BoundedJudge":
        """The judge of what is not known exactly."""
        if self._bounds is None:
            from canasta.kernel.bounds import BoundedJudge  # noqa: PLC0415 - needed only for what is not known

            self._bounds = BoundedJudge(self.machine, self.make_bounder(), self._judge)
        return self._bounds

    @property
    def bounder(self) -> "Bounder":
        """The interval back end."""
        return self.bounds.bounder

    @property
    def explainer(self) -> "Explainer":
        """The judge that says why."""
        if self._explainer is None:
            from canasta.kernel.explaining import Explainer  # noqa: PLC0415 - needed only when something is wrong

            self._explainer = Explainer(self._judge, self.make_explaining())
        return self._explainer

    def without_reasons(self) -> "Game":
        """Judge without the values that decided a violation, which take longer to find than the violation itself."""
        self._judge.explainer = None
        return self

    def start(
        self, order: Sequence[int], dealer: int, deal_no: int = 1, carried: dict[str, list[int]] | None = None
    ) -> State:
        """Set a deal up from the whole pack in stated order, the first card dealt first."""
        return self.turn.start(order, dealer, deal_no, carried)

    def legal(self, state: State) -> Legal:
        """List the legal acts of the seat to act."""
        return self.listing.legal(state)

    def judge(self, state: State, move: Move) -> Verdict:
        """Say everything that is wrong with an act."""
        return self._judge.judge(state, move)

    def why(self, state: State, move: Move) -> "tuple[Asked, ...]":
        """Give every demand that bears on an act, each with the values it rests on, as a tree."""
        return self.explainer.why(state, move)

    def apply(self, state: State, move: Move) -> State:
        """Carry out a legal act.

        Raises:
            RefusedError: when the act breaks a rule; the state is as before.
        """
        return self.turn.apply(state, move)

    def as_played(self, state: State, move: Move, *, own: bool = False) -> tuple[State, Verdict]:
        """Carry out what really happened, and say what was wrong with it; with ``own`` the state is given away.

        Raises:
            ImpossibleError: when the cards are not there.
        """
        return self.turn.as_played(state, move, own=own)

    def drop(self, state: State) -> State:
        """Take back everything laid since the last commit."""
        return self.turn.drop(state)

    def completions(self, state: State) -> Answer:
        """Say whether the play that is being composed can still be brought to an end."""
        return self.listing.can_finish(state)

    def observe(self, state: State, seat: int | None) -> "Observation":
        """Show what a seat may see."""
        from canasta.kernel.observing import Observing  # noqa: PLC0415 - a judge of records never shows a state to a seat

        return Observing(self.machine).observe(state, seat)

    def ledger(self, state: State) -> Ledger:
        """Work the ledger of a deal out as it stands."""
        return self.scoring.ledger(state)

    def next_deal(self, state: State, order: Sequence[int]) -> State:
        """Begin the next deal of the match: it is dealt by whoever is due, the accounts are carried on."""
        return self.start(order, self.next_dealer(state), state.deal_no + 1, self.scoring.carried(state))

    def next_dealer(self, state: State) -> int:
        """Say who deals after a deal that has ended so: the next seat, unless the rules say who; who sits out is passed over."""
        if self.machine.deals is None:
            return (state.dealer + 1) % self.ruleset.table.seats
        dealer = int(self.machine.deals(state, Context(), NOBODY, NOBODY))
        return state.dealer if dealer == NOBODY else dealer

    def match_over(self, state: State) -> MatchEnd | None:
        """Say whether the match is over after this deal: by which clause, and who has won."""
        after = self.turn.blank(state.dealer, state.deal_no, self.scoring.carried(state))
        after.side_of, after.sides = state.side_of, state.sides
        return self.scoring.match_over(after)


class _Bounds:
    """Hands the questions of judge and listing to the bounded judge of a game, which is made when first asked."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def broken(self, state: State, move: Move) -> Iterator[Violation]:
        return self.game.bounds.broken(state, move)

    def hopeless(self, state: State) -> bool:
        return self.game.bounds.hopeless(state)

    def barred(self, state: State, act: Act, top: int) -> bool:
        return self.game.bounds.barred(state, act, top)


class _Explaining:
    """The same for the explainer."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def with_values(self, state: State, move: Move, found: tuple[Violation, ...]) -> tuple[Violation, ...]:
        return self.game.explainer.with_values(state, move, found)
