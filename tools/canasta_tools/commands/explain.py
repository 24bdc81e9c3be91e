"""`canasta explain`: tell what an id, clause, code, ruling or option means."""

import sys

import click

from canasta.diagnostics import Diagnostic
from canasta_tools.meanings import Meaning, elsewhere, meanings, near
from canasta_tools.meanings_of_cases import meanings_of_case
from canasta_tools.output import Code, Colour, Format, fail, in_colour, paint, write, write_json
from canasta_tools.parameters import rules_option, shape_of, shape_options
from canasta_tools.wrapping import labelled, paragraph

SCHEMA = "canasta-explain/1"


@click.command("explain", short_help="Tell what an id, clause, code, ruling or option means.")
@click.argument("names", metavar="ID…", nargs=-1, required=True)
@shape_options([Format.TEXT, Format.JSON])
@rules_option("The rule set whose clauses, codes and options are meant.", "classic")
def command(*, names: tuple[str, ...], shape: str, as_json: bool, colour: str, rules: str) -> int:
    """Tell what an ID means: of a diagnostic (CN0042), a clause, the code of a violation, a ruling or its label (K26), an
    option, a parameter, a profile, a source, a sentence of a seed text, or a case of the suite.
    """  # noqa: D205 - click makes one paragraph of it
    found: list[Meaning] = []
    missing: list[Diagnostic] = []
    for name in names:
        these = meanings(name, rules) or list(meanings_of_case(name)) or (elsewhere(name) if rules == "classic" else [])
        found += these
        if not these:
            close = near(name, rules)
            hint = (
                f"did you mean {' or '.join(close)}?"
                if close
                else f"`canasta rules {name}` searches the texts of the rules"
            )
            if rules == "classic":
                hint += "; what stands in a rule file of your own is found with --rules FILE"
            missing.append(Diagnostic("US0010", f"{name} names nothing", None, hint))
    if shape_of(shape, as_json=as_json) is Format.JSON:
        write_json({"schema": SCHEMA, "meanings": [_data(m) for m in found]})
    else:
        painted = in_colour(Colour(colour), sys.stdout)
        write("\n".join(_text(m, colour=painted) for m in found))
    return fail(missing, Colour(colour)) if missing else Code.CLEAN


def _text(meaning: Meaning, *, colour: bool) -> str:
    parts = [f"{paint(meaning.id, '1', colour=colour)}  {meaning.title}", f"  ({meaning.kind})"]
    parts += [f"\n{paragraph(text)}" for text in meaning.paragraphs if text]
    if meaning.facts:
        parts.append("\n" + labelled(meaning.facts, colour=colour))
    return "\n".join(parts) + "\n"


def _data(meaning: Meaning) -> dict[str, object]:
    facts = [{"label": label, "text": text} for label, text in meaning.facts]
    told = {"kind": meaning.kind, "id": meaning.id, "title": meaning.title}
    return told | {"paragraphs": [p for p in meaning.paragraphs if p], "facts": facts}
