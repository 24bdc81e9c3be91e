"""What a case of the suite leaves out because nearly every case would say the same, and what that means."""

from typing import Any

Data = dict[str, Any]


def meant(ruleset: str) -> Data:
    """Say what a case in a file of a rule set means where it leaves something out."""
    return {"ruleset": {"name": ruleset, "options": {}}, "kind": "turn", "level": "must", "origin": {"from": "example"}}


def completed(case: Data, ruleset: str) -> Data:
    """Give a case with everything that it leaves out; where the file names no rule set, the case does."""
    return (meant(ruleset) | case) if ruleset else case


def shortened(case: Data, ruleset: str) -> Data:
    """Leave out of a case what its file of a rule set says of all cases."""
    plain = meant(ruleset)
    return {key: value for key, value in case.items() if key not in plain or plain[key] != value}
