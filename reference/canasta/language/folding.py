"""Where each character of a YAML text stands in its file, through folding, quoting and indentation."""

import re
from functools import lru_cache
from typing import Final

_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
_ESCAPES: Final = {'"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", " ": " ", "_": "\xa0"}

Placed = list[tuple[str, int]]
"""Characters, each with its offset in the raw text."""


@lru_cache(maxsize=256)
def offsets(raw: str, style: str, text: str) -> tuple[int, ...] | None:
    """Find for each character of ``text`` its offset in ``raw``, the way it was written; nothing where that is unknown.

    ``style`` is the sign with which the text begins: empty (plain), a quotation mark, ``|`` or ``>``. What this
    reading makes of the raw text is compared with what the YAML parser made of it: doubt never gives a wrong place.
    """
    if style in ("|", ">"):
        return _block(raw, style, text)
    placed = _flow(raw, style)
    if placed is None or "".join(c for c, _ in placed) != text:
        return None
    return tuple(at for _, at in placed)


def _lines(raw: str, start: int) -> list[tuple[str, int]]:
    """Cut the raw text from an offset on into lines, each with its own offset."""
    found: list[tuple[str, int]] = []
    while start <= len(raw):
        match = _LINE.match(raw, start)
        if match is None:
            break
        found.append((match.group(1), start))
        if not match.group(2):
            break
        start = match.end()
    return found


def _flow(raw: str, style: str) -> Placed | None:
    """Read plain or quoted text: line breaks fold to a space, or to one break less than there are."""
    begin, end = (1, len(raw) - 1) if style else (0, len(raw))
    lines = _lines(raw[:end], begin)
    placed: Placed = []
    blank: list[int] = []
    for number, (line, at) in enumerate(lines):
        left = len(line) - len(line.lstrip(" \t")) if number else 0
        right = len(line.rstrip(" \t")) if number < len(lines) - 1 else len(line)
        if right <= left and 0 < number < len(lines) - 1:
            blank.append(at)
            continue
        if number:
            joint = lines[number - 1][1] + len(lines[number - 1][0])
            placed.extend([("\n", b) for b in blank] or [(" ", joint)])
            blank = []
        piece = _unquote(line, at, (left, right), style)
        if piece is None:
            return None
        placed.extend(piece)
    return placed


def _unquote(line: str, at: int, part: tuple[int, int], style: str) -> Placed | None:
    """Read one line of plain or quoted text; nothing for an escape that has no single place."""
    placed: Placed = []
    i, end = part
    while i < end:
        if style == "'" and line[i] == "'":
            placed.append(("'", at + i))
            i += 2
        elif style == '"' and line[i] == "\\":
            meant = _ESCAPES.get(line[i + 1 : i + 2])
            if meant is None:
                return None
            placed.append((meant, at + i))
            i += 2
        else:
            placed.append((line[i], at + i))
            i += 1
    return placed


def _block(raw: str, style: str, text: str) -> tuple[int, ...] | None:
    """Read a literal or folded block; its indentation is tried out, since an indicator counts from a parent."""
    header, *lines = _lines(raw, 0)
    if not header or not lines:
        return () if not text else None
    leads = [len(line) - len(line.lstrip(" ")) for line, _ in lines if line.strip(" ")]
    for indent in range(min(leads, default=0), -1, -1):
        rows = [(line[indent:], at + min(indent, len(line))) for line, at in lines]
        placed = _literal(rows) if style == "|" else _folded(rows)
        kept = "".join(c for c, _ in placed)
        if kept.startswith(text) or (text.startswith(kept) and not text[len(kept) :].strip("\n")):
            known = [at for _, at in placed][: len(text)]
            return (*known, *([len(raw)] * (len(text) - len(known))))
    return None


def _literal(rows: list[tuple[str, int]]) -> Placed:
    placed: Placed = []
    for row, at in rows:
        placed.extend((c, at + i) for i, c in enumerate(row))
        placed.append(("\n", at + len(row)))
    return placed


def _folded(rows: list[tuple[str, int]]) -> Placed:
    """Fold lines that are not indented further; empty lines between them are line breaks."""
    placed: Placed = []
    blank: list[int] = []
    before: tuple[str, int] | None = None
    for row, at in rows:
        if not row:
            blank.append(at)
            continue
        if before is not None:
            joint = before[1] + len(before[0])
            deeper = row[0] in " \t" or before[0][0] in " \t"
            if deeper:
                placed.append(("\n", joint))
            elif not blank:
                placed.append((" ", joint))
        placed.extend(("\n", b) for b in blank)
        blank = []
        placed.extend((c, at + i) for i, c in enumerate(row))
        before = (row, at)
    if before is not None:
        placed.append(("\n", before[1] + len(before[0])))
    return placed
