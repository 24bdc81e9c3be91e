"""The reference of the rule language, made from the tables, grammar and schema by which rule files are read."""

import json
import re
from typing import Any, Final

from canasta.language.build import PSEUDO_ACTS, REFUSALS
from canasta.language.expressions import LEVEL, SIGNS
from canasta.language.ruleset import Act
from canasta.language.scope import ACTOR, ALWAYS, BOUND_WORDS, words_of_acts
from canasta.language.types import (
    BOOL,
    BUILTIN,
    CARD_ATTRIBUTES,
    CONTEXT,
    ELEMENT,
    GROUP_ATTRIBUTES,
    INT,
    NAMED,
    PART_ATTRIBUTES,
    StatementOp,
    Type,
)  # fmt: skip
from canasta.mechanical import phrases
from canasta.rooms import room
from canasta_tools.rulebook.markdown import code, plain, prose, render, table

Schema = dict[str, Any]

FUNCTIONS: Final = (
    ("size", "any collection", INT),
    ("possible", "an act's name", BOOL),
    ("possible_onto", "an act's name", BOOL),
)
"""Functions that are checked on their own: what they take, what they give."""


def language_page() -> str:
    """Write the reference: expressions, statements, declarations, clauses."""
    grammar = (room("grammar") / "expression.lark").read_text(encoding="utf-8")
    schema = json.loads((room("spec") / "schema" / "ruleset.schema.json").read_text(encoding="utf-8"))
    shapes = _Shapes(schema["$defs"])
    return render(
        "language.md.j2",
        grammar=grammar,
        types=_types(),
        operators=_operators(),
        quantifiers=_quantifiers(grammar),
        functions=_functions(),
        context=_context(),
        attributes=_attributes(),
        statements=_statements(grammar),
        keys=shapes.keys("whole-ruleset"),
        declarations=[(name, key, shapes.fields(name)) for name, key in _DECLARATIONS],
        clause_kinds=[(kind, shapes.fields(kind)) for kind in schema["$defs"]["kind"]["enum"]],
        variant=shapes.keys("variant", only=("extends", "set", "add", "replace", "remove")),
        pseudo=", ".join(code(x) for x in sorted(PSEUDO_ACTS)),
        refusals=", ".join(code(x) for x in REFUSALS),
    )


_DECLARATIONS: Final = (
    ("table", "table"), ("pack", "pack"), ("named", "classes and values"), ("parameter", "parameters"),
    ("option", "options"), ("profile", "profiles"), ("stepTable", "steps"), ("zone", "zones"), ("variable", "state"),
    ("mark", "marks"), ("shape", "shapes"), ("act", "acts"), ("phase", "phases"), ("reason", "reasons"),
)  # fmt: skip
"""The definitions of the schema that describe declarations, and the key under which each stands."""


def _types() -> str:
    rows = [[code(t), code(ELEMENT[t]) if t in ELEMENT else "", "yes" if t.name in NAMED else ""] for t in _all_types()]
    return table(["type", "a collection of", "may be named in a file"], rows)


def _all_types() -> list[Type]:
    found = [*NAMED.values(), *ELEMENT, *ELEMENT.values(), *CONTEXT.values()]
    return list(dict.fromkeys(found))


def _operators() -> str:
    said = phrases()["expressions"]
    keys = {"is_": "is class", "is_not": "is no class", "in_": "in", "neg": "negative", "not_": "not", "if_": "if"}
    rows = []
    for op, level in sorted(LEVEL.items(), key=lambda pair: pair[1]):
        sign = SIGNS.get(op) or {"is_": "is", "is_not": "is not", "in_": "in", "neg": "-", "not_": "not"}.get(op, "if")
        phrase = said[keys.get(op, sign)][0].replace("{name}", "NAME")
        rows.append([str(level), code(sign), code(phrase)])
    return table(["level", "sign", "in words"], rows)


def _alternatives(grammar: str, rule: str) -> list[tuple[str, str]]:
    """List what stands on the right of a rule of the grammar, each with the name of its tree."""
    found = re.search(rf"^{rule}:(.*?)\n\n", grammar + "\n\n", re.MULTILINE | re.DOTALL)
    lines = found[1].strip().splitlines() if found else []
    parts = [line.strip().removeprefix("|").rpartition("->") for line in lines]
    return [(form.strip(), name.strip().removesuffix("_").removesuffix("_of")) for form, _, name in parts]


def _form(alternative: str) -> str:
    """Write an alternative as an author would: literals bare, what may be left out in square brackets."""
    text = re.sub(r"\bwhere\?", "[where expression]", alternative)
    text = text.replace('"', "").replace(" ( ", "(").replace(" )", ")")
    return re.sub(r"\s+", " ", text)


def _quantifiers(grammar: str) -> str:
    said = phrases()["expressions"]
    rows = []
    for alternative, name in _alternatives(grammar, "quantifier"):
        form = _form(alternative)
        phrase = said[name][0].replace("a {one}", "an element").replace("{one}", "element")
        phrase = phrase.replace("{many}", "elements").replace("{var}", "x")
        rows.append([code(form), code(phrase)])
    return table(["form", "in words"], rows)


def _functions() -> str:
    said = phrases()["functions"]
    rows = [
        [code(f"{name}({', '.join(str(t) for t in takes)})"), code(gives), code(said[name][0])]
        for name, (takes, gives) in BUILTIN.items()
    ]
    for name, takes, gives in FUNCTIONS:
        phrase = said[name][0] if name in said else phrases()["expressions"][name.replace("_", " ")][0]
        rows.append([code(f"{name}({takes})"), code(gives), code(phrase.replace("{many}", "elements"))])
    return table(["function", "gives", "in words"], sorted(rows))


def _context() -> str:
    said = phrases()["context"]
    by_card, by_part = (words_of_acts((Act("", 0, choose=chosen),)) for chosen in ("card", "part"))
    rows = []
    for word in [*CONTEXT, "option"]:
        if word in ALWAYS:
            where = "everywhere"
        elif word in ACTOR:
            where = "where somebody acts, and in scores and definitions that name it"
        elif word in by_card:
            where = "on an act that chooses a card"
        elif word in by_part:
            where = "on an act that lays a part"
        elif word in BOUND_WORDS:
            where = "in a bound"
        else:
            where = "on an act that says `left`" if word == "left" else "on an act that chooses an option"
        kind = code(CONTEXT[word]) if word in CONTEXT else "words of the act"
        rows.append([code(word), kind, plain(said[word][0]), where])
    return table(["word", "type", "means", "may be used"], rows)


def _attributes() -> str:
    card = [[code(f"card.{name}"), code(kind), f"the {name} of the card"] for name, kind in CARD_ATTRIBUTES.items()]
    groups = phrases()["group attributes"]
    rows = [
        [code(f"group.{n}"), code(k), plain(groups[n][0].replace("{0}", "the group"))]
        for n, k in GROUP_ATTRIBUTES.items()
    ]
    parts = phrases()["part attributes"]
    rows += [
        [code(f"part.{n}"), code(k), plain(parts[n][0].replace("{0}", "the part"))] for n, k in PART_ATTRIBUTES.items()
    ]
    return table(["attribute", "type", "means"], [*card, *rows])


def _statements(grammar: str) -> str:
    said = phrases()["statements"]
    rows = [[code(_form(form)), code(said[name][0])] for form, name in _alternatives(grammar, "statement")]
    mark = [code("set group.mark = expression"), code(said[StatementOp.SET_MARK][0])]
    return table(["statement", "does"], [*rows, mark])


class _Shapes:
    """Reads the published schema of rule files for what each field is."""

    def __init__(self, definitions: dict[str, Schema]) -> None:
        self.definitions = definitions

    def fields(self, name: str) -> str:
        """Write the fields of one definition of the schema."""
        return self._table(self.definitions[name], None)

    def keys(self, name: str, only: tuple[str, ...] | None = None) -> str:
        """Write the keys of a file, or some of them."""
        return self._table(self.definitions[name], only)

    def _table(self, of: Schema, only: tuple[str, ...] | None) -> str:
        needed = of.get("required", ())
        rows = []
        for field, shape in of["properties"].items():
            if (field in only) if only else not str(shape.get("$ref")).endswith("/onlyVariant"):
                form, words = self._said(shape)
                rows.append([code(field) + ("" if field not in needed else " (needed)"), prose(form), prose(words)])
        return table(["field", "form", "what it says"], rows)

    def _said(self, shape: Schema) -> tuple[str, str]:
        """Find the title and description of a field, its own before those of what it refers to."""
        form, words = str(shape.get("title", "")), str(shape.get("description", ""))
        if "$ref" in shape:
            below = self.definitions[shape["$ref"].rpartition("/")[2]]
            inner, told = self._said(below)
            form, words = form or inner, words or told
        return form, words
