"""Every illegal case of the suite has its legal twin, or the reason why it has none: near to it, and about the same demand."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest

from canasta.games import load_ruleset, open_game
from canasta.language.loading import load_document
from canasta.language.naming import known
from canasta.shuffle import SplitMix64
from canasta_conformance.defaults import completed, shortened
from canasta_conformance.finding.apart import apart
from canasta_conformance.finding.between import between
from canasta_conformance.finding.keeping import Keeping, Kept, Point
from canasta_conformance.finding.nearest import MOST, Nearest, Wanted
from canasta_conformance.finding.repairs import Repairs
from canasta_conformance.finding.roles import roles
from canasta_conformance.finding.searching import Search
from canasta_conformance.finding.sketch import Sketch, read
from canasta_conformance.finding.twins import turn_of
from canasta_conformance.generator.shortly import shortly
from canasta_conformance.suite import Case, read_suite

MOST_TWINLESS: Final = 40
"""So many illegal cases may be without a twin; each says why."""

MOST_INDIRECT: Final = 12
"""So many twins may keep what their own clause says, and not also what another clause says that the illegal case breaks."""


def test_what_breaks_several_demands_at_once_is_also_broken_alone() -> None:
    """Some single acts break several demands: the eighth wild card of a bolivia, or one card that is said to be a meld."""
    alone: dict[str, set[str]] = {}
    together: list[tuple[Case, tuple[str, ...]]] = []
    for case in read_suite().cases.values():
        for codes in refusals(case):
            alone.setdefault(case.ruleset, set()).update(codes if len(codes) == 1 else ())
            together += [(case, codes)] if len(codes) > 1 else []
    for case, codes in together:
        family = (case.ruleset, *load_document(case.ruleset).lineage)
        assert not [code for code in codes if not any(code in alone.get(name, ()) for name in family)], case.id


def refusals(case: Case) -> Iterator[tuple[str, ...]]:
    steps: list[Any] = case.data.get("steps", [])
    yield from (
        tuple(step["expect"].get("codes", ())) for step in steps if step.get("expect", {}).get("verdict") == "illegal"
    )


@dataclass(frozen=True, slots=True)
class Played:
    """A case with what its turn keeps and breaks."""

    case: Case
    sketch: Sketch
    kept: Kept
    wanted: tuple[Wanted, ...]


@cache
def keeping(name: str) -> Keeping:
    return Keeping(name)


@cache
def played(id_: str) -> Played:
    case = read_suite().cases[id_]
    turn = turn_of(case.data, load_ruleset(case.ruleset), keeping(case.ruleset))
    assert turn is not None, id_
    return Played(case, turn.sketch, turn.kept, turn.wanted)


def verdict(case: Case) -> str:
    return str(case.data["steps"][0]["expect"].get("verdict", ""))


def illegal() -> Iterator[Case]:
    yield from (case for case in read_suite().cases.values() if verdict(case) == "illegal")


def twins() -> Iterator[tuple[Case, Case]]:
    yield from ((case, read_suite().cases[case.data["twin"]]) for case in illegal() if "twin" in case.data)


# ---- the suite -------------------------------------------------------------------------------------------------------


def test_every_illegal_case_names_its_twin_or_says_why_it_has_none() -> None:
    found = list(illegal())
    assert len(found) > 500
    lacking = [c.id for c in found if ("twin" in c.data) is ("twinless" in c.data)]
    assert lacking == [], "search for twins anew: python -m canasta_conformance.finding --tries 0"
    others = [
        c.id for c in read_suite().cases.values() if verdict(c) != "illegal" and {"twin", "twinless"} & set(c.data)
    ]
    assert others == []


def test_a_twin_is_a_legal_turn_of_the_same_rule_set() -> None:
    for case, twin in twins():
        assert twin.ruleset == case.ruleset
        assert verdict(twin) == "legal", case.id
        assert played(twin.id).kept.broken == frozenset(), case.id


def test_a_twin_is_asked_about_the_clause_of_its_case_and_keeps_it() -> None:
    wrong = [case.id for case, twin in twins() if not played(case.id).wanted[-1].met(played(twin.id).kept)]
    assert wrong == []
    indirect = [case.id for case, twin in twins() if not played(case.id).wanted[0].met(played(twin.id).kept)]
    assert len(indirect) <= MOST_INDIRECT, indirect


def test_a_twin_lists_the_clause_of_its_case() -> None:
    assert [case.id for case, twin in twins() if case.asserts[0] not in twin.asserts] == []


def test_a_twin_differs_in_little() -> None:
    far = {case.id: apart(played(case.id).sketch, played(twin.id).sketch) for case, twin in twins()}
    assert {id_: n for id_, n in far.items() if not 0 < n <= MOST} == {}
    ranked = sorted(far.values())
    assert ranked[len(ranked) // 2] <= 2, "half of them differ in no more than two things"


def test_what_has_no_twin_has_none_in_the_suite() -> None:
    without = [case for case in illegal() if "twinless" in case.data]
    assert len(without) <= MOST_TWINLESS
    for case in without:
        mine = played(case.id)
        assert case.data["twinless"].startswith(("the nearest that keeps ", "no legal case ")), case.id
        near = [
            other.id
            for other in read_suite().cases.values()
            if other.ruleset == case.ruleset
            and verdict(other) == "legal"
            and other.kind == "turn"
            and any(wanted.met(played(other.id).kept) for wanted in mine.wanted)
            and 0 < apart(mine.sketch, played(other.id).sketch) <= MOST
        ]
        assert near == [], case.id


# ---- what a turn keeps -----------------------------------------------------------------------------------------------

AT_PLAY: Final = "N at play; hand.N {}; melds.NS QQQQQQQ; opened.NS; pile 6; source from_stock; stock ?30"


def of(given: str, do: str, name: str = "classic", **options: str) -> tuple[Sketch, Kept]:
    found = read(load_ruleset(name), given, do, "", options)
    kept = keeping(name).of(found)
    assert kept is not None
    return found, kept


def test_a_bare_discard_keeps_nothing_of_going_out() -> None:
    canasta = Point("going-out.canasta", "NO_CANASTA")
    _, out = of(AT_PLAY.format("9"), "-9")
    _, bare = of(AT_PLAY.format("459"), "-9")
    _, broken = of(AT_PLAY.format("9").replace("QQQQQQQ", "QQQ"), "-9")
    assert canasta in out.kept
    assert canasta not in bare.kept
    assert canasta in broken.broken


def test_what_is_settled_by_itself_is_asked_as_well() -> None:
    _, taken = of("N at start; hand.N QQ459; melds.NS KKK; opened.NS; pile 6Q; stock ?30", "^QQQ -9")
    assert {"take.blocked", "melds.size", "opening.opened"} <= taken.touched
    assert Point("take.blocked", "PILE_BARRED") in taken.kept


def test_what_the_look_ahead_tries_is_not_asked() -> None:
    _, asked = of(AT_PLAY.format("5559"), "?out no -9")
    assert Point("melds.size", "MELD_TOO_SHORT") not in asked.kept
    assert "melds.size" not in asked.touched


def test_what_the_game_itself_refuses_is_kept_by_the_same_deed() -> None:
    _, twice = of(AT_PLAY.format("459"), "-9 -5")
    _, once = of(AT_PLAY.format("459"), "-9")
    assert twice.broken == {Point("turn.order", "NOT_YOUR_TURN", "discard")}
    assert twice.broken <= once.kept
    assert Point("turn.order", "NOT_YOUR_TURN", "draw") not in once.kept


# ---- how far apart ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "number"),
    [
        (("N at play; hand.N 459", "-9"), ("N at play; hand.N 459", "-9"), 0),
        (("N at play; hand.N 459", "-9"), ("N at play; hand.N 456", "-6"), 2),
        (("N at play; hand.N 459", "-9"), ("N at play; hand.N 45; pile 9", "-9"), 1),
        (("N at play; hand.N 459", "-9"), ("N at play; hand.N 4599", "-9"), 1),
        (("N at play; hand.N 459", "-9"), ("N at start; hand.N 459", "+? -9"), 2),
        (("N at play; hand.N 459; total.NS 5", "-9"), ("N at play; hand.N 459", "-9"), 1),
        (("N at play; hand.N QQQ9", "QQQ -9"), ("N at play; hand.N QQQ9", "-9"), 3),
        (("N at play; hand.N QQQ9", "QQQ -9"), ("N at play; hand.N QQQ9", "QQQ/new -9"), 1),
        (("N at play; hand.N QQQ9", "QQQ -9"), ("N at play; hand.N QQQ9", "-9 QQQ"), 2),
        (("N at play; hand.N QQ9; melds.NS KKK", "-9"), ("N at play; hand.N KK9; melds.NS QQK", "-9"), 4),
    ],
)
def test_each_difference_counts_once(one: tuple[str, str], other: tuple[str, str], number: int) -> None:
    rules = load_ruleset("classic")
    mine, theirs = (read(rules, given, do, "", {}) for given, do in (one, other))
    assert apart(mine, theirs) == apart(theirs, mine) == number


def test_an_option_that_is_chosen_otherwise_counts() -> None:
    one, _ = of(AT_PLAY.format("459"), "-9")
    other, _ = of(AT_PLAY.format("459"), "-9", last_red_three="may_meld")
    assert apart(one, other) == 1


def test_between_two_sketches_lie_both() -> None:
    rules = load_ruleset("classic")
    one = read(rules, "N at play; hand.N QQQ49; melds.NS KKK; opened.NS; pile 6; stock ?30", "QQQ -9", "", {})
    other = read(
        rules, "N at start; hand.N 559; melds.NS KKKK 777; pile 8 9 5; total.NS 5; stock ?3", "^555 -9", "", {}
    )
    lies = between(rules, one, other)
    assert apart(lies.at(frozenset()), one) == 0
    assert apart(lies.at(frozenset(range(lies.number))), other) == 0
    assert 0 < apart(lies.at(frozenset({0})), one) <= apart(one, other)


# ---- the search ------------------------------------------------------------------------------------------------------


@cache
def search() -> Search:
    return Search("classic")


def nearest(given: str, do: str) -> Nearest:
    sketch, kept = of(given, do)
    (point,) = kept.broken
    return Nearest(search(), keeping("classic"), sketch, Wanted(point.clause, kept.broken), MOST, SplitMix64(1), ())


def test_the_nearest_is_found_and_the_same_each_time() -> None:
    given, do = AT_PLAY.format("5559").replace("QQQQQQQ", "QQQQQQ"), "555 -9"
    first, again = (next(nearest(given, do).among([])) for _ in range(2))
    assert (first.given, first.do) == (again.given, again.do)
    assert first.do == do
    lies = [str(card) for place, row in first.rows() if place[0] == "melds" for card in row]
    assert len(lies) == 7, "one card more makes the canasta"
    assert apart(first, read(search().ruleset, given, do, "", {})) == 1


def test_a_turn_that_keeps_the_same_is_brought_nearer() -> None:
    far, kept = of(
        "N at play; hand.N 77745; melds.NS JJJJJJJ KKK; opened.NS; pile 68; source from_stock; stock ?9", "777 -4"
    )
    assert not kept.broken
    to = nearest("N at play; hand.N 5559; melds.NS QQQ; opened.NS; pile 6; source from_stock; stock ?30", "555 -9")
    to.wanted = Wanted("melds.size", frozenset({Point("melds.size", "MELD_TOO_SHORT")}))
    found = next(to.among([far]))
    assert 0 < apart(to.illegal, found) < apart(to.illegal, far)


def test_repairs_are_single_things() -> None:
    sketch, _ = of(AT_PLAY.format("5559"), "555 -9")
    made = list(Repairs(search().ruleset, search().words, sketch).all())
    texts = [f"{one.given} | {one.do}" for one in made]
    assert any("-5" in one.do for one in made)
    assert any("QQQQQQQQ" in text for text in texts)
    assert any("permission granted" in text for text in texts)
    assert all(one.seat == "N" for one in made)


# ---- roles -----------------------------------------------------------------------------------------------------------


def test_roles_are_read_off_the_rules() -> None:
    game = open_game("classic")
    found, name = roles(game), game.deck.names
    assert (found.hand, found.stock, found.opened) == ("hand", ("stock", ""), "opened")
    assert set(found.piles) == {("pile", "")}
    assert set(found.melds) == {"melds"}
    assert set(found.answers) == {"permission"}
    assert set(found.points) == {"total", "fined"}
    assert {"opened", "melded", "source", "total"} <= found.follow
    assert not {"fined", "went_out", "permission"} & found.follow
    assert {name[kind] for kind in found.fleeting} == {"3r"}
    assert {name[kind] for kind in found.fillers} == {"2", "Jk"}
    assert {name[kind] for kind in found.plain} == set("456789TJQKA")
    assert {zone: {name[kind] for kind in kinds} for zone, kinds in found.laid_out} == {"shown": {"3r"}}


def test_a_game_without_an_initial_meld_has_no_such_role() -> None:
    found = roles(open_game("gin"))
    assert (found.opened, found.fleeting, found.fillers, found.answers) == ("", frozenset(), frozenset(), frozenset())
    assert len(found.plain) == open_game("gin").deck.size


@pytest.mark.parametrize("name", known())
def test_every_game_has_a_hand_a_stock_and_a_pile(name: str) -> None:
    rules, found = load_ruleset(name), roles(open_game(name))
    assert {found.hand, found.stock[0], *(pile for pile, _ in found.piles), *found.melds} <= set(rules.zones)
    assert found.piles
    assert found.melds


# ---- how a case is told ----------------------------------------------------------------------------------------------


def test_unknown_cards_are_counted() -> None:
    stock = [*["?"] * 30, "8", "?"]
    zones = {"stock": stock, "melds.NS": [["K", "?", "?"]], "hand.N": ["4", "4"]}
    case: dict[str, Any] = {
        "id": "classic/melds.size/an-example",
        "ruleset": {"name": "classic", "options": {}},
        "level": "should",
        "asserts": ["melds.size"],
        "given": {"text": "", "zones": zones},
        "steps": [{"expect": {"after": {"text": "", "zones": {"stock": ["?"]}}}}],
        "forms": [{"stock": ["?", "?"]}],
    }
    told = shortly(case, "classic")
    assert told["given"]["zones"] == {"stock": ["?30", "8", "?"], "melds.NS": [["K", "?2"]], "hand.N": ["4", "4"]}
    assert told["steps"][0]["expect"]["after"]["zones"] == {"stock": ["?"]}
    assert told["forms"] == case["forms"]
    assert case["given"]["zones"]["stock"] == stock


def test_what_every_case_would_say_is_left_out_and_meant() -> None:
    plain = {
        "ruleset": {"name": "classic", "options": {}},
        "kind": "turn",
        "level": "must",
        "origin": {"from": "example"},
    }
    case: dict[str, Any] = {"id": "classic/melds.size/an-example", **plain, "asserts": ["melds.size"]}
    assert shortened(case, "classic") == {"id": case["id"]}
    assert completed(shortened(case, "classic"), "classic") == case
    other = case | {"level": "should", "asserts": ["melds.size", "melds.form"], "kind": "value"}
    assert set(shortened(other, "classic")) == {"id", "level", "asserts", "kind"}
    assert completed(shortened(other, "classic"), "classic") == other
    assert "ruleset" in shortened(case, "classic/two")
