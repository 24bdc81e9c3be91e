"""A finding as it is kept: a case of the suite with the clause at stake, and the deal up to that turn as a record."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from canasta.formal import formal_text
from canasta.games import load_ruleset
from canasta.language.digests import formal_digest
from canasta.language.loading import load_document
from canasta.language.ruleset import Bound, Clause, Duty, Effect, Requirement, Score, Structure
from canasta.language.source import Mapping as Fields
from canasta.language.source import Scalar
from canasta.language.source import Sequence as Listed
from canasta.notation.json_form import to_json
from canasta.notation.position_text import write_position
from canasta.notation.record import Deal, Record, Turn
from canasta.notation.writer import write_actions
from canasta.playing.describing import of_state
from canasta_conformance.fuzzing.probing import Departure
from canasta_conformance.fuzzing.referee import Referee
from canasta_conformance.inprocess.acts import action_of
from canasta_conformance.suite import Exchange
from canasta_conformance.writing import digest

Data = dict[str, Any]

ACTS: Final = {"meld": "lay", "add": "lay"}
"""Acts of messages that rule sets have another word for."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a finding comes from: the campaign's seed, the shard and the deal in it, the relation if one showed it, and who was asked."""

    seed: int
    shard: int
    deal: int
    engine: str
    relation: str = ""


def clause_at_stake(ruleset: str, exchanges: Sequence[Exchange], departure: Departure, house_rules: str = "") -> str:
    """Name the clause that a departure is about, as far as can be told: by the reason, the line, or the place."""
    rules = load_ruleset(ruleset)
    referee = Referee(house_rules)
    for exchange in exchanges[: departure.at + 1]:
        referee.expecting(exchange.send)
    judged = referee.judged
    if departure.kind.what in ("accepted", "code") and judged is not None and judged.violations:
        return judged.violations[0].clause
    by_code = {clause.code: clause.id for clause in rules.of_kind(Structure)}
    by_code |= {demand.code: c.id for c in rules.of_kind(Bound) for demand in c.require}
    by_code |= {demand.code: c.id for c in rules.of_kind(Requirement) for demand in c.require}
    named = next((by_code[code] for code in departure.kind.codes if code in by_code), "")
    scores = [c.id for c in rules.of_kind(Score) if departure.kind.about == c.item]
    acts: list[Data] = next((e.send["acts"] for e in reversed(exchanges) if e.send["op"] == "turn"), [])
    words = [str(act["act"]) for act in acts]
    return named or next(iter(scores), "") or _about(rules.clauses.values(), ruleset, departure, words)


def _about(clauses: Iterable[Clause], ruleset: str, departure: Departure, words: Sequence[str]) -> str:
    """Look for what an act does there; else for anything that speaks of the act."""
    rules = load_ruleset(ruleset)
    wanted = [ACTS.get(word, word) for word in reversed(words)]
    names = [act.name for word in wanted for act in rules.acts.values() if act.written == word]
    nodes = _nodes(ruleset)
    listed = list(clauses)
    doing = [c for c in listed if isinstance(c, Effect | Duty) and departure.kind.what == "state"]
    for clause in doing:
        if departure.kind.about in formal_text(nodes[clause.id]) and (set(clause.on) & set(names) or not names):
            return clause.id
    for name in names:
        found = next((c.id for c in listed if isinstance(c, Requirement | Effect) and name in c.on), "")
        if found:
            return found
    return listed[0].id


def _nodes(ruleset: str) -> dict[str, Fields]:
    listed = load_document(ruleset).document.items.get("clauses")
    found = [n for n in listed.items if isinstance(n, Fields)] if isinstance(listed, Listed) else []
    ids = ((n.items.get("id"), n) for n in found)
    return {scalar.text.strip(): node for scalar, node in ids if isinstance(scalar, Scalar)}


def case_of(
    exchanges: Sequence[Exchange], departure: Departure, clause: str, origin: Origin, house_rules: str = ""
) -> Data:
    """Write a finding as a case of the suite: what is expected is what the reference answers, and the origin says so."""
    first = exchanges[0].send
    ruleset, options = first["ruleset"], first.get("options", {})
    level = 1 if first["op"] == "load" else 2
    form = {"level": level, "exchange": _trimmed(exchanges, departure)}
    steps = _Telling(house_rules).steps(exchanges)
    rules = load_ruleset(ruleset)
    answers = {"reference": _plain(departure.expected), "engine": _plain(departure.found)}
    came: Data = {"from": "fuzz", "file": rules.clauses[clause].span.file, "seed": origin.seed, "shard": origin.shard}
    came |= {"deal": origin.deal, "engine": origin.engine, "kind": str(departure.kind), "answers": answers}
    came |= {"relation": origin.relation} if origin.relation else {}
    played = any(exchange.send["op"] == "turn" for exchange in exchanges)
    kind = "score" if exchanges[-1].send["op"] == "ledger" else "turn" if played else "setup"
    return {
        "id": f"{ruleset}/{clause}/fuzz-{digest(form)[:8]}",
        "ruleset": {"name": ruleset, "options": dict(sorted(options.items()))},
        "kind": kind,
        "level": rules.clauses[clause].level,
        "asserts": [clause],
        "formal": formal_digest(_nodes(ruleset)[clause]),
        **steps,
        "origin": came,
        "forms": [form],
    }


def _plain(answer: object) -> object:
    return answer if isinstance(answer, bool | int | str | list) else str(answer)


def _trimmed(exchanges: Sequence[Exchange], departure: Departure) -> list[Data]:
    """Keep of what is expected the verdicts, and of the last answer only what the finding is about."""
    found: list[Data] = []
    last = len(exchanges) - 1
    for number, exchange in enumerate(exchanges):
        expect = exchange.expect
        if exchange.send["op"] != "turn":
            expect = {} if number < last else _about_place(expect, departure)
        found.append({"send": exchange.send} | ({"expect": expect} if expect else {}))
    return found


def _about_place(expect: Mapping[str, Any], departure: Departure) -> Data:
    place = departure.told
    for part in ("zones", "values", "lines"):
        if place in expect.get(part, {}):
            return {part: {place: expect[part][place]}}
    if place == "to act":
        return {key: expect[key] for key in ("seat", "phase") if key in expect}
    return {place: expect[place]} if place in expect else dict(expect)


class _Telling:
    """The work of telling a script as a case does: a position, and what is done from there."""

    def __init__(self, house_rules: str) -> None:
        self.referee = Referee(house_rules)

    def steps(self, exchanges: Sequence[Exchange]) -> Data:
        first = exchanges[0].send
        self.referee.expecting(first)
        given = self._start(first) if first["op"] == "start" else self._position()
        return {
            "given": given,
            "steps": [self._step(exchange) for exchange in exchanges[1:]] or [{"expect": {"after": given}}],
        }

    def _start(self, send: Data) -> Data:
        values = {"dealer": send["dealer"], **{f"total.{owner}": n for owner, n in send.get("totals", {}).items()}}
        stock = list(send["stock"])
        told = "; ".join(
            [f"{send['dealer']} at setup", f"stock {' '.join(stock)}", *(f"{n} {v}" for n, v in values.items())]
        )
        return {"text": told, "seat": send["dealer"], "phase": "setup", "zones": {"stock": stock}, "values": values}

    def _position(self) -> Data:
        seen = self.referee.observe()["observation"]
        zones = {name: cards for name, cards in seen["zones"].items() if cards}
        text = write_position(of_state(self.referee.game, self.referee.state))
        return {"text": text, "seat": seen["seat"], "phase": seen["phase"], "zones": zones}

    def _step(self, exchange: Exchange) -> Data:
        asked = self.referee.expecting(exchange.send)
        match exchange.send["op"]:
            case "turn":
                codes = asked.expect.get("codes", [])
                verdict = {"verdict": "legal"} if asked.expect["committed"] else {"verdict": "illegal", "codes": codes}
                return {"turn": turn_told(exchange.send), "expect": verdict}
            case "ledger":
                return {"expect": {"ledger": asked.expect["lines"]}}
            case _:
                return {"expect": {"after": self._position()}}


def turn_told(send: Data) -> Data:
    """Tell the acts of a request as a case does: as notation, and as the acts of a record."""
    actions = tuple(action_of(act) for act in send["acts"])
    record = Record((), (Deal(1, lines=(Turn(send["seat"], actions),)),))
    written: Data = to_json(record)
    acts = written["deals"][0]["lines"][0]["actions"]
    return {"seat": send["seat"], "text": write_actions(actions), "acts": acts}
