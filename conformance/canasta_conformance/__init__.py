"""The conformance suite: protocol, runner and reports, by which an implementation in any language is judged."""

from typing import Any

__all__ = ["run_conformance_test"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - as Python asks a module for a name
    """Load the one function that authors call only when somebody asks for it."""
    if name == "run_conformance_test":
        from canasta_conformance.testing import run_conformance_test  # noqa: PLC0415 - the command and pytest need not wait for it

        return run_conformance_test
    raise AttributeError(name)
