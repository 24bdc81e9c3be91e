"""Laying text out for a person: paragraphs and labelled lines, as wide as the terminal but not wider than one reads."""

import textwrap
from collections.abc import Iterable
from shutil import get_terminal_size
from typing import Final

from canasta_tools.output import paint

WIDEST: Final = 100


def width() -> int:
    """How wide to write: the terminal's width, within bounds."""
    return max(40, min(WIDEST, get_terminal_size((WIDEST, 24)).columns))


def paragraph(text: str, indent: str = "  ") -> str:
    """Break a paragraph into lines; one that has line breaks of its own keeps them."""
    if "\n" in text.strip():
        return textwrap.indent(text.strip("\n"), indent)
    return textwrap.fill(" ".join(text.split()), width(), initial_indent=indent, subsequent_indent=indent)


def labelled(facts: Iterable[tuple[str, str]], *, colour: bool, indent: str = "  ") -> str:
    """Write labelled lines below one another."""
    lines = []
    for label, text in facts:
        hang = indent + " " * min(len(label) + 2, 14)
        told = textwrap.fill(f"{label}: {text}", width(), initial_indent=indent, subsequent_indent=hang)
        lines.append(told.replace(f"{label}:", paint(f"{label}:", "2", colour=colour), 1))
    return "\n".join(lines)
