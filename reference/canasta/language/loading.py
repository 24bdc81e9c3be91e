"""From the name of a rule set to one whole document: files read, chapters combined, variants applied, choices made."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Label, Span
from canasta.language.merging import Draft, Dropped, Origin, OriginKind, Removed, place_of, unknown, word, words
from canasta.language.naming import Home, Name, parse_name
from canasta.language.schema_check import check_rule_file
from canasta.language.source import Mapping, Node, RuleFileError, Scalar, Sequence, file_text, read_text
from canasta.language.variants import apply_changes, misfit

LONGEST_LINE_OF_DESCENT: Final = 12
"""How many rule sets may extend one another in a row."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A rule set as one document, with what it was made from.

    ``base`` is the rule set's own name without profile and options, ``lineage`` the names of the rule sets it extends,
    nearest first, and ``extends`` the full name by which the nearest is opened. ``chosen`` holds every option for which profile
    or name choose a word; the document keeps defaults.
    """

    name: str
    base: str
    profile: str
    chosen: dict[str, str]
    document: Mapping
    origin: dict[str, Origin]
    removed: dict[str, Removed]
    dropped: dict[str, Dropped]
    chapter_of: dict[str, str]
    lineage: tuple[str, ...]
    files: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    extends: str = ""


@dataclass(slots=True)
class Stage:
    """A rule set read and merged, before options are chosen."""

    draft: Draft
    main: Mapping
    lineage: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    profile: str = ""
    extends: str = ""
    choices: dict[str, tuple[str, int]] = field(default_factory=dict)


def load_document(name: str) -> Loaded:
    """Read a rule set by its name, ``RULESET[:PROFILE][,option=value…]``, or by the path of its file.

    Raises:
        RuleFileError: with all findings of the first stage that has any: YAML, shape, variants, choices.
    """
    parsed = parse_name(name)
    findings = Findings()
    stage = read_stage(parsed.home, (), findings)
    draft = stage.draft
    draft.aliases_checked(findings)
    _check_domains(draft, findings)
    findings.raise_errors(RuleFileError)
    profile = parsed.profile or stage.profile
    chosen = _choices(stage, profile, parsed, findings)
    findings.raise_errors(RuleFileError)
    return Loaded(
        name=str(parsed), base=draft.ruleset, profile=profile, chosen=chosen, document=draft.document(stage.main),
        origin=draft.origin, removed=draft.removed, dropped=draft.dropped, chapter_of=draft.chapter_of, lineage=stage.lineage,
        files=stage.files, findings=tuple(findings), extends=stage.extends,
    )  # fmt: skip


def read_stage(home: Home, trail: tuple[Home, ...], findings: Findings) -> Stage:
    """Read the files of one rule set and of those it extends; ``trail`` holds those that led here.

    Raises:
        RuleFileError: when the files cannot be read as YAML, or have the wrong shape.
    """
    main, chapters = read_files(home)
    extends = main.items.get("extends")
    stage = Stage(Draft(), main)
    if isinstance(extends, Scalar):
        stage = read_parent(home, extends, trail, findings)
    draft = stage.draft
    draft.ruleset = word(main, "ruleset")
    _check_name(home, main, findings)
    draft.take_head(main)
    own = _own_chapter(main, draft.ruleset)
    if isinstance(extends, Scalar):
        has_clauses = isinstance(added := main.items.get("add"), Mapping) and "clauses" in added.items
        if has_clauses:
            draft.chapters[draft.ruleset] = own
        apply_changes(draft, main, draft.ruleset, findings)
    else:
        draft.take_declarations(main, findings)
        if "clauses" in main.items:
            draft.chapters[draft.ruleset] = own
        draft.take_clauses(main, draft.ruleset, OriginKind.OWN, findings)
    kind = OriginKind.ADDED if isinstance(extends, Scalar) else OriginKind.OWN
    for name, chapter in chapters.items():
        if name not in draft.chapters or "title" in chapter.items:
            draft.chapters[name] = _heading(chapter)
        draft.take_declarations(chapter, findings)
        draft.take_clauses(chapter, name, kind, findings)
    stage.files = (home.shown, *(home.chapter(c)[1] for c in chapters), *stage.files)
    stage.main = main
    stage.extends = _opened_as(parse_name(extends.text, home, extends.span)) if isinstance(extends, Scalar) else ""
    return stage


def _opened_as(name: Name) -> str:
    """Name a rule set so that it is found from anywhere: a person's own by the whole path of its file."""
    return str(name if name.home.shipped else replace(name, base=str(name.home.main)))


def read_files(home: Home) -> tuple[Mapping, dict[str, Mapping]]:
    """Read the main file of a rule set and its chapters, and see that they have the right shape.

    Raises:
        RuleFileError: with all findings in all of these files.
    """
    findings = Findings()
    main, faults = _checked(file_text(home.main, home.shown), home.shown or str(home.main), chapter=False)
    findings.extend(faults)
    chapters: dict[str, Mapping] = {}
    seen: set[str] = set()
    listed = main.items.get("chapters")
    for entry in listed.items if isinstance(listed, Sequence) else ():
        if not isinstance(entry, Scalar) or not entry.text.replace("-", "").isalnum():
            continue  # the schema has told it
        if entry.text in seen:
            continue  # the schema has told this, too
        seen.add(entry.text)
        path, shown = home.chapter(entry.text)
        if not path.is_file():
            hint = f"write it, or delete `{entry.text}` from `chapters`"
            findings.add(Diagnostic("RS2006", f"there is no chapter file {shown}", entry.span, hint))
            continue
        try:
            chapter, faults = _checked(file_text(path, shown), shown or str(path), chapter=True)
        except RuleFileError as error:
            findings.extend(error.diagnostics)
            continue
        findings.extend(faults)
        if "chapter" in chapter.items and word(chapter, "chapter") != entry.text:
            label = (Label(entry.span, "listed here"),)
            message = f"the file of the chapter {entry.text} calls itself {word(chapter, 'chapter')}"
            hint = f"write `chapter: {entry.text}`"
            findings.add(Diagnostic("RS2007", message, place_of(chapter, "chapter"), hint, label))
        chapters[entry.text] = chapter
    findings.raise_errors(RuleFileError)
    return main, chapters


@lru_cache(maxsize=256)
def _checked(text: str, shown: str, *, chapter: bool) -> tuple[Mapping, tuple[Diagnostic, ...]]:
    """Read the text of a file and check its shape; every variant reads the files of the rule sets it extends again."""
    document = read_text(text, shown)
    return document, tuple(check_rule_file(document, chapter=chapter))


def read_parent(home: Home, extends: Scalar, trail: tuple[Home, ...], findings: Findings) -> Stage:
    """Read the rule set that this one extends, and what the extending file chooses in it.

    Raises:
        RuleFileError: when there is no such rule set, when it cannot be read, or when it leads back to this one.
    """
    name = parse_name(extends.text, home, extends.span)
    ring = [h.shown for h in (*trail, home)]
    if name.home.shown in ring:
        way = " → ".join([*ring[ring.index(name.home.shown) :], name.home.shown])
        hint = "a rule set extends one that does not lead back to it"
        raise RuleFileError([Diagnostic("RS2008", f"these rule sets extend each other: {way}", extends.span, hint)])
    if len(ring) >= LONGEST_LINE_OF_DESCENT:
        hint = "extend an earlier one"
        message = f"more than {LONGEST_LINE_OF_DESCENT} rule sets extend one another"
        raise RuleFileError([Diagnostic("RS2008", message, extends.span, hint)])
    stage = read_stage(name.home, (*trail, home), findings)
    stage.lineage = (stage.draft.ruleset, *stage.lineage)
    draft = stage.draft
    draft.depth += 1
    for id_, origin in draft.origin.items():
        draft.origin[id_] = Origin(OriginKind.INHERITED, origin.ruleset, draft.clauses[id_], origin.because)
    if name.profile:
        stage.profile = name.profile
        if name.profile not in draft.tables["profiles"]:
            findings.add(unknown("RS2002", "profile", name.profile, list(draft.tables["profiles"]), extends.span))
    for option, value in name.options.items():
        if _fits(draft, option, value, extends.span, findings):
            stage.choices[option] = (value, draft.depth)
    return stage


def _check_name(home: Home, main: Mapping, findings: Findings) -> None:
    """Make sure that a shipped rule set has the name of its folder, so that what is cited can be found."""
    folder = home.shown.removeprefix("spec/rules/").removesuffix("/ruleset.yaml")
    if home.shipped and word(main, "ruleset") != folder:
        message = f"the rule set in spec/rules/{folder} calls itself {word(main, 'ruleset')}"
        findings.add(Diagnostic("RS2007", message, place_of(main, "ruleset"), f"write `ruleset: {folder}`"))


def _own_chapter(main: Mapping, ruleset: str) -> Mapping:
    """Make a chapter of the clauses that stand in the main file itself."""
    name = Scalar(ruleset, place_of(main, "ruleset"))
    items: dict[str, Node] = {"chapter": name}
    keys = {"chapter": main.keys["ruleset"]}
    for key in ("title", "about"):
        if key in main.items:
            items[key], keys[key] = main.items[key], main.keys[key]
    return Mapping(items, keys, main.span)


def _heading(chapter: Mapping) -> Mapping:
    keep = [key for key in ("chapter", "title", "about") if key in chapter.items]
    return Mapping({k: chapter.items[k] for k in keep}, {k: chapter.keys[k] for k in keep}, chapter.span)


def _fits(draft: Draft, option: str, value: str, span: Span | None, findings: Findings) -> bool:
    """See whether an option exists and may have a value."""
    declared = draft.tables["options"].get(option)
    if declared is None:
        findings.add(unknown("RS2003", "option", option, list(draft.tables["options"]), span))
        return False
    if not isinstance(declared.node, Mapping):
        return False
    nowhere = span or declared.key
    message, hint = misfit(option, "options", declared.node, Scalar(value, nowhere))
    if message:
        labels = (Label(declared.key, "declared here"),)
        findings.add(Diagnostic("RS2004", message, span, hint, labels))
    return not message


def _check_domains(draft: Draft, findings: Findings) -> None:
    """Make sure that every default, and every value that a profile chooses, lies in the domain of its option."""
    for name, declared in draft.tables["options"].items():
        value = declared.node.items.get("is") if isinstance(declared.node, Mapping) else None
        if isinstance(value, Scalar) and isinstance(declared.node, Mapping):
            _fits(draft, name, value.text, value.span, findings)
    for profile in draft.tables["profiles"].values():
        chosen = profile.node.items.get("choose") if isinstance(profile.node, Mapping) else None
        for option, value in chosen.items.items() if isinstance(chosen, Mapping) else ():
            if isinstance(value, Scalar) and isinstance(chosen, Mapping):
                known = option in draft.tables["options"]
                _fits(draft, option, value.text, value.span if known else chosen.keys[option], findings)


def _choices(stage: Stage, profile: str, name: Name, findings: Findings) -> dict[str, str]:
    """Work out which options are chosen: by the profile, by files that extend, and at last by the name itself.

    What a variant sets prevails over a profile of the rule set that it extends, not over a profile of its own.
    """
    draft = stage.draft
    chosen: dict[str, str] = {}
    if profile:
        declared = draft.tables["profiles"].get(profile)
        if declared is None:
            findings.add(unknown("RS2002", "profile", profile, list(draft.tables["profiles"]), None))
        choose = declared.node.items.get("choose") if declared and isinstance(declared.node, Mapping) else None
        for option, node in choose.items.items() if isinstance(choose, Mapping) else ():
            said = max(draft.option_depth.get(option, 0), stage.choices.get(option, ("", 0))[1])
            if isinstance(node, Scalar) and draft.profile_depth.get(profile, 0) >= said:
                chosen[option] = node.text
    for option, (value, depth) in stage.choices.items():
        if depth > draft.option_depth.get(option, -1) and option not in chosen:
            chosen[option] = value
    fitting = {o: v for o, v in name.options.items() if _fits(draft, o, v, None, findings)}
    return chosen | fitting


def chapter_titles(loaded: Loaded) -> dict[str, str]:
    """Find the title of every chapter, in reading order; a chapter without one is called by its name."""
    listed = loaded.document.items["chapters"]
    found = [c for c in listed.items if isinstance(c, Mapping)] if isinstance(listed, Sequence) else []
    return {word(c, "chapter"): " ".join(words(c, "title")) or word(c, "chapter") for c in found}
