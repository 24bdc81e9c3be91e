"""Checking a harness step by step, before any verdict on the engine: what is broken there makes every verdict worthless.

Each step says whether the harness is sound so far. Where harness and protocol agree but the answer is wrong, the step says
that the engine is wrong, which is another thing.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from canasta_conformance.asking import Asking
from canasta_conformance.connecting import Engine
from canasta_conformance.declared import DeclarationError, asked, declarations
from canasta_conformance.faults import EngineFaultError
from canasta_conformance.grading import Status
from canasta_conformance.messages import refusal
from canasta_conformance.suite import Case, Form, Suite

Data = Mapping[str, Any]

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

    def __init__(self, engine: Engine, suite: Suite) -> None:
        """Know the engine; nothing is started yet."""
        self.engine, self.suite = engine, suite
        self.hello: Data = {}

    def steps(self) -> Iterator[Step]:
        """Go through the steps until one is broken."""
        for name, trial in self._trials():
            try:
                yield Step(name, Finding.OK, trial())
            except EngineFaultError as fault:
                log = f"\nit wrote: {fault.log}" if fault.log else ""
                yield Step(name, Finding.HARNESS, f"{fault.kind}: {fault.text}{log}", _HINTS.get(str(fault.kind), ""))
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
            raise _Broken(f"hello was answered by {refusal(self.hello)}", "answer hello as the protocol shows")
        told = self.hello["engine"]
        return f"{told['name']} {told['version']} ({told['language']}), levels {_listed(self.hello['levels'])}"

    def _declares(self) -> str:
        try:
            found = declarations(self.hello, self.suite.rules)
        except DeclarationError as error:
            raise _Broken(
                str(error), "the rule sets, profiles and options are listed in docs/reference/options.md"
            ) from None
        if not found:
            known = ", ".join(self.suite.rules)
            raise _Broken("none of its rule sets is in the suite", f"known rule sets: {known}")
        lacking = [op for op in ("reset", "bye") if op not in self.hello["operations"]]
        if lacking:
            raise _Broken(f"operations lacks {_listed(lacking)}", "every harness answers reset and bye, with seq alone")
        return _listed(found)

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
        self.engine.end()
        again = self.engine.greet()
        if json.dumps(again, sort_keys=True) != json.dumps(self.hello, sort_keys=True):
            raise _Broken("it greets otherwise the second time", "hello must not depend on what went before")
        return "the same greeting"

    # -- the engine --------------------------------------------------------------------------------------------------

    def _asked(self) -> Iterator[Step]:
        """Put one easy case of each kind to the engine."""
        declared = declarations(self.hello, self.suite.rules)
        for name, level, wanted in _EASY:
            found = next(
                ((c, f) for c in self.suite.cases.values() if c.ruleset in declared and not c.options
                 for f in c.forms if f.level == level and wanted(f)), None,
            )  # fmt: skip
            lacking = self._lacking(level, found)
            if found is None or lacking:
                yield Step(name, Finding.SKIPPED, lacking)
                continue
            step = self._put(name, *found)
            yield step
            if step.finding is Finding.HARNESS:
                return

    def _lacking(self, level: int, found: "tuple[Case, Form] | None") -> str:
        if level not in self.hello["levels"]:
            return f'level {level} is not among its "levels"'
        if found is None:
            return "the suite has no such case for its rule sets"
        lacking = [op for op in found[1].operations if op not in self.hello["operations"]]
        return f'{_listed(lacking)} not among its "operations"' if lacking else ""

    def _put(self, name: str, case: Case, form: Form) -> Step:
        rules = self.suite.rules[case.ruleset]
        try:
            put = asked(case, form, declarations(self.hello, self.suite.rules)[case.ruleset], rules)
        except DeclarationError as error:
            return Step(name, Finding.HARNESS, str(error), "mend what hello declares")
        if put is None:
            return Step(name, Finding.SKIPPED, "its rules choose otherwise")
        try:
            outcome = Asking(self.engine, self.hello["operations"], rules.pack).ask(put.exchanges)
            self.engine.ask({"op": "reset"})
        except EngineFaultError as fault:
            log = f"\nit wrote: {fault.log}" if fault.log else ""
            return Step(name, Finding.HARNESS, f"{fault.kind}: {fault.text}{log}", _HINTS.get(str(fault.kind), ""))
        status = outcome.summed()
        told = f"{case.id}: {status}"
        if status in (Status.PASS, Status.WRONG_REASON):
            return Step(name, Finding.OK, case.id)
        if status in (Status.UNSUPPORTED, Status.KNOWN_BUG):
            return Step(name, Finding.SKIPPED, f"{told}: {outcome.told}" if outcome.told else told)
        wrong = [f"{d.place} should be {d.expected}, and is {d.found}" for d in outcome.graded.differences]
        text = "; ".join([*wrong, *outcome.promises]) or outcome.told
        return Step(name, Finding.ENGINE, f"{told}: {text}", f"canasta conformance run ADDRESS {case.id}")


def _listed(words: "Mapping[str, Any] | list[Any]") -> str:
    return ", ".join(str(word) for word in words) or "none"


def _is_legal(form: Form) -> bool:
    return any(e.expect.get("committed") is True for e in form.exchanges)


def _is_illegal(form: Form) -> bool:
    return any(e.expect.get("committed") is False for e in form.exchanges)


def _asks(op: str) -> Callable[[Form], bool]:
    return lambda form: form.exchanges[-1].send["op"] == op


_EASY: Final[tuple[tuple[str, int, Callable[[Form], bool]], ...]] = (
    ("what cards count (level 0)", 0, _asks("card_value")),
    ("a meld (level 0)", 0, _asks("meld_check")),
    ("a legal turn (level 1)", 1, _is_legal),
    ("an illegal turn (level 1)", 1, _is_illegal),
    ("a score (level 1)", 1, _asks("ledger")),
    ("a deal (level 2)", 2, _asks("observe")),
)

_ASKABLE: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("count", {"op": "count", "depth": 1}),
    ("ask", {"op": "ask", "expression": "1"}),
    ("parse", {"op": "parse", "text": "N 7c"}),
    ("legal", {"op": "legal", "seat": "N"}),
    ("reset", {"op": "reset"}),
)

_HINTS: Final = {
    "no-start": "run the command by itself in a terminal: it must wait for a line of input",
    "timeout": "flush standard output after each answer, and read line by line: nothing more comes before you answer",
    "crash": "the process must live on after an answer; see what it wrote to standard error",
    "noise": "standard output is for answers alone; write logs to standard error",
    "wrong-seq": "answer every request once, with its own seq",
    "flood": "answer every request once, in one line",
    "bad-reply": "docs/reference/protocol.md shows each answer; the message says which field is wrong",
}
"""What to look at for each fault."""
