"""Checking a harness step by step, before any verdict on the engine: what is broken there makes every verdict worthless.

Each step says whether the harness is sound so far. Where harness and protocol agree but the answer is wrong, the step says
that the engine is wrong, which is another thing.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any, Final

from canasta_conformance.asking import Asking, Outcome
from canasta_conformance.comparing import of_observation
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import DeclarationError, Declared, asked, certain, declarations, meant
from canasta_conformance.faults import EngineFaultError
from canasta_conformance.grading import Graded, Status
from canasta_conformance.messages import refusal
from canasta_conformance.process import HELD_BACK
from canasta_conformance.reports.summary import again, limits, shown
from canasta_conformance.running import refused_hello
from canasta_conformance.suite import Case, Form, Suite

Data = Mapping[str, Any]

_OF_THE_HARNESS: Final = ("load", "turn", "start", "reset")
"""Operations that carry a position or a turn to the engine: what they raise is the harness's before it is the engine's."""

TENS: Final = 5
"""So many positions with a ten are tried until an engine can be told one."""

LONG_TEXT: Final = 200_000
"""So many signs has the longest request of the check; the suite sends nothing longer."""


class Finding(StrEnum):
    """What a step has shown."""

    OK = "ok"
    HARNESS = "your harness is broken"
    ENGINE = "your engine is wrong"
    SKIPPED = "not asked"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was tried, what it showed, and what to do."""

    name: str
    finding: Finding
    told: str = ""
    hint: str = ""


class _Broken(Exception):  # noqa: N818 - it ends the check and is no error of ours
    """The harness does not do what the protocol wants."""

    def __init__(self, told: str, hint: str) -> None:
        self.told, self.hint = told, hint
        super().__init__(told)


class Check:
    """The check of one harness."""

    def __init__(self, engine: Engine, suite: Suite, address: str = "ADDRESS") -> None:
        """Know the engine and how it is called; nothing is started yet."""
        self.engine, self.suite, self.address = engine, suite, address
        self.hello: Data = {}

    def steps(self) -> Iterator[Step]:
        """Go through the steps until one is broken."""
        for name, trial in self._trials():
            try:
                yield Step(name, Finding.OK, trial())
            except EngineFaultError as fault:
                yield _faulty(name, fault)
                return
            except _Broken as broken:
                yield Step(name, Finding.HARNESS, broken.told, broken.hint)
                return
        yield from self._asked()
        self.engine.end()

    def _trials(self) -> list[tuple[str, Callable[[], str]]]:
        return [
            ("start and greet", self._greets),
            ("declare rules", self._declares),
            ("answer in order", self._answers_in_order),
            ("say what it cannot do", self._refuses_the_unknown),
            ("bear a long line", self._bears_a_long_line),
            ("end and start again", self._starts_again),
        ]

    # -- the harness -------------------------------------------------------------------------------------------------

    def _greets(self) -> str:
        self.hello = self.engine.greet()
        if refusal(self.hello):
            raise _Broken(refused_hello(self.hello, refusal(self.hello)), "answer hello as the protocol shows")
        told = self.hello["engine"]
        return f"{told['name']} {told['version']} ({told['language']}), levels {_listed(self.hello['levels'])}"

    def _declares(self) -> str:
        try:
            found = declarations(self.hello, self.suite.rules)
        except DeclarationError as error:
            listed = "the rule sets, profiles and options are listed in docs/reference/options.md"
            raise _Broken(str(error), error.hint or listed) from None
        if not found:
            raise _Broken("none of its rule sets is in the suite", self._meant())
        lacking = [op for op in ("reset", "bye") if op not in self.hello["operations"]]
        if lacking:
            raise _Broken(f"operations lacks {_listed(lacking)}", "every harness answers reset and bye, with seq alone")
        return _listed(found)

    def _meant(self) -> str:
        """Guess which rule set of the suite is meant by a name that it does not have."""
        told, known = self.hello["rulesets"], self.suite.rules
        near = meant(told, known)
        house = (
            "with house_rules `id` is the rule set that they extend; "
            if any("house_rules" in of for of in told)
            else ""
        )
        return f"{house}{f'{near} ' if near else ''}known rule sets: {', '.join(known)}"

    def _answers_in_order(self) -> str:
        for _ in range(20):
            self.engine.ask({"op": "reset"})
        return "20 requests, 20 answers"

    def _refuses_the_unknown(self) -> str:
        """Ask an operation that it does not list, and send a field that nobody knows."""
        op, send = next((o, s) for o, s in _ASKABLE if o not in self.hello["operations"] or o == "reset")
        reply = self.engine.ask(send)
        if op != "reset" and not refusal(reply):
            raise _Broken(f"it answers {op}, which it does not list", 'put it into "operations", or answer unsupported')
        self.engine.ask({"op": "reset", "nobody_knows_this": 1})
        return f"{op} is answered by {refusal(reply)}" if op != "reset" else "it lists everything"

    def _bears_a_long_line(self) -> str:
        self.engine.ask({"op": "parse", "text": "; " + "x" * LONG_TEXT})
        return f"{LONG_TEXT} signs"

    def _starts_again(self) -> str:
        fault = self.engine.end()
        if fault is not None:
            raise _Broken(f"{fault.kind}: {fault.text}", "answer bye by its seq alone, and end only after that")
        again = self.engine.greet()
        if json.dumps(again, sort_keys=True) != json.dumps(self.hello, sort_keys=True):
            raise _Broken("it greets otherwise the second time", "hello must not depend on what went before")
        return "the same greeting"

    # -- the engine --------------------------------------------------------------------------------------------------

    def _asked(self) -> Iterator[Step]:
        """Put one easy case of each kind to the engine, and see that it listens to what it is told with it."""
        for name, level, wanted, trial in _EASY:
            found = self._easy(level, wanted)
            lacking = self._lacking(level, found, ("load",) if trial is Check.sets_up else ())
            if found is None or lacking:
                yield Step(name, Finding.SKIPPED, lacking)
                continue
            try:
                step = trial(self, name, *found)
            except EngineFaultError as fault:
                step = _faulty(name, fault)
            except DeclarationError as error:
                step = Step(name, Finding.HARNESS, str(error), "mend what hello declares")
            yield step
            if step.finding is Finding.HARNESS:
                return
        yield from self._listens()

    def _declared(self) -> Mapping[str, Declared]:
        return declarations(self.hello, self.suite.rules)

    def _easy(self, level: int, wanted: "Callable[[Form], bool]") -> "tuple[Case, Form] | None":
        """Find the first case of a kind, of those without options."""
        declared = self._declared()
        cases = (case for case in self.suite.cases.values() if case.ruleset in declared and not case.options)
        return next(((c, f) for c in cases for f in c.forms if f.level == level and wanted(f)), None)

    def _lacking(self, level: int, found: "tuple[Case, Form] | None", needed: Sequence[str] = ()) -> str:
        """Say what it lacks for a form, or for those of its operations that are needed; empty when it has everything."""
        if level not in self.hello["levels"]:
            return f'level {level} is not among its "levels"'
        if found is None:
            return "the suite has no such case for its rule sets"
        lacking = [op for op in needed or found[1].operations if op not in self.hello["operations"]]
        return f'{_listed(lacking)} not among its "operations"' if lacking else ""

    def sets_up(self, name: str, case: Case, form: Form) -> Step:
        """See that positions lie there as they were told, one with a ten among them; no verdict is worth anything if they do not."""
        step = self._set_up(name, case, form)
        if step.finding is not Finding.OK or _holds_a_ten(form):
            return step
        # Not every engine can be told all that a position says, so a few are tried.
        for other in islice(self._with_a_ten(form.level), TENS):
            tried = self._set_up(name, *other)
            if tried.finding is Finding.HARNESS:
                return tried
            if tried.finding is Finding.OK:
                break
        return step

    def _with_a_ten(self, level: int) -> "Iterator[tuple[Case, Form]]":
        """Find positions in which a hand holds a ten, which is written T."""
        declared = self._declared()
        for case in self.suite.cases.values():
            if case.ruleset in declared and not case.options:
                yield from ((case, form) for form in case.forms if form.level == level and _holds_a_ten(form))

    def _set_up(self, name: str, case: Case, form: Form) -> Step:
        load = form.exchanges[0].send
        reply = self.engine.ask(load)
        if reply.get("error"):
            self.engine.ask({"op": "reset"})
            return _raised(name, case, "load", str(reply.get("text", "")))
        if refusal(reply):
            return self._not_asked(name, case, "load", reply.get("needs") or reply.get("text", ""))
        differences, _ = of_observation(load["position"], reply["observation"])
        self.engine.ask({"op": "reset"})
        if not differences:
            return Step(name, Finding.OK, case.id)
        told = "; ".join(f"{d.place} should be {shown(d.expected)}, and is {shown(d.found)}" for d in differences)
        return Step(
            name, Finding.HARNESS, f"{case.id}: {told}", "load must fill the engine's state from the whole position"
        )

    def put(self, name: str, case: Case, form: Form) -> Step:
        """Put a case to the engine, and once more: what is answered must not depend on what went before."""
        first = self._once(case, form)
        if first is None:
            return Step(name, Finding.SKIPPED, "its rules choose otherwise")
        again = self._once(case, form)
        if again is not None and again.summed() is not first.summed():
            told = f"{case.id}: {first.summed()} first, and {again.summed()} when it was asked again"
            return Step(name, Finding.HARNESS, told, "reset and load must forget everything that went before")
        return self._judged(name, case, first)

    def _once(self, case: Case, form: Form) -> Outcome | None:
        rules = self.suite.rules[case.ruleset]
        declared = self._declared()[case.ruleset]
        put = asked(case, form, declared, rules)
        if put is None:
            return None
        before = self.engine.logged
        outcome = Asking(self.engine, self.hello["operations"], certain(rules, declared)).ask(put.exchanges)
        self.engine.ask({"op": "reset"})
        outcome.log = self.engine.log(before)
        return outcome

    def _judged(self, name: str, case: Case, outcome: Outcome) -> Step:
        status = outcome.summed()
        wrong = [
            f"{d.place} should be {shown(d.expected)}, and is {shown(d.found)}" for d in outcome.graded.differences
        ]
        if status is Status.PASS:
            return Step(name, Finding.OK, case.id)
        if status is Status.WRONG_REASON:
            return Step(name, Finding.OK, f"{case.id}, but for the reason: {'; '.join(wrong)}")
        if status in (Status.UNSUPPORTED, Status.KNOWN_BUG):
            return self._not_asked(name, case, str(outcome.transcript[-1]["send"]["op"]), outcome.told)
        op = str(outcome.transcript[-1]["send"]["op"]) if outcome.transcript else ""
        if status is Status.ERROR and op in _OF_THE_HARNESS:
            return _raised(name, case, op, outcome.told)
        text = "; ".join([*wrong, *outcome.promises]) or outcome.told
        text += f"\nit wrote: {outcome.log}" if outcome.log else ""
        command = again(self.address, case.id, limits(self.engine.request_seconds, self.engine.start_seconds))
        hint = f"harness or engine has raised it; {command}" if status is Status.ERROR else command
        return Step(name, Finding.ENGINE, f"{case.id}: {status}: {text}", hint)

    def _not_asked(self, name: str, case: Case, op: str, needs: str) -> Step:
        """Tell what an engine cannot be asked from what its harness says that it can."""
        if needs == op:
            told = f"{case.id}: it lists {op} and answers that it does not know it"
            return Step(name, Finding.HARNESS, told, f'answer {op}, or take it out of "operations"')
        return Step(name, Finding.SKIPPED, f"{case.id}: {needs}" if needs else case.id)

    def _listens(self) -> Iterator[Step]:
        """Ask for an option that it says can be chosen, where another choice gives another answer."""
        name = "a chosen option"
        found = next(self._choices(), None)
        if found is None:
            yield Step(name, Finding.SKIPPED, 'no option is among its "selectable"')
            return
        case, form, other = found
        try:
            outcome = self._once(case, form)
        except EngineFaultError as fault:
            yield _faulty(name, fault)
            return
        if outcome is None or not outcome.graded.failed or outcome.status is not None:
            yield Step(name, Finding.OK, case.id)
            return
        as_other = Graded()
        for exchange, said in zip(other.exchanges, outcome.transcript, strict=False):
            as_other.exchange(exchange.expect, said["reply"])
        if as_other.failed:
            yield self._judged(name, case, outcome)
            return
        chosen = ", ".join(f"{option}={value}" for option, value in case.options.items())
        told = f"{case.id}: it answers as if {chosen} had not been chosen"
        yield Step(
            name, Finding.HARNESS, told, 'read "options" of each request, or take the option out of "selectable"'
        )

    def _choices(self) -> "Iterator[tuple[Case, Form, Form]]":
        """Find forms that choose an option, and beside each the same requests without it, of which something else is expected."""
        declared = self._declared()
        plain = {
            _requests(form): form for case in self.suite.cases.values() if not case.options for form in case.forms
        }  # fmt: skip
        for case in self.suite.cases.values():
            of = declared.get(case.ruleset)
            if of is None or not case.options or not of.selectable.issuperset(case.options):
                continue
            for form in case.forms:
                other = plain.get(_requests(form))
                if (
                    other is not None
                    and other.exchanges != form.exchanges
                    and not self._lacking(form.level, (case, form))
                ):
                    yield case, form, other


def _holds_a_ten(form: Form) -> bool:
    """Ask whether a form sets a position up in which a hand holds a ten."""
    first = form.exchanges[0].send
    zones = first["position"]["zones"] if first["op"] == "load" else {}
    return any(card[0] == "T" for zone, cards in zones.items() if zone.startswith("hand.") for card in cards)


def _requests(form: Form) -> str:
    """Write the requests of a form without the options."""
    return json.dumps([{k: v for k, v in e.send.items() if k != "options"} for e in form.exchanges], sort_keys=True)


def _faulty(name: str, fault: EngineFaultError) -> Step:
    if HELD_BACK in fault.text:
        return Step(name, Finding.HARNESS, f"not flushed: {fault.text}", _FLUSH)
    log = f"\nit wrote: {fault.log}" if fault.log else ""
    return Step(name, Finding.HARNESS, f"{fault.kind}: {fault.text}{log}", _HINTS.get(str(fault.kind), ""))


def _raised(name: str, case: Case, op: str, told: str) -> Step:
    """Tell of an exception in what only carries requests to the engine: until it is mended, nothing is known of the engine."""
    hint = f"{op} of the harness has raised it, in the file and line that it names, if any; mend that first"
    return Step(name, Finding.HARNESS, f"{case.id}: {op} ended in an error: {told or 'without a text'}", hint)


def _listed(words: "Mapping[str, Any] | list[Any]") -> str:
    return ", ".join(str(word) for word in words) or "none"


def _is_legal(form: Form) -> bool:
    return any(e.expect.get("committed") is True for e in form.exchanges)


def _is_illegal(form: Form) -> bool:
    return any(e.expect.get("committed") is False for e in form.exchanges)


def _asks(op: str) -> Callable[[Form], bool]:
    return lambda form: form.exchanges[-1].send["op"] == op


Trial = Callable[[Check, str, Case, Form], Step]

_EASY: Final[tuple[tuple[str, int, Callable[[Form], bool], Trial], ...]] = (
    ("what cards count (level 0)", 0, _asks("card_value"), Check.put),
    ("a meld (level 0)", 0, _asks("meld_check"), Check.put),
    ("set a position up (level 1)", 1, _is_legal, Check.sets_up),
    ("a legal turn (level 1)", 1, _is_legal, Check.put),
    ("an illegal turn (level 1)", 1, _is_illegal, Check.put),
    ("a score (level 1)", 1, _asks("ledger"), Check.put),
    ("a deal (level 2)", 2, _asks("observe"), Check.put),
)

_ASKABLE: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("count", {"op": "count", "depth": 1}),
    ("ask", {"op": "ask", "expression": "1"}),
    ("parse", {"op": "parse", "text": "N 7c"}),
    ("legal", {"op": "legal", "seat": "N"}),
    ("reset", {"op": "reset"}),
)

_FLUSH: Final = (
    "flush standard output after each answer: sys.stdout.flush(), fflush(stdout), std::endl, System.out.flush(), "
    "Flush() of a bufio.Writer, or what your language has for it"
)

_HINTS: Final = {
    "no-start": (
        "run the command by itself in a terminal: it must wait for a line of input; "
        "a compiled program is built first, as its README.md says"
    ),
    "timeout": "read line by line: nothing more comes before you answer; --timeout and --start-timeout give a slow engine longer",
    "crash": "the process must live on after an answer; see what it wrote to standard error",
    "noise": "standard output is for answers alone; write logs to standard error",
    "wrong-seq": "answer every request once, with its own seq",
    "flood": "answer every request once, in one line",
    "bad-reply": "protocol.md, beside a harness that was begun with `init`, shows each answer; the message names the field",
}
"""What to look at for each fault."""
