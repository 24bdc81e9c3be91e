"""Whether a rule set bears out the rulings that its book prints: those it was given by its parent above all.

A ruling says what was decided. Where it names an option, the rule set must have the value that was decided on; where it has
examples, they must come out in the rule set as they do where the point was disputed. A ruling that can only be read is to be
read again by whoever words the clause anew that it stands beside.
"""

from collections.abc import Iterator

from canasta.diagnostics import Diagnostic, Span
from canasta.language.loading import Loaded
from canasta.language.merging import OriginKind, word
from canasta.language.nodes import Mapping, Node, Sequence
from canasta.language.ruleset import Ruleset
from canasta.playing.examples import ExampleResult, carried_out
from canasta.prose import option_word
from canasta.register import Ruling

_AWAY = "take the ruling away (`without: [ruling]`), or name one that decides the point for"


def check_claims(rules: Ruleset, loaded: Loaded, main: Mapping, rulings: dict[str, Ruling]) -> Iterator[Diagnostic]:
    """Find the rulings that a rule set prints and does not bear out (RS6015), and those to be read again (RS6016)."""
    base = loaded.base
    cited_by = {slug: names for slug, names in _cited(rules).items() if slug in rulings}
    carried = carried_out(loaded.name, {slug: rulings[slug].examples for slug in cited_by})
    for slug, cited in cited_by.items():
        ruling, results = rulings[slug], carried[slug]
        yield from _told_otherwise(rules, base, main, ruling)
        wrong = next((r for r in results if r.findings), None)
        if wrong is not None:
            hint = f"{_AWAY} {base}: {', '.join(cited)} {'names' if len(cited) == 1 else 'name'} it"
            message = f"{base} does not bear out {ruling.label}: {wrong.findings[0].message}"
            yield Diagnostic("RS6015", message, _place(main, loaded, cited[0]), hint)
        if base not in ruling.applies and not _checked(rules, ruling, results):
            yield from (_unread(d, ruling, base, loaded, main) for d in cited if _reworded(d, loaded, main))


def _cited(rules: Ruleset) -> dict[str, list[str]]:
    """List the rulings that are named, each with the clauses and options that name it."""
    found: dict[str, list[str]] = {}
    for clause in rules.clauses.values():
        if clause.ruling:
            found.setdefault(clause.ruling, []).append(clause.id)
    for option in rules.options.values():
        if option.ruling:
            found.setdefault(option.ruling, []).append(f"options.{option.name}")
    return found


def _told_otherwise(rules: Ruleset, base: str, main: Mapping, ruling: Ruling) -> Iterator[Diagnostic]:
    """Compare the option of a ruling with what the rule set has."""
    option = rules.options.get(ruling.option.name) if ruling.option else None
    if option is None or ruling.option is None:
        return
    has = option_word(option, option.value)
    if has != ruling.option.decided:
        message = (
            f"{base} has {option.name} = {has}, and {ruling.label}, which it prints, decides on {ruling.option.decided}"
        )
        place = _entry(main, "set", option.name) or _entry(main, "replace", f"options.{option.name}") or main.span
        yield Diagnostic("RS6015", message, place, f"{_AWAY} {base}")


def _checked(rules: Ruleset, ruling: Ruling, results: list[ExampleResult]) -> bool:
    """Ask whether anything of the ruling was compared with what the rule set does."""
    return bool(results) or (ruling.option is not None and ruling.option.name in rules.options)


def _reworded(name: str, loaded: Loaded, main: Mapping) -> bool:
    """Ask whether this rule set words a clause anew and leaves the ruling of its parent beside it in silence."""
    origin = loaded.origin.get(name)
    if origin is None or origin.kind is not OriginKind.REPLACED or origin.ruleset != word(main, "ruleset"):
        return False
    entry = _find(main, name)
    said = entry.items.get("with") if isinstance(entry, Mapping) else None
    return isinstance(said, Mapping) and "text" in said.items and "ruling" not in said.items


def _unread(name: str, ruling: Ruling, base: str, loaded: Loaded, main: Mapping) -> Diagnostic:
    message = (
        f"{base} words {name} anew beside {ruling.label}, which is another game's and of which nothing is executed"
    )
    hint = f"read the ruling again: if it still holds, write `ruling: {ruling.slug}`; else {_AWAY} {base}"
    return Diagnostic("RS6016", message, _place(main, loaded, name), hint, clause=name)


def _place(main: Mapping, loaded: Loaded, name: str) -> Span:
    entry = _find(main, name)
    if entry is not None:
        return entry.span
    return main.keys.get("ruleset", loaded.document.span)


def _find(main: Mapping, name: str) -> Node | None:
    """Find the entry under `replace` that is about a clause or a declaration."""
    listed = main.items.get("replace")
    for entry in listed.items if isinstance(listed, Sequence) else ():
        if isinstance(entry, Mapping) and name in (word(entry, "clause"), word(entry, "declaration")):
            return entry
    return None


def _entry(main: Mapping, key: str, name: str) -> Span | None:
    """Find the place of an entry under `set` or `replace`."""
    if key == "replace":
        found = _find(main, name)
        return found.span if found is not None else None
    values = main.items.get(key)
    return values.keys.get(name) if isinstance(values, Mapping) else None
