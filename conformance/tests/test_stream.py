"""A stream that is not one whole run is refused, and says where."""

import io
import json
from typing import Any

import pytest

from canasta_conformance.known_failures import ListError, compare, fixed
from canasta_conformance.known_failures import read as read_list
from canasta_conformance.reports.difference import difference
from canasta_conformance.stream import SCHEMA, Report, StreamError, read, write
from canasta_conformance.suite import fits, read_suite

Data = dict[str, Any]


def head(forms: int = 2) -> Data:
    engine = {"name": "tiny", "version": "1", "language": "C"}
    return {
        "type": "run",
        "schema": SCHEMA,
        "suite": "a" * 16,
        "address": "exec:tiny",
        "engine": engine,
        "seed": 0,
        "forms": forms,
    }


def result(case: str = "classic/a.b/c", status: str = "pass", form: int = 0, **more: Any) -> Data:  # noqa: ANN401 - fields of a record
    told = {
        "type": "result",
        "case": case,
        "form": form,
        "level": 1,
        "ruleset": "classic",
        "clauses": ["a.b"],
        "status": status,
    }
    return {**told, **more}


END: Data = {"type": "end", "results": 2, "complete": True, "counts": {}}


def parsed(*records: Data | str) -> Report:
    return read([r if isinstance(r, str) else json.dumps(r) for r in records])


def test_a_whole_run_is_read_and_written_the_same() -> None:
    records = [head(), result(), result("classic/a.b/d", "fail"), END]
    out = io.StringIO()
    assert list(write(records, out)) == records
    report = read(out.getvalue().splitlines())
    assert report.engine == "tiny 1"
    assert report.counts == {"pass": 1, "fail": 1}


@pytest.mark.parametrize(
    ("records", "told", "line"),
    [
        ([], "empty", 0),
        ([head(), result(), result("classic/a.b/d")], "no end", 0),
        ([head(3), result(), result("classic/a.b/d"), END], "3 forms were to be asked, and 2", 0),
        ([head(), result(), result(), END], "twice", 3),
        ([result(), END], "begins with", 1),
        ([head(), head(), END], "begins with", 2),
        ([head(0), END, result()], "after the end", 3),
        ([head(1), "{", END], "no JSON", 2),
        ([head(1), "[]", END], "no record", 2),
        ([head(1), {"type": "result", "case": "x"}, END], "has no form", 2),
        (
            [
                head(1),
                {"type": "result", "case": 1, "form": "x", "level": 0, "ruleset": "", "clauses": [], "status": ""},
                END,
            ],
            "this result has the case 1, which is not the id of a case",
            2,
        ),
        ([head(3), result(), result(form=1)], "3 forms were to be asked, and 2 results stand here", 0),
        ([head(1), {"type": "verdict"}, END], "no records of type verdict", 2),
        ([head() | {"schema": "canasta-run/9"}], "canasta-run/9", 1),
        ([head() | {"forms": "many"}], 'the first record has the forms "many", which is not a whole number', 1),
        ([head() | {"chosen": "all"}], 'has the chosen "all"', 1),
        ([head() | {"engine": {"name": "tiny"}}], "which is not an engine with name, version and language", 1),
        ([head() | {"rulesets": [{"options": {}}]}], "which is not a list of rule sets", 1),
        ([head(1), result(level="x")], 'this result has the level "x", which is not 0, 1 or 2', 2),
        ([head(1), result(level=True)], "has the level true", 2),
        ([head(1), result(status="wat")], 'has the status "wat", which is not the status of a form', 2),
        ([head(1), result(clauses=[])], "has the clauses []", 2),
        ([head(1), result(grades={"verdict": "perhaps"})], "has the grades ", 2),
        ([head(1), result(differences=[{"place": "pile"}])], "which is not a list of differences", 2),
        ([head(1), result(fault={"kind": "crash"})], "which is not a fault with kind and text", 2),
        ([head(1), result(told=7)], "has the told 7", 2),
        ([head(1), result(), {"type": "end"}], "the end has no complete", 3),
        ([head(1), result(), END | {"unasked": "no"}], 'the end has the unasked "no"', 3),
    ],
)
def test_what_is_no_whole_run_is_refused(records: list[Data | str], told: str, line: int) -> None:
    with pytest.raises(StreamError) as caught:
        parsed(*records)
    assert told in caught.value.text
    assert caught.value.line == line


def test_a_case_that_the_suite_does_not_have_is_told_where_the_suite_is_that_of_the_run() -> None:
    suite = read_suite()
    case = next(iter(suite.cases))
    for record in (result("classic/melds.size/there-is-none-such"), result(case, form=99)):
        lines = [json.dumps(r) for r in (head(1) | {"suite": suite.digest}, record, END)]
        with pytest.raises(StreamError, match="in the suite of this run there is no") as caught:
            read(lines, suite)
        assert caught.value.line == 2
        assert read(lines).results
    other = [json.dumps(r) for r in (head(1), result("gone/a.b/c"), END)]
    assert read(other, suite).results  # of another suite it is not known which cases it has


# ---- what is known to fail -------------------------------------------------------------------------------------------


def run_of(*statuses: str) -> Report:
    results = [result(f"classic/a.b/n{i}", status) for i, status in enumerate(statuses)]
    return parsed(head(len(results)), *results, END)


def complaints(report: Report, text: str) -> list[str]:
    return [complaint for _, complaint in compare(report, read_list(text)).complaints]


def test_what_is_listed_and_fails_as_written_is_known() -> None:
    report = run_of("fail", "pass", "crash")
    compared = compare(report, read_list("# a remark\n\nclassic/a.b/n0  fail  # issue 7\nclassic/a.b/n2@1 crash\n"))
    assert compared.known == {("classic/a.b/n0", 0), ("classic/a.b/n2", 0)}
    assert compared.complaints == ()
    assert report.without(compared.known).counts == {"known": 2, "pass": 1}


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("classic/a.b/n1 fail", "passes now"),
        ("classic/a.b/n0 crash", "is fail now"),
        ("classic/a.b/n9 fail", "covers no case"),
        ("classic/a.b/n0@2 fail", "covers no case"),
        ("classic/a.b fail", "passes now"),
        ("classic/a.b/n2 fail", "is not asked (unsupported)"),
    ],
)
def test_an_entry_that_does_not_hold_is_a_finding(entry: str, told: str) -> None:
    (complaint,) = complaints(run_of("fail", "pass", "unsupported"), entry)[:1]
    assert any(told in c for c in complaints(run_of("fail", "pass", "unsupported"), entry)), complaint


def test_an_entry_speaks_of_those_forms_of_a_case_that_are_asked() -> None:
    forms = [result("classic/a.b/c", "unsupported", 0, level=0), result("classic/a.b/c", "fail", 1)]
    report = parsed(head(2), *forms, END)
    assert complaints(report, "classic/a.b/c fail") == []
    assert complaints(report, "classic/a.b/c crash") == ["classic/a.b/c: is fail now"]
    assert complaints(report, "classic/a.b/c@0 fail") == ["classic/a.b/c@0: is not asked (unsupported)"]


def test_a_run_that_was_broken_off_says_nothing_of_what_it_did_not_come_to() -> None:
    assert complaints(run_of("not-run", "pass"), "classic/a.b/n0 fail") == []
    assert complaints(run_of("not-run", "pass"), "classic/a.b/* fail") == [
        "classic/a.b/*: passes now: take the entry out"
    ]
    assert complaints(run_of("no-start", "no-start"), "classic/a.b/n0 fail") == []
    assert complaints(run_of("no-start", "pass"), "classic/a.b/n0 fail") == ["classic/a.b/n0: is no-start now"]


def test_an_entry_that_covers_too_much_is_a_finding() -> None:
    assert complaints(run_of(*["fail"] * 20), "classic/* fail") == []
    assert "covers 21 forms" in complaints(run_of(*["fail"] * 21), "classic/* fail")[0]


@pytest.mark.parametrize("line", ["classic/a.b/n0", "classic/a.b/n0 pass", "classic/a.b/n0@7 fail", "a fail because"])
def test_a_line_that_is_no_entry_is_told_with_its_number(line: str) -> None:
    with pytest.raises(ListError) as caught:
        read_list(f"# remark\n{line}\n")
    assert caught.value.line == 2


def test_a_list_that_is_brought_up_to_date_holds_and_keeps_its_reasons() -> None:
    report = run_of("fail", "pass", "crash", "flaky", "fail")
    text = fixed(
        report,
        "# ours\nclassic/a.b/n0 fail # issue 7\n\nclassic/a.b/n1 fail # mended since\nclassic/a.b/n4 crash # issue 9\n",
    )
    assert text == (
        "# ours\nclassic/a.b/n0 fail # issue 7\n\n"
        "classic/a.b/n2@1  crash  # not looked into yet\nclassic/a.b/n4@1  fail  # issue 9\n"
    )
    assert "n3" not in text  # what fails by chance cannot be expected to
    assert complaints(report, text) == []
    assert fixed(report, text) == text


def test_a_pattern_that_holds_only_for_some_is_replaced_by_those_for_which_it_holds() -> None:
    report = run_of("fail", "pass", "fail")
    text = fixed(report, "classic/a.b/*  fail  # issue 7\nclassic/a.b/n0@1  fail  # issue 8\n")
    assert text == "classic/a.b/n2@1  fail  # issue 7\nclassic/a.b/n0@1  fail  # issue 8\n"
    assert complaints(report, text) == []


def test_a_list_that_does_not_exist_yet_begins_with_a_remark() -> None:
    assert fixed(run_of("pass"), "").startswith("# ")
    assert fixed(run_of("pass"), "").count("\n") == 1


def test_an_entry_that_stands_twice_is_told() -> None:
    told = complaints(run_of("fail"), "classic/a.b/n0 fail\nclassic/a.b/n0 fail\n")
    assert [text for text in told if "stands in line 1 as well" in text]


def test_a_list_that_is_wrong_altogether_is_not_told_line_by_line() -> None:
    report = run_of(*["pass"] * 19, "fail")
    told = complaints(report, "classic/a.b/* fail\n")
    assert len(told) == 4
    assert "and 16 more are otherwise" in told[-1]
    assert len(complaints(run_of(*["fail"] * 21), "classic/a.b/* fail\n")) == 1


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("classic/turn.order/second-discard", True),
        ("classic/turn.order", True),
        ("classic/turn.order/", True),
        ("classic", True),
        ("*/turn.order", True),
        ("*/turn.*", True),
        ("classic/turn", False),
        ("classic/turn.orde?", True),
        ("*/turn.acts", False),
        ("second-discard", False),
    ],
)
def test_a_pattern_names_a_case_or_the_beginning_of_its_id(pattern: str, *, named: bool) -> None:
    assert fits("classic/turn.order/second-discard", pattern) is named


# ---- two runs --------------------------------------------------------------------------------------------------------


def test_two_runs_differ_by_what_fails_now_and_what_passes_now() -> None:
    found = difference(run_of("pass", "fail", "fail", "unsupported"), run_of("fail", "pass", "crash", "pass"))
    assert found.regressions == ["classic/a.b/n0, level 1: pass → fail"]
    assert found.mended == ["classic/a.b/n1, level 1: fail → pass"]
    assert found.changed == ["classic/a.b/n2, level 1: fail → crash"]
    assert found.new == ["classic/a.b/n3, level 1: newly asked"]
    assert not found.empty


def test_a_case_that_vanishes_is_told_and_one_that_is_new_and_fails_is_a_regression() -> None:
    assert difference(run_of("pass", "pass"), run_of("pass")).gone == ["classic/a.b/n1, level 1: was pass"]
    assert difference(run_of("pass"), run_of("pass", "fail")).regressions == ["classic/a.b/n1, level 1: newly asked"]


def test_the_same_failure_for_another_reason_is_a_change() -> None:
    def failing(found: int) -> Report:
        wrong = [{"grade": "score", "place": "NS.total", "expected": 5, "found": found}]
        return parsed(head(1), result(status="fail", differences=wrong), END)

    assert difference(failing(1), failing(1)).empty
    assert difference(failing(1), failing(2)).changed == ["classic/a.b/c, level 1: fail for another reason"]
