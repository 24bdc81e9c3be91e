"""`canasta why`: show step by step how a verdict came about."""

import sys
from collections.abc import Iterator

import click

from canasta.deciding import seen_when
from canasta.kernel.explaining import Asked
from canasta_tools.commands.judge import shown
from canasta_tools.output import Code, Colour, Format, fail, in_colour, paint, write, write_json
from canasta_tools.parameters import TurnCommand, rules_option, shape_of, shape_options
from canasta_tools.verdicts import Judged, Step, branches, judge_turn, rule_text, steps, tree, violation_data

SCHEMA = "canasta-why/1"


@click.command(
    "why",
    cls=TurnCommand,
    short_help="Show step by step how a verdict came about.",
)
@click.argument("position", metavar="POSITION")
@click.argument("turn", metavar="TURN")
@shape_options([Format.TEXT, Format.JSON])
@rules_option("The rule set to judge by.", "classic")
@click.option("--all", "everything", is_flag=True, help="Show the demands that do not apply, too, and all values.")
def command(  # noqa: PLR0913 - one parameter an option
    *, position: str, turn: str, shape: str, as_json: bool, colour: str, rules: str, everything: bool
) -> int:
    """Show step by step how the verdict on a TURN in a POSITION came about.

    Each act is followed by the demands that the rules make of it. Of a demand that is not met every value is shown that it
    rests on, down to the single cards; with --all of every demand.
    """
    judged = judge_turn(position, turn, rules)
    if shape_of(shape, as_json=as_json) is Format.JSON:
        data = [_data(judged, step) for step in steps(judged)]
        write_json({"schema": SCHEMA, "ruling": judged.ruling, "steps": data})
    else:
        painted = in_colour(Colour(colour), sys.stdout)
        for step in steps(judged):
            write("\n".join(told(judged, step, everything=everything, colour=painted)) + "\n")
        write(judged.ruling)
    if judged.findings:
        fail(judged.findings, Colour(colour))
    return Code.FINDINGS if judged.illegal else Code.CLEAN


def told(judged: Judged, step: Step, *, everything: bool, colour: bool) -> Iterator[str]:
    """Tell one act, and the demands that the rules make of it."""
    yield paint(step.words, "1", colour=colour)
    codes = {v.code for v in step.verdict.violations}
    for asked in step.asked:
        if asked.applies or everything:
            yield from _demand(judged, asked, everything=everything, colour=colour)
    said = {a.code for a in step.asked if not a.holds}
    for violation in step.verdict.violations:
        if violation.code not in said:
            yield "  " + shown(judged, violation, colour=colour).replace("\n", "\n  ")
    if not codes and not any(a.applies for a in step.asked):
        yield "  judged with the play that it belongs to" if _is_part(judged, step) else "  nothing is demanded of it"


def _is_part(judged: Judged, step: Step) -> bool:
    act = judged.game.ruleset.acts.get(step.move.act)
    return act is not None and act.lays


def _demand(judged: Judged, asked: Asked, *, everything: bool, colour: bool) -> Iterator[str]:
    title, _ = rule_text(judged.game, asked.clause)
    sign, shade = ("·", "2") if not asked.applies else ("✓", "32") if asked.holds else ("✗", "31")
    code = "" if asked.holds else f" {asked.code}"
    yield f"  {paint(sign + code, shade, colour=colour)} {title} [{asked.clause}]"
    if everything or not asked.holds:
        for label, reason in (("when", asked.when), ("that", asked.that)):
            if reason is not None:
                first, *rest = branches(judged.game, reason, "")
                yield f"      {label}{seen_when(judged.game.ruleset, asked.act, reason.expr)}: {first}"
                yield from (f"        {line}" for line in rest)


def _data(judged: Judged, step: Step) -> dict[str, object]:
    asked = [
        {
            "clause": a.clause, "code": a.code, "act": a.act, "applies": a.applies, "holds": a.holds,
            "when": None if a.when is None else tree(judged.game, a.when),
            "that": None if a.that is None else tree(judged.game, a.that),
        }
        for a in step.asked
    ]  # fmt: skip
    found = [violation_data(judged.game, v) for v in step.verdict.violations]
    return {"act": step.words, "asked": asked, "violations": found}
