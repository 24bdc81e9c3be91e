"""What a person should hear about an expression that cannot be read: where it stopped, and what to write instead."""

from typing import Final

from canasta.diagnostics import Diagnostic
from canasta.language.expressions import ExpressionSyntaxError
from canasta.language.source import Scalar

_FOREIGN: Final = {
    "==": "write = : a single sign compares", "&&": "write and", "||": "write or", "=>": "write >=", "=<": "write <=",
    "<>": "write !=", "!": "write not", "/": "there is no division; multiply the other side",
    "%": "there is no remainder; compare with a step table or a list of values", "?": "write: if … then … else …",
    '"': "a rank, suit or word is written with $ and without quotation marks: $Q, $H",
    "'": "a rank, suit or word is written with $ and without quotation marks: $Q, $H",
    "[": "a list of values stands in round brackets: x in ($2, $Jk)", ";": "write one expression; join two by and",
}  # fmt: skip
"""Signs of other languages, and what is written here."""

_WORDS: Final = {
    "INT": "a number", "WORD": "a word with $", "NAME": "a name", "LPAR": "(", "RPAR": ")", "COMMA": "a comma",
    "MINUS": "-", "PLUS": "+", "STAR": "*", "DOT": "a dot", "EQUAL": "=", "LESSTHAN": "<", "MORETHAN": ">",
}  # fmt: skip
"""The signs of the grammar, as a person writes them; its words are written in small letters."""

_A_VALUE: Final = frozenset({"INT", "LPAR", "NAME", "WORD"})
_MOST_LISTED: Final = 8


def syntax_finding(error: ExpressionSyntaxError, source: Scalar) -> Diagnostic:
    """Say where an expression cannot be read, and what would have fitted."""
    end = max(error.end, error.start + 1)
    place = source.within(error.start, end)
    return Diagnostic("RS3001", f"this expression cannot be read: {error}", place, _hint(error, source.text))


def _hint(error: ExpressionSyntaxError, text: str) -> str:
    """Find what to write instead; nothing where the page of the id has to do."""
    around = text[max(0, error.start - 1) : error.end + 1]
    for sign, hint in _FOREIGN.items():
        if sign in around and (len(sign) > 1 or error.found.startswith(sign)):
            return hint
    expected = set(error.expected)
    listed = ["a value"] if expected >= _A_VALUE else []
    rest = (
        expected - _A_VALUE - {"MINUS", "ALL", "ANY", "COUNT", "MOST", "NO", "SUM", "YES", "NOT"}
        if listed
        else expected
    )
    if len(rest) > _MOST_LISTED:
        return ""
    listed += sorted(_WORDS.get(name, name.lower()) for name in rest)
    if not listed:
        return ""
    what = "here ends the text, and what follows must be" if not error.found else "what fits here is"
    return f"{what} {' or '.join(listed)}"
