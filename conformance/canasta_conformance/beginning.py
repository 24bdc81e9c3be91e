"""Beginning a harness: the skeleton of one language in a new folder, with a page that says what to do next."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from canasta_conformance.pages import page
from canasta_conformance.places import folder

PAGE = """# A harness for the conformance suite

`{main}` answers the requests of the runner. It runs as it is, and is right about what cards count; everything else waits for
your engine. It needs {needs}.

{build}Is the harness sound?

    canasta conformance check "exec:{run}"

What does the suite say?

    canasta conformance run "exec:{run}"

Then, one after another:

1. Replace what cards count by a call of your engine.
2. Say in `hello` who you are and by which rules you play.
3. Answer the other operations of level 0: each is one function.
4. If a position can be set up: `load`, `turn`, `observe`, `ledger`, and 1 in `levels`.
5. If a deal can begin from a stacked pack: `start`, and 2 in `levels`.

Leave out what you cannot answer. It is counted as not asked, and never as wrong. Every message is shown with an example in
`protocol.md`, beside this page.
{more}"""

WORKED = """# A harness at level 1, worked out

`{main}` answers levels 0 and 1. Behind it stands a tiny engine that can draw, meld, add to melds and discard, and knows a few of the
rules of classic Canasta. It is meant to be read, and to be taken apart for a harness of your own. It needs {needs}.

{build}Is the harness sound?

    canasta conformance check "exec:{run}"

What does the suite say, and where does the tiny engine depart?

    canasta conformance run "exec:{run}"

Every message is shown with an example in `protocol.md`, beside this page.
"""

IN_PYTHON = """
The runner can also make the class in its own process, where a debugger can follow, with `python:harness:Harness` instead of
`exec:python3 harness.py`. What the class prints then goes to standard error.
"""


def languages() -> Mapping[str, Mapping[str, Any]]:
    """List the languages that there is a skeleton for: how each is built and run."""
    text = (folder("engines") / "skeletons" / "languages.json").read_text(encoding="utf-8")
    found: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return found


def begin(language: str, target: Path, *, worked: bool = False) -> str:
    """Write the skeleton of a language, or the worked example of level 1, into a new folder, and give the command that runs it.

    Raises:
        FileExistsError: when there is such a folder, and it is not empty.
        KeyError: when there is no worked example in the language.
        OSError: when it cannot be written.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise FileExistsError(str(target))
    told = languages()[language]
    told = {**told, **told["level1"]} if worked else told
    ignored = shutil.ignore_patterns("__pycache__", "target", "build", "*.lock")
    skeleton = folder("engines") / "skeletons" / language
    if worked:
        shutil.copytree(folder("engines") / "worked" / language, target, ignore=ignored, dirs_exist_ok=True)
    if "only" in told:
        shutil.copy(skeleton / told["only"], target)
    else:
        shutil.copytree(skeleton, target, ignore=ignored, dirs_exist_ok=True)
    build = f"Build it:\n\n    {told['build']}\n\n" if told["build"] else ""
    more = IN_PYTHON if language == "python" and not worked else ""
    text = (WORKED if worked else PAGE).format(**{**told, "build": build, "more": more})
    (target / "README.md").write_text(text, encoding="utf-8")
    (target / "protocol.md").write_text(page("protocol.md"), encoding="utf-8")
    return str(told["run"])
