"""The house rules that a program can check; `docs/explanation/style.md` has their reasons.

Every check is a function over source text, so that it is tried on a breach as well as on the tree.
"""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference" / "canasta"
CONFORMANCE = ROOT / "conformance" / "canasta_conformance"
TOOLS = ROOT / "tools" / "canasta_tools"
ENGINES = ROOT / "conformance" / "engines"
DATA_ROOMS = ("spec", "grammar", "conformance/suite", "conformance/protocol")

# The only modules (or packages) of the conformance room that may lean on the reference.
MAY_IMPORT_REFERENCE = frozenset(
    {"generator", "finding", "inprocess", "expectations", "differential", "fuzzing", "miniatures", "power"}
)

MOST_LINES = 500
MOST_LINES_OF_A_FUNCTION = 60
EMPTY_NAMES = frozenset({"utils", "util", "core", "helpers", "helper", "common", "misc"})

# Found anywhere in a word, in any case: `is_wild`, `WildCard`, `unfreeze`.
GAME_STEMS = (
    *("wild", "joker", "canasta", "freez", "froze", "samba", "bolivia", "escalera", "conceal", "meld"),
    *("opening", "deuce", "upcard", "partner", "cutthroat", "redthree", "blackthree"),
)

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_files(*folders: Path) -> list[Path]:
    return sorted(path for folder in folders for path in folder.rglob("*.py") if "__pycache__" not in path.parts)


def shipped() -> list[Path]:
    return python_files(REFERENCE, CONFORMANCE, TOOLS, ENGINES)


def place(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(module: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Every module that is imported, at the top or inside functions; relative names are resolved in the package."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            # `from canasta import notation` imports canasta.notation: both names count.
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)


def package_of(path: Path, room: Path) -> str:
    return ".".join((room.name, *path.parent.relative_to(room).parts))


def forbidden(room: Path, *packages: str, under: str = "", exempt: frozenset[str] = frozenset()) -> list[str]:
    found = []
    for path in python_files(room / under):
        if path.relative_to(room).with_suffix("").parts[0] in exempt:
            continue
        for line, name in imports(tree(path), package_of(path, room)):
            if any(name == package or name.startswith(f"{package}.") for package in packages):
                found.append(f"{place(path)}:{line} imports {name}")
    return found


def test_the_reference_leans_on_nobody() -> None:
    assert forbidden(REFERENCE, "canasta_conformance", "canasta_tools") == []


def test_conformance_does_not_lean_on_the_tools() -> None:
    assert forbidden(CONFORMANCE, "canasta_tools") == []


def test_only_named_modules_of_conformance_lean_on_the_reference() -> None:
    assert forbidden(CONFORMANCE, "canasta", exempt=MAY_IMPORT_REFERENCE) == []


def test_engines_lean_on_nothing_of_ours() -> None:
    assert forbidden(ENGINES, "canasta", "canasta_conformance", "canasta_tools") == []


def test_the_kernel_knows_no_notation() -> None:
    assert forbidden(REFERENCE, "canasta.notation", under="kernel") == []


@pytest.mark.parametrize(
    ("source", "package", "names"),
    [
        ("import canasta.kernel as k", "a", {"canasta.kernel"}),
        ("def f():\n    from canasta import notation", "a", {"canasta.notation"}),
        ("from . import judge", "canasta.kernel", {"canasta.kernel.judge"}),
        ("from ..notation import reader", "canasta.kernel", {"canasta.notation.reader"}),
        ("from ..notation.reader import read", "canasta.kernel.deep", {"canasta.kernel.notation.reader.read"}),
    ],
)
def test_no_way_of_importing_is_overlooked(source: str, package: str, names: set[str]) -> None:
    assert {name for _, name in imports(ast.parse(source), package)} == names


@pytest.mark.parametrize("room", DATA_ROOMS)
def test_a_data_room_holds_no_python(room: str) -> None:
    assert (ROOT / room).is_dir()
    assert [place(path) for path in (ROOT / room).rglob("*.py*")] == []


def test_no_file_is_too_long() -> None:
    everything = python_files(ROOT / "reference", ROOT / "conformance", ROOT / "tools", ROOT / "docs")
    lengths = {place(path): len(path.read_text(encoding="utf-8").splitlines()) for path in everything}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def long_functions(module: ast.Module) -> list[str]:
    return [
        f"{node.lineno} {node.name}"
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ]


def test_no_function_is_too_long() -> None:
    assert [f"{place(path)}:{found}" for path in shipped() for found in long_functions(tree(path))] == []


def test_a_function_that_is_too_long_is_seen() -> None:
    body = "    pass\n"
    assert long_functions(ast.parse("class A:\n  def f(self):\n" + body * MOST_LINES_OF_A_FUNCTION)) == ["2 f"]
    assert long_functions(ast.parse("def f():\n" + body * (MOST_LINES_OF_A_FUNCTION - 1))) == []


def unused(module: ast.Module, elsewhere: frozenset[str] = frozenset()) -> list[str]:
    """Find private functions and classes that their module never names again; a method that replaces one may be called elsewhere."""
    names = frozenset(used(module))
    replacing = {
        id(node) for c in ast.walk(module) if isinstance(c, ast.ClassDef) and c.bases for node in c.body
    }  # fmt: skip
    return [
        f"{node.lineno} {node.name}"
        for node in ast.walk(module)
        if isinstance(node, Definition) and node.name.startswith("_") and not node.name.startswith("__")
        and node.name not in (names | elsewhere if id(node) in replacing else names)
    ]  # fmt: skip


def used(module: ast.AST) -> Iterator[str]:
    """Give every name that is read or looked up in a module."""
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


def test_no_private_function_is_dead() -> None:
    everywhere = frozenset(name for path in shipped() for name in used(tree(path)))
    assert [f"{place(path)}:{found}" for path in shipped() for found in unused(tree(path), everywhere)] == []


def test_a_private_function_that_is_dead_is_seen() -> None:
    source = "def _f():\n    pass\nclass A(B):\n  def _g(self):\n    pass\n  def _h(self):\n    self._h()"
    assert unused(ast.parse(source)) == ["1 _f", "4 _g"]
    assert unused(ast.parse(source), frozenset({"_f", "_g"})) == ["1 _f"]


def test_no_module_has_an_empty_name() -> None:
    named = {
        place(path): {part.strip("_") for part in path.relative_to(ROOT).with_suffix("").parts} for path in shipped()
    }
    assert [path for path, parts in named.items() if parts & EMPTY_NAMES] == []


def undocumented(module: ast.Module) -> Iterator[str]:
    if ast.get_docstring(module) is None:
        yield "1 the module"
    yield from _undocumented(module.body)


def _undocumented(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, Definition) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None and not _has_its_docstring_elsewhere(node):
                yield f"{node.lineno} {node.name}"
            if isinstance(node, ast.ClassDef):
                yield from _undocumented(node.body)


def _has_its_docstring_elsewhere(node: Definition) -> bool:
    return any(
        ast.unparse(decorator).split(".")[-1] in ("overload", "override", "setter") for decorator in node.decorator_list
    )


def test_everything_public_has_a_docstring() -> None:
    assert [f"{place(path)}:{found}" for path in shipped() for found in undocumented(tree(path))] == []


def test_a_missing_docstring_is_seen() -> None:
    source = "class A:\n  'd'\n  def f(self): pass\n  def _g(self): pass\ndef h(): pass\n"
    assert list(undocumented(ast.parse(source))) == ["1 the module", "3 f", "5 h"]


def game_words(source: str) -> list[str]:
    """Lines in which a word of the game stands, in a name, a comment or a string."""
    found = []
    for number, line in enumerate(source.splitlines(), start=1):
        # Our own package is named after the game; what Python itself calls frozen is no frozen pile.
        kept = re.sub(r"^\s*(from|import) canasta\b", "", line)
        kept = re.sub(r"\bfrozen=True\b|\bfrozenset\b|\bFrozenInstanceError\b", "", kept)
        flat = re.sub(r"[\s_-]+(?=threes?\b)", "", kept.lower())
        found += [f"{number} {stem}" for stem in GAME_STEMS if stem in flat]
    return found


def test_no_word_of_the_game_stands_in_the_kernel() -> None:
    kernel = python_files(REFERENCE / "kernel")
    assert kernel
    assert [f"{place(path)}:{found}" for path in kernel for found in game_words(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("line", "stems"),
    [
        ("from canasta.kernel.cards import Card", []),
        ("@dataclass(frozen=True, slots=True)", []),
        ("seen: frozenset[int]", []),
        ("def isWildCard(): ...", ["wild"]),
        ("MAX_JOKERS = 3", ["joker"]),
        ("# a canasta of seven", ["canasta"]),
        ("from canasta.kernel import meld", ["meld"]),
        ("frozen = True", ["froze"]),
        ("unfreeze(pile)", ["freez"]),
        ("'red three'", ["redthree"]),
        ("BLACK_THREES", ["blackthree"]),
    ],
)
def test_a_word_of_the_game_is_seen(line: str, stems: list[str]) -> None:
    assert game_words(line) == [f"1 {stem}" for stem in stems]


# Written in pieces, for this file is searched too.
FOREIGN = re.compile(
    r"(?<![\w.])/(?:" + "work|root|farm" + r")/\w|/home/\w+/|\.libr" + r"ary\b"
    r"|extra-index"
    + r"-url|\bindex-url\b|pypi\.org/"
    + r"simple|files\.python"
    + r"hosted|registry\.npm"
    + r"js|proxy\.go"
    + r"lang"
    r"|localhost:\d|127\.0\." + r"0\.1|before-s" + r"top"
)


def tracked() -> list[Path]:
    """Every file that is or would be committed."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - the git of whoever runs it
        cwd=ROOT,
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    found = []
    for path in tracked():
        text = path.read_bytes().decode("utf-8", errors="replace")
        found += [f"{place(path)}:{text.count(chr(10), 0, hit.start()) + 1} {hit[0]}" for hit in FOREIGN.finditer(text)]
    assert found == []


def test_a_place_on_somebodys_machine_is_seen() -> None:
    for text in ("see /wo" + "rk/main", "(/ro" + "ot/x)", "--index" + "-url https://x", "/ho" + "me/ana/game.cgn"):
        assert FOREIGN.search(text), text
    for text in ("docs/wo" + "rk/x", "how we wo" + "rk/play", "https://example.org/ro" + "ot", "./ro" + "ot/x"):
        assert not FOREIGN.search(text), text


def make_targets(makefile: str) -> set[str]:
    return set(re.findall(r"^([a-z][\w-]*):(?!=)", makefile, flags=re.MULTILINE))


def commands(page: str) -> set[str]:
    """The targets of `make` that a page tells a reader to type; a bare `make` is the default goal."""
    return {
        target or "run"
        for target in re.findall(r"(?:^\$ |`)make(?: ([a-z-]+))?(?=`|\s*$|\s+#)", page, flags=re.MULTILINE)
    }


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_command_of_the_first_pages_is_in_the_makefile(page: str) -> None:
    asked = commands((ROOT / page).read_text(encoding="utf-8"))
    assert "test" in asked
    assert asked <= make_targets((ROOT / "Makefile").read_text(encoding="utf-8"))


def test_commands_of_a_page_are_seen() -> None:
    assert commands("$ make   # sets up\n$ make test\nuse `make check` and `make`\nmake sure") == {
        "run",
        "test",
        "check",
    }


def test_what_ci_runs_is_in_the_makefile() -> None:
    asked = set(re.findall(r"^make ([a-z-]+)", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), flags=re.MULTILINE))
    assert {"test", "check"} <= asked
    assert asked <= make_targets((ROOT / "Makefile").read_text(encoding="utf-8"))
