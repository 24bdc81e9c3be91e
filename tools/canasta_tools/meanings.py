"""What a name means: a diagnostic, a clause, a code, a ruling, an option, a source, a sentence of a seed text."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches

from canasta.diagnostic_ids import all_ids, close_ids, explain
from canasta.language.ruleset import Act, Option, Ruleset, Shape, Variable, Zone
from canasta.prose import ProseError, fill_text, option_word, step_words


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a name stands for: which kind of thing, its name and title, and paragraphs on it.

    ``facts`` are short labelled lines, such as where it stands.
    """

    kind: str
    id: str
    title: str
    paragraphs: tuple[str, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


def meanings(name: str, rules: str = "classic") -> list[Meaning]:
    """List everything that a name means; clauses, codes and options are those of the rule set ``rules``.

    Raises:
        CanastaError: when the rule set or the register cannot be read.
    """
    wanted = name.strip()
    if not wanted:
        return []
    page = explain(wanted)
    if page is not None:
        return [Meaning("diagnostic", page.id, page.title, (page.explanation,), (("hint", page.hint),))]
    found = [meaning for look in (_clauses, _declared, _rulings, _sources) for meaning in look(wanted, rules)]
    return found or list(_clauses(wanted.upper(), rules))  # codes are written in capitals, options in small letters


def elsewhere(name: str) -> list[Meaning]:
    """List what a name means in the first shipped rule set that knows it, with the name of that rule set."""
    from canasta.language.naming import known  # noqa: PLC0415 - only for a name that is not found

    for rules in known():
        found = meanings(name, rules)
        if found:
            return [replace(m, facts=(("rule set", rules), *m.facts)) for m in found]
    return []


def near(name: str, rules: str = "classic") -> tuple[str, ...]:
    """List names that somebody may have meant who wrote one that means nothing."""
    from canasta.games import load_ruleset  # noqa: PLC0415 - only for a name that is not found
    from canasta.language.naming import known  # noqa: PLC0415 - only for a name that is not found
    from canasta.register import read_rulings  # noqa: PLC0415 - only for a name that is not found
    from canasta_tools.catalogue import codes_of  # noqa: PLC0415 - only for a name that is not found

    if name[:2].upper() in {id_[:2] for id_ in all_ids()} and name[2:3].isdigit():
        return close_ids(name)
    names = [*read_rulings()]
    # Where no rule set was named, a name of any of them is explained, so any may have been meant.
    for ruleset in map(load_ruleset, known() if rules == "classic" else [rules]):
        codes = {code for clause in ruleset.clauses.values() for code in codes_of(clause)}
        names += [*ruleset.clauses, *codes, *ruleset.options, *ruleset.parameters, *ruleset.profiles]
    by_small = {n.lower(): n for n in names}
    return tuple(by_small[n] for n in get_close_matches(name.lower(), by_small, 3, 0.6))


def _clauses(name: str, rules: str) -> Iterator[Meaning]:
    from canasta.language.naming import known  # noqa: PLC0415 - diagnostics are explained without rule sets
    from canasta_tools.catalogue import entries, page_of_code  # noqa: PLC0415 - as above

    shipped = rules.partition(",")[0].partition(":")[0] in known()
    for entry in entries(rules):
        clause = entry.clause
        named = name.lower() in (clause.id, *clause.aliases)
        if not named and name not in entry.codes:
            continue
        cited = tuple(("source", f"{s.at} {s.says}" + (f" ({s.note})" if s.note else "")) for s in clause.sources)
        facts = [("stands in", f"{entry.file}:{entry.line}"), ("kind", f"{clause.kind}, level {clause.level}")]
        facts += [("code", code) for code in entry.codes]
        facts += [("ruling", clause.ruling)] if clause.ruling else []
        facts += [("shown in", page_of_code(name.upper()))] if shipped and not named else []
        kind = "clause" if named else f"clause that gives the code {name}"
        yield Meaning(kind, clause.id, clause.title, (entry.text, entry.formal), (*facts, *cited))


def _declared(name: str, rules: str) -> Iterator[Meaning]:
    from canasta.games import load_ruleset  # noqa: PLC0415 - diagnostics are explained without rule sets

    ruleset = load_ruleset(rules)
    small = name.lower()
    yield from _ruleset(small)
    if small in ruleset.options:
        yield _option(ruleset.options[small], ruleset)
    if small in ruleset.parameters:
        yield Meaning("parameter", small, f"{small} is {ruleset.parameters[small]} in {ruleset.name}")
    profile = small.removeprefix(f"{ruleset.name}:")
    if profile in ruleset.profiles:
        chosen = tuple((o, option_word(ruleset.options[o], v)) for o, v in ruleset.profiles[profile].items())
        title = _written(rules, "profiles", profile, "title") or "a choice of options"
        yield Meaning("profile", f"{ruleset.name}:{profile}", title, (), chosen)
    if small in ruleset.reasons:
        title = _written(rules, "reasons", small, "text")
        yield Meaning("reason why a deal ends", small, title, (), (("in a record", f"end {small}"),))
    if small in ruleset.steps:
        table = ruleset.steps[small]
        yield Meaning(
            "step table", small, _flat(ruleset, table.text) or step_words(table), (), (("steps", step_words(table)),)
        )
    if small in ruleset.phases:
        acts = ", ".join((*ruleset.phases[small].acts, *ruleset.phases[small].auto))
        yield Meaning("phase of a turn", small, f"the acts that are possible then: {acts}")
    declared: dict[str, Mapping[str, Zone | Variable | Act | Shape]] = {
        "zone": ruleset.zones,
        "state variable": ruleset.state,
        "act": ruleset.acts,
        "shape of groups": ruleset.shapes,
    }
    for kind, things in declared.items():
        if small in things:
            yield Meaning(kind, small, _flat(ruleset, things[small].text))
    for definition in ruleset.definitions.values():
        if definition.name == small and definition.id != small:
            title = _flat(ruleset, definition.text) or definition.title
            yield Meaning("definition", small, title, (), (("clause", definition.id),))


def _option(option: Option, ruleset: Ruleset) -> Meaning:
    words = [option_word(option, value) for value in option.allowed]
    facts = [("may be", ", ".join(words) or "a whole number"), ("default", option_word(option, option.default))]
    for profile, choose in ruleset.profiles.items():
        if option.name in choose:
            facts.append((f"in {ruleset.name}:{profile}", option_word(option, choose[option.name])))
    facts += [("ruling", option.ruling)] if option.ruling else []
    return Meaning("option", option.name, _flat(ruleset, option.text), (), tuple(facts))


def _flat(ruleset: Ruleset, text: str) -> str:
    """Give a text of a rule set on one line, with the figures put in; one with a faulty brace as it stands."""
    try:
        return fill_text(ruleset, text)
    except ProseError:
        return " ".join(text.split())


def _written(rules: str, section: str, name: str, key: str) -> str:
    """Find a text that only people read in the files of a rule set."""
    from canasta.language.loading import load_document  # noqa: PLC0415 - diagnostics are explained without rule sets
    from canasta.language.source import Mapping as Keys  # noqa: PLC0415 - diagnostics are explained without rule sets
    from canasta.language.source import Scalar  # noqa: PLC0415 - diagnostics are explained without rule sets

    node: object = load_document(rules).document
    for step in (section, name, key):
        node = node.items.get(step) if isinstance(node, Keys) else None
    return " ".join(node.text.split()) if isinstance(node, Scalar) else ""


def _ruleset(name: str) -> Iterator[Meaning]:
    """Tell what a shipped rule set is, with its profiles; its name may be given with one of them."""
    from canasta.games import load_ruleset  # noqa: PLC0415 - diagnostics are explained without rule sets
    from canasta.language.naming import known  # noqa: PLC0415 - diagnostics are explained without rule sets

    base, _, profile = name.partition(":")
    if base not in known():
        return
    ruleset = load_ruleset(base)
    if not profile:
        facts = [("profile", f"{base}:{other}") for other in ruleset.profiles]
        facts += [("clauses", str(len(ruleset.clauses))), ("options", str(len(ruleset.options)))]
        yield Meaning("rule set", base, ruleset.title, (), (*facts, ("all its rules", f"canasta rules --rules {base}")))
    elif profile in ruleset.profiles and base != "classic":
        yield from (m for m in _declared(profile, base) if m.kind == "profile")


def _rulings(name: str, _: str) -> Iterator[Meaning]:
    from canasta.register import read_rulings  # noqa: PLC0415 - diagnostics are explained without rule sets

    for ruling in read_rulings().values():
        if name.lower() not in (ruling.slug, ruling.label.lower()) and name.upper() not in ruling.cases:
            continue
        readings = tuple(("reading", f"{r.says} ({', '.join(r.by)})") for r in ruling.readings)
        option = ruling.option
        choices = tuple((f"{option.name}={value}", means) for value, means in option.values) if option else ()
        facts = (*readings, ("basis", ruling.basis.value), *choices)
        yield Meaning("ruling", ruling.slug, ruling.question, (ruling.decision, ruling.reason), facts)


def _sources(name: str, rules: str) -> Iterator[Meaning]:
    from canasta.register import read_seeds, read_sources  # noqa: PLC0415 - diagnostics are explained without rule sets

    source = read_sources().get(name.lower())
    if source is not None:
        facts = [("by", source.by), ("grade", source.grade.value), ("when", source.when), ("address", source.address)]
        facts += [("reported by", who) for who in source.reported_by]
        yield Meaning("source", source.id, source.title, (source.note,), tuple((k, v) for k, v in facts if v))
    for sentence in read_seeds():
        if sentence.id == name.lower():
            yield _sentence(sentence.id, sentence.gist, sentence.no_rule, rules)


def _sentence(id_: str, gist: str, no_rule: str, rules: str) -> Meaning:
    from canasta.games import load_ruleset  # noqa: PLC0415 - diagnostics are explained without rule sets

    citing = [c.id for c in load_ruleset(rules).clauses.values() if any(s.at == id_ for s in c.sources)]
    facts = [("cited by", clause) for clause in citing]
    facts += [("no rule", no_rule)] if no_rule else []
    return Meaning("sentence of a seed text", id_, gist, (), tuple(facts))
