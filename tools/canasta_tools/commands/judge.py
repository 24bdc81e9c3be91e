"""`canasta judge`: say whether a turn is legal in a position."""

import sys
from collections.abc import Iterator

import click

from canasta.deciding import deciding_values
from canasta.kernel.acts import Ruling, Violation
from canasta.playing.judging import due
from canasta.playing.places import foremost
from canasta.playing.seats import seats_of
from canasta.playing.spelling import what_to_write
from canasta_tools.output import Code, Colour, Format, fail, in_colour, paint, write, write_json
from canasta_tools.parameters import TurnCommand, rules_option, shape_of, shape_options
from canasta_tools.verdicts import UNFINISHED, Judged, after_text, judge_turn, rule_text, violation_data
from canasta_tools.wrapping import labelled, paragraph

SCHEMA = "canasta-verdict/1"
_PAINT = {Ruling.LEGAL.value: "1;32", Ruling.ILLEGAL.value: "1;31", Ruling.UNKNOWN.value: "1;33", UNFINISHED: "1;33"}


@click.command(
    "judge",
    cls=TurnCommand,
    short_help="Say whether a turn is legal in a position.",
)
@click.argument("position", metavar="POSITION")
@click.argument("turn", metavar="TURN")
@shape_options([Format.TEXT, Format.JSON])
@rules_option("The rule set to judge by.", "classic")
def command(*, position: str, turn: str, shape: str, as_json: bool, colour: str, rules: str) -> int:
    """Say whether a TURN is legal in a POSITION, and name every rule that it breaks.

    For instance: canasta judge "N at start; hand.N KK459; pile 2 5 K; stock ?30" "^KKK -9". The exit code is 1 if the turn is
    certainly illegal. A turn that is not written to its end is unfinished, unless nothing could make it legal any more.
    """
    judged = judge_turn(position, turn, rules)
    if shape_of(shape, as_json=as_json) is Format.JSON:
        write_json(_data(judged))
    else:
        write("\n\n".join(_text(judged, colour=in_colour(Colour(colour), sys.stdout))))
    if judged.findings:
        fail(judged.findings, Colour(colour))
    return Code.FINDINGS if judged.illegal else Code.CLEAN


def _data(judged: Judged) -> dict[str, object]:
    found = [violation_data(judged.game, v) for v in judged.violations]
    data: dict[str, object] = {
        "schema": SCHEMA,
        "ruling": judged.ruling,
        "violations": found,
        "after": after_text(judged),
    }
    if judged.rest is not None:
        lacking = [violation_data(judged.game, v) for v in judged.rest.lacking]
        data["unfinished"] = {"acts": list(judged.rest.acts), "lacking": lacking}
    return data


def _text(judged: Judged, *, colour: bool) -> Iterator[str]:
    yield paint(judged.ruling, _PAINT[judged.ruling], colour=colour)
    first, follows = foremost(judged.game, judged.violations)
    for violation in first:
        yield shown(judged, violation, colour=colour)
    for hint in _due(judged):
        yield paragraph(f"{hint[0].upper()}{hint[1:]}.")
    if follows:
        codes = ", ".join(dict.fromkeys(v.code for v in follows))
        yield paragraph(f"Nothing that is laid with that card would help; so {codes} is not told by itself.")
    if judged.rest is not None and not judged.illegal:
        acts = what_to_write(judged.game.ruleset.acts[name] for name in judged.rest.acts)
        yield paragraph(
            f"The turn is judged when it is written to its end. It may still become legal; next may come: {acts}."
        )
        if judged.rest.lacking:
            yield "As it lies it lacks:\n" + "\n".join(_brief(judged, v) for v in judged.rest.lacking)


def _due(judged: Judged) -> list[str]:
    """Say what may be written where something was written that does not come now, each thing once."""
    seats, steps = seats_of(judged.game.ruleset.table), judged.played.steps
    told = [due(judged.game, seats, s, v, steps[:at]) for at, s in enumerate(steps) for v in s.verdict.violations]
    return list(dict.fromkeys(filter(None, told)))


def _brief(judged: Judged, violation: Violation) -> str:
    title, _ = rule_text(judged.game, violation.clause)
    return f"  {violation.code}  {title} [{violation.clause}]"


def shown(judged: Judged, violation: Violation, *, colour: bool) -> str:
    """Write a violation for a person: code and clause, what the rule says, what decided it."""
    title, text = rule_text(judged.game, violation.clause)
    doubt = "" if violation.certain else " (cannot be known)"
    head = f"{paint(violation.code, '1', colour=colour)}{doubt}  {title} [{violation.clause}]"
    facts = labelled(deciding_values(judged.game.ruleset, violation), colour=colour, indent="    ")
    return "\n".join(filter(None, [head, paragraph(text), facts]))
