"""The register of diagnostics: what each permanent id means, and what to do about it."""

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from types import MappingProxyType

from canasta.diagnostics import Diagnostic, Findings, Label
from canasta.language.source import Mapping, RuleFileError, Scalar, Sequence, read_list
from canasta.rooms import room


@dataclass(frozen=True, slots=True)
class IdPage:
    """What is to be said about one id: a headline, an explanation in whole sentences, and how to put it right."""

    id: str
    title: str
    explanation: str
    hint: str


def explain(id_: str) -> IdPage | None:
    """Find the page of an id, in whatever case it is written; nothing if there is no such id."""
    return register().get(id_.strip().upper())


def all_ids() -> tuple[str, ...]:
    """List all ids in alphabetical order."""
    return tuple(register())


def close_ids(id_: str) -> tuple[str, ...]:
    """List the ids that somebody may have meant who wrote one that does not exist."""
    written = id_.strip().upper()
    figures = written[2:].replace("O", "0").replace("I", "1").replace("L", "1")
    return tuple(get_close_matches(written[:2] + figures, all_ids(), 3, 0.6))


@cache
def register() -> MappingProxyType[str, IdPage]:
    """Read ``spec/diagnostics/*.yaml``: lists of ``id``, ``title``, ``explanation`` and ``hint``.

    Raises:
        RuleFileError: RS0xxx when a file is not strict YAML, RS1xxx when an entry has not the right shape.
    """
    findings = Findings()
    pages: dict[str, IdPage] = {}
    places: dict[str, Scalar] = {}
    folder = room("spec") / "diagnostics"
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        if path.name.endswith(".yaml"):
            try:
                listed = read_list(path, f"spec/diagnostics/{path.name}")
            except RuleFileError as error:
                findings.extend(error.diagnostics)
                continue
            _collect(listed, pages, places, findings)
    findings.raise_errors(RuleFileError)
    return MappingProxyType(dict(sorted(pages.items())))


def _collect(listed: Sequence, pages: dict[str, IdPage], places: dict[str, Scalar], findings: Findings) -> None:
    for entry in listed.items:
        fields = entry.items if isinstance(entry, Mapping) else {}
        texts = {k: v.text.strip() for k, v in fields.items() if isinstance(v, Scalar)}
        id_ = fields.get("id")
        if not isinstance(id_, Scalar) or set(texts) != {"id", "title", "explanation", "hint"}:
            hint = "an entry has id, title, explanation and hint, all of them text"
            findings.add(Diagnostic("RS1002", "this is no entry of the register of diagnostics", entry.span, hint))
            continue
        if id_.text in pages:
            label = (Label(places[id_.text].span, "the first one"),)
            message = f"the id {id_.text} is registered twice"
            findings.add(Diagnostic("RS2022", message, id_.span, "an id is never used again", label))
        places[id_.text] = id_
        pages[id_.text] = IdPage(id_.text, texts["title"], texts["explanation"], texts["hint"])
