"""Directives: what a `#pragma` says, and which statement it speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct

from ...reference.errors import Unsupported
from .source import c_ast

Kind = Literal["parallel", "for", "parallel for", "single", "simd", "atomic", "critical", "hint"]
KINDS: tuple[Kind, ...] = ("parallel for", "parallel", "for", "single", "simd", "atomic", "critical")
HARMLESS = ("schedule", "if")
CLAUSE = r"(\w+)\s*\(((?:[^()]|\([^()]*\))*)\)"
"""A clause and what is in its parentheses: calls, too."""


class Directive(Struct, frozen=True):
    """A directive: its kind, and its reductions as pairs of operator and variable."""

    kind: Kind
    reductions: tuple[tuple[str, str], ...] = ()

    @property
    def is_team(self) -> bool:
        """Whether threads or lanes begin here."""
        return self.kind in ("parallel", "parallel for", "simd")


def directive(text: str) -> Directive:
    """What a pragma says.

    >>> directive("omp parallel reduction(max : status)")
    Directive(kind='parallel', reductions=(('max', 'status'),))
    """
    if re.fullmatch(r"(GCC )?unroll \d+", text):
        return Directive("hint")
    clauses = re.findall(CLAUSE, text)
    words = re.sub(CLAUSE, "", text).split()
    kind = next((kind for kind in KINDS if words == ["omp", *kind.split()]), None)
    if kind is None or any(name not in ("reduction", *HARMLESS) for name, _ in clauses):
        raise Unsupported(f"#pragma {text}")
    reductions = [body.split(":") for name, body in clauses if name == "reduction"]
    return Directive(kind, tuple((sign.strip(), v.strip()) for sign, names in reductions for v in names.split(",")))


def group_directives(items: Iterable[Any]) -> Iterator[tuple[Directive | None, Any]]:
    """The statements of a block, each with the directive before it."""
    before: Directive | None = None
    for item in items:
        if isinstance(item, c_ast.Pragma):
            before = directive(item.string)
            continue
        yield before, item
        before = None
