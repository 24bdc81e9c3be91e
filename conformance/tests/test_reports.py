"""Reports of one run: every departure is in each of them, nothing in an engine's words can break out of them."""

import json
import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from canasta_conformance.connecting import Engine, InProcess
from canasta_conformance.inprocess.engine import ReferenceEngine
from canasta_conformance.process import Process
from canasta_conformance.reports.difference import difference
from canasta_conformance.reports.machines import annotations, badge, junit
from canasta_conformance.reports.markdown import markdown
from canasta_conformance.reports.page import page
from canasta_conformance.reports.summary import claims, limits
from canasta_conformance.reports.terminal import terminal
from canasta_conformance.running import Run, Settings
from canasta_conformance.stream import Report, collect
from canasta_conformance.suite import read_suite

Data = dict[str, Any]

NAME = "<b>mine</b> | `x` ::error::\x07"
CASE = "classic/melds.wilds/c12-three-wilds"


class Refuses(ReferenceEngine):
    """Refuses every turn, cannot be asked for a score, and has a name that no report may take for its own text."""

    def hello(self, **fields: object) -> Data:
        told = super().hello(**fields)
        told["operations"].remove("ledger")
        return told | {"engine": {"name": NAME, "version": "1", "language": "<i>"}}

    def turn(self, seat: str, acts: Sequence[Data]) -> Data:  # noqa: ARG002 - as every engine is asked
        return {"committed": False, "codes": ["NOT_TODAY"]}


@cache
def report() -> Report:
    suite = read_suite()
    engine = Engine(lambda: InProcess(Refuses), suite.digest)
    cases = suite.chosen(["classic/melds.wilds", "classic/scoring.mixed-canastas"])
    return collect(Run(engine, "exec:./mine 'a b'", suite, cases, Settings()).records())


def test_the_page_shows_every_step_of_a_case() -> None:
    suite = read_suite()
    case = suite.cases[CASE]
    steps = [
        *case.data["steps"],
        {"turn": {"seat": "E", "text": "d - 4h"}},
        {"turns": 12},
        {"seen_by": "S"},
        {"count": 3},
    ]
    longer = replace(case, data={**case.data, "steps": [*steps, {"ask": "wilds_in(hand)"}]})
    text = page([report()], replace(suite, cases={**suite.cases, CASE: longer}))
    shown = text[text.index(f'id="case/{CASE}/') :]
    shown = shown[shown.index("<pre>given") : shown.index("</pre>")]
    first = case.data["steps"][0]["turn"]
    told = [f"turn   {first['seat']}: {first['text']}", "turn   E: d - 4h", "turns  12", "seen   by S", "count  3"]
    assert [line for line in shown.splitlines()[1:] if line] == [*told, "ask    wilds_in(hand)"]


def test_the_page_has_no_empty_list_and_no_blank_in_an_anchor() -> None:
    text = page([report(), report()], read_suite())
    assert not re.search(r"<ul>\s*</ul>", text)
    anchors = re.findall(r'\sid="([^"]*)"', text)
    assert len(anchors) == len(set(anchors)) > 2
    assert not [anchor for anchor in anchors if re.search(r"\s|&", anchor)]


def test_what_came_between_two_cases_is_in_every_report() -> None:
    one = replace(report(), end={**report().end, "unasked": ["after classic/x: flood: nobody asked for 'y'"]})
    texts = [
        terminal(one, read_suite()), markdown(one, read_suite()), page([one], read_suite()), junit(one),
        annotations(one, read_suite()),
    ]  # fmt: skip
    assert all("nobody asked for" in text for text in texts)
    assert "faults between cases" in badge(one, "classic")
    assert all("1 fault between two cases" in line for line in claims(one))


def test_the_terminal_shows_clause_position_difference_and_the_command_that_asks_again() -> None:
    text = terminal(report(), read_suite(), everything=True)
    assert "classic melds.wilds: Most wild cards (spec/rules/classic/melds.yaml:" in text
    assert "given  N at play; hand.N 99922Jk24" in text
    assert "turn   N: 99922Jk -4" in text
    assert "committed: expected yes, found no" in text
    assert f"again  canasta conformance run 'exec:./mine '\"'\"'a b'\"'\"'' {CASE}" in text
    assert "\x1b" not in text
    assert "\x1b[31m" in terminal(report(), read_suite(), colour=True)


def test_of_many_findings_one_of_a_kind_is_shown_unless_all_are_asked_for() -> None:
    suite = read_suite()
    engine = Engine(lambda: InProcess(Refuses), suite.digest)
    run = Run(engine, "x", suite, suite.chosen(["classic/melds.*", "classic/take.*"]), Settings(levels=(1,)))
    whole = collect(run.records())
    few, everything = terminal(whole, suite), terminal(whole, suite, everything=True)
    assert 1 <= few.count("again  ") <= 10
    assert everything.count("again  ") == whole.counts["fail"] > 10
    assert f"--all shows each of the {whole.counts['fail']}" in few


def test_a_claim_says_what_was_judged_and_what_was_not() -> None:
    (line,) = claims(report())
    found = re.search(r"level 1 verdict (\d+)/(\d+)", line)
    assert found
    assert int(found[1]) < int(found[2])
    assert "not asked" in line
    assert re.search(rf"\(suite {read_suite().digest}, \d+ of its \d+ forms chosen\)", line)


class ShowsPileAndMelds(ReferenceEngine):
    """Says of how things lie only what lies in the middle of the table."""

    def observe(self, seat: str | None = None, also: Sequence[str] = ()) -> Data:
        zones = super().observe(seat, also)["observation"]["zones"]
        return {"observation": {"zones": {n: c for n, c in zones.items() if n.partition(".")[0] in ("pile", "melds")}}}


def test_a_claim_and_every_table_say_how_much_was_not_shown() -> None:
    suite = read_suite()
    engine = Engine(lambda: InProcess(ShowsPileAndMelds), suite.digest)
    cases = suite.chosen(["classic/turn.discard", "classic/red-threes.*", "classic/opening.opened"])
    hiding = collect(Run(engine, "python:x:X", suite, cases, Settings(levels=(1,))).records())
    places = sum(len(result.get("unshown", ())) for result in hiding.results)
    assert places > hiding.counts["unsupported"] > 0
    (line,) = claims(hiding)
    assert re.search(rf"level 1 verdict \d+/\d+, state \d+/\d+, score \d+/\d+, {places} places not shown, ", line)
    for text in (terminal(hiding, suite), markdown(hiding, suite), page([hiding], suite)):
        in_a_table_too = "<html" not in text
        assert text.count(f"{places} places not shown") == 1 + in_a_table_too
    assert "not shown" not in "".join(claims(report()))


def test_a_claim_of_a_run_that_was_broken_off_says_so_and_why() -> None:
    whole = report()
    cut = tuple({**r, "status": "not-run"} if r["level"] == 0 or n % 3 == 0 else r for n, r in enumerate(whole.results))
    end = {**whole.end, "complete": False, "stopped": "20 restarts are spent"}
    (line,) = claims(replace(whole, results=cut, end=end))
    assert line.endswith("; broken off: 20 restarts are spent)")
    level_0 = sum(r["level"] == 0 for r in whole.results)
    assert f"level 0 nothing judged, {level_0} not run" in line
    asked = [r["status"] for r in cut if r["level"] == 1]
    told = re.search(r"level 1 [^;]*?(\d+) not asked, (\d+) not run", line)
    assert told
    assert (int(told[1]), int(told[2])) == (asked.count("unsupported"), asked.count("not-run"))


def test_a_badge_tells_a_crash_from_a_run_that_was_broken_off() -> None:
    whole = report()
    crashed = replace(whole, results=tuple({**r, "status": "crash"} if r["level"] == 0 else r for r in whole.results))
    number = sum(r["level"] == 0 for r in whole.results)
    assert json.loads(badge(crashed, "classic"))["message"].endswith(f", {number} without an answer")
    stopped = replace(whole, end={**whole.end, "complete": False, "stopped": "2 restarts are spent"})
    assert json.loads(badge(stopped, "classic"))["message"].endswith(", broken off")


def test_forms_are_counted_by_why_they_were_not_asked() -> None:
    one = report().results[0]
    told = {"unsupported": "ruleset uruguay", "other-rules": "", "not-run": ""}
    rest = tuple(
        {**one, "case": f"{one['case']}{status}", "ruleset": "uruguay", "status": status, "told": text}
        for status, text in told.items()
    )
    text = terminal(replace(report(), results=(*report().results, *rest)), read_suite())
    unsupported = report().counts["unsupported"]
    assert (
        f"{unsupported} that it says it cannot be asked, 1 about rule sets that it does not play, 1 about choices"
        in text
    )
    assert "1 not run, for the run was broken off" in text


def test_what_settles_a_finding_stands_in_the_command_that_asks_again() -> None:
    head = {**report().head, "chosen": {"timeout": "1", "start-timeout": "20", "isolated": "yes"}}
    results = tuple({**r, "status": "wrong-reason"} if r["case"] == CASE else r for r in report().results)
    text = terminal(replace(report(), head=head, results=results), read_suite(), everything=True, strict=True)
    assert f"{CASE} --timeout 1 --start-timeout 20 --isolated --strict" in text
    assert "--strict" not in terminal(report(), read_suite(), everything=True)
    assert limits(5.0) == {}
    assert limits(0.25, 2.0) == {"timeout": "0.25", "start-timeout": "2"}


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.ids += [value for key, value in attrs if key == "id" and value]
        self.links += [value for key, value in attrs if key == "href" and value]


def test_the_page_needs_nothing_else_and_lets_no_text_break_out() -> None:
    text = page(
        [report(), report()], read_suite(), picture=lambda _, __: "<table of four>", why=lambda _: "because <this>"
    )
    tags = Tags()
    tags.feed(text)
    assert {"script", "link", "img", "b", "i"} & set(tags.tags) == set()
    assert "&lt;b&gt;mine&lt;/b&gt;" in text
    assert "because &lt;this&gt;" in text
    assert {link for link in tags.links if not link.startswith("#")} == set()
    assert {link.removeprefix("#") for link in tags.links} <= set(tags.ids)
    assert "http://" not in text.replace("http://www.w3.org", "")


def test_the_page_has_a_heat_map_a_part_for_each_clause_and_one_for_each_departure() -> None:
    text = page([report()], read_suite())
    assert 'class="cell bad"' in text or 'class="cell partly"' in text
    assert 'id="clause/classic/melds.wilds"' in text
    assert f"<h3>{CASE}</h3>" in text
    assert '<td class="expected">yes</td><td class="found">no</td>' in text


def departures() -> int:
    """Count the forms that fail, and those in which a turn on the way was refused."""
    return report().counts["fail"] + report().counts["unreached"]


def test_markdown_has_every_departure_and_is_not_broken_by_a_name() -> None:
    text = markdown(report(), read_suite())
    assert text.startswith("# Conformance of \\<b\\>mine\\</b\\> \\| \\`x\\`")
    assert text.count("### ") == departures()


def test_junit_is_xml_with_a_test_case_for_each_form() -> None:
    root = ET.fromstring(junit(report()))  # noqa: S314 - our own text
    assert len(root.findall("testsuite/testcase")) == len(report().results)
    assert len(root.findall("testsuite/testcase/failure")) == departures()
    assert len(root.findall("testsuite/testcase/skipped")) == report().counts["unsupported"]
    assert {suite.get("name") for suite in root} == {"classic, level 0", "classic, level 1", "classic, level 2"}
    assert root.find("testsuite/testcase[@classname='classic.melds.wilds']") is not None


@pytest.mark.parametrize(("ruleset", "colour"), [("classic", "orange"), ("uruguay", "lightgrey")])
def test_a_badge_is_what_shields_reads(ruleset: str, colour: str) -> None:
    told = json.loads(badge(report(), ruleset))
    assert (told["schemaVersion"], told["color"]) == (1, colour)


def test_annotations_name_the_rule_and_no_file_of_this_project_one_a_line() -> None:
    lines = annotations(report(), read_suite()).splitlines()
    assert len(lines) == departures()
    for line in lines:
        assert re.match(
            r"::error title=(fail|unreached)%3A classic/[^:]+::[a-z.-]+: [A-Z].*%0Aagain: canasta conformance run ",
            line,
        ), line


def never(*command: str) -> Report:
    """A run of the whole suite against what cannot be started."""
    suite = read_suite()
    engine = Engine(lambda: Process(command), suite.digest)
    return collect(Run(engine, "exec:gone", suite, suite.chosen([]), Settings()).records())


def test_an_engine_that_cannot_be_started_is_told_once_with_all_that_it_wrote() -> None:
    gone = never(sys.executable, "-c", "import sys; sys.exit('one\\ntwo\\nthree\\nfour')")
    assert len(gone.results) > 1000
    for text in (terminal(gone, read_suite(), everything=True), markdown(gone, read_suite())):
        assert text.count("could not be started") == 1
        assert len(text.splitlines()) < 10
        assert all(word in text for word in ("one", "two", "three", "four", "with exit code 1"))
        assert not re.search("forms put|more; --all|level 1", text)
    assert annotations(gone, read_suite()).count("::error") == 1
    shown = page([gone], read_suite())
    assert shown.count("the engine could not be started") == 1
    assert "<section" not in shown
    assert claims(gone) == []
    missing = terminal(never("./there-is-no-such-program"), read_suite())
    assert "there-is-no-such-program" in missing


def test_forms_that_were_never_put_are_not_counted_as_put() -> None:
    text = terminal(
        replace(report(), results=tuple({**r, "status": "not-run"} for r in report().results)), read_suite()
    )
    assert "0 forms put to the engine" in text


def test_two_forms_of_one_case_are_told_apart_in_every_report() -> None:
    suite = read_suite()
    case = next(c for c in suite.cases.values() if [f.level for f in c.forms].count(1) > 1 and c.ruleset == "classic")
    engine = Engine(lambda: InProcess(Refuses), suite.digest)
    run = collect(Run(engine, "exec:mine", suite, [case], Settings(levels=(1,))).records())
    failing = replace(run, results=tuple({**r, "status": "fail"} for r in run.results))
    wanted = [f"level 1, form {r['form'] + 1}" for r in run.results]
    assert len(wanted) > 1
    for text in (
        terminal(failing, suite, everything=True),
        markdown(failing, suite),
        annotations(failing, suite).replace("%2C", ","),
        page([failing], suite),
        "\n".join(difference(run, failing).lines()),
    ):
        assert all(word in text for word in wanted)
    names = [case.get("name") for case in ET.fromstring(junit(failing)).iter("testcase")]  # noqa: S314 - our own text
    assert len(set(names)) == len(names) == len(wanted)
