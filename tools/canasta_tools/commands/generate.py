"""`canasta generate`: write the generated files of a checkout anew."""

import click

from canasta_tools.generate import generate
from canasta_tools.output import Code, say, write


@click.command("generate", short_help="Write the generated files of a checkout anew.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
def command(*, only_check: bool) -> int:
    """Write the generated files of a checkout anew: rulebooks, pages of the site, resolved rule sets, the suite.

    They are committed with what they were made from and never edited by hand.
    """
    differences = generate(check=only_check)
    for difference in differences:
        write(f"{difference.path}: {difference.change}")
    say(
        f"{len(differences)} files {'differ' if only_check else 'written'}"
        if differences
        else "everything is up to date"
    )
    return Code.FINDINGS if only_check and differences else Code.CLEAN
