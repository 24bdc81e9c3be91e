"""The pages as those meet them who cannot see them well or at all: axe looks at them in a browser, by light and by dark.

Needs Chromium and the library axe-core, which is never fetched here: ``make axe`` brings what is missing. Without one of them the
tests are skipped, and say which.
"""

import json
import re
import shutil
import subprocess
from html import unescape
from importlib.util import find_spec
from pathlib import Path

import pytest

from canasta_tools.rulebook.editions import Edition, Form, Order, book

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PACKAGE = "axe_playwright_python"
"""The package that carries axe-core; nothing of it is imported."""
DARK = "@media (prefers-color-scheme: dark)"
LOOK = """
axe.run(document, {resultTypes: ["violations"]}).then(function (found) {
  var told = document.createElement("pre");
  told.id = "axe-found";
  told.textContent = JSON.stringify(found.violations.map(function (v) { return v.id + ": " + v.nodes[0].html; }));
  document.body.appendChild(told);
});
"""
SECONDS = 600

pytestmark = pytest.mark.whole


def needed() -> tuple[str, str]:
    """Find the browser and the library, or skip the test."""
    browser = next((path for path in map(shutil.which, BROWSERS) if path), None)
    if browser is None:
        pytest.skip("there is no Chromium here")
    spec = find_spec(PACKAGE)
    library = Path(spec.origin).parent / "axe.min.js" if spec and spec.origin else None
    if library is None or not library.is_file():
        pytest.skip("there is no axe-core here; `make axe` brings it")
    return browser, library.read_text(encoding="utf-8")


def complaints(page: str, folder: Path, *, dark: bool = False) -> list[str]:
    """Show a page in the browser and let axe look at it."""
    browser, library = needed()
    if dark:
        assert DARK in page
        page = page.replace(DARK, "@media all")
    file = folder / "page.html"
    file.write_text(
        page.replace("</body>", f"<script>{library}</script><script>{LOOK}</script></body>"), encoding="utf-8"
    )
    call = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    call += ["--window-size=1280,1500", f"--virtual-time-budget={SECONDS * 1000}", "--dump-dom", file.as_uri()]
    shown = subprocess.run(call, capture_output=True, check=True, timeout=SECONDS)  # noqa: S603 - a browser that was looked for by name
    found = re.search(r'<pre id="axe-found">(.*?)</pre>', shown.stdout.decode("utf-8"), re.DOTALL)
    assert found is not None, "axe has not come to an end"
    told: list[str] = json.loads(unescape(found.group(1)))
    return told


@pytest.mark.parametrize(
    ("name", "edition", "dark"),
    [
        ("gin", Edition.PLAYER, False),
        ("gin", Edition.PLAYER, True),
        ("classic", Edition.SUMMARY, False),
        ("classic", Edition.SCORE_SHEET, False),
        *(
            pytest.param(
                name, edition, dark, marks=pytest.mark.deep
            )  # these pages are long, and axe looks at every word
            for name, edition in (
                ("classic", Edition.PLAYER),
                ("gin", Edition.LAW),
                ("uruguay", Edition.DIFFERENCES),
                ("gin", Edition.REVIEW),
            )
            for dark in (False, True)
        ),
    ],
)
def test_axe_has_nothing_to_complain_of(name: str, edition: Edition, tmp_path: Path, *, dark: bool) -> None:
    needed()
    page = book(Order(name), edition, Form.HTML).decode("utf-8")
    assert complaints(page, tmp_path, dark=dark) == []


@pytest.mark.deep
@pytest.mark.parametrize("language", ["ru", "lt", "sk"])
def test_axe_has_nothing_to_complain_of_in_other_languages(language: str, tmp_path: Path) -> None:
    needed()
    page = book(Order("classic", language), Edition.PLAYER, Form.HTML).decode("utf-8")
    assert complaints(page, tmp_path) == []


def test_axe_sees_pale_letters_and_nameless_pictures(tmp_path: Path) -> None:
    pale = '<!doctype html><html lang="en"><head><title>pale</title></head><body><main><h1>One</h1>'
    pale += '<p style="color: #ddd; background: #fff">pale</p><span role="img">K</span></main></body></html>'
    assert {told.partition(":")[0] for told in complaints(pale, tmp_path)} == {"color-contrast", "role-img-alt"}
