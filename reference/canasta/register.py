"""The register behind the rules: who said what, which sentence says it, and how each contradiction was settled.

It lies in ``spec/sources.yaml``, ``spec/seeds.yaml`` and ``spec/rulings/``. A clause cites a source by its slug
(``pagat``) or one sentence of a seed text by its number (``s000.092``). Every seed sentence that states a rule must be
claimed by a clause or a ruling; :func:`coverage` says which are still open.
"""

import re
from collections.abc import Mapping as Table
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic, Findings, Severity, Span
from canasta.language import source as written
from canasta.language.ruleset import Example
from canasta.language.schema_check import check
from canasta.language.worked import read_examples, repeated
from canasta.register_entries import Entry, nearest
from canasta.rooms import room

LONGEST_GIST: Final = 12
"""Words in a gist at most: enough to recognise a sentence, too few to copy it."""

_SENTENCE: Final = re.compile(r"(s\d{3})\.(\d{3})")
_SLUG: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_RULING: Final = re.compile(r"(k\d\d|c\d{2,3}|[gm]\d\d|s3)-[a-z0-9]+(-[a-z0-9]+)*")
_DIGEST: Final = re.compile(r"[0-9a-f]{16}")
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_CASE: Final = re.compile(r"C\d{2,3}")
_GAME: Final = re.compile(r"[a-z][a-z-]*(/[a-z][a-z-]*)*")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")


class RegisterError(CanastaError):
    """A register that cannot be relied on, with everything that is wrong with it."""


class Grade(StrEnum):
    """How well a source is known: read itself, told by a reader of it, or met in fragments only."""

    READ = "read"
    REPORTED = "reported"
    FRAGMENT = "fragment"


class Basis(StrEnum):
    """What a decision rests on: a source that says so, a conclusion from the sources, or the project's own choice."""

    SOURCE = "source"
    INFERENCE = "inference"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class Source:
    """Somebody's account of the rules. ``part`` tells how much was read, ``reported_by`` names who told of it."""

    id: str
    title: str
    by: str
    language: str
    grade: Grade
    when: str
    of: tuple[str, ...]
    address: str
    edition: str
    part: str
    reported_by: tuple[str, ...]
    same_text_as: str
    note: str
    span: Span


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a seed text: its number, the digest of its text and its gist; ``no_rule`` says why it is none."""

    id: str
    digest: str
    gist: str
    no_rule: str
    span: Span

    @property
    def seed(self) -> str:
        """The seed text it belongs to, such as ``s000``."""
        return self.id.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a point, and the sources and sentences that read it so."""

    says: str
    by: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class OpenChoice:
    """The option of a rule set by which a table may decide otherwise: the word decided on, and each with its meaning."""

    name: str
    decided: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ruling:
    """A contradiction or disputed case and how it was settled.

    ``claims`` are seed sentences it disposes of. What the decision comes to is shown by ``examples``: whatever rule set
    prints the ruling must bear them out.
    """

    slug: str
    label: str
    question: str
    applies: tuple[str, ...]
    readings: tuple[Reading, ...]
    sole: str
    decision: str
    reason: str
    basis: Basis
    option: OpenChoice | None
    examples: tuple[Example, ...]
    cases: tuple[str, ...]
    claims: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Register:
    """Sources and rulings by their slugs, and the seed sentences in their order."""

    sources: dict[str, Source]
    sentences: tuple[Sentence, ...]
    rulings: dict[str, Ruling]


@dataclass(frozen=True, slots=True)
class SeedRow:
    """How far one seed text is covered, in numbers of sentences."""

    seed: str
    sentences: int
    claimed: int
    not_rules: int
    open: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which seed sentences are claimed and by whom, which are no rules, and which nobody has claimed yet."""

    sentences: int
    claimed: dict[str, tuple[str, ...]]
    not_rules: tuple[str, ...]
    open: tuple[str, ...]
    table: tuple[SeedRow, ...]
    findings: tuple[Diagnostic, ...]


def read_sources(spec: Traversable | Path | None = None) -> dict[str, Source]:
    """Read who said what: the sources by slug, from ``spec`` or the project's own room of that name.

    Raises:
        RuleFileError: when the file is not strict YAML (RS00xx).
        RegisterError: with every fault found in it (RS60xx).
    """
    findings = Findings()
    page = Entry(_page(spec, "sources.yaml"), "the list of sources", findings)
    page.only("about", "sources")
    found = {slug: _source(slug, entry) for slug, entry in page.named("sources")}
    findings.raise_errors(RegisterError)
    return found


def read_seeds(spec: Traversable | Path | None = None) -> tuple[Sentence, ...]:
    """Read the register of seed sentences, in order of seed and number.

    Raises:
        RuleFileError: when the file is not strict YAML (RS00xx).
        RegisterError: with every fault found in it (RS60xx).
    """
    findings = Findings()
    page = Entry(_page(spec, "seeds.yaml"), "the register of sentences", findings)
    page.only("sentences")
    found = tuple(_sentence(entry) for entry in page.entries("sentences"))
    last = ("", 0)
    for sentence in found:
        seed, _, number = sentence.id.partition(".")
        if not number.isdigit():
            continue
        expected = last[1] + 1 if seed == last[0] else 1
        if int(number) != expected or seed < last[0]:
            hint = f"expected {seed}.{expected:03d}" if seed >= last[0] else f"{seed} must stand before {last[0]}"
            findings.add(Diagnostic("RS6007", f"{sentence.id} does not follow in order", sentence.span, hint))
        last = (seed, int(number))
    findings.raise_errors(RegisterError)
    return found


def read_rulings(spec: Traversable | Path | None = None) -> dict[str, Ruling]:
    """Read how the contradictions and disputed cases were settled: one file each, by slug, in order of their files.

    Raises:
        RuleFileError: with all findings when a file is not strict YAML (RS00xx).
        RegisterError: with every fault found in them (RS60xx).
    """
    findings = Findings()
    found: dict[str, Ruling] = {}
    labels: dict[str, str] = {}
    folder = _spec(spec) / "rulings"
    for file in sorted((f for f in folder.iterdir() if f.name.endswith(".yaml")), key=lambda f: f.name):
        try:
            page = _page(spec, f"rulings/{file.name}")
        except written.RuleFileError as error:
            findings.extend(error.diagnostics)
            continue
        ruling = _ruling(Entry(page, f"the ruling {file.name}", findings))
        if f"{ruling.slug}.yaml" != file.name:
            hint = f"rename the file to {ruling.slug}.yaml, or the ruling to {file.name.removesuffix('.yaml')}"
            message = f"the ruling in {file.name} is called {ruling.slug or 'nothing'}"
            findings.add(Diagnostic("RS6012", message, ruling.span, hint))
        if ruling.label and ruling.label in labels:
            message = f"the label {ruling.label} is already that of {labels[ruling.label]}"
            findings.add(
                Diagnostic("RS6006", message, ruling.span, "each point is settled once; merge the two rulings")
            )
        labels.setdefault(ruling.label, ruling.slug)
        found[ruling.slug] = ruling
    findings.raise_errors(RegisterError)
    return found


def read_register(spec: Traversable | Path | None = None) -> Register:
    """Read the whole register and see that whatever one part names exists in another.

    Raises:
        RuleFileError: when a file is not strict YAML (RS00xx).
        RegisterError: with every fault found (RS60xx).
    """
    register = Register(read_sources(spec), read_seeds(spec), read_rulings(spec))
    findings = Findings()
    sentences = {sentence.id: sentence for sentence in register.sentences}
    known = [*register.sources, *sentences]
    for entry in register.sources.values():
        others = (*entry.reported_by, *filter(None, (entry.same_text_as,)))
        findings.extend(_strangers(entry.id, others, [*register.sources], entry.span))
    for ruling in register.rulings.values():
        for reading in ruling.readings:
            findings.extend(_strangers(ruling.slug, reading.by, known, reading.span))
        findings.extend(_strangers(ruling.slug, ruling.claims, [*sentences], ruling.span))
        for claim in ruling.claims:
            if claim in sentences and sentences[claim].no_rule:
                findings.add(_not_a_rule(ruling.slug, sentences[claim], ruling.span, Severity.ERROR))
    findings.raise_errors(RegisterError)
    return register


def coverage(claims: Table[str, Sequence[str]], register: Register | None = None) -> Coverage:
    """Say how far the seed texts are covered by clauses and rulings.

    ``claims`` gives for each clause what it cites; sources among it are passed over, and the rulings' own claims are
    added here. Among the findings: a citation of something unknown (RS6009), of a sentence that is no rule (RS6011).
    """
    register = register or read_register()
    by_id = {sentence.id: sentence for sentence in register.sentences}
    known = [*register.sources, *by_id]
    findings = Findings()
    claimed: dict[str, list[str]] = {sentence.id: [] for sentence in register.sentences}
    everything = [*claims.items(), *((r.slug, r.claims) for r in register.rulings.values())]
    for claimant, cited in everything:
        findings.extend(_strangers(claimant, cited, known))
        for sentence in (by_id[id_] for id_ in cited if id_ in by_id):
            if sentence.no_rule:
                findings.add(_not_a_rule(claimant, sentence, sentence.span, Severity.WARNING))
            elif claimant not in claimed[sentence.id]:
                claimed[sentence.id].append(claimant)
    held = {id_: tuple(who) for id_, who in claimed.items() if who}
    not_rules = tuple(s.id for s in register.sentences if s.no_rule)
    left = tuple(id_ for id_ in by_id if id_ not in held and not by_id[id_].no_rule)
    rows = tuple(_row(seed, by_id, held, left) for seed in dict.fromkeys(s.seed for s in register.sentences))
    return Coverage(len(by_id), held, not_rules, left, rows, tuple(findings))


def _row(seed: str, by_id: dict[str, Sentence], held: dict[str, tuple[str, ...]], left: tuple[str, ...]) -> SeedRow:
    own = [s for s in by_id.values() if s.seed == seed]
    not_rules = sum(1 for s in own if s.no_rule)
    return SeedRow(seed, len(own), sum(1 for s in own if s.id in held), not_rules, sum(1 for s in own if s.id in left))


def _spec(spec: Traversable | Path | None) -> Traversable | Path:
    return room("spec") if spec is None else spec


def _page(spec: Traversable | Path | None, name: str) -> written.Mapping:
    return written.read_file(_spec(spec).joinpath(*name.split("/")), f"spec/{name}" if spec is None else "")


def _strangers(who: str, cited: Sequence[str], known: Sequence[str], span: Span | None = None) -> list[Diagnostic]:
    otherwise = "the known names are in spec/sources.yaml and spec/seeds.yaml"
    return [
        Diagnostic("RS6009", f"{who} cites {name}, which is not registered", span, nearest(name, known, otherwise))
        for name in cited
        if name not in known
    ]


def _not_a_rule(claimant: str, sentence: Sentence, span: Span, severity: Severity) -> Diagnostic:
    message = f"{claimant} claims {sentence.id}, which is listed as no rule ({sentence.no_rule})"
    hint = "drop the claim, or take `no_rule` off the sentence"
    return Diagnostic("RS6011", message, span, hint, severity=severity)


def _source(slug: str, entry: Entry) -> Source:
    entry.only(
        *("title", "by", "language", "grade", "when", "of", "address", "edition", "part", "reported_by"),
        *("same_text_as", "note"),
    )
    if not _SLUG.fullmatch(slug):
        entry.fault("RS6005", f"{slug} is no slug", hint="lower-case letters, digits and single hyphens")
    return Source(
        id=slug,
        title=entry.text("title"),
        by=entry.text("by"),
        language=entry.text("language", _LANGUAGE),
        grade=entry.word("grade", Grade, Grade.FRAGMENT),
        when=entry.text("when", _DAY),
        of=entry.texts("of", _GAME),
        address=entry.text("address", needed=False),
        edition=entry.text("edition", needed=False),
        part=entry.text("part", needed=False),
        reported_by=entry.texts("reported_by", _SLUG, needed=entry.text("grade", needed=False) == Grade.REPORTED),
        same_text_as=entry.text("same_text_as", _SLUG, needed=False),
        note=entry.text("note", needed=False),
        span=entry.span,
    )


def _sentence(entry: Entry) -> Sentence:
    entry.only("id", "digest", "gist", "no_rule")
    gist = entry.text("gist")
    if len(gist.split()) > LONGEST_GIST:
        message = f"the gist has {len(gist.split())} words"
        entry.fault("RS6008", message, entry.node.items["gist"].span, f"{LONGEST_GIST} words at most")
    return Sentence(
        id=entry.text("id", _SENTENCE),
        digest=entry.text("digest", _DIGEST),
        gist=gist,
        no_rule=entry.text("no_rule", needed=False),
        span=entry.span,
    )


def _ruling(entry: Entry) -> Ruling:
    entry.only(
        *("ruling", "label", "question", "applies", "readings", "sole", "decision", "reason", "basis", "option"),
        *("examples", "cases", "claims"),
    )
    slug, label = entry.text("ruling", _RULING), entry.text("label")
    if slug and label and slug.split("-")[0].upper() != label.partition(".")[0]:
        hint = "k04-… is labelled K04, c09-… C09, s3-… S3.1 and so on"
        entry.fault("RS6012", f"the label {label} does not go with {slug}", entry.node.items["label"].span, hint)
    readings = tuple(_reading(one) for one in entry.entries("readings"))
    sole = entry.text("sole", needed=False)
    if len(readings) == 1 and not sole:
        hint = "give the other readings, or say in `sole` why there is only one"
        entry.fault("RS6010", f"{entry.what} has a single reading", entry.node.items["readings"].span, hint)
    return Ruling(
        slug=slug,
        label=label,
        question=entry.text("question"),
        applies=entry.texts("applies", _GAME),
        readings=readings,
        sole=sole,
        decision=entry.text("decision"),
        reason=entry.text("reason"),
        basis=entry.word("basis", Basis, Basis.PROJECT),
        option=_choice(entry),
        examples=_examples(entry),
        cases=entry.texts("cases", _CASE, needed=False),
        claims=entry.texts("claims", _SENTENCE, needed=False),
        span=entry.span,
    )


def _reading(entry: Entry) -> Reading:
    entry.only("says", "by")
    return Reading(entry.text("says"), entry.texts("by"), entry.span)


def _examples(ruling: Entry) -> tuple[Example, ...]:
    listed = ruling.node.items.get("examples")
    for node in listed.items if isinstance(listed, written.Sequence) else ():
        ruling.findings.extend(check(node, "ruleset", "example"))
    ruling.findings.extend(repeated(ruling.node, ruling.what))
    return read_examples(ruling.node)


def _choice(ruling: Entry) -> OpenChoice | None:
    node = ruling.node.items.get("option")
    if node is None:
        return None
    if not isinstance(node, written.Mapping):
        ruling.fault("RS6003", f"option of {ruling.what} must have a name and values", node.span)
        return None
    entry = Entry(node, f"the option of {ruling.what}", ruling.findings)
    entry.only("name", "decided", "values")
    values = node.items.get("values")
    if not isinstance(values, written.Mapping) or len(values.items) < 2:  # noqa: PLR2004 - a choice takes two
        hint = "give each word of the option and what it means"
        entry.fault("RS6013", f"{entry.what} offers no choice", values.span if values else None, hint)
        return None
    meanings = Entry(values, f"the values of {entry.what}", ruling.findings)
    decided = entry.text("decided")
    if decided and decided not in values.items:
        hint = f"one of {', '.join(values.items)}"
        entry.fault("RS6013", f"{entry.what} has no value {decided}", entry.node.items["decided"].span, hint)
    return OpenChoice(entry.text("name"), decided, tuple((word, meanings.text(word)) for word in values.items))
