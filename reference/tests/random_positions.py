"""Positions for the proofs: moments of random games, and every expression of a rule set with a context that fits it."""

from collections.abc import Iterator
from dataclasses import dataclass

from hidden_cards import Number

from canasta.games import open_game
from canasta.kernel.acts import Move
from canasta.kernel.game import Game
from canasta.kernel.state import NOBODY, Context, Group, State
from canasta.language.ruleset import Bound, Definition, Duty, Effect, Ending, Requirement, Score, Structure
from canasta.language.types import ELEMENT, Expr, Op, Statement, StatementOp
from canasta.random_play import RandomPlayer, play_deal, shuffled_pack
from canasta.shuffle import SplitMix64, derive

OF_AN_ACT = frozenset({"card", "option", "left", "top_card", "from_hand", "group", "size", "body", "filler"})


@dataclass(frozen=True, slots=True)
class Case:
    """One whole expression and everything it needs to be evaluated on a state, beside that state."""

    name: str
    expr: Expr
    context: Context
    seat: int
    side: int


def moments(game: Game, seed: int, *, least: int = 0, late: bool = False) -> list[tuple[State, Move, State]]:
    """Play one deal at random: each state, the move made there, the state after it.

    With ``late`` most of the stock is put aside first, so that the end of the stock comes soon.
    """
    state = game.start(shuffled_pack(game, seed), seed % game.ruleset.table.seats)
    if late:
        stock = state.zone(game.ruleset.zones[game.ruleset.table.order].index)
        for _ in range(max(0, len(stock.cards) - 9)):
            put_aside(game, state, stock.pop())
    played = list(play_deal(state, RandomPlayer(game, SplitMix64(derive(seed, 0, 1)))))
    return (
        played if len(played) >= least else [*played, *moments(game, seed + 1000, least=least - len(played), late=late)]
    )


def put_aside(game: Game, state: State, card: int) -> None:
    """Deal a card of the stock to a hand, so that no card is lost."""
    hands = state.zone(game.machine.hand)
    hands[card % len(hands)][card] += 1


def sampled(name: str, seeds: range, every: int, *, by_face: bool = False, late: bool = False) -> list[State]:
    """Collect states out of random deals, every so many of them, and the last of each deal."""
    game = open_game(name, by_face=by_face)
    found: list[State] = []
    for seed in seeds:
        played = moments(game, seed, late=late)
        found += [state for state, _, _ in played[seed % every :: every]]
        found.append(played[-1][2])
    return found


# -- every expression with a context that fits it ----------------------------------------------------------------------


def words_used(game: Game, expr: Expr, seen: frozenset[str] = frozenset()) -> frozenset[str]:
    """Find which words of an act an expression needs, through the definitions that it calls."""
    found = frozenset({expr.ref}) if expr.op is Op.CONTEXT and expr.ref in OF_AN_ACT else frozenset()
    if expr.op is Op.DEFINE and expr.ref not in seen:
        found |= words_used(game, game.ruleset.definitions[expr.ref].body, seen | {expr.ref})
    for part in expr.args:
        found |= words_used(game, part, seen)
    return found


def cases(game: Game, state: State, pick: SplitMix64) -> Iterator[Case]:
    """Give every whole expression of the rule set that has a meaning in this state, each once."""
    seat = state.seat
    side = state.side_of[seat]
    for name, expr, bound in whole_expressions(game, state, seat):
        words = words_used(game, expr)
        context = fitting(game, state, seat, words, pick)
        if context is None:
            continue
        context.bound = bound
        yield Case(name, expr, context, seat, side)
    for score in game.ruleset.of_kind(Score):
        for one in range(len(state.side_of)) if score.each_seat else [NOBODY]:
            for team in [state.side_of[one]] if score.each_seat else state.sides:
                for read in (score.when, score.points):
                    if read is not None:
                        yield Case(score.id, read, with_runtime(game), one, team)
    for ending in game.ruleset.of_kind(Ending):
        yield Case(ending.id, ending.when, with_runtime(game), NOBODY, NOBODY)
        seated = list(enumerate(state.side_of))
        owners = seated if ending.each_seat else [(NOBODY, t) for t in state.sides]
        for one, team in owners:
            yield Case(ending.id, ending.winner, with_runtime(game), one, team)
    for structure in game.ruleset.of_kind(Structure):
        if structure.deals is not None:
            yield Case(structure.id, structure.deals, with_runtime(game), NOBODY, NOBODY)


def with_runtime(game: Game) -> Context:
    context = Context()
    context.runtime = game.listing
    return context


def fitting(game: Game, state: State, seat: int, words: frozenset[str], pick: SplitMix64) -> Context | None:
    """Make a context in which all these words mean something; nothing if this state has, for instance, no group."""
    context = with_runtime(game)
    if "card" in words:
        hand = state.zone(game.machine.hand)[seat]
        held = [k for k in range(game.deck.size) if hand[k]]
        if not held:
            return None
        context.card = held[pick.below(len(held))]
    if "option" in words:
        context.option = pick.below(3)
    if "left" in words:
        context.left = pick.below(3)
    if words & {"group", "from_hand", "top_card"}:
        laid = game._judge.laid_groups(state)
        if laid:
            part, group = laid[pick.below(len(laid))]
            given = game._judge.context_of_part(part, group)
            context.group, context.from_hand, context.top_card = given.group, given.from_hand, given.top_card
        else:
            lying = [g for act in game.ruleset.acts.values() if act.into for g in game._judge.groups(state, act, seat)]
            if not lying:
                return None
            context.group = lying[pick.below(len(lying))]
            context.from_hand = context.group.added[:]
            context.top_card = pick.below(game.deck.size)
    if words & {"size", "body", "filler"}:
        context.group = Group(0, 0, 0, game.deck.empty())
        context.group.body, context.group.filler = pick.below(9), pick.below(5)
        context.group.size = context.group.body + context.group.filler
    return context


def whole_expressions(game: Game, state: State, seat: int) -> Iterator[tuple[str, Expr, dict[str, object]]]:
    """Give every whole expression that an acting seat reads, with the values of variables that stand above it."""
    rules = game.ruleset
    for act in rules.acts.values():
        if act.left is not None:
            yield f"acts/{act.name}", act.left, {}
    for clause in rules.clauses.values():
        match clause:
            case Definition() if not clause.parameters:
                yield clause.id, clause.body, {}
            case Definition():
                for values in arguments(game, state, clause):
                    yield clause.id, clause.body, values
            case Requirement() | Bound():
                if clause.when is not None:
                    yield clause.id, clause.when, {}
                yield from ((clause.id, demand.that, {}) for demand in clause.require)
            case Effect() | Duty():
                if clause.when is not None:
                    yield clause.id, clause.when, {}
                for statement in clause.do:
                    for expr, bound in of_statement(game, state, seat, statement, {}):
                        yield clause.id, expr, bound
            case _:
                pass


def arguments(game: Game, state: State, definition: Definition) -> Iterator[dict[str, object]]:
    """Give one set of values for the parameters of a definition, if this state has any."""
    values: dict[str, object] = {}
    for name, kind in definition.parameters:
        match kind.name:
            case "group":
                lying = [
                    g
                    for act in game.ruleset.acts.values()
                    if act.into
                    for g in game._judge.groups(state, act, state.seat)
                ]
                if not lying:
                    return
                values[name] = lying[-1]
            case "bag":
                values[name] = state.zone(game.machine.hand)[state.seat]
            case "int":
                values[name] = Number(1)
            case "seat" | "side" | "card" | "rank":
                values[name] = 1
            case other:
                raise AssertionError(f"no value for a parameter of type {other}")
    yield values


def of_statement(
    game: Game, state: State, seat: int, statement: Statement, bound: dict[str, object]
) -> Iterator[tuple[Expr, dict[str, object]]]:
    """Give the expressions of a statement, with a value for each variable that it binds."""
    if statement.op is StatementOp.MOVE_WHERE:
        for kind in range(game.deck.size):
            yield statement.exprs[0], {**bound, statement.name: kind}
    else:
        yield from ((expr, bound) for expr in statement.exprs)
    yield from ((place.owner, bound) for place in statement.places if place.owner is not None)
    if statement.body is None:
        return
    if statement.op is StatementOp.EACH:
        collection = game.backend.function(statement.exprs[0])(state, with_runtime(game), seat, state.side_of[seat])
        assert statement.exprs[0].type in ELEMENT
        for item in list(collection)[:2]:
            yield from of_statement(game, state, seat, statement.body, {**bound, statement.name: item})
    else:
        yield from of_statement(game, state, seat, statement.body, bound)


def plain(value: object) -> object:
    """Make a value comparable: groups, stacks and parts are the same if they hold the same."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (list, tuple, range)):
        return [plain(x) for x in value]
    if hasattr(value, "__slots__"):
        return [
            type(value).__name__,
            *(plain(getattr(value, name)) for name in type(value).__slots__ if name != "takes"),
        ]
    return value
