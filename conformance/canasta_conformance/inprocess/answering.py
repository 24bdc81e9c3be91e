"""One form put to the reference, or to what answers in its place: what it answers, graded, and where it could not go on.

It means the same for all who ask: forms of found cases, expectations under declared rules, and faults put into the rules.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from canasta_conformance.adapters import answer
from canasta_conformance.grading import Graded, Status
from canasta_conformance.messages import refusal
from canasta_conformance.suite import Exchange

Data = dict[str, Any]
Answering = Callable[[object, Mapping[str, Any]], Data]

UNREACHED: Final = "unreached"
"""Why a form is not put to its end: a turn that only leads to what is asked was refused."""


@dataclass(slots=True)
class Answered:
    """The answers to a form as far as it was put, and their grades."""

    graded: Graded
    replies: list[Data] = field(default_factory=list)
    stopped: str = ""
    """The kind of the last answer where it was none, or ``UNREACHED``; empty when all that was put was answered."""

    @property
    def holds(self) -> bool:
        """Whether everything was answered as it is expected."""
        return not self.stopped and self.graded.status() is Status.PASS

    @property
    def wrong(self) -> str:
        """Name the first grade that is wrong; empty when none is."""
        return next((grade for grade, came in self.graded.grades.items() if came == "fail"), "")

    def told(self) -> str:
        """Say in which way it does not hold: what was answered instead, what is wrong, or that nothing was compared."""
        if self.stopped:
            last = self.replies[-1]
            return f"{self.stopped}: {last.get('text') or last.get('needs') or ', '.join(last.get('codes', ()))}"
        wrong = [f"{d.place}: expected {d.expected}, found {d.found}" for d in self.graded.differences]
        return "; ".join(wrong) or f"not shown: {', '.join(self.graded.unshown)}"


def answered(
    engine: object, exchanges: Iterable[Exchange], *, complete: bool = False, whole: bool = False, ask: Answering = answer
) -> Answered:  # fmt: skip
    """Put the requests of a form one after another, until one has no answer or, unless the ``whole`` is asked for, a wrong one.

    With ``complete`` it is wrong, too, to leave out a code or a line of the score.
    """
    came = Answered(Graded(complete=complete))
    for number, exchange in enumerate(exchanges, start=1):
        reply = ask(engine, {"seq": number, **exchange.send})
        came.replies.append(reply)
        came.stopped = refusal(reply) or (UNREACHED if exchange.leads and not reply["committed"] else "")
        if came.stopped:
            return came
        seat = exchange.send.get("seat", "") if exchange.send["op"] == "observe" else ""
        came.graded.exchange(exchange.expect, reply, seat)
        if came.wrong and not whole:
            return came
    return came
