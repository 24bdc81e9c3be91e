"""What the reference can add to a report: the position of a case drawn, and why the rules say what they say."""

from canasta.diagnostics import CanastaError
from canasta_conformance.suite import Case
from canasta_tools.commands.why import told
from canasta_tools.positions import read_position
from canasta_tools.show import Drawing
from canasta_tools.verdicts import judge_turn, steps


def rules_of(case: Case) -> str:
    """Name the rules of a case as rule sets are named."""
    return case.ruleset + "".join(f",{option}={value}" for option, value in case.options.items())


def picture(case: Case) -> str:
    """Draw the position of a case; nothing where there is none to be drawn."""
    try:
        game, state = read_position(case.data["given"]["text"], rules_of(case))
    except CanastaError:
        return ""
    return Drawing(game).draw(state)


def why(case: Case) -> str:
    """Tell step by step how the reference comes to its verdict on the turn of a case."""
    turn = case.data["steps"][0].get("turn")
    if turn is None:
        return ""
    try:
        judged = judge_turn(case.data["given"]["text"], turn["text"], rules_of(case))
        lines = [line for step in steps(judged) for line in told(judged, step, everything=False, colour=False)]
    except CanastaError:
        return ""
    return "\n".join([*lines, judged.ruling])
