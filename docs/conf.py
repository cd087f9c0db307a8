"""The site of the documentation: `make docs` builds it with Sphinx, from the Markdown that stands beside this file."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "site"))

project = "gnomon"
extensions = ["myst_parser", "blocks", "citations"]
source_suffix = {".md": "markdown"}
root_doc = "index"
exclude_patterns = ["site"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = "gnomon"
html_static_path = ["site/static"]
html_css_files = ["gnomon.css"]
html_copy_source = False
nitpicky = True
