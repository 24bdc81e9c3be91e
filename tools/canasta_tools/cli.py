"""The command `canasta`: finds the sub-command, carries it out, and lets nothing out but results and diagnostics."""

import atexit
import gc
import os
import sys
from collections.abc import Sequence

from canasta_tools.output import Code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the arguments after its name, and give its exit code.

    Whatever happens, the person sees a diagnostic and never a traceback.
    """
    # Positions are values without circles, so they die by themselves; looking for circles every few hundred of them costs a quarter.
    gc.set_threshold(100_000, 20, 20)
    # Nor does anything need to be looked through once more at the end: that costs a fifth of checking one deal.
    atexit.register(gc.freeze)
    given = list(sys.argv[1:] if arguments is None else arguments)
    written_to = sys.stdout
    for stream in (sys.stdout, sys.stderr):
        # File names and damaged text may hold what the terminal's encoding cannot write.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _run(given)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return Code.INTERRUPTED
    except BrokenPipeError:
        return _seen_enough()
    except SystemExit:
        # Of a pipe that is closed while it writes, click makes an end with the code 1, and puts another stream in the place of this one.
        if sys.stdout is not written_to:
            return _seen_enough()
        raise
    except Exception as error:  # noqa: BLE001 - the last resort: a fault of ours must not look like the person's
        return _own_fault(error, given)
    return code


def _seen_enough() -> int:
    """End well: the reader has seen enough, as with `canasta rules | head`; Python must not complain when it closes the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return Code.CLEAN


def _run(given: list[str]) -> int:
    if given[:1] == ["check"] and "_CANASTA_COMPLETE" not in os.environ:
        from canasta_tools.express import plain_check  # noqa: PLC0415 - spares the commonest call the parser of options

        options = plain_check(given[1:])
        if options is not None:
            from canasta_tools.checking import check  # noqa: PLC0415 - spares the commonest call the parser of options

            return check(options)
    from canasta_tools.dispatch import dispatch  # noqa: PLC0415 - spares the commonest call the parser of options

    return dispatch(given)


def _own_fault(error: Exception, given: list[str]) -> int:
    from canasta.diagnostics import CanastaError, Diagnostic  # noqa: PLC0415 - only when something is wrong
    from canasta_tools.output import fail  # noqa: PLC0415 - only when something is wrong

    if isinstance(error, CanastaError):
        return fail(error.diagnostics)
    if isinstance(error, OSError):
        message = f"{error.filename or 'a file'}: {error.strerror or error}"
        return fail([Diagnostic("US0013", message, None, "check the path, the permissions and the space left")])
    where = ""
    at = error.__traceback__
    while at is not None:
        where = f"{os.path.basename(at.tb_frame.f_code.co_filename)}:{at.tb_lineno}"  # noqa: PTH119 - no need of pathlib
        at = at.tb_next
    if os.environ.get("CANASTA_TRACEBACK"):
        import traceback  # noqa: PLC0415 - for whoever mends it

        traceback.print_exc()
    told = " ".join(str(error).split())[:200]
    message = f"the command itself is at fault: {type(error).__name__} at {where}" + (f": {told}" if told else "")
    hint = f"please report this with the call `canasta {' '.join(given)}`; CANASTA_TRACEBACK=1 shows more"
    fail([Diagnostic("US0099", message, None, hint)])
    return Code.OWN_FAULT


if __name__ == "__main__":
    sys.exit(main())
