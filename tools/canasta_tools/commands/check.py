"""`canasta check`: judge records, rule files and positions."""

import click

from canasta_tools.checking import CheckOptions, check
from canasta_tools.output import Colour, Format
from canasta_tools.parameters import rules_option, shape_of, shape_options


@click.command("check", short_help="Judge records, rule files and positions.")
@click.argument("paths", metavar="FILE…", nargs=-1, required=True, type=click.Path())
@shape_options([Format.TEXT, Format.JSON, Format.JSONL, Format.GITHUB])
@rules_option("Judge by this rule set, whatever the file names.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when something was found (for editors).")
@click.option("--strict", is_flag=True, help="Exit with 1 on warnings, too.")
@click.option("--summary", is_flag=True, help="Say of each file what it is and how far it could be checked.")
@click.option("-q", "--quiet", is_flag=True, help="Leave out the last line, which sums up.")
@click.option(
    "--stdin-filename", metavar="NAME", default="", help="What standard input is called, and of which kind it is."
)
def command(  # noqa: PLR0913 - one parameter an option
    *,
    paths: tuple[str, ...],
    shape: str,
    as_json: bool,
    colour: str,
    rules: str | None,
    exit_zero: bool,
    strict: bool,
    summary: bool,
    quiet: bool,
    stdin_filename: str,
) -> int:
    """Judge records, rule files and positions, and say with place and reason what is wrong.

    FILE is a record (.cgn), a rule file (.yaml), positions one a line (.position), a record as JSON, a folder of these, or
    `-` for standard input. Acts are judged by the rule set that the record names. A score pad is added up; what nobody
    wrote down is not guessed.
    """
    return check(
        CheckOptions(
            paths, shape_of(shape, as_json=as_json), Colour(colour), rules or "", stdin_filename, exit_zero, strict,
            summary, quiet,
        )
    )  # fmt: skip
