"""`python -m canasta_conformance.differential`: so many turns of each rule set on both engines; see `make deep`."""

import argparse
import sys

from canasta_conformance.differential.playing import RULE_SETS, Report, compare


def main() -> int:
    """Compares and says what was found."""
    parser = argparse.ArgumentParser(prog="python -m canasta_conformance.differential")
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rulesets", nargs="*", default=list(RULE_SETS))
    chosen = parser.parse_args()
    other = [name for name in chosen.rulesets if name not in RULE_SETS]
    if other:
        parser.error(f"{', '.join(other)}: the second engine plays {', '.join(RULE_SETS)}")
    found = 0
    for name in chosen.rulesets:
        report = compare(name, chosen.turns, chosen.seed)
        sys.stdout.write(tell(name, report) + "\n")
        sys.stdout.flush()
        found += len(report.findings)
    return 1 if found else 0


def tell(name: str, report: Report) -> str:
    """One line for a rule set, and the findings below it."""
    head = f"{name}: {report.turns} turns and {report.near_misses} near misses in {report.deals} deals, {len(report.findings)} differences"
    met = ", ".join(f"{code} {times}" for code, times in sorted(report.codes.items()))
    ends = ", ".join(f"{reason} {times}" for reason, times in sorted(report.reasons.items()))
    return "\n".join([head, f"  violations met: {met}", f"  ends: {ends}", *report.findings[:20]])


if __name__ == "__main__":
    sys.exit(main())
