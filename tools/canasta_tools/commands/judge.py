"""`canasta judge`: say whether a turn is legal in a position."""

import sys

import click

from canasta.deciding import deciding_values
from canasta.kernel.acts import Ruling, Violation
from canasta_tools.output import Code, Colour, Format, fail, in_colour, paint, write, write_json
from canasta_tools.parameters import rules_option, shape_of, shape_options
from canasta_tools.verdicts import Judged, after_text, judge_turn, rule_text, violation_data
from canasta_tools.wrapping import labelled, paragraph

SCHEMA = "canasta-verdict/1"
_PAINT = {Ruling.LEGAL: "1;32", Ruling.ILLEGAL: "1;31", Ruling.UNKNOWN: "1;33"}


# A turn such as "-9" begins like an option and is none.
@click.command(
    "judge", context_settings={"ignore_unknown_options": True}, short_help="Say whether a turn is legal in a position."
)
@click.argument("position", metavar="POSITION")
@click.argument("turn", metavar="TURN")
@shape_options([Format.TEXT, Format.JSON])
@rules_option("The rule set to judge by.", "classic")
def command(*, position: str, turn: str, shape: str, as_json: bool, colour: str, rules: str) -> int:
    """Say whether a TURN is legal in a POSITION, and name every rule that it breaks.

    For instance: canasta judge "N at start; hand.N KK459; pile 2 5 K; stock ?30" "^KKK -9". The exit code is 1 if the turn is
    certainly illegal.
    """
    judged = judge_turn(position, turn, rules)
    ruling = judged.played.ruling
    if shape_of(shape, as_json=as_json) is Format.JSON:
        found = [violation_data(judged.game, v) for v in judged.violations]
        write_json({"schema": SCHEMA, "ruling": ruling.value, "violations": found, "after": after_text(judged)})
    else:
        painted = in_colour(Colour(colour), sys.stdout)
        write(paint(ruling.value, _PAINT[ruling], colour=painted))
        for violation in judged.violations:
            write("\n" + shown(judged, violation, colour=painted))
    if judged.findings:
        fail(judged.findings, Colour(colour))
    return Code.FINDINGS if ruling is Ruling.ILLEGAL else Code.CLEAN


def shown(judged: Judged, violation: Violation, *, colour: bool) -> str:
    """Write a violation for a person: code and clause, what the rule says, what decided it."""
    title, text = rule_text(judged.game, violation.clause)
    doubt = "" if violation.certain else " (cannot be known)"
    head = f"{paint(violation.code, '1', colour=colour)}{doubt}  {title} [{violation.clause}]"
    facts = labelled(deciding_values(judged.game.ruleset, violation), colour=colour, indent="    ")
    return "\n".join(filter(None, [head, paragraph(text), facts]))
