"""`canasta rulebook`: print a rule set as a book."""

import sys
from pathlib import Path

import click

from canasta_tools.output import Code, say
from canasta_tools.parameters import RulesetName

EDITIONS = ("player", "law", "summary", "score-sheet", "differences", "review")
FORMS = ("html", "md", "pdf")


@click.command("rulebook", short_help="Print a rule set as a book.")
@click.argument("name", metavar="RULESET|FILE", type=RulesetName())
@click.option("--edition", type=click.Choice(EDITIONS), default=EDITIONS[0], show_default=True, help="Which book.")
@click.option(
    "--lang", "language", default="en", show_default=True, metavar="LANGUAGE", help="The language: en, ru, lt or sk."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="How to write it; without it the ending of --output says it, else html.",
)
@click.option("--output", "-o", type=click.Path(dir_okay=False), help="The file to write; without it standard output.")
@click.option(
    "--beside",
    type=RulesetName(),
    metavar="OTHER",
    help="For differences: from which rule set; without it the one that it extends.",
)
@click.option(
    "--since",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="For review: the resolved form at an earlier time; what has changed on one side only since then is marked.",
)
def command(  # noqa: PLR0913 - one parameter an option
    *,
    name: str,
    edition: str,
    language: str,
    form: str | None,
    output: str | None,
    beside: str | None,
    since: str | None,
) -> int:
    """Print a rule set as a book: RULESET is the name of a shipped one, with profile and options, or the path of your own file.

    The player's book tells the game as a person would, the law book has every clause with its sources, its ruling, drawn
    examples and its formal part, the summary is one page, the score sheet has a line for everything that is scored, differences sets two
    rule sets beside each other, and review sets each text beside what is executed.
    """
    from canasta_tools.dispatch import UsageFault  # noqa: PLC0415 - the table of commands, which need not come first
    from canasta_tools.files import keep_inputs, replace_file  # noqa: PLC0415 - not all calls get so far
    from canasta_tools.rulebook.editions import Edition, Form, Order, book  # noqa: PLC0415 - slow to start

    keep_inputs(output, (name, beside, since))
    ending = Path(output).suffix[1:].lower() if output else ""
    chosen = Form(form or (ending if ending in FORMS else "html"))
    made = book(Order(name, language, beside or "", since or ""), Edition(edition), chosen)
    if output is not None:
        replace_file(Path(output), made)
        say(f"{output} is written: {len(made) // 1024 + 1} KB")
    elif chosen is Form.PDF and sys.stdout.isatty():
        raise UsageFault("US0005", "a PDF is not written to a terminal", "name a file with --output")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(made)
    english = made.count(b'<span lang="en">')
    if english:
        say(f"{english} texts have no translation yet, and stand there in English")
    return Code.CLEAN
