"""`python -m canasta_tools.bench`: run some races, or all of them."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence

import click

from canasta_tools.bench import games, growth, memory, own, report, rule_sets, stored
from canasta_tools.bench.race import Race, Result, run

RACES: dict[str, Callable[[], Race]] = {
    "play": games.playing,
    "replay": games.judging_records,
    "judge": games.judging_acts,
    "read": games.reading_records,
    "play-each": rule_sets.playing,
    "judge-each": rule_sets.judging,
    "compile": games.compiling,
    "grow-hand": growth.by_hand,
    "grow-melds": growth.by_melds,
    "grow-packs": growth.by_packs,
    "memory-check": memory.checking,
    "memory-play": memory.playing,
    "shuffle": own.shuffling,
    "start": own.starting,
    "yaml": own.reading_yaml,
    "parse": own.parsing,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the races that are named; tables go to stdout as they are ready, JSON at the end."""
    parser = argparse.ArgumentParser(prog="python -m canasta_tools.bench", description=__doc__)
    parser.add_argument("races", nargs="*", metavar="RACE", help=f"one of {', '.join(RACES)}; all when none is named")
    parser.add_argument(
        "--repeats", type=int, default=5, help="how often each contender runs (default 5, after one warm-up)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--store", action="store_true", help="keep the run, as what the page of measured speeds is made from"
    )
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.races if name not in RACES]
    if unknown:
        parser.error(f"there is no race {', '.join(unknown)}: choose from {', '.join(RACES)}")
    if chosen.repeats < 1:
        parser.error(f"--repeats {chosen.repeats}: each contender has to run at least once")

    results: list[Result] = []
    for name in chosen.races or RACES:
        race = RACES[name]()
        if not race.contenders:
            click.echo("\n  not here: ".join((f"{race.title}: nobody to run", *race.absent)), err=True)
            continue
        results.append(run(race, chosen.repeats))
        if not chosen.json:
            click.echo(report.to_text(results[-1]) + "\n")
    if chosen.store:
        stored.STORED.write_text(stored.to_store(results), encoding="utf-8")
    if chosen.json:
        click.echo(json.dumps(report.to_json(results), indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
