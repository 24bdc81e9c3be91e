"""Pages of the documentation that go along with what is handed on: the suite as an archive, and a harness that was begun."""

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

ALONG: Final = ("protocol.md", "counting.md", "options.md", "violation-codes.md")
"""What somebody needs who has the suite and nothing else of this project."""

RECORD: Final = "record.schema.json"

_HERE: Final = Path(__file__).resolve().parent
_ROOMS: Final = (_HERE.parents[1] / "docs" / "reference", _HERE.parent / "canasta" / "rooms" / "conformance" / "pages")
_SCHEMAS: Final = (_HERE.parents[1] / "spec" / "schema", _HERE.parent / "canasta" / "rooms" / "spec" / "schema")
_LINK: Final = re.compile(r"\[([^\]]+)\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)")
_REMARK: Final = re.compile(r"\A<!--.*?-->\n+", re.DOTALL)


def page(name: str, along: Collection[str] = ()) -> str:
    """Give a page; a link to another page stays only where that one goes along, and is plain text otherwise.

    Raises:
        FileNotFoundError: when neither a checkout nor an installed package has it.
    """
    kept = {"", name, *along}
    text = _REMARK.sub("", _found(name, _ROOMS).read_text(encoding="utf-8"))
    return _LINK.sub(lambda link: link[0] if link[2] in kept else link[1], text)


def record_schema() -> bytes:
    """Give the schema of records, which cases on notation and the pages name.

    Raises:
        FileNotFoundError: when neither a checkout nor an installed package has it.
    """
    return _found(RECORD, _SCHEMAS).read_bytes()


def _found(name: str, rooms: tuple[Path, ...]) -> Path:
    found = next((room / name for room in rooms if (room / name).is_file()), None)
    if found is None:
        raise FileNotFoundError(f"{name} is neither in a checkout nor installed")
    return found
