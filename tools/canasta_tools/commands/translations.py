"""`canasta translations`: bring the catalogues of translations up to date, and say what is still to be done in them."""

import sys
from collections.abc import Iterable

import click

from canasta_tools.output import Code, Colour, Format, in_colour, in_words, say, write, write_finding
from canasta_tools.parameters import shape_of, shape_options


@click.command("translations", short_help="Bring the catalogues of translations up to date, and check them.")
@click.argument("names", metavar="[CATALOGUE…]", nargs=-1)
@shape_options([Format.TEXT, Format.JSONL, Format.GITHUB])
@click.option("--lang", "tags", multiple=True, metavar="LANGUAGE", help="Only this language; may be given again.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if a file would change.")
def command(
    *, names: tuple[str, ...], shape: str, as_json: bool, colour: str, tags: tuple[str, ...], only_check: bool
) -> int:
    """Bring the catalogues of translations up to date with the rule files, and say what is wrong in them.

    Entries are added, those whose English text has changed become fuzzy, and those of texts that are gone are dropped.
    """
    from canasta_tools.files import replace_file  # noqa: PLC0415 - not all calls get so far
    from canasta_tools.generate import checkout  # noqa: PLC0415
    from canasta_tools.translations.languages import language  # noqa: PLC0415
    from canasta_tools.translations.updating import faults, updated  # noqa: PLC0415

    for tag in tags:
        language(tag)
    parts = _parts(names)
    wanted = frozenset(tags)
    changed = updated(wanted, parts)
    if not only_check:
        root = checkout()
        for path, text in changed.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(root / path, text)
    states, found = faults({} if only_check else changed, wanted, parts)
    form = shape_of(shape, as_json=as_json)
    for finding in found:
        write_finding(finding, form, colour=in_colour(Colour(colour), sys.stdout))
    if form is Format.TEXT:
        for state in states:
            if names or state.done < state.entries:
                write(f"{state.language}  {state.domain:24}{state.done:5} of {state.entries}")
    for path in changed if only_check else ():
        write(f"{path}: not up to date")
    total, done = sum(s.entries for s in states), sum(s.done for s in states)
    written = "" if only_check or not changed else f", {len(changed)} files written"
    say(f"{done} of {total} texts are translated, {in_words(found)}{written}")
    return Code.FINDINGS if found or (only_check and changed) else Code.CLEAN


def _parts(names: Iterable[str]) -> frozenset[str]:
    """Find the catalogues by their names, or by the paths of their files.

    Raises:
        UsageFault: US0004 when there is no such catalogue.
    """
    from canasta_tools.dispatch import UsageFault  # noqa: PLC0415 - the table of commands, which need not come first
    from canasta_tools.translations.messages import domains  # noqa: PLC0415 - reads all rule files

    parts = {name.rpartition("/")[2].removesuffix(".po") for name in names}
    for part in sorted(parts - set(domains())):
        raise UsageFault("US0004", f"there is no catalogue {part}", f"catalogues are {', '.join(domains())}")
    return frozenset(parts)
