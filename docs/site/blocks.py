"""Blocks of the specification: rules, inference rules, equations, tables, level functions, pictures."""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from click.testing import CliRunner
from docutils import nodes
from docutils.parsers.rst import directives
from docutils.statemachine import StringList
from gnomon.cli import commands
from gnomon.properties.conformance.suite import RULES
from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.proofs.pages import LISTED, documented_obligations, summary
from gnomon.properties.specification.level_tables import level_functions
from gnomon.properties.specification.rules import Place, places
from gnomon.properties.specification.tables import TABLES
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

ROOT = Path(__file__).parents[2]
BAR = re.compile(r"^ *[─-]{3,} *$", re.MULTILINE)


class RuleBlock(SphinxDirective):
    """A rule, under its name, and below it where it lives: code, tests, proofs, cases of the conformance suite."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = dict.fromkeys(("code", "tests", "no-case"), directives.unchanged)

    def run(self) -> list[nodes.Node]:
        """A section that others can link to by the rule's name."""
        name = self.arguments[0]
        rule = nodes.container(ids=[name.replace(".", "-")], classes=["rule"])
        self.env.rule_pages[name] = self.env.docname
        title = nodes.paragraph(classes=["rule-name"])
        title += nodes.reference("", "", nodes.literal(text=name), refid=rule["ids"][0])
        body = nodes.container(classes=["rule-text"])
        self.state.nested_parse(self.content, self.content_offset, body)
        rule += [title, body, self.foot(name)]
        return [rule]

    def foot(self, name: str) -> nodes.Node:
        """Where the rule lives."""
        foot = nodes.line_block(classes=["rule-foot"])
        for word in ("code", "tests"):
            foot += line(f"{word.capitalize()}: ", joined(map(source_of, places(self.options[word]))))
        proved = proofs().get(name)
        if proved:
            foot += line("Proofs: ", [nodes.inline("", proved.replace("`", ""))])
        foot += line("Conformance: ", [nodes.inline("", self.cases(name))])
        return foot

    def cases(self, name: str) -> str:
        """How the conformance suite exercises the rule."""
        reason = self.options.get("no-case")
        if reason:
            return f"no case, since {reason}"
        (rule,) = (rule for rule in RULES if rule.id == name)
        drawn = ["random programs"] if rule.shows is not None else []
        by_hand = [f"{len(rule.meant)} by hand"] if rule.meant else []
        refused = [f"{len(rule.refused)} refused"] if rule.refused else []
        return ", ".join(drawn + by_hand + refused)


def line(label: str, parts: Iterable[nodes.Node]) -> nodes.line:
    """A line that begins with a label."""
    return nodes.line("", "", nodes.inline(label, label, classes=["rule-label"]), *parts)


def joined(parts: Iterable[nodes.Node]) -> list[nodes.Node]:
    """Nodes with commas between them."""
    found = [node for part in parts for node in (nodes.Text(", "), part)]
    return found[1:]


def source_of(place: Place) -> nodes.Node:
    """A link to a file of this project, which the site has a copy of."""
    words = nodes.literal(text=place.symbol or Path(place.path).name)
    return addnodes.download_reference("", "", words, reftarget=f"/../{place.path}", refdoc="index")


@cache
def proofs() -> dict[str, str]:
    """What has been proved of each rule, in words."""
    said = documented_obligations((ROOT / "docs" / "spec" / LISTED).read_text())
    found: dict[str, dict[str, str]] = {}
    for obligation in catalogue():
        for rule in obligation.rules:
            found.setdefault(rule, {})[obligation.id] = said[obligation.id][1]
    return {rule: summary(each) for rule, each in found.items()}


class Inference(SphinxDirective):
    """An inference rule in plain text: premises, four blanks or a line apart, above a bar; what follows below it."""

    has_content = True
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Two rows with a bar between them, and the name beside."""
        above, below = BAR.split("\n".join(self.content))
        premises = [part for row in above.splitlines() for part in re.split(r" {4,}", row.strip()) if part]
        whole = nodes.container(classes=["inference"])
        top = nodes.container(classes=["premises"])
        top += [formula(part) for part in premises]
        whole += [top, formula(" ".join(below.split()), "conclusion")]
        return [whole]


class Equation(SphinxDirective):
    """Equations in plain text, a line each."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The lines as they stand, aligned by their blanks."""
        return [nodes.literal_block("", "\n".join(self.content), classes=["equation"], language="none")]


def formula(text: str, kind: str = "premise") -> nodes.Node:
    """A formula."""
    found = nodes.paragraph("", "", classes=["formula", kind])
    found += nodes.inline("", text)
    return found


class Declared(SphinxDirective):
    """A table that is made from declarations, by its name."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The table, in a frame that scrolls where it is wide."""
        frame = nodes.container(classes=["declared"])
        self.state.nested_parse(self.as_lines(str(TABLES[self.arguments[0]]())), 0, frame)
        return [frame]

    def as_lines(self, text: str) -> StringList:
        """Lines as the parser takes them."""
        return StringList(text.splitlines(), source=self.env.docname)


class LevelFunctions(SphinxDirective):
    """The level functions of a level format, as they stand in its source."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """One block of Python."""
        text = "\n\n".join(source for _, source in level_functions(self.arguments[0]))
        return [nodes.literal_block(text, text, language="python")]


class Picture(SphinxDirective):
    """What `gnomon show` draws, the picture of that number: `show 0 'y(i) = A(i,j) * x(j)' -f A=CSR`."""

    required_arguments = 1
    optional_arguments = 1
    final_argument_whitespace = True
    option_spec: ClassVar[dict[str, Any]] = {"alt": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """The picture as SVG inside the page."""
        number, *words = shlex.split(" ".join(self.arguments))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.svg"
            done = CliRunner().invoke(commands, ["show", *words, "--svg", str(path)])
            if done.exit_code:
                raise self.error(f"gnomon show says: {done.output or done.exception}")
            drawn = path if number == "0" else path.with_stem(f"picture-{number}")
            svg = drawn.read_text()
        figure = nodes.container(classes=["picture"])
        labelled = svg.replace("<svg ", f'<svg role="img" aria-label="{self.options["alt"]}" ', 1)
        figure += nodes.raw("", labelled, format="html")
        return [figure]


def know_rules(app: Sphinx) -> None:
    """Have a place for the pages of rules, by name."""
    app.env.rule_pages = getattr(app.env, "rule_pages", {})


def forget_rules(app: Sphinx, env: Any, page: str) -> None:
    """Forget the rules of a page that is read again."""
    env.rule_pages = {name: where for name, where in env.rule_pages.items() if where != page}


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the blocks known."""
    app.connect("builder-inited", know_rules)
    app.connect("env-purge-doc", forget_rules)
    for name, block in (
        ("rule", RuleBlock),
        ("inference", Inference),
        ("equation", Equation),
        ("declared", Declared),
        ("level-functions", LevelFunctions),
        ("show", Picture),
    ):
        app.add_directive(name, block)
    return {"parallel_read_safe": False}
