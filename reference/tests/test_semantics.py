"""What no single expression shows: the checks of a whole rule set, on a sound one and on ones with a single fault."""

import re
from pathlib import Path

import pytest

from canasta.diagnostics import Severity
from canasta.games import read_ruleset
from canasta.language.build import RulesetError
from canasta.language.effect_order import touched_by
from canasta.language.ruleset import Effect, Ruleset
from canasta.language.semantics import check_semantics, errors_of, needed_refusals
from canasta.language.uses import used_names

MINI = Path(__file__).parent / "mini"


def changed(folder: Path, *swaps: tuple[str, str], name: str = "runs.yaml") -> Ruleset:
    """Read the small game with some words of its file changed."""
    text = (MINI / name).read_text(encoding="utf-8")
    for old, new in swaps:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_ruleset(str(path))


def told(ruleset: Ruleset) -> list[tuple[str, str]]:
    return [(d.id, d.message) for d in check_semantics(ruleset)]


@pytest.mark.parametrize("name", ["classic", "gin", str(MINI / "runs.yaml"), str(MINI / "wild-runs.yaml")])
def test_nothing_is_said_of_a_sound_rule_set(name: str) -> None:
    assert told(read_ruleset(name)) == []


@pytest.mark.parametrize("profile", ["hoyle", "pagat", "article"])
def test_profiles_are_sound_too(profile: str) -> None:
    assert errors_of(read_ruleset(f"classic:{profile}")) == ()


WARNINGS = [
    ([("acts: [lay, discard, out]", "acts: [lay, discard]")], "RS4005", "no phase offers the act 'out'"),
    (
        [
            ("phases:\n", "phases:\n  start: {acts: [draw]}\n  rest: {acts: [draw]}\n"),
            ("  start: {acts: [draw, take]}\n", ""),
        ],
        "RS4006",
        "nothing leads to the phase 'rest'",
    ),
    (
        [
            ("claim: {acts: [lay], auto: [pick]}", "claim: {acts: [lay]}\n  other: {acts: [pick2]}"),
            (
                "  pick: {choose: none, commit: yes, auto: yes",
                "  pick2: {choose: none, commit: yes}\n  pick: {choose: none, commit: yes, auto: yes",
            ),
        ],
        "RS4007",
        "take.pair is never asked: no act with `commit` ends a play in which 'take' has been laid",
    ),
    (
        [("least: {is: 2,", "spare: {is: 3, text: nothing}\n  least: {is: 2,")],
        "RS4008",
        "no clause uses the parameter 'spare'",
    ),
    (
        [("  empty: {text: nobody can draw}", "  empty: {text: nobody can draw}\n  storm: {text: a storm}")],
        "RS4008",
        "no clause uses the reason 'storm'",
    ),
    (
        [
            (
                "  wild: {is: c.rank = $Jk, text: the joker}",
                "  wild: {is: c.rank = $Jk, text: the joker}\n  low: {is: c.rank = $4, text: low}",
            )
        ],
        "RS4008",
        "no clause uses the class 'low'",
    ),
    (
        [("  opened: {of", "  hot: {of: table, type: bool, lasts: deal, start: no, text: hot}\n  opened: {of")],
        "RS4008",
        "no clause uses the variable 'hot'",
    ),
    (
        [
            (
                "  - id: match.over",
                "  - {id: idle.one, kind: definition, name: idle, title: Idle, is: size(stock)}\n  - id: match.over",
            )
        ],
        "RS4008",
        "no clause uses the definition 'idle'",
    ),
    (
        [
            (
                "  - {id: no.target, kind: structure, refuses: target, code: TARGET, title: Own, text: Your own only.}\n",
                "",
            )
        ],
        "RS4012",
        "no clause says what is wrong when the kernel refuses `target`",
    ),
    ([("Draw a card.", "Draw 2 cards.")], "RS4014", "the figure 2 is typed in the text of draw.card"),
    (
        [("A set has {least card}.", "A set has two cards.")],
        "RS4014",
        "the number two is typed in the text of set.least, and is that of least",
    ),
    (
        [
            (
                "  - {id: run.least, kind: bound, shape: run, title: Run, text: Three., require: [{code: SHORT_RUN, that: size >= 3}]}\n",
                "",
            )
        ],
        "RS4017",
        "nothing says how many cards make a 'run'; a single card would do",
    ),
    (
        [("Deal {hand_size card}.", "Deal {hand_sizes card}.")],
        "RS7001",
        "no parameter, option or step table is named hand_sizes in the text of deal.hands",
    ),
]


@pytest.mark.parametrize(("swaps", "id_", "message"), WARNINGS)
def test_one_fault_is_told_once(tmp_path: Path, swaps: list[tuple[str, str]], id_: str, message: str) -> None:
    found = check_semantics(changed(tmp_path, *swaps))
    assert (id_, message) in [(d.id, d.message) for d in found]
    assert len([d for d in found if d.id == id_ and d.message == message]) == 1
    assert all(d.hint for d in found)
    assert all(d.severity is Severity.WARNING for d in found if d.id.startswith("RS4"))


ERRORS = [
    ([("    after: [deal.hands]\n", "")], "RS4002", "`stock`"),
    (
        [("after: [discard.card, open.opened], title: End", "after: [open.opened], title: End")],
        "RS4002",
        "the end of the deal",
    ),
    (
        [("after: [discard.card, open.opened], title: End", "after: [discard.card], title: End")],
        "RS4002",
        "the end of the deal",
    ),
    (
        [
            (
                "on: [discard], title: Discard, text: To the pile.",
                "on: [discard], after: [discard.pass], title: Discard, text: To.",
            )
        ],
        "RS4003",
        "discard.card",
    ),
    ([("after: [draw.card]", "after: [draw.kard, draw.card]")], "RS4004", "draw.kard"),
    ([("code: SHORT_RUN", "code: SHORT")], "RS4010", "SHORT"),
    ([("refuses: held, code: HELD", "refuses: shape, code: HELD")], "RS4011", "no.held and no.shape"),
    (
        [
            (
                "  - {id: end.stuck, kind: effect, on: [stuck], title: Stuck, text: Nobody can act., do: [end empty]}\n",
                "",
            )
        ],
        "RS4013",
        "nobody can act",
    ),
    ([("discard: {choose: card,", "discard: {choose: card, then: play,")], "RS4015", "'discard' is no part"),
    (
        [
            ("that: size(stock) > 0", "that: size(stock) > 0 and not possible(take)"),
            ("code: PAIR, that: count", "code: PAIR, that: not possible(draw) or count"),
        ],
        "RS4016",
        "draw.stock",
    ),
    ([("code: LEFT, that: left = 0", "code: LEFT, that: left = 0 and not possible_onto(lay)")], "RS4016", "out.all"),
]


@pytest.mark.parametrize(("swaps", "id_", "part"), ERRORS)
def test_an_unplayable_rule_set_is_not_built(tmp_path: Path, swaps: list[tuple[str, str]], id_: str, part: str) -> None:
    with pytest.raises(RulesetError) as caught:
        changed(tmp_path, *swaps)
    found = [d for d in caught.value.diagnostics if d.id == id_]
    assert found
    assert part in found[0].message
    assert {d.severity for d in caught.value.diagnostics} == {Severity.ERROR}


def test_a_clause_of_a_shipped_rule_set_without_a_source_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("canasta.language.semantics.SHIPPED", str(MINI.as_posix()))
    found = [m for i, m in told(read_ruleset(str(MINI / "runs.yaml"))) if i == "RS4009"]
    assert "draw.card names no source" in found
    assert len(found) == len(read_ruleset(str(MINI / "runs.yaml")).clauses)


def test_what_an_effect_touches() -> None:
    rules = read_ruleset("classic")
    effects = {e.id: e for e in rules.of_kind(Effect)}
    held = touched_by(rules, effects["canastas.concealed.held"])
    assert (held.reads, held.writes, held.ends) == ({"hand", "laid"}, {"held"}, False)
    whole = touched_by(rules, effects["canastas.concealed.whole"])
    assert whole.writes == {"whole"}
    assert whole.reads >= {"melds", "source", "turn_no", "held"}
    passes = touched_by(rules, effects["turn.discard.passes"])
    assert passes.writes >= {"the phase", "source", "permission", "parts"}
    assert touched_by(rules, effects["going-out.ends"]).ends


def test_an_order_stated_from_the_other_side_counts(tmp_path: Path) -> None:
    swaps = [("after: [draw.card]", ""), ("on: [draw], title: Draw", "on: [draw], before: [draw.then], title: Draw")]
    text = (MINI / "runs.yaml").read_text(encoding="utf-8")
    assert all(text.count(old) == 1 for old, _ in swaps)
    rules = changed(tmp_path, (", after: [draw.card]", ""), swaps[1])
    assert errors_of(rules) == ()


def test_refusals_follow_from_the_acts() -> None:
    assert needed_refusals(read_ruleset("classic")) == ("turn", "phase", "held", "shape", "target", "stranded")
    assert needed_refusals(read_ruleset(str(MINI / "runs.yaml"))) == ("turn", "phase", "held", "shape", "target")


def test_a_figure_in_braces_counts_as_a_use() -> None:
    rules = read_ruleset("classic")
    named = {name for c in rules.clauses.values() for name in re.findall(r"\{(\w+)", c.text)}
    assert named <= used_names(rules)
    assert set(rules.parameters) <= used_names(rules)


CUSTOM = """\
  - id: table.summary
    kind: custom
    title: In short
    text: In short.
    {}
    examples: [{{id: nothing, ask: "1", expect: {{value: 1}}}}]
"""


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("level: must", "table.summary has examples, and does not say what decides them"),
        ("follows_from: [take.pear]", "table.summary is said to follow from take.pear, which is not here"),
        ("follows_from: [zones.nowhere]", "table.summary is said to follow from zones.nowhere, which is not here"),
        (
            "follows_from: [table, table.summary]",
            "table.summary is said to follow from table.summary, which is not executed either",
        ),
    ],
)
def test_a_clause_that_sums_up_names_what_decides(tmp_path: Path, line: str, said: str) -> None:
    (found,) = (
        d
        for d in check_semantics(changed(tmp_path, ("clauses:\n", "clauses:\n" + CUSTOM.format(line))))
        if d.id == "RS4026"
    )
    assert (found.message, found.severity) == (said, Severity.WARNING)


def test_a_clause_that_names_what_decides_is_not_spoken_of(tmp_path: Path) -> None:
    good = CUSTOM.format("follows_from: [table, pack, zones.hand, take.pair]")
    assert "RS4026" not in {id_ for id_, _ in told(changed(tmp_path, ("clauses:\n", "clauses:\n" + good)))}
