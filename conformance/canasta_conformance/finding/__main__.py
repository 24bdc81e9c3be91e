"""`python -m canasta_conformance.finding`: search for positions that show what no example shows, and remember them."""

import argparse
import sys
import time

from canasta.language.naming import known
from canasta_conformance.finding.remembering import Found, remembered, save
from canasta_conformance.finding.searching import search
from canasta_conformance.finding.twins import pair
from canasta_conformance.generator.beginnings import NoPrefixError
from canasta_conformance.generator.examples import cases
from canasta_conformance.generator.prefixes import prefix_of


def main() -> int:
    """Search through rule sets, and write what was found into `conformance/found/`."""
    parser = argparse.ArgumentParser(prog="python -m canasta_conformance.finding")
    parser.add_argument(
        "--tries", type=int, default=20_000, help="how many changed examples are tried; 0 looks only for twins and ways"
    )

    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("rulesets", nargs="*", default=list(known()))
    chosen = parser.parse_args()
    for name in chosen.rulesets:
        begun = time.monotonic()
        found = search(name, chosen.tries, chosen.seed) if chosen.tries else remembered(name)
        save(name, found)
        pair(name, found, chosen.seed)
        save(name, found)
        lead(name, found)
        save(name, found)
        counts = {
            "inputs": found.inputs, "ways from a deal": found.ways, "links": found.also, "twins": found.twins,
            "without a twin": found.twinless,
            "goals open": found.missing,
        }  # fmt: skip
        told = ", ".join(f"{len(what)} {word}" for word, what in counts.items())
        sys.stdout.write(f"{name}: {told}, {time.monotonic() - begun:.0f} s\n")
        sys.stdout.flush()
    return 0


def lead(name: str, found: Found) -> None:
    """Search for ways from a deal to the position of each case; what makes no case is forgotten."""
    found.ways, found.ruled_out = {}, {}
    made = [case for case, _ in cases(name, led=False)]
    there = {case["id"].removeprefix(f"{name}/") for case in made}
    found.inputs = [one for one in found.inputs if one.name in there]
    found.twins = {case: twin for case, twin in found.twins.items() if {case, twin} <= there}
    found.twinless = {case: reason for case, reason in found.twinless.items() if case in there}
    for case in made:
        prefix, of = prefix_of(case), case["id"].removeprefix(f"{name}/")
        if prefix is not None:
            try:
                found.ways[of] = prefix.search()
            except NoPrefixError as reason:
                found.ruled_out[of] = str(reason)


if __name__ == "__main__":
    sys.exit(main())
