"""`python -m canasta_conformance.miniatures`: every miniature against the whole suite; see `make deep`."""

import sys

from canasta_conformance.miniatures.catalogue import miniatures
from canasta_conformance.miniatures.reports import catches, failures, report, stored


def main() -> int:
    """Runs, tells what catches each, and says which are not caught or have another report than the stored one."""
    wrong = 0
    for of in miniatures().values():
        found = failures(report(of, patterns=()))
        lines = {f"{r['case']}@{r['level']}  {r['status']}" for r in found}
        text = stored(of).read_text(encoding="utf-8")
        kept = [] if of.ordered else [line for line in text.splitlines() if not line.startswith("#")]
        missing = [line for line in kept if line.partition("  #")[0] not in lines]
        catching = [r for r in found if catches(of, r)]
        clauses = {clause for r in found for clause in r["clauses"]}
        head = f"{of.name}: {len(found)} failures, {len(catching)} by {of.by}, {len(clauses)} clauses"
        bad = ["not caught by what it should be caught by"] if not catching else []
        bad += [f"stored, and not so in the whole suite: {line}" for line in missing]
        sys.stdout.write("\n  ".join([head, *bad]) + "\n")
        sys.stdout.flush()
        wrong += bool(bad)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
