"""The versions that somebody who reports a fault is asked for."""

from importlib.metadata import version

from canasta.notation.assembly import VERSION

PROTOCOL = "1"
"""The version of the conformance protocol; its messages say it, too."""


def versions() -> dict[str, str]:
    """Give the version of the package with its rule sets, of the notation and of the conformance protocol."""
    return {"canasta-spec": version("canasta-spec"), "notation": VERSION, "protocol": PROTOCOL}
