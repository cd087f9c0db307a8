"""Names of rules in the text lead to the rules: `denote.missing.operand`, written as code, is a link."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode


class Citations(SphinxPostTransform):
    """Links from names to rules, after all pages are read."""

    default_priority = 400

    def run(self, **settings: Any) -> None:
        """Replace each name that is a rule's by a link, but inside other links."""
        pages = self.env.rule_pages
        for name in list(self.document.findall(nodes.literal)):
            page = pages.get(name.astext())
            if page is not None and not isinstance(name.parent, nodes.reference):
                target = name.astext().replace(".", "-")
                link = make_refnode(self.app.builder, self.env.docname, page, target, name.deepcopy())
                name.replace_self(link)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the links."""
    app.add_post_transform(Citations)
    return {"parallel_read_safe": False}
