"""How Sphinx builds the site: Markdown pages by MyST, nothing fetched from the network."""

import logging

from canasta import __version__

project = "canasta-spec"
author = "The canasta-spec authors"
copyright = "2026, The canasta-spec authors"
release = __version__

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]

# Headings can be linked from other pages; a link to a heading that is gone fails the build (`-W`).
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]

# A block without a language is a drawing or a piece of grammar, not Python.
highlight_language = "text"

html_theme = "furo"
html_title = f"canasta-spec {release}"
html_show_sphinx = False


def _is_no_empty_section(record: logging.LogRecord) -> bool:
    return getattr(record, "subtype", None) != "empty_glob"


# Every section lists what lies in its folder, so that adding a page is adding a file. A pattern that finds nothing yet is
# no fault, and Sphinx gives this one warning no type by which `suppress_warnings` could name it.
logging.getLogger("sphinx.sphinx.directives.other").addFilter(_is_no_empty_section)
