"""The report for machines: JUnit for a build server, a badge for a front page, annotations for a code host."""

import json
from collections import Counter
from xml.etree import ElementTree as ET

from canasta_conformance.grading import FAULTS, NOT_ASKED, Status
from canasta_conformance.reports.summary import bad, clause_of, explained, named, never_started, rerun, why_not_started
from canasta_conformance.stream import KNOWN, Report, clean
from canasta_conformance.suite import Suite


def junit(report: Report, *, strict: bool = False) -> str:
    """Write JUnit XML: a test case for each form, its clause as class; what could not be asked is skipped with the reason."""
    wrong = {(r["case"], r["form"]) for r in bad(report, strict=strict)}
    root = ET.Element("testsuites", name=f"conformance of {report.engine}")
    groups: dict[str, ET.Element] = {}
    forms = Counter((r["case"], r["level"]) for r in report.results)
    for result in report.results:
        name = f"{result['ruleset']}, level {result['level']}"
        suite = groups.setdefault(name, ET.Element("testsuite", name=name))
        which = f", form {result['form'] + 1}" if forms[result["case"], result["level"]] > 1 else ""
        case = ET.SubElement(
            suite, "testcase", name=f"{result['case']}{which}", classname=f"{result['ruleset']}.{result['clauses'][0]}"
        )
        text = clean("\n".join([*explained(result), rerun(report, result)]))
        if (result["case"], result["form"]) in wrong:
            kind = "error" if result["status"] in (*FAULTS, Status.ERROR) else "failure"
            ET.SubElement(case, kind, type=result["status"], message=text.partition("\n")[0]).text = text
        elif result["status"] in NOT_ASKED or result["status"] == KNOWN:
            told = f"{result['status']}: {result['told']}" if result.get("told") else result["status"]
            ET.SubElement(case, "skipped", message=clean(told))
    if report.unasked:
        suite = groups.setdefault("between two cases", ET.Element("testsuite", name="between two cases"))
        for number, told in enumerate(report.unasked, start=1):
            case = ET.SubElement(suite, "testcase", name=f"unasked, {number}", classname="protocol")
            ET.SubElement(case, "error", type="unasked", message=told).text = told
    for suite in groups.values():
        cases = list(suite)
        suite.set("tests", str(len(cases)))
        for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            suite.set(key, str(sum(case.find(tag) is not None for case in cases)))
        root.append(suite)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def badge(report: Report, ruleset: str, *, strict: bool = False) -> str:
    """Write the JSON of a badge in the form that shields.io reads: right of judged, for one rule set."""
    good = (Status.PASS,) if strict else (Status.PASS, Status.WRONG_REASON)
    own = [r["status"] for r in report.results if r["ruleset"] == ruleset]
    judged = [status for status in own if status not in NOT_ASKED]
    right, mute = sum(status in good for status in judged), sum(status in FAULTS for status in judged)
    message, colour = f"{right}/{len(judged)}", "brightgreen" if judged and right == len(judged) else "orange"
    broken = "broken off" if not report.end["complete"] else f"{mute} without an answer" if mute else ""
    broken = broken or ("faults between cases" if report.unasked else "")
    if broken:
        message, colour = f"{message}, {broken}", "red"
    if not judged:
        message, colour = "not asked", "lightgrey"
    told = {"schemaVersion": 1, "label": f"canasta {ruleset}", "message": message, "color": colour}
    return json.dumps(told) + "\n"


def annotations(report: Report, suite: Suite, *, strict: bool = False) -> str:
    """Write annotations of a workflow, one a line, each with the clause that is concerned; its file is in no repository of an engine."""
    fault = never_started(report)
    if fault is not None:
        return f"::error title=no-start::{_data(chr(10).join(why_not_started(fault)))}\n"
    lines = [f"::error title=between two cases::{_data(told)}" for told in report.unasked]
    for result in bad(report, strict=strict):
        clause = clause_of(suite, result["ruleset"], result["clauses"][0])
        about = [f"{clause.id}: {clause.title}"] if clause else []
        title = _property(f"{result['status']}: {named(suite, result)}")
        told = "\n".join([*about, *explained(result), f"again: {rerun(report, result)}"])
        lines.append(f"::error title={title}::{_data(told)}")
    return "".join(f"{line}\n" for line in lines)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
