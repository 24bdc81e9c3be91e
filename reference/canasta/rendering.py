"""How findings are shown: in a terminal with the line and a caret, as JSON, and as annotations of a code host."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from canasta.diagnostics import Diagnostic, Severity, Span
from canasta.rooms import room

SourceOf = Callable[[str], str | None]
"""Finds the text of a file by the name that places in it bear."""

_COLOUR: Final = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_WIDEST: Final = 160
_UNSHOWN: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
_WHOLE: Final = (1, 1, 1, 1)
"""The lines and columns of a place that stands for a whole text: no line of it is to blame."""

_BREAK: Final = re.compile(r"\r\n|\r|\n")


def source_of(file: str) -> str | None:
    """Fetch the text of a file that a place names: one of the shipped data, or one of the person's own."""
    try:
        if file.startswith("spec/"):
            found = room("spec")
            for part in file.split("/")[1:]:
                found = found / part
            if ".." not in file.split("/") and found.is_file():
                return found.read_text(encoding="utf-8-sig")
        path = Path(file)
        return path.read_bytes().decode("utf-8-sig", "replace") if path.is_file() else None
    except (OSError, ValueError):
        return None


def to_terminal(diagnostic: Diagnostic, source: str | SourceOf | None, *, colour: bool) -> str:
    """Write one finding for a person: place, id, message, the line with a caret, other places, hint, where to read on.

    ``source`` is the text of the file the finding is about, or a function that finds the text of any file.
    """
    paint = _paint if colour else _plain
    d = diagnostic
    where = f"{d.span}: " if d.span else ""
    about = f" [{d.clause}]" if d.clause else ""
    severity = "" if d.severity is Severity.ERROR else f"{d.severity.value}: "
    id_ = paint(d.id, "1;" + _COLOUR[d.severity])
    lines = [f"{paint(_safe(where), '1') if where else ''}{id_} {severity}{_safe(d.message + about)}"]
    if d.span:
        lines += _excerpt(d.span, _text(source, d.span.file, d.span.file), paint, _COLOUR[d.severity])
    for label in d.labels:
        lines.append(f"  {_safe(str(label.span))}: {_safe(label.text)}")
        own = d.span.file if d.span else ""
        lines += _excerpt(label.span, _text(source, label.span.file, own), paint, "34")
    hint = hint_of(d)
    if hint:
        lines.append(f"  {paint('hint:', '1')} {_safe(hint)}")
    lines.append(f"  {paint('see:', '1')} canasta explain {d.id}")
    return "\n".join(lines)


def hint_of(diagnostic: Diagnostic) -> str:
    """Give the hint of a finding; one that was made without has that of the page of its id."""
    if diagnostic.hint:
        return diagnostic.hint
    from canasta.diagnostic_ids import explain  # noqa: PLC0415 - most findings have a hint of their own

    page = explain(diagnostic.id)
    return page.hint if page else ""


def _text(source: str | SourceOf | None, file: str, own: str) -> str | None:
    if isinstance(source, str):
        return source if file == own else None
    return None if source is None else source(file)


def _plain(text: str, _: str) -> str:
    return text


def _paint(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _safe(text: str) -> str:
    """Show signs that could move the cursor or hide text as what they are; input may come from strangers."""
    return _UNSHOWN.sub(lambda m: f"<U+{ord(m.group()):04X}>", text)


def _excerpt(span: Span, source: str | None, paint: Callable[[str, str], str], code: str) -> list[str]:
    """Show the line of a place and underline the place; a long line is shown around it."""
    rows = _BREAK.split(source) if source is not None else []
    if span[1:] == _WHOLE:
        return []
    if not 1 <= span.line <= len(rows):
        return []
    row = rows[span.line - 1].removeprefix("\ufeff")
    begin = min(span.column - 1, len(row))
    end = span.end_column - 1 if span.end_line == span.line else len(row)
    end = max(min(end, len(row)), begin + 1)
    cut = max(0, begin - _WIDEST // 2) if len(row) > _WIDEST else 0
    shown = row[cut : cut + _WIDEST]
    before = "…" if cut else ""
    after = "…" if cut + len(shown) < len(row) else ""
    number = str(span.line)
    gap = " " * len(number)
    left = len(before) + sum(len(_flat(c)) for c in shown[: begin - cut])
    marked = sum(len(_flat(c)) for c in shown[begin - cut : end - cut]) or 1
    return [
        f"  {number} | {before}{''.join(_flat(c) for c in shown)}{after}",
        f"  {gap} | {' ' * left}{paint('^' * marked, code)}",
    ]


def _flat(character: str) -> str:
    return " " if character == "\t" else _safe(character)


def to_json(diagnostics: Iterable[Diagnostic]) -> list[dict[str, object]]:
    """Write findings as values for JSON; lines and columns count from 1, the end is exclusive, null where unknown."""
    return [
        {
            "id": d.id, "code": d.code, "clause": d.clause, **_place(d.span), "message": d.message, "hint": hint_of(d),
            "severity": d.severity.value, "labels": [{**_place(x.span), "text": x.text} for x in d.labels],
        }
        for d in diagnostics
    ]  # fmt: skip


def _place(span: Span | None) -> dict[str, object]:
    if span is None:
        return {"file": None, "line": None, "col": None, "end_line": None, "end_col": None}
    return {
        "file": span.file, "line": span.line, "col": span.column, "end_line": span.end_line,
        "end_col": span.end_column,
    }  # fmt: skip


def to_github(diagnostics: Iterable[Diagnostic]) -> str:
    """Write findings as workflow commands of GitHub, one a line, which it shows beside the lines of a change."""
    return "".join(f"{_annotation(d)}\n" for d in diagnostics)


def _annotation(d: Diagnostic) -> str:
    command = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}[d.severity]
    fields: list[tuple[str, str]] = []
    if d.span:
        s = d.span
        fields = [("file", s.file), ("line", str(s.line)), ("endLine", str(s.end_line))]
        if s.line == s.end_line:  # columns are understood within one line only
            fields += [("col", str(s.column)), ("endColumn", str(s.end_column))]
    fields.append(("title", d.id))
    shown = ",".join(f"{k}={_property(v)}" for k, v in fields)
    about = f" [{d.clause}]" if d.clause else ""
    hint = f"\nhint: {hint_of(d)}" if hint_of(d) else ""
    return f"::{command} {shown}::{_data(d.message + about + hint)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
