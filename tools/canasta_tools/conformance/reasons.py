"""What the reference can add to a report: the position of a case drawn, and why the rules say what they say."""

from canasta.diagnostics import CanastaError
from canasta.playing.positions import PositionError
from canasta_conformance.inprocess.functions import game_of
from canasta_conformance.inprocess.positions import to_state
from canasta_conformance.suite import Case, Form
from canasta_tools.commands.why import told
from canasta_tools.positions import read_position
from canasta_tools.show import Drawing
from canasta_tools.verdicts import judge_turn, steps


def rules_of(case: Case) -> str:
    """Name the rules of a case as rule sets are named."""
    return case.ruleset + "".join(f",{option}={value}" for option, value in case.options.items())


def picture(case: Case, form: Form) -> str:
    """Draw the position that a form of a case sends, every card with its suit, or else that of the case; nothing where there is none.

    Which deal and which turn it is follows from nothing that a case says, and is left out.
    """
    try:
        sent = next((e.send["position"] for e in form.exchanges if "position" in e.send), None)
        if sent is None:
            game, state = read_position(case.data["given"]["text"], rules_of(case))
        else:
            game = game_of(case.ruleset, case.options)
            state = to_state(game, sent)
    except (CanastaError, PositionError):
        return ""
    return Drawing(game, headed=False).draw(state)


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
