"""`on: commit` and `on: part` stand for every such act, also for those that a variant adds."""

from pathlib import Path

from canasta.games import load_ruleset
from canasta.language.ruleset import Requirement

RULES = """
ruleset: sorted
title: Sorts of act
extends: classic
add:
  acts:
    settle: {choose: none, commit: yes, auto: yes, left: size(hand), text: A commit of the variant.}
  clauses:
    - id: every.commit
      kind: requirement
      on: [commit]
      title: Every commit
      text: Every commit.
      require:
        - {code: SOME_CODE, that: left >= 0}
    - id: every.part
      kind: requirement
      on: [part]
      title: Every part
      text: Every part.
      require:
        - {code: OTHER_CODE, that: group.size > 0}
"""


def test_a_sort_of_act_covers_the_acts_of_the_parent_and_of_the_variant(tmp_path: Path) -> None:
    path = tmp_path / "sorted.yaml"
    path.write_text(RULES, encoding="utf-8")
    ruleset = load_ruleset(str(path))
    commits, parts = ruleset.clauses["every.commit"], ruleset.clauses["every.part"]
    assert isinstance(commits, Requirement)
    assert isinstance(parts, Requirement)
    assert set(commits.on) == {name for name, act in ruleset.acts.items() if act.commit} > {"settle", "discard"}
    assert set(parts.on) == {name for name, act in ruleset.acts.items() if act.choose == "part"} >= {"lay", "take"}
