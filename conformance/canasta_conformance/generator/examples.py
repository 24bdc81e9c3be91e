"""The cases of the suite, made from the examples of the rule sets: plain JSON that needs no Python to be read.

An example is typed by a person from the source, and a case repeats it word by word: nothing that is expected is worked
out here. What is added is plain data beside the texts (cards in lists, acts in order), the clause that is asserted
with its formal digest, and an id that never changes: RULESET/CLAUSE/EXAMPLE.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings
from canasta.games import load_ruleset
from canasta.language.digests import formal_digest
from canasta.language.loading import Loaded, load_document
from canasta.language.merging import OriginKind
from canasta.language.ruleset import Clause, Example, Form, Ruleset
from canasta.language.source import Mapping as Fields
from canasta.language.source import Scalar
from canasta.language.source import Sequence as Listed
from canasta.notation.cards import UNKNOWN, CardFault, read_cards
from canasta.notation.json_form import to_json
from canasta.notation.position_text import Field, Position, parse_position
from canasta.notation.record import Action, Deal, Record, Turn, Written
from canasta.notation.turns import parse_turn
from canasta_conformance.finding.remembering import Found, Input, remembered
from canasta_conformance.generator.forms import forms
from canasta_conformance.generator.found import example_of, holding, twinned
from canasta_conformance.generator.prefixes import led_to

_SETUP: Final = "setup"

Case = dict[str, Any]


def cases(name: str, *, led: bool = True) -> list[tuple[Case, str]]:
    """Make the cases of one rule set, each with the chapter of its clause, in reading order.

    Clauses that a rule set inherits as they are have their cases with the rule set that says them. Without ``led`` there are no forms
    that lead to a position by several turns.

    Raises:
        CanastaError: with every fault of the rule set and of its examples.
    """
    loaded, rules = load_document(name), load_ruleset(name)
    findings = Findings()
    found: list[tuple[Case, str]] = []
    for node in nodes_of(loaded.document, "clauses"):
        clause = rules.clauses[text_of(node, "id")]
        if loaded.origin[clause.id].kind is OriginKind.INHERITED:
            continue
        for example in clause.examples:
            try:
                found.append((Maker(loaded, rules, clause, node).case(example), clause.chapter))
            except CanastaError as error:
                findings.extend(error.diagnostics)
    findings.raise_errors()
    memory = remembered(loaded.base)
    found = [(_asserting(case, memory, loaded.base), chapter) for case, chapter in found]
    found += _found(loaded, rules, memory)
    found = list(twinned(found, memory, loaded.base))
    if not led:
        return found
    return [(led_to(case, memory.ways, memory.ruled_out), chapter) for case, chapter in found]


def _found(loaded: Loaded, rules: Ruleset, memory: Found) -> Iterator[tuple[Case, str]]:
    """Make cases of what a search has found, of the clauses that the rule set still says itself."""
    nodes = {text_of(node, "id"): node for node in nodes_of(loaded.document, "clauses")}
    for one in memory.inputs:
        made, _ = _made(loaded, rules, nodes, one)
        if made is not None:
            yield made


def dropped(name: str) -> dict[str, list[str]]:
    """List what is left out of the found cases of a rule set, by their ids: forms with which the reference disagrees, and whole cases.

    A case that is not made without a form being to blame, such as one of a clause that is gone, says so.
    """
    loaded, rules = load_document(name), load_ruleset(name)
    nodes = {text_of(node, "id"): node for node in nodes_of(loaded.document, "clauses")}
    found: dict[str, list[str]] = {}
    for one in remembered(loaded.base).inputs:
        made, why = _made(loaded, rules, nodes, one)
        if why or made is None:
            found[f"{loaded.base}/{one.name}"] = [*why, *([] if made else ["no case is made of it"])]
    return found


def case_of_input(name: str, one: Input) -> tuple[Case, str] | None:
    """Make the case of an input that was found, with its chapter; nothing where it makes none."""
    loaded = load_document(name)
    nodes = {text_of(node, "id"): node for node in nodes_of(loaded.document, "clauses")}
    return _made(loaded, load_ruleset(name), nodes, one)[0]


def _made(
    loaded: Loaded, rules: Ruleset, nodes: Mapping[str, Fields], one: Input
) -> tuple[tuple[Case, str] | None, list[str]]:
    """Make the case of an input, with its chapter, and say which of its forms are dropped, and why."""
    clause = rules.clauses.get(one.clause)
    if clause is None or loaded.origin[clause.id].kind is OriginKind.INHERITED:
        return None, []
    example = example_of(loaded.base, clause, one)
    if example is None:
        return None, []
    case = Maker(loaded, rules, clause, nodes[clause.id]).case(example)
    case["asserts"] += [c for c in one.asserts if c in rules.clauses]
    case["origin"] = {"from": "search", "shows": list(one.shows)}
    case["forms"], left_out = holding(case["forms"])
    return ((case, clause.chapter) if case["forms"] else None), left_out


def _asserting(case: Case, memory: Found, name: str) -> Case:
    """Add the clauses that decide in an example beside its own."""
    also = memory.also.get(case["id"].removeprefix(f"{name}/"), ())
    return case | {"asserts": [*case["asserts"], *also]}


def nodes_of(of: Fields, key: str) -> list[Fields]:
    """List the mappings under a key of a rule file."""
    listed = of.items.get(key)
    return [n for n in listed.items if isinstance(n, Fields)] if isinstance(listed, Listed) else []


def text_of(of: Fields, key: str) -> str:
    """Give the text under a key of a rule file."""
    node = of.items.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""


class Maker:
    """Makes the cases of one clause."""

    def __init__(self, loaded: Loaded, rules: Ruleset, clause: Clause, node: Fields) -> None:
        """Know the rule set, the clause, and how it stands in its file."""
        self.loaded, self.rules, self.clause, self.node = loaded, rules, clause, node

    def case(self, example: Example) -> Case:
        """Make the case of an example.

        Raises:
            CanastaError: with every fault of its texts.
        """
        position = self.position(example.given, example)
        step = self._step(example, position)
        case: Case = {
            "id": f"{self.loaded.base}/{self.clause.id}/{example.id}",
            "ruleset": {
                "name": self.loaded.base,
                "options": dict(sorted(example.options)),
            },
            "kind": _kind(step, position),
            "level": self.clause.level,
            "asserts": [self.clause.id],
            "formal": formal_digest(self.node),
            "given": self.given(position, example.given, example),
            "steps": [step],
            "origin": {"from": "example"},
        }
        if example.text:
            case["comment"] = " ".join(example.text.split())
        case["forms"] = forms(case, self.clause)
        return case

    # -- what is done ------------------------------------------------------------------------------------------------

    def _step(self, example: Example, position: Position) -> Case:
        step: Case = {}
        if example.do:
            step["turn"] = self._turn(example, position)
        elif example.ask:
            step["ask"] = example.ask
        step["expect"] = self._expected(example, turn=bool(example.do))
        return step

    def _turn(self, example: Example, position: Position) -> Case:
        actions, found = parse_turn(example.do, example.span.file, example.span.line, example.span.column)
        if not actions:
            raise CanastaError(found)
        seat = position.seat
        record = Record((), (Deal(1, lines=(Turn(seat, (*self._unsaid(actions, position), *actions)),)),))
        return {"seat": seat, "text": example.do, "acts": _acts(to_json(record))}

    def _unsaid(self, actions: Sequence[Action], position: Position) -> tuple[Action, ...]:
        """Say the draw that a turn text leaves out: it begins with what the phase does not offer, and a draw is offered."""
        phase = self.rules.phases.get(position.phase)
        offered = {self.rules.acts[a].written for a in phase.acts} if phase else set()
        if Written.DRAW not in offered or actions[0].kind in offered:
            return ()
        return (Action(Written.DRAW, (UNKNOWN,)),)

    def _expected(self, example: Example, *, turn: bool) -> Case:
        """Repeat what must come of it; a turn of which nothing illegal is said is legal."""
        told = example.expect
        if not isinstance(told, dict):
            return {"verdict": str(told)}
        expect: Case = {}
        if "illegal" in told:
            expect |= {"verdict": "illegal", "codes": list(told["illegal"])}
        elif turn:
            expect["verdict"] = "legal"
        if "after" in told:
            after = str(told["after"])
            expect["after"] = self.given(self.position(after, example), after, example)
        if "ledger" in told:
            expect["ledger"] = {item: int(points) for item, points in told["ledger"].items()}
        if "value" in told:
            expect["value"] = _value(str(told["value"]))
        if "winner" in told:
            expect["winner"] = str(told["winner"])
        return expect

    # -- positions ---------------------------------------------------------------------------------------------------

    def position(self, text: str, example: Example) -> Position:
        """Read a position of an example.

        Raises:
            CanastaError: with every fault of the text.
        """
        position, found = parse_position(text, example.span.file, example.span.line, example.span.column)
        if position is None:
            raise CanastaError(found)
        return position

    def given(self, position: Position, text: str, example: Example) -> Case:
        """Give a position as its text and as data: cards in lists, groups as lists of lists, values as what they are."""
        zones: Case = {}
        values: Case = {}
        for one in position:
            name = f"{one.place}.{one.owner}" if one.owner else one.place
            zone = self.rules.zones.get(one.place)
            if zone is not None:
                runs = [self._cards(run, one, example) for run in one.texts]
                zones[name] = runs if zone.form is Form.GROUPS else [card for run in runs for card in run]
            else:
                values[name] = self._held(one, example)
        who = {"seat": position.seat, "phase": position.phase} if position.seat else {}
        told: Case = {"text": " ".join(text.split()), **who}
        return told | ({"zones": zones} if zones else {}) | ({"values": values} if values else {})

    def _held(self, one: Field, example: Example) -> object:
        variable = self.rules.state.get(one.place)
        if variable is not None and variable.type.name == "bag":
            return [card for run in one.texts for card in self._cards(run, one, example)]
        return _value(one.texts[0]) if len(one.texts) == 1 else list(one.texts) or True

    def _cards(self, run: str, one: Field, example: Example) -> list[str]:
        if run in ("rest", "?0"):
            return [run] if run == "rest" else []
        cards = read_cards(run)
        if isinstance(cards, CardFault):
            span = one.span or example.span
            raise CanastaError([Diagnostic(cards.id, cards.message, span, cards.hint, clause=self.clause.id)])
        return [str(card) for card in cards]


def _kind(step: Case, position: Position) -> str:
    """Name what kind of case it is by what is done in it and what is expected."""
    if "turn" in step:
        return "turn"
    if "ask" in step:
        return "value"
    for key, kind in (("ledger", "score"), ("winner", "match")):
        if key in step["expect"]:
            return kind
    return _SETUP if position.phase == _SETUP else "standstill"


def _acts(record: Mapping[str, Any]) -> list[Case]:
    return list(record["deals"][0]["lines"][0]["actions"])


def _value(text: str) -> bool | int | str:
    if text in ("yes", "no"):
        return text == "yes"
    return int(text) if text.lstrip("+-").isdecimal() else text
