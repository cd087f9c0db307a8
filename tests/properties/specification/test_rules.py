"""The rules of the specification: each has a name of its chapter, code and tests, and nothing dangles."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from gnomon.properties.proofs.catalogue import catalogue
from gnomon.properties.specification.rules import CHAPTERS, Place, chapter_of, rules_in, rules_of
from gnomon.reference import errors
from gnomon.reference.errors import GnomonError
from gnomon.reference.schedule.application import rule_of
from gnomon.reference.schedule.command import FORMS, Command

ROOT = Path(__file__).parents[3]
SPEC = ROOT / "docs" / "spec"
RULES = rules_of(SPEC)
NAMES = {rule.name for rule in RULES}
CITED = re.compile(rf"`((?:{'|'.join(CHAPTERS)})(?:\.(?!py\b)[a-z][a-z-]*)+)`")


def test_every_block_is_read() -> None:
    blocks = sum(page.read_text().count(":::{rule}") for page in SPEC.rglob("*.md"))
    assert len(RULES) == blocks > 100


def test_names_are_unique_and_begin_with_a_word_of_their_chapter() -> None:
    assert [name for name, times in Counter(rule.name for rule in RULES).items() if times > 1] == []
    assert [rule.name for rule in RULES if chapter_of(rule.name) != rule.page.relative_to(SPEC).parts[0]] == []


def test_a_rule_has_words_code_and_tests_that_are_there() -> None:
    assert [rule.name for rule in RULES if not (rule.text and rule.code and rule.tests)] == []
    places = [(rule.name, place) for rule in RULES for place in (*rule.code, *rule.tests)]
    assert [(name, str(place)) for name, place in places if not place.is_in(ROOT)] == []


WITHOUT_RULE = {
    "reference/drawing": "pictures",
    "reference/execution/evaluate.py": "calls the others",
    "reference/execution/recording.py": "traces",
    "reference/files/samples.py": "tensors of the demonstration",
    "reference/noted.py": "what terms are compared by",
    "reference/storage/rows.py": "copies of arrays",
}
"""Code of the reference that no rule is about, with what it is for."""


def test_code_of_the_reference_is_a_rule_or_says_what_else_it_is() -> None:
    cited = {place.path for rule in RULES for place in rule.code}
    files = [path.relative_to(ROOT) for path in (ROOT / "reference").rglob("*.py") if path.name != "__init__.py"]
    unsaid = {file for file in files if str(file) not in cited}
    heard = {file for file in unsaid if not {str(file), str(file.parent)}.isdisjoint(WITHOUT_RULE)}
    assert unsaid == heard
    assert all(any(str(file).startswith(name) for file in heard) for name in WITHOUT_RULE)


def test_what_is_proved_is_a_rule() -> None:
    assert {rule for o in catalogue() for rule in o.rules} <= NAMES


CALLED = (
    "proofs/operators/own_operators", "proofs/operators/claims", "differential/check", "differential/claim",
    "conformance/conform",
)  # fmt: skip
"""Files of the properties that users call from Python with a program, or a part of one."""


@cache
def nodes() -> list[tuple[str, ast.AST]]:
    """What the code of the reference, the generator, and what users call beside them is made of, each with its file."""
    folders = [path for folder in ("reference", "generator") for path in (ROOT / folder).rglob("*.py")]
    folders += [ROOT / "properties" / f"{name}.py" for name in CALLED]
    files = {str(path.relative_to(ROOT)): ast.parse(path.read_text()) for path in (*folders, *ROOT.glob("*.py"))}
    return [(name, node) for name, tree in files.items() for node in ast.walk(tree)]


def test_names_of_rules_in_code_are_rules() -> None:
    texts = [node.value for _, node in nodes() if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    named = {text for text in texts if CITED.fullmatch(f"`{text}`")}
    assert len(named) > 80 and named <= NAMES
    assert {rule_of(Command(name, ())) for name in FORMS} <= NAMES


OF_COMMANDS = (
    "bound", "collapse", "convert", "hoist", "loopfuse", "nests", "parallelize", "position", "precompute", "reorder",
    "widen",
)  # fmt: skip
"""Files of the schedule whose errors have the rule of the command that is refused: `after` puts it there."""
OF_COMPILERS = ("built", "compiler", "nvcc")
"""Files of the generator that say what a compiler said."""
NOTHING_OF_THE_PROGRAM = {"Unsupported", "HostError", "NoCompilerError", "DisagreementError"}
"""Errors that no rule is broken by."""


def test_every_error_names_the_rule_that_is_broken() -> None:
    names = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, GnomonError)}
    silent = {
        path
        for path, node in nodes()
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id in names - NOTHING_OF_THE_PROGRAM and "rule" not in {each.arg for each in node.keywords}
    }
    schedule = {f"reference/schedule/{name}.py" for name in (*OF_COMMANDS, "workspace")}
    assert silent == schedule | {f"generator/runtime/{name}.py" for name in OF_COMPILERS}


def test_names_that_are_cited_are_rules() -> None:
    folders = ("docs", "reference", "generator", "properties")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".py")]
    cited = {name for path in files if path.name != "proofs.md" for name in CITED.findall(path.read_text())}
    assert len(cited) > 5 and cited <= NAMES


def test_a_place_that_is_not_there_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("class Kept:\n    def own(self): ...\nA, B = 1, 2\nnamed: int = 3\n")
    for symbol in ("", "Kept", "own", "A", "B", "named"):
        assert Place("a.py", symbol).is_in(tmp_path), symbol
    assert not Place("a.py", "self").is_in(tmp_path) and not Place("b.py").is_in(tmp_path)


def test_why_a_rule_has_no_case_is_read() -> None:
    text = ":::{rule} mask.merge\n:code: a.py:f\n:tests: t.py u.py\n:no-case: nobody runs it\n\nTwo\n\nparts.\n:::\n"
    (rule,) = rules_in(text, Path("masks.md"))
    assert (rule.no_case, rule.text) == ("nobody runs it", "Two\n\nparts.")
    assert [str(place) for place in rule.tests] == ["t.py", "u.py"]
