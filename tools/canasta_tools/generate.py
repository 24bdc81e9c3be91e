"""Everything that is generated and committed: books, pages, resolved rule sets, the suite, examples; written or compared.

What is generated is the same bytes on every machine. Files are written whole or not at all, and a file that is no longer
generated is taken away, so that the tree never holds a page that nothing stands behind.
"""

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from canasta.diagnostics import CanastaError, Diagnostic
from canasta.language.naming import known
from canasta_tools.rulebook.markdown import MARK

SUITE: Final = "conformance/suite"
REPORTS: Final = "conformance/engines/miniatures/reports"

OWNED: Final = (
    *("spec/resolved", "spec/parsed", "spec/distinguishing", SUITE, "grammar/examples/matches"), REPORTS,
)  # fmt: skip
"""Folders in which everything is generated."""

MARKED: Final = ("docs",)
"""Folders in which generated pages lie between written ones, told apart by their first line."""

IDS: Final = "conformance/ids.txt"
"""Every id that a case of the suite ever had."""

KEPT: Final = (".keep", "README.md")
"""Written by hand, also in folders that are generated."""


_PROCESSES: Final = 4
"""So many processes at most make files side by side."""

Job = Callable[[], dict[str, str]]
"""What makes some of the files: their texts by their paths."""


class Change(StrEnum):
    """How a generated file differs from the one in the tree."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "no longer generated"


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that is not as it should be: its path from the root of the checkout, and how it differs."""

    path: str
    change: Change


def contents() -> dict[str, str]:
    """Make every generated file: its text by its path from the root of the checkout, in alphabetical order.

    Raises:
        CanastaError: with every fault of a shipped rule set, its texts or the register.
    """
    made: dict[str, str] = {}
    faults: list[Diagnostic] = []
    with ProcessPoolExecutor(min(os.cpu_count() or 1, _PROCESSES)) as pool:
        for job in [pool.submit(job) for job in jobs()]:
            try:
                made |= job.result()
            except CanastaError as error:
                faults += error.diagnostics
    if faults:
        raise CanastaError(faults)
    return dict(sorted(made.items()))


def jobs() -> Iterator[Job]:
    """List what makes all files, each of which needs nothing that another one makes; what takes long comes first."""
    from canasta_tools.differences import pairs  # noqa: PLC0415 - Jinja is slow to start

    yield suite_and_reports
    yield from (partial(what_differs, parent, child) for parent, child in pairs())
    yield from (partial(example_match, name) for name in known())
    yield from (partial(book, name) for name in known())
    yield parsed_forms
    yield catalogues
    yield pages


def generate(*, check: bool = False, root: Path | None = None) -> tuple[Difference, ...]:
    """Bring all generated files up to date, or only say which are not if ``check``; give what differed.

    Raises:
        CanastaError: RS7006 when there is no checkout to write into; or with every fault of what is generated from.
    """
    base = checkout() if root is None else root
    wanted = contents()
    found = tuple(_differences(wanted, base))
    if not check:
        for difference in found:
            path = base / difference.path
            if difference.change is Change.GONE:
                path.unlink()
            else:
                _write(path, wanted[difference.path])
    return found


def checkout() -> Path:
    """Find the root of the checkout that this code lies in.

    Raises:
        CanastaError: RS7006 when the package is installed without one.
    """
    root = Path(__file__).resolve().parents[2]
    if not (root / "pyproject.toml").is_file() or not (root / "spec" / "rules").is_dir():
        hint = "run it in a checkout of the project"
        raise CanastaError([Diagnostic("RS7006", "there is no checkout here to generate into", hint=hint)])
    return root


def pages() -> dict[str, str]:
    """Make the pages of the reference."""
    from canasta_tools.pages.codes import codes_page, diagnostics_page  # noqa: PLC0415 - Jinja is slow to start
    from canasta_tools.pages.coverage import coverage_page  # noqa: PLC0415
    from canasta_tools.pages.glossary import glossary_page  # noqa: PLC0415
    from canasta_tools.pages.language import language_page  # noqa: PLC0415
    from canasta_tools.pages.measured import measured_page  # noqa: PLC0415
    from canasta_tools.pages.options import options_page  # noqa: PLC0415
    from canasta_tools.pages.protocol import protocol_page  # noqa: PLC0415
    from canasta_tools.pages.rulings import contradictions_page, rulings_page, sources_page  # noqa: PLC0415
    from canasta_tools.pages.violations import violation_pages  # noqa: PLC0415
    from canasta_tools.rulebook.material import material, register  # noqa: PLC0415

    books, entries = [material(name) for name in known()], register()
    return {
        "docs/reference/contradictions.md": contradictions_page(entries),
        "docs/reference/coverage.md": coverage_page(entries, books),
        "docs/reference/diagnostics.md": diagnostics_page(),
        "docs/reference/glossary.md": glossary_page(),
        "docs/reference/measured.md": measured_page(),
        "docs/reference/options.md": options_page(books),
        "docs/reference/protocol.md": protocol_page(books),
        "docs/reference/rule-language-reference.md": language_page(),
        "docs/reference/rulings.md": rulings_page(entries, books),
        "docs/reference/sources.md": sources_page(entries),
        "docs/reference/violation-codes.md": codes_page(books),
        **violation_pages(books),
    }


def book(name: str) -> dict[str, str]:
    """Make the law book and the player's book of one rule set, and the rule set resolved.

    Raises:
        CanastaError: where it does not bear out a ruling that it prints.
    """
    from canasta_tools.pages.resolved import resolved  # noqa: PLC0415 - Jinja is slow to start
    from canasta_tools.rulebook.lawbook import law_book  # noqa: PLC0415
    from canasta_tools.rulebook.markdown import Place  # noqa: PLC0415
    from canasta_tools.rulebook.material import material  # noqa: PLC0415
    from canasta_tools.rulebook.playerpage import player_text  # noqa: PLC0415
    from canasta_tools.ruling_checks import check_rulings  # noqa: PLC0415

    if unfit := list(check_rulings(name)):
        raise CanastaError(unfit)
    slug = name.replace("/", "-")
    return {
        f"docs/rulebooks/{slug}.md": law_book(name),
        f"docs/rulebooks/player/{slug}.md": player_text(name, place=Place.SITE),
        f"spec/resolved/{slug}.json": resolved(material(name)),
    }


def what_differs(parent: str, child: str) -> dict[str, str]:
    """Make the page of one pair, and note which cases show its changes.

    Raises:
        CanastaError: RS5014 for every change that no example shows.
    """
    from canasta.playing.remembered import file_of  # noqa: PLC0415
    from canasta_tools.differences import memory_of, of_shipped  # noqa: PLC0415
    from canasta_tools.pages.differences import differences_page  # noqa: PLC0415 - Jinja is slow to start

    found = of_shipped(parent, child)
    if found.missing:
        raise CanastaError(found.missing)
    slug = child.replace("/", "-")
    return {
        f"docs/rulebooks/differences/{slug}.md": differences_page(found),
        f"spec/{file_of(child)}": memory_of(found),
    }


def suite_and_reports() -> dict[str, str]:
    """Make the cases of the conformance suite, and what is read off them: the reports on the miniatures, the page of routes."""
    from canasta_conformance.miniatures.reports import report_files  # noqa: PLC0415 - it runs the suite
    from canasta_conformance.suite import read_suite  # noqa: PLC0415
    from canasta_tools.pages.routes import routes_page  # noqa: PLC0415

    cases = suite()
    with tempfile.TemporaryDirectory(prefix="suite-") as name:
        for path, text in cases.items():
            _write(Path(name) / path.removeprefix(f"{SUITE}/"), text)
        read = read_suite(Path(name))
    reports = {f"{REPORTS}/{file}": text for file, text in report_files(read).items()}
    return {**cases, "docs/reference/routes.md": routes_page(read), **reports}


def suite() -> dict[str, str]:
    """Make the cases of the conformance suite."""
    from canasta_conformance.generator import every_id, suite_files  # noqa: PLC0415 - not every kind of file needs it

    files = suite_files(known())
    # The one generated file that remembers: an id that was given once is never given to anything else, and never lost.
    ids = checkout() / IDS
    before = ids.read_text(encoding="utf-8") if ids.is_file() else ""
    return {**{f"{SUITE}/{path}": text for path, text in files.items()}, IDS: every_id(before, files)}


def parsed_forms() -> dict[str, str]:
    """Make the parsed forms, and the tables of the notation's grammar."""
    from canasta.games import read_ruleset  # noqa: PLC0415
    from canasta.language import parsed  # noqa: PLC0415 - not every kind of file needs it
    from canasta.language.loading import load_document  # noqa: PLC0415

    made = {}
    for name in known():
        lineage = load_document(name).lineage
        text = parsed.write(read_ruleset(name), parsed.digest_of_sources(name, lineage), lineage)
        made[f"spec/parsed/{name.replace('/', '.')}.json"] = text
    return made


def catalogues() -> dict[str, str]:
    """Bring up to date the catalogues of translations that are not; what a translator's program wrote otherwise stays so."""
    from canasta_tools.translations.updating import updated  # noqa: PLC0415 - Babel is slow to start

    return updated()


def example_match(name: str) -> dict[str, str]:
    """Make the example match of one rule set."""
    from canasta_tools.example_matches import example_of, path_of  # noqa: PLC0415 - plays whole matches

    return {path_of(name): example_of(name)}


def _differences(wanted: dict[str, str], base: Path) -> Iterator[Difference]:
    for path, text in wanted.items():
        try:
            there = (base / path).read_bytes()
        except FileNotFoundError:
            yield Difference(path, Change.NEW)
            continue
        if there != text.encode("utf-8"):
            yield Difference(path, Change.CHANGED)
    for path in _generated_before(base):
        if path not in wanted:
            yield Difference(path, Change.GONE)


def _generated_before(base: Path) -> Iterator[str]:
    for folder in OWNED:
        for path in sorted((base / folder).rglob("*")):
            if path.is_file() and path.name not in KEPT:
                yield path.relative_to(base).as_posix()
    for folder in MARKED:
        for path in sorted((base / folder).rglob("*.md")):
            if "_build" not in path.parts and path.read_bytes().startswith(MARK.encode("utf-8")):
                yield path.relative_to(base).as_posix()


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.write_bytes(text.encode("utf-8"))
    unfinished.replace(path)
