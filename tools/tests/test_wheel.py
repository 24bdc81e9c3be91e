"""What is published is what lies in the rooms: the wheel is built from the sdist, installed elsewhere and used there.

It takes a while and needs the extra `check`, so only `make check` runs it.
"""

import os
import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.util import find_spec
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.skipif(
    "CANASTA_WHEEL" not in os.environ,
    reason="`make check` builds and installs the wheel (CANASTA_WHEEL=1)",
)

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
TARGET = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command in a folder, and give what it printed."""
    # Nothing of this process may lead the new environment back to the checkout.
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, check=False, encoding="utf-8")  # noqa: S603 - our own commands
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist = tmp_path_factory.mktemp("dist")
    # With the back-end at hand no network is needed; `build` makes the wheel from the sdist, not from the tree.
    isolation = [] if find_spec("hatchling") is None else ["--no-isolation"]
    run(sys.executable, "-m", "build", *isolation, "--outdir", dist, ROOT, cwd=dist)
    (built,) = dist.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a new environment with the wheel; the libraries it depends on are borrowed from this one."""
    home = tmp_path_factory.mktemp("elsewhere") / "env"
    venv.create(home, with_pip=False)
    # The pip that made our environment lies outside of it. Python keeps the path of that interpreter here.
    base: str = sys._base_executable  # type: ignore[attr-defined]
    run(base, "-m", "pip", "--python", home, "install", "--no-deps", "--no-index", "--quiet", wheel, cwd=home)
    (site,) = home.glob("lib/python*/site-packages")
    # A folder named in a .pth file is searched, but its own .pth files are not read: the editable install stays out.
    (site / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return home


def rooms() -> set[str]:
    """The files that should be in the wheel, under the names they have there."""
    listed = run(
        "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *TARGET["only-include"], cwd=ROOT
    )
    sources = sorted(TARGET["sources"].items(), key=lambda pair: -len(pair[0]))
    inside = set()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            room, renamed = next(pair for pair in sources if name.startswith(f"{pair[0]}/"))
            inside.add(f"{renamed}/{name.removeprefix(f'{room}/')}".lstrip("/"))
    return inside


def test_the_wheel_holds_the_rooms_and_nothing_else(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert shipped == rooms()


def test_the_wheel_is_well_formed(wheel: Path) -> None:
    run(
        Path(sys.executable).with_name("check-wheel-contents"),
        "--config",
        ROOT / "pyproject.toml",
        wheel,
        cwd=wheel.parent,
    )


def test_what_is_installed_is_used_and_finds_its_data(installed: Path) -> None:
    asked = "from canasta import rooms; print(rooms.__file__); print(rooms.room('spec')); print(rooms.room('grammar'))"
    places = run(installed / "bin" / "python", "-c", asked, cwd=installed).split()
    assert len(places) == 3
    assert all(Path(place).is_relative_to(installed) for place in places)


def test_the_installed_command_says_its_version(installed: Path) -> None:
    assert PROJECT["project"]["version"] in run(installed / "bin" / "canasta", "--version", cwd=installed)


def test_the_installed_command_checks_an_example_away_from_the_checkout(installed: Path) -> None:
    examples = sorted((ROOT / "grammar" / "examples").glob("*.cgn"))
    assert examples
    for example in examples:
        copy = installed.parent / example.name
        copy.write_bytes(example.read_bytes())
        run(installed / "bin" / "canasta", "check", "--exit-zero", copy.name, cwd=copy.parent)


def test_the_installed_command_judges_an_engine_away_from_the_checkout(installed: Path) -> None:
    folder = installed.parent / "harness"
    run(installed / "bin" / "canasta", "conformance", "init", "--lang", "python", str(folder), cwd=installed)
    address = f"exec:{sys.executable} {folder / 'harness.py'}"
    told = run(installed / "bin" / "canasta", "conformance", "run", address, "--output", "run.jsonl", cwd=folder)
    assert "claim: my-canasta 0.1 on classic: level 0 verdict " in told
    page = run(installed / "bin" / "canasta", "conformance", "report", "run.jsonl", "--format", "html", cwd=folder)
    assert page.startswith("<!doctype html>")
