"""Reading worked examples: those of a clause, and those that show what a ruling comes to."""

from collections.abc import Iterator

from canasta.diagnostics import Diagnostic, Label
from canasta.language.merging import word
from canasta.language.nodes import Mapping, Scalar, Sequence, plain
from canasta.language.ruleset import Example


def read_examples(node: Mapping) -> tuple[Example, ...]:
    """Read the examples that stand in a clause or a ruling, in the order written."""
    listed = node.items.get("examples")
    return tuple(_example(e) for e in (listed.items if isinstance(listed, Sequence) else ()) if isinstance(e, Mapping))


def repeated(node: Mapping, what: str) -> Iterator[Diagnostic]:
    """Find the examples of a clause or a ruling, called ``what``, whose id another has already: RS2035.

    An example is cited by its id, and a case of the suite is named after it, so that of two only one would be asked.
    """
    first: dict[str, Example] = {}
    for example in read_examples(node):
        other = first.setdefault(example.id, example)
        if other is not example:
            message = f"two examples of {what} have the id {example.id}"
            label = (Label(other.span, "the other example"),)
            yield Diagnostic("RS2035", message, example.span, "give one of them another id", label)


def _example(node: Mapping) -> Example:
    expect = plain(node.items["expect"]) if "expect" in node.items else ""
    return Example(
        word(node, "id"), word(node, "given"), word(node, "do"), expect, node.span,
        word(node, "ask"), word(node, "text"), _chosen(node),
    )  # fmt: skip


def _chosen(example: Mapping) -> tuple[tuple[str, str], ...]:
    """List the options that are chosen otherwise for an example."""
    options = example.items.get("options")
    items = options.items.items() if isinstance(options, Mapping) else ()
    return tuple((name, value.text) for name, value in items if isinstance(value, Scalar))
