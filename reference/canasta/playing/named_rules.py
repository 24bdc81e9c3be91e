"""Which rule set a record names: a shipped one, or a rule file that lies beside the record or below it."""

import os
import re
from typing import TYPE_CHECKING, Final

from canasta.diagnostics import CanastaError, Diagnostic, Span
from canasta.notation.assembly import Seating
from canasta.notation.record import Record
from canasta.playing.seats import seats_of

if TYPE_CHECKING:
    from pathlib import Path  # few records name a file, and it takes longer to load than a deal to check

DEFAULT_RULES: Final = "classic"
_FILE: Final = re.compile(r"(?P<path>.*?\.ya?ml)(?P<choices>[:,].*)?", re.DOTALL)


def rules_of(record: Record) -> str:
    """Give the name by which the rule set of a record is opened; classic when it names none.

    A record is a text from somebody else, so its tag opens no other files than rule files in its own folder and below.

    Raises:
        CanastaError: RS2001 when the rule file is not there, PL0046 when it lies elsewhere.
    """
    name = record.tag("Rules").strip() or DEFAULT_RULES
    span = next((tag.span for tag in record.tags if tag.name == "Rules"), record.span)
    found = _FILE.fullmatch(name)
    if found is None:
        _shipped(name, span)
        return name
    path = found["path"]
    if _leads_away(path):
        hint = "put the rule file beside the record and name it there, or choose it with --rules"
        raise CanastaError(
            [Diagnostic("PL0046", f"the record names a rule file outside its folder: {path}", span, hint)]
        )
    file = _folder(record) / path
    if not _there(file):
        hint = "a rule file is looked for from the folder of the record that names it; --rules names any other"
        raise CanastaError([Diagnostic("RS2001", f"there is no rule file {file.as_posix()}", span, hint)])
    return f"{file.as_posix()}{found['choices'] or ''}"


def _leads_away(path: str) -> bool:
    from pathlib import PurePosixPath, PureWindowsPath  # noqa: PLC0415 - few records name a file

    windows, posix = PureWindowsPath(path), PurePosixPath(path)
    return posix.is_absolute() or bool(windows.drive or windows.root) or ".." in windows.parts


def _folder(record: Record) -> "Path":
    """Find the folder of a record; of one that is no file, the one we are in."""
    from pathlib import Path  # noqa: PLC0415 - few records name a file

    place = record.span.file if record.span is not None else ""
    file = Path(place)
    return file.parent if place and _there(file) else Path()


def _there(file: "Path") -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):
        return False


def _shipped(name: str, span: Span | None) -> None:
    """See that a name which is no rule file does not open a folder or file of that name all the same."""
    first = name.split(",", 1)[0].strip()
    base = first.rpartition(":")[0] if ":" in first else first
    for text in dict.fromkeys((name, first, base)):
        # Hardly any name is also that of a file here, so what is shipped is looked up last.
        if os.path.exists(text) and text not in _known():  # noqa: PTH110 - pathlib takes longer to load than a deal to check
            hint = 'name the rule file itself, with its ending: [Rules "mine.yaml"]'
            raise CanastaError([Diagnostic("PL0046", f"{text} is no rule file that a record may name", span, hint)])


def _known() -> tuple[str, ...]:
    from canasta.language.naming import known  # noqa: PLC0415 - few records name a file

    return tuple(known())


def seats_by_rules(record: Record) -> tuple[str, ...]:
    """Name the seats of the rule set that a record names; none where it cannot be opened, which is told elsewhere."""
    from canasta.games import load_ruleset  # noqa: PLC0415 - most records have the usual seats and never ask

    try:
        return seats_of(load_ruleset(rules_of(record)).table).names
    except CanastaError:
        return ()


def seats_by(rules: str | None) -> Seating:
    """Name the seats of a rule set that was chosen, whatever a record names; of the one that it names where none was chosen."""
    if not rules:
        return seats_by_rules

    def seats(_: Record) -> tuple[str, ...]:
        from canasta.games import load_ruleset  # noqa: PLC0415 - most records have the usual seats and never ask

        try:
            return seats_of(load_ruleset(rules).table).names
        except CanastaError:
            return ()

    return seats
