"""Where the data of the conformance room lie: beside the code in a checkout, or inside the installed package."""

from functools import cache
from pathlib import Path


@cache
def folder(name: str) -> Path:
    """Find one of the folders ``suite``, ``protocol``, ``engines`` and ``power``.

    Raises:
        FileNotFoundError: when neither a checkout nor an installed package has it.
    """
    here = Path(__file__).resolve().parent
    for root in (here.parent, here.parent / "canasta" / "rooms" / "conformance"):
        if (root / name).is_dir():
            return root / name
    raise FileNotFoundError(f"the folder {name!r} of the conformance suite is neither in a checkout nor installed")
