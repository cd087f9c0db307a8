"""Runners: the functions of a kernel for operands of any shapes.

One library serves all shapes of a kind (`stand_ins.py`), unless its source depends on extents, as where the fill of a
reduction does: then there is one for each combination of these. The source for some extents may depend on more of them,
as where a product over nothing counts in a maximum over others: libraries are told apart by these too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...reference.notation.resolution import Resolved
from ..source import PHASES
from .built import Built, build
from .library import Library
from .request import Request
from .runner import Runner
from .stand_ins import generic_shapes, stand_ins

Key = tuple[Any, ...]


class Runners:
    """The functions of the kernel of a request, of which one library, `built`, is for shapes that are not known."""

    def __init__(self, request: Request, built: Built, resolved: Resolved) -> None:
        self.request, self.built = request, built
        self.loaded: dict[Key, Runner] = {}
        self.depending: dict[Key, frozenset[tuple[str, int]]] = {}
        if not built.depends and not request.shapes:
            self.loaded[()] = self.load(built, resolved, {})

    def load(self, built: Built, resolved: Resolved, extents: Mapping[str, Any]) -> Runner:
        """The functions of a library, and beside them those of a library for two phases that may be built. Where a
        result is packed, the order in which it is assembled may depend on extents, too."""

        def build_phases() -> Library:
            return build(self.request, resolved, extents, PHASES).library

        result, packed, converted = self.request.result(resolved), self.request.packed_spec, built.conversions
        return Runner(built.library, result, packed=packed, conversions=converted, build_phases=build_phases)

    @property
    def usual(self) -> Runner | None:
        """The functions for all shapes of small extents; None if they depend on these, or are for larger ones."""
        return None if self.built.depends else self.loaded.get(())

    def of(self, shapes: Mapping[str, tuple[int, ...]]) -> Runner:
        """The functions for operands of some shapes."""
        kinds, depends = stand_ins(shapes), frozenset(self.built.depends)
        while True:
            fixed = {f"{name} {mode}": shapes[name][mode] for name, mode in sorted(depends)}
            key = (*fixed.items(), *sorted(kinds.items()))
            if key in self.loaded:
                return self.loaded[key]
            if key not in self.depending:
                self.add(key, fixed, kinds, shapes)
            depends |= self.depending[key]

    def add(
        self, key: Key, fixed: Mapping[str, int], kinds: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]
    ) -> None:
        """Take in the library for some extents: its functions, if it depends on no others."""
        built, extents = self.built, dict[str, Any]()
        resolved = self.request.resolve_without_shapes()
        if fixed or kinds != self.request.shapes:
            extents = {**fixed, **{f"{name} like": shape for name, shape in kinds.items()}}
            resolved = self.request.resolve(generic_shapes(shapes))
            built = build(self.request, resolved, extents)
        self.depending[key] = frozenset(built.depends)
        if all(f"{name} {mode}" in fixed for name, mode in built.depends):
            self.loaded[key] = self.load(built, resolved, extents)
