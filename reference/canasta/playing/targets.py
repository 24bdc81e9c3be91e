"""Which group written cards join: the one that is named, one of the side that they fit, or a new one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Severity
from canasta.kernel.acts import NEW_GROUP
from canasta.kernel.game import Game
from canasta.kernel.shapes import Form
from canasta.kernel.state import Group
from canasta.notation.cards import Card
from canasta.notation.record import Action, Target
from canasta.playing.cards import CardNames

NO_GROUP: Final = 0
"""The number of a group that does not lie there."""


@dataclass(slots=True)
class Targets:
    """Finds the groups that written cards are aimed at, in one game."""

    game: Game
    names: CardNames

    def find(self, groups: list[Group], action: Action, kinds: Sequence[int], findings: Findings) -> int:
        """Find the number of the group that cards join, ``NEW_GROUP`` when they begin one."""
        if action.target is not None:
            if action.target.card is None:
                return NEW_GROUP
            named = self.named(groups, action.target)
            return named.gid if named else NO_GROUP
        fitting: list[Group] = []
        growing: list[Group] = []
        for group in groups:
            facts = self._joined(group, kinds)
            if facts is not None:
                fitting.append(group)
                if _at(self.game.machine.shapes.forms[group.shape].reachable, facts):
                    growing.append(group)
        if len(growing) > 1 and action.span is not None:
            what = f"{len(growing)} groups could take these cards; the first is taken"
            findings.add(
                Diagnostic(
                    "PL0016", what, action.span, "name the group by a card of it: 7h/4h", severity=Severity.WARNING
                )
            )
        if growing:
            return growing[0].gid
        return fitting[0].gid if fitting and not self._right_alone(kinds) else NEW_GROUP

    def holding(self, groups: Sequence[Group], card: Card) -> list[Group]:
        """List the groups that hold a card, those of its own rank before those in which it fills."""
        kinds = self.names.kinds(card)
        ranks = {self.game.deck.rank[k] for k in kinds}
        holding = [g for g in groups if any(g.cards[k] for k in kinds)]
        return sorted(holding, key=lambda g: g.rank >= 0 and g.rank not in ranks)

    def named(self, groups: Sequence[Group], target: Target) -> Group | None:
        """Find the group that holds a card, the nth of them where that is said."""
        if target.card is None:
            return None
        holding = self.holding(groups, target.card)
        place = max(1, target.nth) - 1
        return holding[place] if place < len(holding) else None

    def pair(self, groups: list[Group], action: Action) -> tuple[int, int, int]:
        """Find which group stays and which becomes part of it, as a move has them; of the two the one that lies first stays."""
        goes = self.named(groups, action.other) if action.other else None
        others = [g for g in groups if g is not goes]
        stays = (
            self.named(groups if action.target and action.target.nth else others, action.target)
            if action.target
            else None
        )
        if goes is None or stays is None:
            return NO_GROUP, -1, NO_GROUP
        first, second = sorted((goes, stays), key=groups.index)
        return first.gid, -1, second.gid

    def only(self, groups: list[Group], kinds: Sequence[int]) -> int:
        """Find the one group that cards can join at all, where no new one may be begun."""
        fitting = [g for g in groups if self._form(g) is not None and self._facts(g, kinds) is not None]
        return fitting[0].gid if len(fitting) == 1 else NO_GROUP

    def _form(self, group: Group) -> Form | None:
        return self.game.machine.shapes.forms[group.shape] if group.shape >= 0 else None

    def _facts(self, group: Group, kinds: Sequence[int]) -> tuple[int, int, int] | None:
        form = self._form(group)
        if form is None or not (form.grows or not group.was):
            return None
        cards = group.cards[:]
        for kind in kinds:
            cards[kind] += 1
        return self.game.machine.shapes.facts(form, cards)

    def _joined(self, group: Group, kinds: Sequence[int]) -> tuple[int, int, int] | None:
        """Work out what a group would be with cards that belong to it of their own accord: one at least belongs to its body."""
        form = self._form(group)
        if form is None or not (form.grows or not group.was):
            return None
        body = filler = 0
        for kind in kinds:
            if form.body[kind]:
                if form.column[kind] != group.key:
                    return None
                body += 1
            elif form.filler[kind]:
                filler += 1
            else:
                return None
        if not body:
            return None
        return self._facts(group, kinds) if form.order else (group.body + body, group.filler + filler, group.key)

    def _right_alone(self, kinds: Sequence[int]) -> bool:
        """Ask whether cards would make a right group by themselves."""
        bag = self.game.deck.bag(kinds)
        return any(
            facts is not None and _at(form.allowed, facts)
            for form in self.game.machine.shapes.forms
            for facts in [self.game.machine.shapes.facts(form, bag)]
        )


def _at(table: tuple[tuple[bool, ...], ...], facts: tuple[int, int, int]) -> bool:
    body, filler, _ = facts
    return body < len(table) and filler < len(table[0]) and table[body][filler]
