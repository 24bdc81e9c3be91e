"""`canasta conformance power`: the measurement, its report or figures, and the core that it finds."""

from pathlib import Path

from canasta.diagnostics import CanastaError, Diagnostic
from canasta_conformance.power.journal import OtherFileError
from canasta_conformance.power.report import figures, report
from canasta_conformance.power.targets import missed
from canasta_conformance.power.whole import Settings, measure_power
from canasta_conformance.tiers import written
from canasta_tools.conformance.choosing import suite_at
from canasta_tools.files import keep_inputs, replace_file
from canasta_tools.output import Code, Format, write, write_json
from canasta_tools.parameters import shape_of
from canasta_tools.progress import Progress


def power(  # noqa: PLR0913 - one parameter an option
    *, rulesets: tuple[str, ...], suite_path: str | None, shape: str, as_json: bool, colour: str, jobs: int, quick: bool,
    acts: int, deals: int, every: int, full: bool, core: str | None, journal: str | None, everything: bool, require: bool,
) -> int:  # fmt: skip
    """Measure, tell, and give the exit code."""
    del colour  # a report without colours; the option is there as with all reports
    keep_inputs(core, (suite_path, journal))
    keep_inputs(journal, (suite_path,))
    suite_at(suite_path)  # which says what is wrong with it
    if quick:
        acts, deals = 0, 0
    shown = Progress()
    settings = Settings(
        rulesets, suite_path or "", jobs, not quick, acts, deals, every, journal or "", full or core is not None
    )
    try:
        measured = measure_power(settings, shown.step)
    except OtherFileError as error:
        raise CanastaError([Diagnostic("CF0024", str(error))]) from None
    finally:
        shown.clear()
    if core and measured.core is not None:
        replace_file(Path(core), written(measured.core, measured.suite))
    told = figures(measured)
    lacking = missed(told) if require else []
    if shape_of(shape, as_json=as_json) is Format.JSON:
        write_json(told | ({"missed": lacking} if require else {}))
    else:
        write(report(measured, everything=everything))
        if lacking:
            write("\n".join(["", "targets missed:", *(f"  {one}" for one in lacking)]))
    return Code.FINDINGS if measured.complaints or lacking else Code.CLEAN
