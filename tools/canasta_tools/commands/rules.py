"""`canasta rules`: list, search, check, sign and compare rules, and say how far the seed texts are covered."""

import sys
from typing import Any

import click

from canasta_tools.commands.rules_diff import command as diff
from canasta_tools.output import (
    Code,
    Colour,
    Format,
    code_of,
    fail,
    in_colour,
    in_words,
    paint,
    say,
    write,
    write_finding,
    write_json,
)
from canasta_tools.parameters import RulesetName, rules_option, shape_of, shape_options
from canasta_tools.wrapping import labelled, paragraph

SCHEMA = "canasta-rules/1"
COVERAGE_SCHEMA = "canasta-coverage/1"
KINDS = (
    "requirement", "bound", "structure", "effect", "duty", "definition", "score", "ending", "custom",
)  # fmt: skip
MAIN = "classic"
"""Clauses of this rule set bear no label when those of all rule sets are listed."""

FEW = 3
"""So many found clauses are shown in full."""
_WITH_VALUE = frozenset({"--rules", "--format", "--color", "--kind"})


class RulesGroup(click.Group):
    """`canasta rules WORDS` without the name of a sub-command lists and searches."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the sub-command first: the one that is named, else `list`."""
        at = _first_word(args)
        if at is not None and args[at] in self.commands:
            args = [args[at], *args[:at], *args[at + 1 :]]
        elif not {"-h", "--help"} & set(args[:1]):
            args = ["list", *args]
        return super().parse_args(ctx, args)


def _first_word(args: list[str]) -> int | None:
    at = 0
    while at < len(args):
        if args[at] == "--":
            return None
        if not args[at].startswith("-"):
            return at
        at += 2 if args[at] in _WITH_VALUE else 1
    return None


@click.group("rules", cls=RulesGroup, short_help="List, search, check, sign and compare rules.")
def command() -> None:
    """List, search, check, sign and compare rules. `canasta rules WORD…` searches, as `canasta rules list WORD…` does."""


command.add_command(diff)


@command.command("list")
@click.argument("words", metavar="[WORD…]", nargs=-1)
@shape_options([Format.TEXT, Format.JSON, Format.JSONL])
@rules_option("The rule set whose clauses are listed; without it those of all shipped ones.")
@click.option("--kind", type=click.Choice(KINDS), help="Only clauses of this kind.")
@click.option("--long", "-l", is_flag=True, help="Show texts, formal parts and sources, too.")
def list_rules(  # noqa: PLR0913 - one parameter an option
    *, words: tuple[str, ...], shape: str, as_json: bool, colour: str, rules: str | None, kind: str | None, long: bool
) -> int:
    """List clauses in reading order, or search them: every WORD stands in name, title, text, sources or formal part."""
    from canasta_tools.catalogue import Entry, all_entries, entries, search  # noqa: PLC0415 - not all sub-commands need it

    found: list[Entry] = [e for e in (entries(rules) if rules else all_entries()) if kind in (None, e.clause.kind)]
    if words:
        found = search(found, words)
    match shape_of(shape, as_json=as_json):
        case Format.JSON:
            write_json({"schema": SCHEMA, "clauses": [_data(e) for e in found]})
        case Format.JSONL:
            for entry in found:
                write_json(_data(entry), lean=True)
        case _:
            painted = in_colour(Colour(colour), sys.stdout)
            for entry in found:
                own = "" if rules or entry.ruleset == MAIN else entry.ruleset
                write(_shown(entry, long=long or (bool(words) and len(found) <= FEW), colour=painted, own=own))
            if words:
                say(f"{len(found)} clause{'' if len(found) == 1 else 's'} found")
            if words and not found:
                say(_advice(words, rules))
    return Code.CLEAN if found or not words else Code.FINDINGS


def _data(entry: Any) -> dict[str, object]:  # noqa: ANN401 - an entry of the catalogue, which is imported late
    clause = entry.clause
    return {
        "id": clause.id, "kind": clause.kind, "ruleset": entry.ruleset, "chapter": clause.chapter, "level": clause.level,
        "title": clause.title, "text": entry.text, "formal": entry.formal, "codes": list(entry.codes),
        "file": entry.file, "line": entry.line, "digest": clause.formal,
        "sources": [{"at": s.at, "says": s.says, "note": s.note} for s in clause.sources],
        "ruling": clause.ruling, "aliases": list(clause.aliases), "examples": [x.id for x in clause.examples],
    }  # fmt: skip


def _advice(words: tuple[str, ...], rules: str | None) -> str:
    """Say how to find more where no clause holds all words."""
    from canasta_tools.catalogue import all_entries, entries, search  # noqa: PLC0415 - only where nothing was found

    everything = list(entries(rules) if rules else all_entries())
    counts = ", ".join(f"{word} in {len(search(everything, [word])) or 'none'}" for word in words)
    if len(words) > 1:
        return f"a rule must hold every word: leave one out ({counts})"
    return (
        "try another word for it, or `canasta rules` for the whole list; `canasta explain NAME` tells what a name means"
    )


def _shown(entry: Any, *, long: bool, colour: bool, own: str = "") -> str:  # noqa: ANN401 - an entry of the catalogue, which is imported late
    clause = entry.clause
    head = f"{paint(clause.id, '1', colour=colour)}  {clause.title}{f' ({own})' if own else ''}"
    if not long:
        return head
    cited = ", ".join(s.at if s.says == "supports" else f"{s.at} ({s.says})" for s in clause.sources)
    facts = [
        ("kind", clause.kind),
        ("stands in", f"{entry.file}:{entry.line}"),
        ("sources", cited),
        ("ruling", clause.ruling),
    ]
    shown = labelled([(k, v) for k, v in facts if v], colour=colour)
    return f"{head}\n{paragraph(entry.text)}\n\n{paragraph(entry.formal + chr(10), '    ')}\n\n{shown}\n"


@command.command("check")
@click.argument("names", metavar="FILE…", nargs=-1, required=True, type=RulesetName())
@shape_options([Format.TEXT, Format.JSON, Format.JSONL, Format.GITHUB])
@click.option("--no-examples", is_flag=True, help="Do not run the examples.")
@click.option("--long", is_flag=True, help="Name every inherited example that comes out otherwise.")
def check(*, names: tuple[str, ...], shape: str, as_json: bool, colour: str, no_examples: bool, long: bool) -> int:
    """Check rule sets, by the paths of their files or by name, and run their examples."""
    from canasta.rendering import to_json  # noqa: PLC0415 - not all sub-commands need it
    from canasta_tools.rule_checks import check_rules  # noqa: PLC0415 - not all sub-commands need it

    wanted, found = shape_of(shape, as_json=as_json), []
    painted = in_colour(Colour(colour), sys.stdout)
    for name in names:
        for finding in check_rules(name, examples=not no_examples, named=long):
            if finding.id.startswith("RS6") and finding in found:
                continue  # the register is one for all rule sets
            found.append(finding)
            if wanted is not Format.JSON:
                write_finding(finding, wanted, colour=painted)
    if wanted is Format.JSON:
        checked = [
            {"file": name, "kind": "rule file", "records": 1, "deals": 0, "depth": None, "rules": name}
            for name in names
        ]
        write_json({"schema": "canasta-check/1", "findings": to_json(found), "checked": checked})
    elif wanted is Format.TEXT:
        count = in_words(found)
        say(f"{len(names)} rule set{'' if len(names) == 1 else 's'} checked: {count}")
    missing = any(f.id == "RS2001" and f.span is None for f in found)
    return Code.USAGE if missing else code_of(found)


@command.command("sign")
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
def sign(*, paths: tuple[str, ...], only_check: bool) -> int:
    """Write into a variant's file against which clauses of its parent the changes were made.

    Read the parent's clauses again before you sign anew: the digests say that you have.
    """
    from pathlib import Path  # noqa: PLC0415 - not all sub-commands need it

    from canasta.diagnostics import CanastaError  # noqa: PLC0415 - not all sub-commands need it
    from canasta.language.signing import sign as signed  # noqa: PLC0415 - not all sub-commands need it
    from canasta_tools.files import replace_file  # noqa: PLC0415 - not all sub-commands need it

    code = Code.CLEAN
    for path in paths:
        try:
            text = signed(path)
        except CanastaError as error:
            fail(error.diagnostics)
            code = (
                Code.USAGE if any(d.id in ("RS2001", "RS0018") for d in error.diagnostics) else max(code, Code.FINDINGS)
            )
            continue
        if text.encode() == Path(path).read_bytes():
            say(f"{path} is signed as it should be")
        elif only_check:
            say(f"{path} is not signed, or its parent has changed")
            code = max(code, Code.FINDINGS)
        else:
            replace_file(Path(path), text)
            say(f"{path} is signed")
    return code


@command.command("coverage")
@shape_options([Format.TEXT, Format.JSON])
@click.option("--open", "show_open", is_flag=True, help="List the sentences that nobody has claimed yet.")
def coverage(*, shape: str, as_json: bool, colour: str, show_open: bool) -> int:
    """Say how many sentences of the seed texts a clause or ruling claims."""
    from canasta import register as book  # noqa: PLC0415 - not all sub-commands need it
    from canasta_tools.catalogue import all_entries  # noqa: PLC0415 - not all sub-commands need it

    register = book.read_register()
    claims: dict[str, list[str]] = {}
    for entry in all_entries():
        claims.setdefault(entry.clause.id, []).extend(s.at for s in entry.clause.sources)
    found = book.coverage(claims, register)
    if shape_of(shape, as_json=as_json) is Format.JSON:
        rows = [
            {"seed": r.seed, "sentences": r.sentences, "claimed": r.claimed, "not_rules": r.not_rules, "open": r.open}
            for r in found.table
        ]
        counts = {"sentences": found.sentences, "claimed": len(found.claimed)}
        rest = {"not_rules": len(found.not_rules), "open": len(found.open)}
        write_json({"schema": COVERAGE_SCHEMA, **counts, **rest, "seeds": rows, "open_sentences": list(found.open)})
        return Code.CLEAN
    painted = in_colour(Colour(colour), sys.stdout)
    write(paint(f"{'seed':6}{'sentences':>10}{'claimed':>9}{'no rules':>10}{'open':>6}", "1", colour=painted))
    for r in found.table:
        write(f"{r.seed:6}{r.sentences:>10}{r.claimed:>9}{r.not_rules:>10}{r.open:>6}")
    write(f"{'all':6}{found.sentences:>10}{len(found.claimed):>9}{len(found.not_rules):>10}{len(found.open):>6}")
    gists = {s.id: s.gist for s in register.sentences}
    for id_ in found.open if show_open else ():
        write(f"{id_}  {gists[id_]}")
    return Code.CLEAN
