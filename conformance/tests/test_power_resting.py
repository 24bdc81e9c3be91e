"""What the reason of an equivalent rests on: a change of any of it, here or in an heir, is told by name."""

import pickle
from dataclasses import replace

import pytest

from canasta.language.loading import Loaded, load_document
from canasta.language.source import Mapping, Scalar
from canasta_conformance.power.equivalents import listed, outdated
from canasta_conformance.power.making import Mutant
from canasta_conformance.power.measuring import family_ready, mutants_of
from canasta_conformance.power.nodes import Edit, clauses, table, text
from canasta_conformance.power.resting import digest_of, moved, now, things_of
from canasta_conformance.power.trials import Family

THINGS = (
    "melds.size",
    "parameters.meld_size",
    "pack",
    "shapes",
    "phases",
    "uses left",
    "uses shown",
    "kind bound",
    "uses nowhere",
)


def mutant() -> Mutant:
    """Give one that all variants but those with a clause of their own inherit."""
    return next(
        m for m in mutants_of("classic") if m.place == "canastas.canasta/is" and m.operator == "drop a condition"
    )


def with_edit(loaded: Loaded, edit: Edit) -> Loaded:
    return replace(loaded, document=edit.applied(loaded.document))


def figure(loaded: Loaded, name: str) -> Edit:
    node = next(node for what, node in table(loaded.document, "parameters") if what == name)
    assert isinstance(node, Mapping)
    return Edit(node.items["is"], Scalar("99", node.span))


def test_nothing_has_moved_where_nothing_was_changed() -> None:
    family = family_ready("classic")
    assert moved(now(family, mutant(), THINGS), family, mutant()) == []


@pytest.mark.parametrize("thing", THINGS)
def test_a_digest_that_is_another_is_told_with_what_it_belongs_to(thing: str) -> None:
    family = family_ready("classic")
    rests = {**now(family, mutant(), THINGS), thing: "0" * 16}
    assert [told.partition(" was ")[0] for told in moved(rests, family, mutant())] == [thing]


def test_a_figure_that_changes_is_told_in_the_rule_set_and_in_an_heir() -> None:
    family = family_ready("classic")
    rests = now(family, mutant(), ("parameters.canasta_size", "melds.size"))
    assert things_of(rests) == ["parameters.canasta_size", "melds.size"]
    for ruleset, said in (
        ("classic", "parameters.canasta_size was"),
        ("classic/two", "classic/two: parameters.canasta_size ("),
    ):
        other = with_edit(family.loaded[ruleset], figure(family.loaded[ruleset], "canasta_size"))
        told = moved(rests, Family({**family.loaded, ruleset: other}), mutant())
        assert any(one.startswith(said) for one in told), told
        assert not any("melds.size" in one for one in told)


def test_what_only_one_clause_did_is_another_thing_once_a_second_does_it() -> None:
    loaded = load_document("classic")
    effect = next(node for node in clauses(loaded.document) if text(node, "id") == "turn.discard")
    step = effect.items["do"].items[0]  # type: ignore[attr-defined] # a list of statements
    other = Edit(step, Scalar("move card from hand to shown", step.span)).applied(loaded.document)
    assert digest_of(other, "uses shown") != digest_of(loaded.document, "uses shown")
    assert digest_of(other, "uses owed") == digest_of(loaded.document, "uses owed")


def test_the_order_of_phases_counts_and_words_for_people_do_not() -> None:
    document = load_document("classic").document
    phases = document.items["phases"]
    assert isinstance(phases, Mapping)
    turned = Mapping(dict(reversed(phases.items.items())), phases.keys, phases.span)
    assert digest_of(
        Mapping({**document.items, "phases": turned}, document.keys, document.span), "phases"
    ) != digest_of(document, "phases")
    start = phases.items["start"]
    assert isinstance(start, Mapping)
    said = Edit(start, Mapping({**start.items, "text": Scalar("x", start.span)}, start.keys, start.span)).applied(
        document
    )
    assert digest_of(said, "phases") == digest_of(document, "phases")


def test_a_thing_that_is_nowhere_is_told() -> None:
    family = family_ready("classic")
    assert moved({"melds.nothing": ""}, family, mutant()) == ["melds.nothing is nothing that classic says"]


def test_a_mutant_that_was_made_in_another_process_is_the_same_mutant() -> None:
    """Outcomes come back from workers, with copies of the nodes; in the heirs of this process the changed node is another object."""
    entry = next(e for e in listed() if e.mutant.startswith("classic/") and any(": " in thing for thing in e.rests))
    own = next(m for m in mutants_of("classic") if m.id == entry.mutant)
    assert outdated(entry, pickle.loads(pickle.dumps(own))) == ""  # noqa: S301 - our own mutant
