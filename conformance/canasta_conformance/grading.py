"""Grades: verdict, code, state and score of one answer, each apart; and the status of a form as a whole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from canasta_conformance.comparing import Difference, of_observation, same_figure, shown_too_much
from canasta_conformance.faults import FaultKind

Data = Mapping[str, Any]


class Grade(StrEnum):
    """The four things that are graded."""

    VERDICT = "verdict"
    CODE = "code"
    STATE = "state"
    SCORE = "score"


class Status(StrEnum):
    """What came of asking one form. What failed and what could not be asked are never the same."""

    PASS = "pass"  # noqa: S105 - the word for a test that went well
    FAIL = "fail"
    WRONG_REASON = "wrong-reason"
    BROKEN_PROMISE = "broken-promise"
    UNREACHED = "unreached"
    """A turn that only leads to the position was refused: what is asked about was never reached."""
    ERROR = "error"
    NO_START = "no-start"
    TIMEOUT = "timeout"
    CRASH = "crash"
    NOISE = "noise"
    WRONG_SEQ = "wrong-seq"
    FLOOD = "flood"
    BAD_REPLY = "bad-reply"
    FLAKY = "flaky"
    UNSUPPORTED = "unsupported"
    KNOWN_BUG = "known-bug"
    OTHER_RULES = "other-rules"
    NOT_RUN = "not-run"


FAULTS: Final = frozenset(Status(kind) for kind in FaultKind)
"""The engine crashed or broke the protocol."""

FINDINGS: Final = frozenset({Status.FAIL, Status.BROKEN_PROMISE, Status.UNREACHED, Status.ERROR, Status.FLAKY})
"""The engine answered, and departs from the rules."""

JUDGED: Final = frozenset({Status.PASS, Status.FAIL, Status.WRONG_REASON, Status.BROKEN_PROMISE})
"""What was asked was answered, so the grades say something."""

NOT_ASKED: Final = frozenset({Status.UNSUPPORTED, Status.KNOWN_BUG, Status.OTHER_RULES, Status.NOT_RUN})
"""There is nothing to be judged."""


@dataclass(slots=True)
class Graded:
    """What has been graded of a form so far."""

    grades: dict[str, str] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    unshown: list[str] = field(default_factory=list)
    compared: int = 0
    """How many things of a state or score were really compared."""
    complete: bool = False
    """Whether it is a fault, too, to leave out a code or a line of the score; an engine may, but the reference names all."""

    def note(self, grade: Grade, differences: list[Difference]) -> None:
        """Note the outcome of one comparison."""
        self.differences += differences
        self.grades[str(grade)] = "fail" if differences or self.grades.get(grade) == "fail" else "pass"

    def exchange(self, expect: Data, reply: Data, seat: str = "") -> None:
        """Grade one answer by everything that is expected of it; ``seat`` is the one that was asked what it sees."""
        self._verdict(expect, reply)
        if "codes" in expect and reply.get("codes"):
            given, wanted = list(reply["codes"]), list(expect["codes"])
            good = set(given) == set(wanted) if self.complete else set(given) <= set(wanted)
            wrong = [] if good else [Difference(str(Grade.CODE), "codes", wanted, given)]
            self.note(Grade.CODE, wrong)
        if any(key in expect for key in ("seat", "zones", "values", "hidden")):
            self._state(expect, reply.get("observation", {}), seat)
        self._score(expect, reply)
        self._counted(expect, reply)
        self._read(expect, reply)

    def _counted(self, expect: Data, reply: Data) -> None:
        """Compare the counts after each first play, where an engine gives them."""
        if "divide" not in expect:
            return
        if "divide" not in reply:
            self.unshown.append("divide")
            return
        wanted, found = expect["divide"], reply["divide"]
        plays = dict.fromkeys((*wanted, *found))
        self.note(
            Grade.VERDICT,
            [
                Difference("verdict", p, wanted.get(p), found.get(p))
                for p in plays
                if not same_figure(wanted.get(p), found.get(p))
            ],
        )

    def _read(self, expect: Data, reply: Data) -> None:
        """Compare what was read of a record, or what is wrong with it; that it is wrong is the verdict, and where the code."""
        if "record" in expect:
            same = reply.get("record") == expect["record"]
            found = reply.get("record", reply.get("faults"))
            self.note(Grade.VERDICT, [] if same else [Difference("verdict", "record", expect["record"], found)])
        if "faults" in expect:
            told = reply.get("faults")
            wrong = [] if told else [Difference("verdict", "faults", expect["faults"], reply.get("record"))]
            self.note(Grade.VERDICT, wrong)
            if told:
                same = _places(told) == _places(expect["faults"])
                self.note(Grade.CODE, [] if same else [Difference("code", "faults", expect["faults"], told)])

    def _verdict(self, expect: Data, reply: Data) -> None:
        for key in ("committed", "legal", "value"):
            if key in expect and not isinstance(expect[key], dict):
                same = same_figure(expect[key], reply.get(key))
                wrong = [] if same else [Difference(str(Grade.VERDICT), key, expect[key], reply.get(key))]
                self.note(Grade.VERDICT, wrong)

    def _state(self, expect: Data, observation: Data, seat: str) -> None:
        differences, unshown = of_observation(expect, observation, seat)
        differences += shown_too_much(expect.get("hidden", {}), observation)
        named = (
            len(expect.get("zones", {}))
            + len(expect.get("values", {}))
            + ("seat" in expect)
            + len(expect.get("hidden", {}))
        )
        self.unshown += unshown
        self.compared += named - len(unshown)
        if named > len(unshown):
            self.note(Grade.STATE, differences)

    def _score(self, expect: Data, reply: Data) -> None:
        figures = {**expect.get("lines", {})}
        found: Data = reply.get("lines", {})
        if isinstance(expect.get("value"), dict):
            figures, found = dict(expect["value"]), reply.get("value", {})
        for key in ("over", "winners"):
            if key in expect:
                figures[key], found = expect[key], {**found, **({key: reply[key]} if key in reply else {})}
        if not figures:
            return
        missing = [name for name in figures if name not in found]
        wrong = [
            Difference(str(Grade.SCORE), name, wanted, found[name])
            for name, wanted in figures.items()
            if name in found and not _same_figure(wanted, found[name])
        ]
        if self.complete:
            wrong += [Difference(str(Grade.SCORE), name, figures[name], None) for name in missing]
            missing = []
        self.unshown += missing
        self.compared += len(figures) - len(missing)
        if len(missing) < len(figures):
            self.note(Grade.SCORE, wrong)

    @property
    def failed(self) -> bool:
        """Whether anything but a code is wrong."""
        return any(value == "fail" for grade, value in self.grades.items() if grade != Grade.CODE)

    def status(self) -> Status:
        """Sum it up."""
        if self.failed:
            return Status.FAIL
        if self.grades.get(Grade.CODE) == "fail":
            return Status.WRONG_REASON
        if self.unshown and not self.compared:
            return Status.UNSUPPORTED
        return Status.PASS


def _places(faults: list[Data]) -> list[tuple[str, int, int]]:
    """Give faults in an order that does not matter."""
    return sorted((fault["id"], fault.get("line", 0), fault.get("column", 0)) for fault in faults)


def _same_figure(wanted: object, found: object) -> bool:
    if isinstance(wanted, list) and isinstance(found, list):
        return sorted(wanted) == sorted(found)
    return same_figure(wanted, found)
