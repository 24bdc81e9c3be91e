"""The type checker: what each expression means in the small game, what it is refused for, and that nothing is left unresolved."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from canasta.diagnostics import Span
from canasta.games import read_ruleset
from canasta.language.build import Builder
from canasta.language.expressions import normalise
from canasta.language.kinds import nodes
from canasta.language.loading import load_document
from canasta.language.ruleset import Ruleset
from canasta.language.scope import ACTOR, ALWAYS, Scope
from canasta.language.source import Scalar, file_text
from canasta.language.statements import StatementReader
from canasta.language.types import QUANTIFIERS, Expr, Op, StatementOp
from canasta.language.uses import every_root, every_statement
from canasta.rooms import room

MINI = Path(__file__).parent / "mini"
PART = Scope(ALWAYS | ACTOR | {"group", "from_hand", "top_card"}, where="a requirement on lay")
CARD = Scope(ALWAYS | ACTOR | {"card", "left"}, where="a requirement on discard")
NOBODY = Scope(ALWAYS, where="an ending")
FIXED = Scope(frozenset({"size", "body", "filler"}), reads_state=False, where="a bound")
SCOPES = {"part": PART, "card": CARD, "nobody": NOBODY, "bound": FIXED}


@cache
def builder() -> Builder:
    loaded = load_document(str(MINI / "wild-runs.yaml"))
    made = Builder(loaded.document, loaded.name, loaded.profile, loaded.chosen, loaded.chapter_of)
    made.build()
    return made


def checked(text: str, scope: str) -> tuple[Expr | None, list[str]]:
    checker = builder().checker
    before = len(checker.findings.found)
    expr = checker.expression(Scalar(text, Span("here", 1, 1, 1, 2)), SCOPES[scope], None, "here")
    found = [d.id for d in checker.findings.found[before:]]
    del checker.findings.found[before:]
    return expr, found


@pytest.mark.parametrize(
    ("text", "scope", "kind"),
    [
        ("1 + 2 * 3", "bound", "int"),
        ("size >= 2 and filler <= body", "bound", "bool"),
        ("hand", "card", "bag"),
        ("hand(next(seat))", "card", "bag"),
        ("hand + laid - hand", "card", "bag"),
        ("melds", "nobody", "groups"),
        ("pile", "nobody", "stack"),
        ("if deal_no = 1 then pile else stock", "nobody", "stack"),
        ("if deal_no = 1 then pile else laid", "nobody", "bag"),
        ("pile + hand(dealer)", "nobody", "bag"),
        ("top(pile)", "nobody", "card"),
        ("top(pile).rank", "nobody", "rank"),
        ("card.suit", "card", "suit"),
        ("card.colour", "card", "colour"),
        ("card.worth", "card", "int"),
        ("card is wild", "card", "bool"),
        ("card is not wild", "card", "bool"),
        ("card.rank in ($4, $Jk)", "card", "bool"),
        ("$H = card.suit", "card", "bool"),
        ("$red != card.colour", "card", "bool"),
        ("answered = $granted", "nobody", "bool"),
        ("if answered = $granted then $refused else answered", "nobody", "one of not_yet, granted, refused"),
        ("group is run", "part", "bool"),
        ("group.added within from_hand", "part", "bool"),
        ("group.was + group.turn - turn_no", "part", "int"),
        ("top_card.rank = group.rank", "part", "bool"),
        ("count(p in parts where p.group is run and size(p.cards) > 1)", "part", "int"),
        ("sum(s in seats of size(hand(s)))", "nobody", "int"),
        ("most(s in sides where total(s) > 0 of total(s))", "nobody", "int"),
        ("all(c in hand have any(d in pile where d.rank = c.rank))", "card", "bool"),
        ("side_of(mate(turn_seat))", "nobody", "side"),
        ("total(side_of(dealer))", "nobody", "int"),
        ("possible(lay) or possible_onto(lay)", "card", "bool"),
        ("hand_size", "bound", "int"),
    ],
)
def test_what_an_expression_is(text: str, scope: str, kind: str) -> None:
    expr, found = checked(text, scope)
    assert found == []
    assert expr is not None
    assert str(expr.type) == kind
    assert expr.text == normalise(text)


@pytest.mark.parametrize(
    ("text", "scope", "id_"),
    [
        ("1 +", "card", "RS3001"),
        ("hnad", "card", "RS3002"),
        ("tip(pile)", "card", "RS3002"),
        ("hand + 1", "card", "RS3003"),
        ("1 + hand", "card", "RS3003"),
        ("not 1", "card", "RS3003"),
        ("card.rank = card.suit", "card", "RS3003"),
        ("hand = laid", "card", "RS3003"),
        ("hand in (laid, hand)", "card", "RS3003"),
        ("pile in (stock, pile)", "card", "RS3003"),
        ("seats = seats", "card", "RS3003"),
        ("card < card", "card", "RS3003"),
        ("card.rank < $7", "card", "RS3003"),
        ("seat is wild", "card", "RS3003"),
        ("if 1 then 2 else 3", "card", "RS3003"),
        ("if yes then 2 else no", "card", "RS3003"),
        ("hand within melds", "card", "RS3003"),
        ("next(side)", "card", "RS3003"),
        ("top(hand)", "card", "RS3003"),
        ("sum(c in hand of c is wild)", "card", "RS3003"),
        ("all(c in hand have c.worth)", "card", "RS3003"),
        ("card.rank = $Q", "card", "RS3004"),
        ("answered = $maybe", "card", "RS3004"),
        ("size()", "card", "RS3006"),
        ("top(pile, hand)", "card", "RS3006"),
        ("stock(seat)", "card", "RS3006"),
        ("top", "card", "RS3006"),
        ("card.size", "card", "RS3007"),
        ("group.worth", "part", "RS3007"),
        ("hand.size", "card", "RS3007"),
        ("seat.rank", "card", "RS3007"),
        ("count(c in card)", "card", "RS3008"),
        ("size(seat)", "card", "RS3008"),
        ("group is run", "card", "RS3010"),
        ("card is wild", "part", "RS3010"),
        ("hand", "nobody", "RS3010"),
        ("size(hand)", "bound", "RS3010"),
        ("possible(lay)", "nobody", "RS3010"),
        ("card is heavy", "card", "RS3011"),
        ("group is heavy", "part", "RS3011"),
        ("possible(jump)", "card", "RS3011"),
        ("count(hand in hand)", "card", "RS3012"),
        ("count(c in hand where any(c in pile))", "card", "RS3012"),
        (f"{'not ' * 70}yes", "card", "RS3013"),
        ("1234567890", "card", "RS3014"),
    ],
)
def test_what_an_expression_is_refused_for(text: str, scope: str, id_: str) -> None:
    expr, found = checked(text, scope)
    assert expr is None
    assert found == [id_]


def test_a_word_that_means_two_things_takes_its_meaning_from_what_it_is_compared_with(tmp_path: Path) -> None:
    text = (MINI / "wild-runs.yaml").read_text(encoding="utf-8")
    path = tmp_path / "two.yaml"
    path.write_text(text.replace("[not_yet, granted, refused]", "[not_yet, granted, refused, H]"), encoding="utf-8")
    loaded = load_document(str(path))
    made = Builder(loaded.document, loaded.name, loaded.profile, loaded.chosen, loaded.chapter_of)
    made.build()

    def first(written: str) -> Expr | None:
        whole = made.checker.expression(Scalar(written, Span("here", 1, 1, 1, 2)), CARD, None, "here")
        return None if whole is None else whole.args[0]

    for written, kind, value in (("$H = card.suit", "suit", 1), ("$H = answered", "words", 3)):
        found = first(written)
        assert found is not None
        assert (found.type.name, found.value) == (kind, value)
    assert first("$H = $H") is None
    assert [d.id for d in made.checker.findings.found] == ["RS3005"]


# -- whole rule sets ---------------------------------------------------------------------------------------------------

NAMES = ["classic", "gin", str(MINI / "runs.yaml"), str(MINI / "wild-runs.yaml")]


def every_node(ruleset: Ruleset) -> list[Expr]:
    return [node for root in every_root(ruleset) for node in nodes(root)]


@pytest.mark.parametrize("name", NAMES)
def test_every_node_has_an_address_of_its_own(name: str) -> None:
    paths = Counter(e.path for e in every_node(read_ruleset(name)))
    assert [path for path, n in paths.items() if n > 1] == []
    assert all(paths)


@pytest.mark.parametrize("name", NAMES)
def test_every_node_stands_in_its_file_where_it_says(name: str) -> None:
    pages: dict[str, list[str]] = {}
    compared = 0
    for expr in every_node(read_ruleset(name)):
        if expr.span is None:
            continue
        file = expr.span.file
        if file not in pages:
            path = room("spec") / file.removeprefix("spec/") if file.startswith("spec/") else Path(file)
            pages[file] = file_text(path, file).split("\n")
        piece = written(pages[file], expr.span)
        assert normalise(piece) == expr.text, f"{expr.span}: {piece}"
        compared += 1
    assert compared > 30


def written(rows: list[str], span: Span) -> str:
    if span.line == span.end_line:
        return rows[span.line - 1][span.column - 1 : span.end_column - 1]
    first, last = rows[span.line - 1][span.column - 1 :], rows[span.end_line - 1][: span.end_column - 1]
    return "\n".join([first, *rows[span.line : span.end_line - 1], last])


@pytest.mark.parametrize("name", NAMES)
def test_every_variable_is_bound_once_and_above_its_uses(name: str) -> None:
    ruleset = read_ruleset(name)
    bound = Counter(e.ref for e in every_node(ruleset) if e.op in QUANTIFIERS)
    assert all(n == 1 for n in bound.values())
    outer = {s.name for s in every_statement(ruleset) if s.op in (StatementOp.EACH, StatementOp.MOVE_WHERE)}
    outer |= {n for d in ruleset.definitions.values() for n, _ in d.parameters} | {"c"}
    for root in every_root(ruleset):
        inner = {e.ref for e in nodes(root) if e.op in QUANTIFIERS}
        assert {e.ref for e in nodes(root) if e.op is Op.VAR} <= inner | outer


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_a_typed_expression_is_declared(name: str) -> None:
    rules = read_ruleset(name)
    declared = {
        Op.ZONE: set(rules.zones), Op.STATE: set(rules.state), Op.MARK: set(rules.marks), Op.STEP: set(rules.steps),
        Op.IS_CLASS: set(rules.classes), Op.IS_SHAPE: set(rules.shapes), Op.DEFINE: set(rules.definitions), Op.POSSIBLE: set(rules.acts),
    }  # fmt: skip
    for expr in every_node(rules):
        if expr.op in declared:
            assert expr.ref in declared[expr.op], expr.path


def test_statements_are_read_with_their_places() -> None:
    made = builder()
    reader = StatementReader(made.checker)
    scope = Scope(ALWAYS | ACTOR | {"card"}, where="an effect")
    read = reader.read(
        Scalar("each s in seats do when s != seat do move 2 from stock to hand(s)", Span("here", 3, 5, 3, 9)),
        scope,
        "e/do/0",
    )
    assert read is not None
    assert (read.op, read.body is not None and read.body.op) == (StatementOp.EACH, StatementOp.WHEN)
    assert read.body is not None
    move = read.body.body
    assert move is not None
    assert (move.op, [p.name for p in move.places], move.path) == (StatementOp.MOVE, ["stock", "hand"], "e/do/0/do/do")
    assert move.places[1].owner is not None
    assert move.places[1].owner.ref == read.name
    before = len(made.findings.found)
    for text in (
        "move 1 from hand to pile",
        "set hand = 1",
        "set g.whole = yes",
        "phase nowhere",
        "end nothing",
        "set answered = 1",
        "turn side",
        "deal 2 from stock to hand(seat)",
        "deal 2 from stock to pile",
    ):
        assert reader.read(Scalar(text, Span("here", 3, 5, 3, 9)), scope, "e/do/1") is None
    found = [d.id for d in made.findings.found[before:]]
    del made.findings.found[before:]
    assert found == ["RS3003", "RS3011", "RS3002", "RS3011", "RS3011", "RS3003", "RS3003", "RS3006", "RS3003"]
