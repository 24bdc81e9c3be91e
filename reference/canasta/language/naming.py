"""How a rule set is named, ``RULESET[:PROFILE][,option=value…]``, and where its files lie."""

from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from canasta.diagnostics import Diagnostic, Findings, Span
from canasta.language.source import RuleFileError
from canasta.rooms import room

MAIN: Final = "ruleset.yaml"
"""The file in the folder of a rule set from which its chapters are named."""

SUFFIXES: Final = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Home:
    """Where a rule set lies: its main file, the folder of its chapters, and what places in its files are called."""

    main: Traversable
    folder: Traversable
    shown: str
    shipped: bool

    def chapter(self, name: str) -> tuple[Traversable, str]:
        """Find the file of a chapter, and what places in it are called."""
        before, slash, _ = self.shown.rpartition("/")
        return self.folder / f"{name}.yaml", f"{before}{slash}{name}.yaml"


@dataclass(frozen=True, slots=True)
class Name:
    """A rule set as somebody named it: which, in which profile, with which options chosen otherwise."""

    base: str
    profile: str
    options: dict[str, str]
    home: Home = field(compare=False)

    def __str__(self) -> str:
        """Write the name in its one canonical form, options in alphabetical order."""
        profile = f":{self.profile}" if self.profile else ""
        return f"{self.base}{profile}" + "".join(f",{k}={v}" for k, v in sorted(self.options.items()))


@cache
def known() -> tuple[str, ...]:
    """List the names of the shipped rule sets, in alphabetical order."""
    found: list[str] = []
    waiting = [(room("spec") / "rules", "")]
    while waiting:
        folder, prefix = waiting.pop()
        if not folder.is_dir():
            continue
        for entry in folder.iterdir():
            if entry.is_dir():
                name = f"{prefix}{entry.name}"
                if (entry / MAIN).is_file():
                    found.append(name)
                waiting.append((entry, f"{name}/"))
    return tuple(sorted(found))


def parse_name(name: str, beside: Home | None = None, span: Span | None = None) -> Name:
    """Read the name of a rule set; a relative path counts from ``beside``, the rule set that says ``extends``.

    Raises:
        RuleFileError: RS2001 for a rule set that does not exist, RS2005 for a name that cannot be read.
    """
    findings = Findings()
    if _path(name.strip(), beside) is not None:
        first, rest = name.strip(), []
    else:
        first, *rest = (part.strip() for part in name.split(","))
    options: dict[str, str] = {}
    for part in rest:
        option, equals, value = (x.strip() for x in part.partition("="))
        if not (option and equals and value):
            findings.add(_unreadable(f"`{part}` does not choose an option", span))
        elif option in options:
            findings.add(_unreadable(f"the option `{option}` is chosen twice", span))
        options[option] = value
    base, profile = _profile(first, beside)
    if profile is None:
        findings.add(_unreadable("no profile is named after the colon", span))
    if not base:
        findings.add(_unreadable("no rule set is named", span))
    findings.raise_errors(RuleFileError)
    return Name(base, profile or "", options, find(base, beside, span))


def _unreadable(message: str, span: Span | None) -> Diagnostic:
    hint = "write RULESET[:PROFILE][,option=value…], for instance classic:pagat,tie=drawn"
    return Diagnostic("RS2005", message, span, hint)


def _profile(first: str, beside: Home | None) -> tuple[str, str | None]:
    """Part the rule set from the profile; a path may itself hold a colon."""
    base, colon, profile = first.rpartition(":")
    if not colon or _path(first, beside) is not None or first.endswith(SUFFIXES):
        return first, ""
    return base, profile or None


def _path(text: str, beside: Home | None) -> Home | None:
    """Find a person's own rule set by its path: a YAML file, or a folder with a main file; nothing if none is there.

    A file of another kind is never opened: a record names rules too, and must not make the command show what is in any file.
    """
    if not text or "\0" in text or "\n" in text:
        return None
    try:
        path = Path(text)
        if beside is not None and isinstance(beside.folder, Path) and not path.is_absolute():
            path = beside.folder / path
        if path.is_dir() and (path / MAIN).is_file():
            path /= MAIN
        if not path.is_file() or not path.name.endswith(SUFFIXES):
            return None
    except (OSError, ValueError):
        return None
    return Home(path, path.parent, path.as_posix(), shipped=False)


def find(base: str, beside: Home | None = None, span: Span | None = None) -> Home:
    """Find where a rule set lies: a shipped one by its name, a person's own by its path.

    Raises:
        RuleFileError: RS2001 when there is none.
    """
    names = known()
    if base in names:
        folder = room("spec") / "rules"
        for part in base.split("/"):
            folder = folder / part
        return Home(folder / MAIN, folder, f"spec/rules/{base}/{MAIN}", shipped=True)
    own = _path(base, beside)
    if own is not None:
        return own
    if base.endswith(SUFFIXES):
        hint = "check the spelling of the path"
        raise RuleFileError([Diagnostic("RS2001", f"there is no rule file {base}", span, hint)])
    close = get_close_matches(base, names, 1)
    guess = f"did you mean {close[0]}? " if close else ""
    hint = f"{guess}Shipped rule sets: {', '.join(names) or 'none'}; your own is named by the path of its file, which ends in .yaml"
    hint = hint[0].lower() + hint[1:] if not guess else hint
    raise RuleFileError([Diagnostic("RS2001", f"there is no rule set named {base}", span, hint)])
