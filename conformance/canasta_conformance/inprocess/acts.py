"""Acts of messages as the reference knows them, and its violations as codes."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from canasta.kernel.acts import NEW_GROUP, Move, Violation
from canasta.kernel.game import Game
from canasta.kernel.state import State
from canasta.notation.cards import Card
from canasta.notation.record import Action, Target, Written
from canasta.playing.signs import signs_of

Data = dict[str, Any]

_WRITTEN: Final = {"meld": Written.LAY, "add": Written.LAY}
_NEW: Final = Target(None)


def action_of(act: Data) -> Action:
    """Give an act of a message as a written one."""
    cards = tuple(card_of(card) for card in act.get("cards", ()))
    kind = _WRITTEN.get(act["act"]) or Written(act["act"])
    target = Target(card_of(act["to"]), act.get("nth", 0)) if "to" in act else None
    if act["act"] in ("meld", "take") and target is None:
        target = _NEW
    other = Target(card_of(act["from"]), act.get("from_nth", 1)) if "from" in act else None
    if other is not None and target is not None:
        target = Target(target.card, target.nth or 1)
    return Action(kind, cards, target, word=act.get("word", ""), other=other)


def card_of(text: str) -> Card:
    """Read a card of a message."""
    return Card("Jk") if text == "Jk" else Card(text[0], text[1:])


def codes_of(found: Iterable[Violation]) -> list[str]:
    """List the codes of violations, each once."""
    return list(dict.fromkeys(violation.code for violation in found))


def told_moves(game: Game, state: State, move: Move) -> Iterator[Data]:
    """Spell a move out as an act of a message; picking the pile up, which follows by itself, is none."""
    act = game.ruleset.acts[move.act]
    cards = [game.deck.name(kind) for kind in move.cards]
    match act.written:
        case Written.PICK:
            return
        case Written.TAKE if not act.top:
            stack = game.turn.judge.stack(state, signs_of(game).source(act), move.seat)
            yield {"act": "take", "cards": [game.deck.name(card) for card in stack.cards[-1:]]}
        case Written.TAKE:
            stack = game.turn.judge.stack(state, act.top, move.seat)
            yield {"act": "take", "cards": [game.deck.name(stack.cards[-1]), *cards], **_joined(game, state, move)}
        case Written.LAY:
            joined = _joined(game, state, move)
            yield {"act": "add" if joined else "meld", "cards": cards, **joined}
        case Written.UNITE:
            goes = {
                f"from{'_nth' if key == 'nth' else ''}": value
                for key, value in _named(game, state, move, move.other).items()
            }
            yield {"act": "unite", **goes, **_named(game, state, move, move.group)}
        case Written.DISCARD | Written.KNOCK | Written.SHOW if cards:
            yield {"act": str(act.written), "cards": cards}
        case Written.ANSWER:
            words = act.option_type.words if act.option_type else ()
            yield {"act": "answer", "word": ("yes", "no")[act.options.index(words[move.option])]}
        case _:
            yield {"act": str(act.written)}


def _joined(game: Game, state: State, move: Move) -> Data:
    """Name the meld that cards join; nothing where they begin one."""
    return {} if move.group == NEW_GROUP else _named(game, state, move, move.group)


def _named(game: Game, state: State, move: Move, gid: int) -> Data:
    """Name a meld by one of its cards, a natural one if it has any, and by its place among those that hold it.

    Raises:
        LookupError: when the seat has no meld of that number.
    """
    groups = game.turn.judge.groups(state, game.ruleset.acts[move.act], move.seat)
    group = next((g for g in groups if g.gid == gid), None)
    if group is None:
        raise LookupError(f"no meld has the number {gid}")
    held = [kind for kind, n in enumerate(group.cards) if n]
    form = game.machine.shapes.forms[group.shape] if group.shape >= 0 else None
    card = next((kind for kind in held if form and form.body[kind]), held[0])
    name = game.deck.name(card)
    holding = signs_of(game).targets.holding(groups, card_of(name))
    nth = next(i for i, g in enumerate(holding) if g.gid == gid) + 1
    return {"to": name} | ({"nth": nth} if nth > 1 else {})
