"""What a case of the suite leaves out because nearly every case would say the same, and what that means."""

from typing import Any

Data = dict[str, Any]


def meant(case: Data, ruleset: str) -> Data:
    """Say what a case in a file of a rule set means where it leaves something out."""
    clause = case["id"].split("/")[-2]
    return {
        "ruleset": {"name": ruleset, "options": {}}, "kind": "turn", "level": "must", "asserts": [clause], "origin": {"from": "example"},
    }  # fmt: skip


def completed(case: Data, ruleset: str) -> Data:
    """Give a case with everything that it leaves out; where the file names no rule set, it leaves out nothing."""
    return (meant(case, ruleset) | case) if ruleset else case


def shortened(case: Data, ruleset: str) -> Data:
    """Leave out of a case what is meant without it."""
    plain = meant(case, ruleset)
    return {key: value for key, value in case.items() if key not in plain or plain[key] != value}
