"""What the signs of a record mean in one game: which acts are written how, what cards are called, where they come from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from canasta.kernel.game import Game
from canasta.kernel.machine import Doing
from canasta.language.ruleset import Act, Form, Phase, Zone
from canasta.language.types import Statement, StatementOp
from canasta.notation.record import Written
from canasta.playing.cards import CardNames, card_names
from canasta.playing.kept import laying, lies_open, shown_by_choice
from canasta.playing.targets import Targets

NO_ACTS: tuple[Act, ...] = ()


@dataclass(slots=True)
class Signs:
    """The signs of one game, worked out once for all the turns that are played in it."""

    game: Game
    names: CardNames = field(init=False)
    targets: Targets = field(init=False)
    shown: tuple[Zone, ...] = field(init=False)
    """Where cards lie openly before a player or a side, outside any group."""
    by_choice: bool = field(init=False)
    """Whether cards are laid out by acts of their players alone."""
    _anywhere: dict[str, tuple[Act, ...]] = field(init=False)
    _here: tuple[dict[str, tuple[Act, ...]], ...] = field(init=False)
    _sources: dict[str, str] = field(default_factory=dict)
    _laying: dict[str, tuple[Doing, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Sort the acts by how they are written, in all and for each phase."""
        rules = self.game.ruleset
        self.names = card_names(rules, self.game.deck)
        self.targets = Targets(self.game, self.names)
        self.shown = tuple(z for z in rules.zones.values() if lies_open(z))
        self.by_choice = shown_by_choice(self.game)
        self._anywhere = _by_sign(rules.acts.values())
        self._here = tuple(self._of(phase) for phase in self.game.machine.phases)

    def _of(self, phase: Phase) -> dict[str, tuple[Act, ...]]:
        known = (*phase.acts, *phase.auto)
        return _by_sign([a for a in self.game.ruleset.acts.values() if a.name in known])

    def here(self, phase: int, kind: Written) -> tuple[Act, ...]:
        """List the acts of a phase that are written so."""
        return self._here[phase].get(kind, NO_ACTS)

    def acts(self, phase: int, kind: Written) -> tuple[Act, ...]:
        """List the acts that are written so: those of the phase, else all."""
        return self._here[phase].get(kind) or self._anywhere.get(kind, NO_ACTS)

    def wants_a_card(self, kind: Written) -> bool:
        """Ask whether an act that is written so chooses a card."""
        return any(act.choose == "card" for act in self._anywhere.get(kind, NO_ACTS))

    def chosen(self, phase: int, kind: Written) -> tuple[Act, ...]:
        """List the same without those that happen by themselves: what the player can do so."""
        here = tuple(a for a in self.here(phase, kind) if not a.auto)
        return here or tuple(a for a in self._anywhere.get(kind, NO_ACTS) if not a.auto)

    def shown_first(self, phase: int, kinds: Sequence[Written]) -> int:
        """Count the signs at the beginning of a turn that show a card by an act of the phase, before anything is drawn or taken."""
        if not self.here(phase, Written.SHOW):
            return 0
        return next((i for i, kind in enumerate(kinds) if kind is not Written.SHOW), len(kinds))

    @property
    def draws_by_itself(self) -> bool:
        """Whether cards may be drawn in the middle of a turn, by what happens by itself."""
        return any(a.auto for a in self._anywhere.get(Written.DRAW, NO_ACTS))

    def source(self, act: Act) -> str:
        """Find the stack from which an act brings cards to the hand; the stock where its effects do not say."""
        found = self._sources.get(act.name)
        if found is None:
            found = self._sources[act.name] = self._source_of(act)
        return found

    def duties_that_lay(self, act: str) -> tuple[Doing, ...]:
        """List the duties on an act that lay cards out of the hand."""
        found = self._laying.get(act)
        if found is None:
            found = self._laying[act] = tuple(d for d in self.game.machine.duties[act] if laying(self.game, d))
        return found

    def _source_of(self, act: Act) -> str:
        rules = self.game.ruleset
        for doing in self.game.machine.effects[act.name]:
            for statement in doing.do:
                name = _source(statement, rules.table.hand)
                if name and rules.zones[name].form is Form.STACK:
                    return name
        return rules.table.order


def _by_sign(acts: Iterable[Act]) -> dict[str, tuple[Act, ...]]:
    found: dict[str, list[Act]] = {}
    for act in acts:
        found.setdefault(act.written, []).append(act)
    return {sign: tuple(these) for sign, these in found.items()}


def _source(statement: Statement, hand: str) -> str:
    if statement.body is not None:
        return _source(statement.body, hand)
    moves = statement.op in (StatementOp.MOVE, StatementOp.MOVE_ALL)
    return statement.places[0].name if moves and statement.places[1].name == hand else ""


_MADE: dict[int, Signs] = {}
MOST_KEPT = 64


def signs_of(game: Game) -> Signs:
    """Give the signs of a game, made once for each game."""
    made = _MADE.get(id(game))
    if made is None or made.game is not game:
        if len(_MADE) >= MOST_KEPT:
            _MADE.clear()
        made = _MADE[id(game)] = Signs(game)
    return made
