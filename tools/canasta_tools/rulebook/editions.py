"""The books that can be made of a rule set: which edition, in which language, in which format."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.loading import load_document
from canasta_tools.rulebook.comparing import differences_page, differences_text, review_page, review_text
from canasta_tools.rulebook.lawbook import law_book
from canasta_tools.rulebook.lawpage import law_page
from canasta_tools.rulebook.markdown import Place
from canasta_tools.rulebook.page import Look
from canasta_tools.rulebook.playerpage import (
    player_page,
    player_text,
    sheet_page,
    sheet_text,
    summary_page,
    summary_text,
)
from canasta_tools.rulebook.print import pdf


class Edition(StrEnum):
    """What a book is for."""

    PLAYER = "player"
    LAW = "law"
    SUMMARY = "summary"
    SCORE_SHEET = "score-sheet"
    DIFFERENCES = "differences"
    REVIEW = "review"


class Form(StrEnum):
    """How a book is written."""

    HTML = "html"
    MD = "md"
    PDF = "pdf"


@dataclass(frozen=True, slots=True)
class Order:
    """Which book is wanted: of which rule set, in which language, beside which other one, or what it was before."""

    name: str
    language: str = "en"
    other: str = ""
    since: str = ""

    @property
    def beside(self) -> str:
        """The rule set to compare with: the other one, or that which this one extends.

        Raises:
            CanastaError: US0003 when it extends none and no other is named.
        """
        found = self.other or load_document(self.name).extends
        if not found:
            hint = "name another one with --beside"
            raise CanastaError([Diagnostic("US0003", f"{self.name} extends no rule set to compare it with", hint=hint)])
        return found


_PAGES: Final[dict[Edition, Callable[[Order, Look], str]]] = {
    Edition.PLAYER: lambda order, look: player_page(order.name, order.language, look),
    Edition.LAW: lambda order, look: law_page(order.name, order.language, look),
    Edition.SUMMARY: lambda order, look: summary_page(order.name, order.language, look),
    Edition.SCORE_SHEET: lambda order, look: sheet_page(order.name, order.language, look),
    Edition.DIFFERENCES: lambda order, look: differences_page(order.name, order.beside, order.language, look),
    Edition.REVIEW: lambda order, look: review_page(order.name, order.language, order.since, look),
}
_DRAWN: Final = {Edition.PLAYER: Look.LARGE}
"""How cards are drawn for a screen; in print they are small."""

_TEXTS: Final[dict[Edition, Callable[[Order], str]]] = {
    Edition.PLAYER: lambda order: player_text(order.name, order.language),
    Edition.LAW: lambda order: law_book(order.name, order.language, Place.FILE),
    Edition.SUMMARY: lambda order: summary_text(order.name, order.language),
    Edition.SCORE_SHEET: lambda order: sheet_text(order.name, order.language),
    Edition.DIFFERENCES: lambda order: differences_text(order.name, order.beside, order.language),
    Edition.REVIEW: lambda order: review_text(order.name, order.language, order.since),
}


def book(order: Order, edition: Edition, form: Form) -> bytes:
    """Make a book.

    Raises:
        CanastaError: with every fault of the rule set or its texts; RS7005 when a book would not be whole; TR0001 and on where
            it cannot be told in that language; TR0004 where it cannot be printed.
    """
    match form:
        case Form.MD:
            return _TEXTS[edition](order).encode("utf-8")
        case Form.HTML:
            return _PAGES[edition](order, _DRAWN.get(edition, Look.SMALL)).encode("utf-8")
        case Form.PDF:
            return pdf(_PAGES[edition](order, Look.SMALL))
