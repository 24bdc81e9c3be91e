"""`canasta rules diff`: how one rule set differs from another, with a case for each change."""

import sys
from typing import TYPE_CHECKING, Any

import click

from canasta_tools.dispatch import UsageFault
from canasta_tools.output import Code, Colour, Format, code_of, fail, in_colour, paint, say, write, write_json
from canasta_tools.parameters import RulesetName, shape_of, shape_options
from canasta_tools.wrapping import paragraph

if TYPE_CHECKING:
    from canasta.language.source import Mapping
    from canasta.playing.distinguishing import Case, Shown
    from canasta.playing.outcomes import Disagreement
    from canasta_tools.differences import Differences

SCHEMA = "canasta-differences/1"
MOST = 3
"""So many aspects in which two results differ are told to a person."""


@click.command("diff", short_help="Say how one rule set differs from another.")
@click.argument("names", metavar="[OTHER] NAME", nargs=-1, required=True, type=RulesetName())
@shape_options([Format.TEXT, Format.JSON])
@click.option("--no-cases", is_flag=True, help="Only compare; carry nothing out.")
@click.option("--long", "-l", is_flag=True, help="Show texts and formal parts, too.")
@click.option("--strict", is_flag=True, help="A change that no example shows counts as a finding.")
@click.pass_context
def command(  # noqa: PLR0913 - one parameter an option
    ctx: click.Context,
    *,
    names: tuple[str, ...],
    shape: str,
    as_json: bool,
    colour: str,
    no_cases: bool,
    long: bool,
    strict: bool,
) -> int:
    """Say what the rule set NAME sets, adds, replaces and removes against OTHER, or against the one that it extends.

    Each change that can be seen in play is shown by an example on which the two disagree.
    """
    from canasta.diagnostics import CanastaError  # noqa: PLC0415 - `--help` needs no rule sets
    from canasta_tools.differences import differences  # noqa: PLC0415

    try:
        old, new = _pair(names, ctx)
        found = differences(old, new, cases=not no_cases)
    except CanastaError as error:
        fail(error.diagnostics, Colour(colour))
        return Code.USAGE
    missing = () if no_cases else found.missing
    if shape_of(shape, as_json=as_json) is Format.JSON:
        from canasta.rendering import to_json  # noqa: PLC0415 - only for those who ask for it

        write_json({**_data(found, cases=not no_cases), "findings": to_json(missing)})
    else:
        _tell(found, long=long, cases=not no_cases, colour=in_colour(Colour(colour), sys.stdout))
        fail(missing, Colour(colour))
        say(_sum(found, cases=not no_cases))
    return code_of(missing, strict=strict)


def _pair(names: tuple[str, ...], ctx: click.Context) -> tuple[str, str]:
    """Tell which two are meant: those named, or one and what it extends."""
    from canasta.language.loading import load_document  # noqa: PLC0415 - `--help` needs no rule sets
    from canasta_tools.differences import parent_of  # noqa: PLC0415

    if len(names) > 2:  # noqa: PLR2004 - one rule set and another
        hint = "write `canasta rules diff OTHER NAME`"
        raise UsageFault("US0005", f"two rule sets are compared, and here are {len(names)}", hint, ctx)
    if len(names) == 2:  # noqa: PLR2004 - one rule set and another
        return names[0], names[1]
    parent = parent_of(load_document(names[0]))
    if not parent:
        hint = f"name the one to compare it with: `canasta rules diff OTHER {names[0]}`"
        raise UsageFault("US0003", f"{names[0]} extends no other rule set", hint, ctx)
    return parent, names[0]


def _sum(found: "Differences", *, cases: bool) -> str:
    """Say at the end how much differs, and how much of it is shown."""
    many = len(found.shown)
    told = f"{many} change{'' if many == 1 else 's'} from {found.old.loaded.name} to {found.new.loaded.name}"
    if not cases or not many:
        return told
    shown = sum(s.case is not None for s in found.shown)
    missing = sum(s.missing for s in found.shown)
    rest = f", {missing} shown by none" if missing else ""
    return f"{told}: {shown} shown by a case, {many - shown - missing} not seen in play{rest}"


# -- for a person ------------------------------------------------------------------------------------------------------


def _tell(found: "Differences", *, long: bool, cases: bool, colour: bool) -> None:
    from canasta.language.changes import How  # noqa: PLC0415 - `--help` needs no rule sets
    from canasta_tools.differences import in_order  # noqa: PLC0415

    for how in How:
        own = in_order(found.shown, how)
        if own:
            write(paint(str(how), "1", colour=colour))
        for shown in own:
            write(_told(shown, found, long=long, cases=cases, colour=colour))


def _told(shown: "Shown", found: "Differences", *, long: bool, cases: bool, colour: bool) -> str:
    from canasta.language.changes import How, Weight  # noqa: PLC0415 - `--help` needs no rule sets
    from canasta_tools.differences import NO_CASE_NEEDED, value_of, words_of  # noqa: PLC0415

    change = shown.change
    old, new = found.entries(change)
    title = next((e.clause.title for e in (new, old) if e), words_of(change.new) or words_of(change.old))
    if change.how is How.SET:
        title = f"{value_of(change.old, change)} → {value_of(change.new, change)}"
    lines = [f"  {paint(change.name, '36', colour=colour)}  {title}".rstrip()]
    if change.how is How.REPLACED:
        lines.append(f"    changed: {', '.join(change.fields)}")
    if change.because:
        lines.append(f"    because {change.because}")
    if long:
        lines += _wordings(shown, found)
    if shown.case is not None:
        lines += _case(shown.case, found)
    elif shown.carried:
        lines.append(f"    goes with {', '.join(shown.carried)}, whose cases show it")
    elif cases and change.weight is not Weight.EXECUTED:
        lines.append(f"    {NO_CASE_NEEDED[change.weight]}")
    return "\n".join(lines)


def _wordings(shown: "Shown", found: "Differences") -> list[str]:
    """Show both texts and both formal parts below one another."""
    from canasta_tools.differences import formal_of  # noqa: PLC0415 - only for those who ask for it

    lines = []
    entries = found.entries(shown.change)
    for book, entry, node in zip((found.old, found.new), entries, (shown.change.old, shown.change.new), strict=True):
        if node is not None:
            lines.append(f"    {book.loaded.name}:")
            lines += [paragraph(entry.text, "      ")] if entry else []
            lines.append(paragraph(formal_of(node, shown.change) + "\n", "        "))
    return lines


def _case(case: "Case", found: "Differences") -> list[str]:
    from canasta.playing.distinguishing import Strength  # noqa: PLC0415 - `--help` needs no rule sets
    from canasta_tools.differences import partly  # noqa: PLC0415

    together = f", together with {', '.join(case.others)}" if case.others else ""
    part = "in part " if case.strength is Strength.PART else ""
    names = [b.loaded.name for b in (found.old, found.new)]
    lines = [f"    shown {part}by {case.clause}/{case.example.id}{together}"]
    if part:
        lines.append(f"      {partly(case, *names, they='them' if together else 'it')}")
    wide = max(len(name) for name in names)
    positions = [o.position for o in (case.old, case.new)]
    if positions[0] == positions[1]:
        lines.append(f"      {positions[0]}")
    else:
        lines += [f"      {n:{wide}}  {p}" for n, p in zip(names, positions, strict=True) if p]
    if case.example.do or case.example.ask:
        lines.append(f"      {case.example.do or f'asked: {case.example.ask}'}")
    if case.example.options:
        lines.append(f"      with {' '.join(f'{name}={value}' for name, value in case.example.options)}")
    for at, name in enumerate(names):
        sayable = (case.old, case.new)[at].said is None
        if case.apart and sayable:
            told = [d.other if at else d.one for d in case.apart[:MOST]]
            other = [d.one if at else d.other for d in case.apart[:MOST]]
            which = "these changes" if case.others else "this change"
            lines.append(f"      {name} {'without' if at else 'with'} {which}  → {'; '.join(other)}")
        else:
            told = [(d.one, d.other)[at] for d in case.differs[:MOST]]
        lines.append(f"      {name:{wide}}  → {'; '.join(told)}")
    return lines


# -- for a program -----------------------------------------------------------------------------------------------------


def _data(found: "Differences", *, cases: bool) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "old": {"name": found.old.loaded.name, "title": found.old.ruleset.title},
        "new": {"name": found.new.loaded.name, "title": found.new.ruleset.title},
        "cases": cases,
        "changes": [_change(shown, found) for shown in found.shown],
    }


def _change(shown: "Shown", found: "Differences") -> dict[str, Any]:
    change = shown.change
    old, new = found.entries(change)
    span = change.span
    return {
        "how": str(change.how), "what": "clause" if change.clause else "declaration", "name": change.name,
        "fields": list(change.fields), "weight": str(change.weight), "because": change.because,
        "old": _side(shown, change.old, old), "new": _side(shown, change.new, new),
        "file": span.file if span else None, "line": span.line if span else None,
        "case": None if shown.case is None else _case_data(shown.case), "carried": list(shown.carried),
    }  # fmt: skip


def _side(shown: "Shown", node: "Mapping | None", entry: Any) -> dict[str, str] | None:  # noqa: ANN401 - an entry of a book, imported late
    from canasta_tools.differences import formal_of, value_of, valued, words_of  # noqa: PLC0415 - `--help` needs no rule sets

    if node is None:
        return None
    title, text = (entry.clause.title, entry.text) if entry is not None else ("", words_of(node))
    value = {"value": value_of(node, shown.change)} if valued(shown.change) else {}
    return {"title": title, "text": text, "formal": formal_of(node, shown.change), **value}


def _case_data(case: "Case") -> dict[str, Any]:
    example = case.example
    return {
        "clause": case.clause, "example": example.id, "of": "new" if case.of_new else "old",
        "known": str(case.strength), "others": list(case.others), "do": example.do, "ask": example.ask,
        "options": dict(example.options),
        "positions": {"old": case.old.position, "new": case.new.position},
        "left_out": {"old": list(case.old.left_out), "new": list(case.new.left_out)},
        "differs": [_differing(case, d) for d in case.differs],
        "apart": [_aspect(d, "without", "with") for d in case.apart],
    }  # fmt: skip


def _differing(case: "Case", found: "Disagreement") -> dict[str, Any]:
    from canasta_tools.differences import between  # noqa: PLC0415 - `--help` needs no rule sets

    made, without = between(case, found)
    return {**_aspect(found, "old", "new"), "old_with": made, "new_without": without}


def _aspect(found: "Disagreement", one: str, other: str) -> dict[str, Any]:
    about, name, owner = found.aspect
    return {"about": about, "name": name, "owner": owner, one: found.one, other: found.other}
