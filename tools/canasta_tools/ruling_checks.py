"""Checking a shipped rule set against the rulings: those it names exist, and each of its own options is the option of one."""

from collections.abc import Iterator
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic, Label, Span
from canasta.games import load_ruleset
from canasta.language.loading import load_document, read_files
from canasta.language.merging import word, words
from canasta.language.naming import parse_name
from canasta.language.nodes import Mapping, Sequence
from canasta.register import Ruling, read_register
from canasta_tools.ruling_claims import check_claims

Own = dict[str, tuple[Span, Mapping]]
"""The options that the files of a rule set declare or settle anew: the place of each, and what is declared."""


def check_rulings(name: str, spec: Path | None = None) -> Iterator[Diagnostic]:
    """Say what is wrong with the register, and where a rule set and the rulings do not go together (RS6014 to RS6016).

    Nothing is asked of a person's own rule set. ``spec`` stands for the project's own room of rulings and sources.
    """
    home = parse_name(name).home
    if not home.shipped:
        return
    try:
        rulings = read_register(spec).rulings
    except CanastaError as error:
        yield from error.diagnostics
        return
    main, chapters = read_files(home)
    plainly = str(replace(parse_name(name), profile="", options={}))
    loaded = load_document(plainly)
    yield from check_claims(load_ruleset(plainly), loaded, main, rulings)
    added = main.items.get("add")
    parts = [main, *([added] if isinstance(added, Mapping) else []), *chapters.values()]
    for node in (clause for part in parts for clause in _citing(part)):
        if word(node, "ruling") not in rulings:
            yield _unknown(node, rulings)
    own: Own = {}
    for part in parts:
        own |= _options(part)
    own |= _settled_anew(main, loaded.document)
    base = word(main, "ruleset")
    settled = {r.option.name: r for r in rulings.values() if r.option and base in r.applies}
    for option, ruling in settled.items():
        if own and option not in own:
            message = f"the option {option}, which {ruling.slug} settles for {base}, is not declared by {base} itself"
            hint = f"declare it there, or take {base} off `applies`: what is inherited is settled for the parent"
            yield Diagnostic("RS6014", message, ruling.span, hint)
    for option, (place, node) in own.items():
        named = rulings.get(word(node, "ruling"))
        if option in settled:
            yield from _disagreeing(base, option, place, node, settled[option])
        elif named is None or base not in named.applies:
            hint = f"name a ruling that applies to {base} and decides the point"
            yield Diagnostic("RS6014", f"no ruling settles the option {option} of {base}", place, hint)


def _citing(part: Mapping) -> Iterator[Mapping]:
    """Go through clauses, replacements and options that name a ruling."""
    for key in ("clauses", "replace"):
        listed = part.items.get(key)
        for entry in listed.items if isinstance(listed, Sequence) else ():
            said = entry.items.get("with", entry) if isinstance(entry, Mapping) else entry
            if isinstance(said, Mapping) and "ruling" in said.items:
                yield said
    yield from (node for _, node in _options(part).values() if "ruling" in node.items)


def _options(part: Mapping) -> Own:
    declared = part.items.get("options")
    if not isinstance(declared, Mapping):
        return {}
    return {n: (declared.keys[n], node) for n, node in declared.items.items() if isinstance(node, Mapping)}


def _settled_anew(main: Mapping, document: Mapping) -> Own:
    """List the options of a parent that a variant settles by another ruling, each as it is declared then."""
    listed, merged = main.items.get("replace"), document.items.get("options")
    found: Own = {}
    for entry in listed.items if isinstance(listed, Sequence) else ():
        said = entry.items.get("with") if isinstance(entry, Mapping) else None
        if isinstance(entry, Mapping) and isinstance(said, Mapping) and "ruling" in said.items:
            key, _, option = word(entry, "declaration").partition(".")
            node = merged.items.get(option) if isinstance(merged, Mapping) and key == "options" else None
            if isinstance(node, Mapping):
                found[option] = (entry.span, node)
    return found


def _unknown(node: Mapping, rulings: dict[str, Ruling]) -> Diagnostic:
    slug = word(node, "ruling")
    close = get_close_matches(slug, rulings, 1)
    hint = f"did you mean {close[0]}?" if close else f"write it as spec/rulings/{slug}.yaml"
    return Diagnostic("RS6014", f"there is no ruling {slug}", node.items["ruling"].span, hint)


def _disagreeing(base: str, option: str, place: Span, node: Mapping, ruling: Ruling) -> Iterator[Diagnostic]:
    """Compare an option with the ruling that settles it."""
    assert ruling.option is not None  # noqa: S101 - it was found by its option
    label = (Label(ruling.span, "the ruling"),)
    if word(node, "ruling") != ruling.slug:
        message = f"the option {option} of {base} does not name the ruling that settles it"
        yield Diagnostic("RS6014", message, place, f"write `ruling: {ruling.slug}`", label)
    domain = set(words(node, "of"))
    allowed = {"yes", "no"} if domain == {"bool"} else set[str]() if domain == {"int"} else domain
    told = {value for value, _ in ruling.option.values}
    if allowed and told != allowed:
        message = f"{ruling.slug} tells of other words than the option {option} of {base} has"
        yield Diagnostic("RS6014", message, place, f"give a meaning to each of {', '.join(sorted(allowed))}", label)
