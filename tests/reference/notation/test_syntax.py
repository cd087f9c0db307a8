"""The glossary of letters and nouns: what it says is what the code does."""

import ast
import re
from functools import cache
from pathlib import Path

from gnomon.reference.notation import syntax

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [*(ROOT / "reference").rglob("*.py"), *(ROOT / "generator").rglob("*.py")]
TYPES = {
    "i": "Coordinates|Indices|int|Any",
    "p": "Positions|Expr|int",
    "k": "int",
    "v": "str",
    "e": "Expr|Expression|Apply|Reduce|expr",
    "s": "Statement|Forall|Where|Assign|Stmt|For|Return|Atomic|Kernel|Launch|stmt",
}
"""What a parameter of one letter is annotated with, by letter."""


@cache
def trees() -> list[ast.Module]:
    """The sources as terms."""
    return [ast.parse(path.read_text()) for path in SOURCES]


def glossary() -> tuple[set[str], set[str]]:
    """The letters and the nouns of the glossary."""
    entries = set(re.findall(r"^- `(\w+)` \w+", syntax.__doc__ or "", re.MULTILINE))
    return {e for e in entries if len(e) == 1}, {e for e in entries if len(e) > 1}


def test_every_noun_of_the_glossary_is_a_class_or_a_file() -> None:
    _, nouns = glossary()
    classes = {n.name for tree in trees() for n in ast.walk(tree) if isinstance(n, ast.ClassDef)}
    assert nouns and nouns <= {path.stem for path in SOURCES} | {name.lower() for name in classes}


def test_letters_of_parameters_are_those_of_the_glossary() -> None:
    letters, _ = glossary()
    assert letters == set(TYPES)
    parameters = [
        (a.arg, ast.unparse(a.annotation))
        for tree in trees()
        for n in ast.walk(tree)
        if isinstance(n, ast.arguments)
        for a in [*n.posonlyargs, *n.args, *n.kwonlyargs]
        if a.arg in letters and a.annotation is not None
    ]
    assert {letter for letter, _ in parameters} >= {"i", "p", "k", "e", "s"}
    wrong = [(letter, type) for letter, type in parameters if not re.search(rf"\b({TYPES[letter]})\b", type)]
    assert not wrong
