"""Keeping score at the table: the command asks for what one writes on a pad, and the file is always up to date."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import click

from canasta.diagnostics import CanastaError, Diagnostic, Severity
from canasta.games import load_ruleset, open_game
from canasta.notation.reader import read_bytes
from canasta.notation.record import Deal, Item, Record, Result, Score, Tag
from canasta.notation.writer import write as written
from canasta.playing.named_rules import seats_by
from canasta.playing.replay import replay
from canasta.playing.report import MatchReport
from canasta.playing.seats import Seats, seats_of
from canasta.rendering import to_terminal
from canasta_tools.files import replace_file
from canasta_tools.output import Code, fail
from canasta_tools.score_sheet import outcome, sheet, standing

_NUMBER = re.compile(r"[+-]?[0-9]{1,6}")


def today() -> str:
    """Give the day at this table."""
    return date.today().isoformat()  # noqa: DTZ011 - what the players call today, wherever they are


def keep_score(path: str | None, rules: str | None) -> int:
    """Ask for a match, deal by deal, and write it to a file; give the exit code.

    An existing file is taken up where it was left. Breaking off at any question leaves the deals that were complete.
    """
    named = path or click.prompt("File", default=f"{today()}.cgn", err=True)
    file = Path(named)
    there = file.exists()
    record = _taken_up(file, rules) if there else _begun(rules)
    if record is None:
        return Code.USAGE
    if not there:
        replace_file(file, written(record))  # names are typed once, even if no deal is finished tonight
    seats = seats_of(load_ruleset(rules or record.tag("Rules") or "classic").table, record.seats)
    click.echo("Each deal: what the bonuses come to (base), then the cards (count). Enter leaves off.", err=True)
    added = 0
    while True:
        report = replay(record, rules)
        if report.winners:
            break
        deal = _deal(record, report, seats, len(record.deals) + 1)
        if deal is None:
            break
        tried = replace(record, deals=(*record.deals, deal))
        wrong = [f for f in replay(tried, rules).findings if f.severity is Severity.ERROR and _about(f, record, rules)]
        for finding in wrong:
            click.echo(to_terminal(finding, None, colour=False), err=True)
        if wrong and not click.confirm("Keep it all the same?", default=False, err=True):
            continue
        record = tried
        replace_file(file, written(record))
        added += 1
        click.echo(f"  {standing(replay(record, rules))}", err=True)
    report = replay(record, rules)
    if report.winners:
        record = replace(record, result=Result("", tuple(report.totals.items())))
        replace_file(file, written(record))
        there = False
    end = f"{file} is as it was." if there and not added else f"{file} is written."
    click.echo(f"{sheet(report) if record.deals else outcome(report)}\n\n{end}")
    return Code.CLEAN


def _about(finding: Diagnostic, record: Record, rules: str | None) -> bool:
    """Ask whether a finding is new: what was kept in spite of a finding is not told again."""
    return finding.message not in {f.message for f in replay(record, rules).findings}


def _begun(rules: str | None) -> Record | None:
    """Ask for what stands at the head of a pad."""
    name = rules or click.prompt("Rules", default="classic", err=True)
    try:
        seats = seats_of(load_ruleset(name).table)
    except CanastaError as error:
        fail(error.diagnostics)
        return None
    tags = [Tag("Rules", name), Tag("Date", today())]
    for seat in seats.names:
        player = click.prompt(f"Name of {seat}", default="", show_default=False, err=True)
        if player.strip():
            tags.append(Tag(seat, " ".join(player.split())))
    return Record(tuple(tags))


def _taken_up(file: Path, rules: str | None) -> Record | None:
    """Read the match that a file holds already."""
    records, found = read_bytes(file.read_bytes(), str(file), seats_by(rules))
    errors = [f for f in found if f.severity is Severity.ERROR]
    if errors or len(records) != 1:
        message = f"{file} holds {len(records)} matches; a score is kept of one"
        fail(errors or [Diagnostic("US0014", message, None, "name a new file")])
        return None
    (record,) = records
    if record.result is not None and not record.result.word:
        fail([Diagnostic("US0014", f"the match in {file} is over", None, "name a new file")])
        return None
    return replace(record, result=None)


def _deal(record: Record, report: MatchReport, seats: Seats, number: int) -> Deal | None:
    """Ask for the figures of one deal; None when the person leaves off."""
    last = record.deals[-1].dealer if record.deals else ""
    names = seats.names
    game = open_game(report.rules)
    told = last in names and not game.machine.deals_by_play  # else a pad does not tell whose deal it is
    after = game.turn.blank(names.index(last), number - 1, {}) if told else None
    dealer = names[game.turn.blank(game.next_dealer(after), number, {}).dealer] if after is not None else ""
    click.echo(f"\nDeal {number}", err=True)
    scores: list[Score] = []
    for side in seats.sides:
        base = _figure(f"  {side} base", leave=not scores)
        if base is None:
            return None
        count = _figure(f"  {side} count", leave=False) or 0
        total = report.totals.get(side, 0) + base + count
        scores.append(Score(side, (Item("base", base), Item("count", count)), None, total))
    return Deal(number, dealer, tuple(scores))


def _figure(question: str, *, leave: bool) -> int | None:
    """Ask for points until a whole number comes; an empty answer leaves off where that may be, else it means 0."""
    while True:
        try:
            answer = click.prompt(question, default="", show_default=False, err=True)
        except click.Abort:  # the end of the input is as good as an empty answer at the beginning of a deal
            if leave:
                return None
            raise
        text = answer.strip().replace("\N{MINUS SIGN}", "-").replace(" ", "").replace(",", "")
        if not text:
            return None if leave else 0
        if _NUMBER.fullmatch(text):
            return int(text)
        click.echo("  write a whole number of points, such as 455 or -60", err=True)
