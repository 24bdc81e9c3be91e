"""The strict reading of YAML: events of the parser become nodes, and everything that strict YAML refuses is told."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

import yaml

from canasta.diagnostics import Diagnostic, Findings, Label, Span
from canasta.language.nodes import Mapping, Node, Scalar, Sequence, line_and_column

DEEPEST: Final = 40
"""How deeply a rule file may nest; the contract needs nine."""


class _Trouble(NamedTuple):
    """How one kind of complaint of the YAML parser is told to a person."""

    pattern: str
    id: str
    message: str
    hint: str


_QUOTE: Final = "text with signs such as % @ ` & * ! > | or a backslash is safe in 'single quotes'"

_TROUBLES: Final = (
    _Trouble("nesting depth", "RS0015", f"more than {DEEPEST} levels are nested", "is a bracket doubled by mistake?"),
    _Trouble("comment or( a)? line break", "RS0001", "unquoted text cannot begin with > or |", _QUOTE),
    _Trouble("escape", "RS0001", "a backslash in double quotes begins an escape that YAML does not know", _QUOTE),
    _Trouble(
        "mapping values are not allowed",
        "RS0002",
        "a colon followed by a space stands inside unquoted text",
        "put the whole text in quotation marks, or write it below a `>-`",
    ),
    _Trouble(
        r"unexpected end of stream|expected ',' or|quoted scalar",
        "RS0003",
        "a bracket or quotation mark is not closed",
        "close it, or quote text that begins with [ { or a quotation mark",
    ),
    _Trouble(
        r"expected ':'|expected key|<block end>|expected '-'|entries are not allowed|<document start>",
        "RS0021",
        "this line does not fit the lines around it",
        "check that it is indented like its neighbours and that each key is followed by a colon and a space",
    ),
)


_DEEPER: Final = _Trouble(
    "",
    "RS0021",
    "this line is indented further than the one above it, and so would go on with the text of that line",
    "indent it like its neighbours; text that goes on over lines and holds a colon stands below a `>-`",
)
"""A line with a key below a line that has its value already."""


_STRETCHES: Final = {
    "while parsing a block mapping": "the keys that it should fit begin here",
    "while parsing a block collection": "the list that it should fit begins here",
    "while scanning a simple key": "this line has no colon",
}
"""What the YAML parser was at, told to a person."""


def _trouble(error: yaml.MarkedYAMLError) -> _Trouble:
    said = " ".join(part for part in (error.context, error.problem) if part)
    for trouble in _TROUBLES:
        if re.search(trouble.pattern, error.problem or ""):
            return trouble
    for trouble in _TROUBLES:
        if re.search(trouble.pattern, said):
            return trouble
    return _Trouble("", "RS0001", f"this is not YAML: {said}", _QUOTE)


class _Spot(NamedTuple):
    """A place as the YAML parser counts: characters from the start, line and column from 0."""

    at: int
    line: int
    column: int


class _Mark(Protocol):
    """What the marks of both YAML parsers, the one in C and the one in Python, have in common."""

    @property
    def index(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


@dataclass(slots=True)
class _Open:
    """A list or mapping whose end has not been read yet."""

    mapping: bool
    start: _Spot
    flow: bool
    items: list[Node] = field(default_factory=list)
    names: dict[str, Node] = field(default_factory=dict)
    keys: dict[str, Span] = field(default_factory=dict)
    key: str | None = None
    last: Span | None = None


_ABANDONED: Final = "\0"
"""Stands for a key that was refused: its value is read, checked and dropped."""


@dataclass(slots=True)
class Reader:
    """Builds nodes from the events of the YAML parser and writes down everything that strict YAML refuses."""

    page: str
    file: str
    findings: Findings
    tabs: bool
    open: list[_Open] = field(default_factory=list)
    top: Node | None = None
    documents: int = 0
    last: tuple[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """Find the end of the page."""
        self.last = line_and_column(self.page, len(self.page))

    def _spot(self, mark: _Mark | None) -> _Spot:
        """Read a mark; the parser in C counts the end of a page without a last line break as one line more."""
        if mark is None:
            return _Spot(0, 0, 0)
        if mark.index >= len(self.page):
            line, column = self.last
            return _Spot(len(self.page), line - 1, column - 1)
        return _Spot(mark.index, mark.line, mark.column)

    def span(self, begin: int, end: int) -> Span:
        """Find line and column of two offsets in the page."""
        return Span(self.file, *line_and_column(self.page, begin), *line_and_column(self.page, end))

    def read(self) -> Node | None:
        """Read the page to its end, or to the first place where YAML itself cannot go on."""
        try:
            for event in _events(self.page):
                if not self._take(event):
                    break
        except yaml.MarkedYAMLError as error:
            if not self.tabs:  # an indentation of tabs makes YAML stumble; one finding is enough
                self._stumble(error)
        except yaml.YAMLError as error:
            self.findings.add(Diagnostic("RS0001", f"this is not YAML: {error}", Span(self.file, 1, 1, 1, 1)))
        return self.top

    def _stumble(self, error: yaml.MarkedYAMLError) -> None:
        trouble = _trouble(error)
        if trouble.id == "RS0002" and self._begins_its_line(self._spot(error.problem_mark)):
            trouble = _DEEPER
        place = self._at(self._spot(error.problem_mark or error.context_mark))
        opened = self._at(self._spot(error.context_mark)) if error.context_mark else place
        labels: tuple[Label, ...] = ()
        if opened.line != place.line:
            if trouble.id == "RS0003":  # what was opened is at fault, not the place where reading came to a stop
                place, opened = opened, place
                labels = (Label(opened, "reading stopped here"),)
            else:
                labels = (Label(opened, _STRETCHES.get(error.context or "", "what is read here begins there")),)
        self.findings.add(Diagnostic(trouble.id, trouble.message, place, trouble.hint, labels))

    def _begins_its_line(self, colon: _Spot) -> bool:
        """Ask whether a colon belongs to the first word of its line, so that the line is a key and stands too far to the right."""
        line = self.page[colon.at - colon.column : colon.at]
        return bool(re.fullmatch(r"[ ]+[\w.-]+", line))

    def _at(self, mark: _Spot) -> Span:
        line, column = mark.line + 1, mark.column + 1
        return Span(self.file, line, column, line, column + 1)

    def _refuse(self, id_: str, message: str, span: Span, hint: str) -> None:
        self.findings.add(Diagnostic(id_, message, span, hint))

    def _take(self, event: yaml.Event) -> bool:
        """Take in one event; no when reading should stop."""
        if isinstance(event, yaml.DocumentStartEvent):
            return self._document(event)
        if isinstance(event, yaml.AliasEvent):
            span = self._between(self._spot(event.start_mark), self._spot(event.end_mark))
            self._refuse("RS0007", f"*{event.anchor} points to another place", span, "write the value out again")
            self._put(Scalar("", span))
        elif isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            return self._begin(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._finish(event)
        return True

    def _document(self, event: yaml.DocumentStartEvent) -> bool:
        self.documents += 1
        if event.version or event.tags:
            hint = "delete the line that begins with %"
            self._refuse("RS0011", "a rule file has no YAML directives", self._at(self._spot(event.start_mark)), hint)
        if self.documents > 1:
            hint = "delete the `---`, or make two files"
            self._refuse("RS0010", "a second document begins here", self._at(self._spot(event.start_mark)), hint)
        return self.documents == 1

    def _between(self, start: _Spot, end: _Spot) -> Span:
        return Span(self.file, start.line + 1, start.column + 1, end.line + 1, end.column + 1)

    def _refuse_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.anchor is not None:
            here = self._sign(event, "&")
            hint = "delete the &name; a value that is needed twice is written twice"
            self._refuse("RS0006", f"&{event.anchor} names a place", here, hint)
        if event.tag is not None:
            here = self._sign(event, "!")
            tag = self.page[self._spot(event.start_mark).at :][here.column - self._spot(event.start_mark).column - 1 :]
            tag = tag[: here.end_column - here.column]
            hint = f"delete {tag}; every value is read as text, and the schema says what it must look like"
            self._refuse("RS0009", f"{tag} gives a value a type", here, hint)

    def _sign(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent, sign: str) -> Span:
        """Find the word that begins with & or ! before a value."""
        start = self._spot(event.start_mark)
        found = re.compile(rf"{sign}[^\s,\[\]{{}}]*").search(self.page, start.at)
        return self._at(start) if found is None else self.span(*found.span())

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        self._refuse_properties(event)
        start, end = self._spot(event.start_mark), self._spot(event.end_mark)
        stop: int = end.at
        style: str = event.style or ""
        if style in ("|", ">"):  # the parser's end lies at the start of the next line that is not part of it
            shown = start.at + len(self.page[start.at : stop].rstrip())
            span = Span(self.file, start.line + 1, start.column + 1, *line_and_column(self.page, shown))
        else:
            span = self._between(start, end)
        text: str = event.value
        if not text and not style and not self._waits_for_key():
            self._nothing(span)
        self._put(Scalar(text, span, self.page, start.at, stop, style))

    def _nothing(self, span: Span) -> None:
        top = self.open[-1] if self.open else None
        if top is not None and top.key is not None and top.key != _ABANDONED:
            message, place = f"nothing is written for `{top.key}`", top.keys.get(top.key, span)
        else:
            message, place = "nothing is written here", span
        hint = "write the value, or delete the key; quote text that begins with { or ["
        self._refuse("RS0020", message, place, hint)

    def _waits_for_key(self) -> bool:
        return bool(self.open) and self.open[-1].mapping and self.open[-1].key is None

    def _begin(self, event: yaml.CollectionStartEvent) -> bool:
        self._refuse_properties(event)
        if len(self.open) >= DEEPEST:
            hint = "rule files need no such depth; is a bracket doubled by mistake?"
            self._refuse(
                "RS0015", f"more than {DEEPEST} levels are nested", self._at(self._spot(event.start_mark)), hint
            )
            return False
        mapping = isinstance(event, yaml.MappingStartEvent)
        self.open.append(_Open(mapping, self._spot(event.start_mark), bool(event.flow_style)))
        return True

    def _finish(self, event: yaml.CollectionEndEvent) -> None:
        done = self.open.pop()
        span = self._between(done.start, self._spot(event.end_mark))
        if not done.flow and done.last is not None:  # the parser's end of a block lies where the next block begins
            span = Span(self.file, span.line, span.column, done.last.end_line, done.last.end_column)
        if done.mapping:
            self._put(Mapping(done.names, done.keys, span))
        else:
            self._put(Sequence(tuple(done.items), span))

    def _put(self, node: Node) -> None:
        if not self.open:
            self.top = node
            return
        top = self.open[-1]
        top.last = node.span
        if not top.mapping:
            top.items.append(node)
        elif top.key is None:
            top.key = self._key(top, node)
        else:
            if top.key != _ABANDONED:
                top.names[top.key] = node
            top.key = None

    def _key(self, top: _Open, node: Node) -> str:
        if not isinstance(node, Scalar) or not node.text:
            hint = "a key is a word followed by a colon; quote text that begins with { or ["
            self._refuse("RS0014", "this cannot be a key", node.span, hint)
        elif node.text == "<<" and not node._style:  # noqa: SLF001 - the reader made the scalar
            hint = "say `extends` in the rule set, or write the fields out"
            self._refuse("RS0008", "<< merges one mapping into another", node.span, hint)
        elif node.text in top.keys:
            label = Label(top.keys[node.text], "first written here")
            hint = "keep one of the two"
            message = f"the key `{node.text}` is written twice"
            self.findings.add(Diagnostic("RS0005", message, node.span, hint, (label,)))
        else:
            top.keys[node.text] = node.span
            return node.text
        return _ABANDONED


def _events(page: str) -> Iterator[yaml.Event]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    yield from yaml.parse(page, Loader=loader)
