"""Signing a variant: writing down against which clauses of the parent its changes were written."""

from canasta.diagnostics import Diagnostic, Findings
from canasta.language.loading import read_parent
from canasta.language.naming import find
from canasta.language.nodes import BREAK
from canasta.language.schema_check import check_rule_file
from canasta.language.source import Mapping, RuleFileError, Scalar, Sequence, file_text, read_text
from canasta.language.variants import change_target


def sign(path: str) -> str:
    """Give the text of a variant's file with every `formal:` written or refreshed, and nothing else changed.

    Raises:
        RuleFileError: RS2033 when the file extends nothing; else what is wrong with it or with its parent.
    """
    home = find(path)
    text = file_text(home.main, home.shown, keep_mark=True)
    main = read_text(text, home.shown)
    findings = Findings()
    findings.extend(check_rule_file(main))
    findings.raise_errors(RuleFileError)
    extends = main.items.get("extends")
    if not isinstance(extends, Scalar):
        hint = "only changes of another rule set are signed; say `extends: NAME` if this is one"
        place = next(iter(main.keys.values()))
        raise RuleFileError([Diagnostic("RS2033", "this rule set extends no other", place, hint)])
    draft = read_parent(home, extends, (), findings).draft
    edits: list[tuple[int, int, str]] = []
    page = _Page(text)
    for entry in _entries(main):
        target = change_target(draft, entry, findings)
        if target is not None:
            edits.append(page.edit(entry, target.what, target.digest))
    findings.raise_errors(RuleFileError)
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _entries(main: Mapping) -> list[Mapping]:
    found: list[Mapping] = []
    for key in ("replace", "remove"):
        listed = main.items.get(key)
        found += [e for e in listed.items if isinstance(e, Mapping)] if isinstance(listed, Sequence) else []
    return found


class _Page:
    """The text of a file, in which places are found by line and column."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.mark = 1 if text.startswith("\ufeff") else 0
        self.starts = [self.mark, *(m.end() for m in BREAK.finditer(text))]
        first = BREAK.search(text)
        self.newline = first.group() if first else "\n"

    def edit(self, entry: Mapping, what: str, digest: str) -> tuple[int, int, str]:
        """Say which stretch of the text to replace by what, so that an entry carries its digest."""
        formal = entry.items.get("formal")
        if formal is not None:
            span = formal.span
            start, end = self._at(span.line, span.column), self._at(span.end_line, span.end_column)
            return start, end, self._quoted(digest, self.text[start])
        named = entry.items[what].span
        after = self._at(named.end_line, named.end_column)
        if self.text[self._at(entry.span.line, entry.span.column)] == "{":
            return after, after, f", formal: {self._quoted(digest)}"
        key = entry.keys[what]
        line = " " * (key.column - 1) + f"formal: {self._quoted(digest)}"
        rest = BREAK.search(self.text, after)
        if rest is None:
            return len(self.text), len(self.text), self.newline + line
        return rest.end(), rest.end(), line + self.newline

    def _quoted(self, digest: str, mark: str = "") -> str:
        """Write a digest; in quotation marks where it looks like a number, for the sake of other YAML readers."""
        if mark in ("'", '"'):
            return f"{mark}{digest}{mark}"
        return f'"{digest}"' if digest.replace("e", "").isdecimal() else digest

    def _at(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column - 1
