"""Assembly: building a tensor component by component with the level functions of Table 3 (Chou 2018, section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..algebra.dtypes import Number
from ..algebra.scalars import scalars
from ..errors import InternalError
from ..levels.level import Append, Insert, Level, Reset, Widen
from .enumeration import Coordinates, descend
from .format import Format, interleaving
from .leaves import Combine, Leaves
from .tensor import Tensor
from .vectorised import indices


class Assembler:
    """A tensor under construction.

    Components are given by level coordinates. Levels that are appended to need them grouped and in order; levels that
    are inserted into take them in any order. A fiber exists once something is stored in it, so none is empty.
    `settled` gives, per level, the parameters and arrays that are known beforehand.
    """

    def __init__(
        self,
        format: Format,
        extents: Sequence[int],
        dtype: np.dtype,
        fill: Number,
        *,
        settled: Sequence[Mapping[str, Any]] = (),
        shared: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self.format = format
        self.extents = tuple(extents)
        self.dtype = dtype
        self.fill = fill
        known = [dict(each) for each in settled] or [{} for _ in format.levels]
        self.initial = [self.defaults(level) | each for level, each in zip(format.levels, known, strict=True)]
        self.settled = [dict(each) for each in self.initial]
        self.given = {name: list(values) for name, values in (shared or {}).items()}
        self.depth = len(format.levels)
        self.appends = [isinstance(level, Append) for level in format.levels]
        self.inserts = [isinstance(level, Insert) for level in format.levels]
        self.last_append = max((k for k, appends in enumerate(self.appends) if appends), default=-1)
        self.single = [bool(level.branchless or level.padded) for level in format.levels]
        self.reset()

    def reset(self) -> None:
        """Forget everything stored."""
        self.shared: dict[str, list[int]] = {name: list(values) for name, values in self.given.items()}
        self.levels = tuple(self.bind_level(k) for k in range(self.depth))
        self.sizes = [0] * self.depth
        self.begins = [0] * self.depth
        self.children: list[dict[int, int]] = [{} for _ in self.levels]
        self.path: Coordinates = ()
        self.positions = [0] * (self.depth + 1)
        self.leaves = Leaves(self.fill)
        self.new_parents(0, 0, 1)

    def bind_level(self, k: int) -> Level:
        """Level `k` bound to empty arrays, and to its extents and parameters as far as these are chosen."""
        level = self.format.levels[k]
        storage: dict[str, Any] = {"N": self.extents[k], "M": self.extents[k + 1] if k + 1 < self.depth else 0}
        for name, role in level.roles().items():
            if role == "shared":
                storage[name] = self.shared.setdefault(name, [])
            elif role in ("array", "parameter"):
                value = self.settled[k][name]
                storage[name] = value if isinstance(value, int) else list(value)
        storage |= interleaving(self.format, k)
        return level.bind(storage)

    @staticmethod
    def defaults(level: Level) -> dict[str, Any]:
        """Empty arrays, and the parameters that the level would choose for no data."""
        roles = level.roles()
        if "parameter" not in roles.values():
            return {name: () for name, role in roles.items() if role == "array"}
        none = np.zeros(0, np.int64)
        chosen = {n: v for n, v in level.analyse(none, [none], 0).items() if isinstance(v, int)}
        blank: dict[str, Any] = {
            n: () if role == "array" else 0 for n, role in roles.items() if role in ("array", "parameter")
        }
        return blank | chosen

    def renew(self) -> None:
        """Start again, with the parameters of an empty tensor."""
        if all(isinstance(level, Reset) for level in self.levels):
            self.clear()
            return
        self.settled = [dict(each) for each in self.initial]
        self.reset()

    def clear(self) -> None:
        """Forget what was stored, by the levels' own reset."""
        parents = 1
        for k, level in enumerate(self.levels):
            level.insert_reset(0, parents)  # type: ignore[attr-defined]
            parents = self.sizes[k]
        self.path = ()
        self.children = [{} for _ in self.levels]
        self.leaves.clear()

    def new_parents(self, k: int, begin: int, end: int) -> None:
        """Initialise what level `k` and those below store for the new parents `[begin, end)`."""
        if k == self.depth:
            self.leaves.grow(end)
            return
        level = self.levels[k]
        if self.appends[k] and not self.single[k]:
            self.grow(k, end, self.sizes[k])
            level.append_init(begin, end)  # type: ignore[attr-defined]
            self.new_parents(k + 1, self.sizes[k], self.sizes[k])
            return
        before = self.sizes[k]
        self.sizes[k] = level.size(end)
        self.grow(k, end, self.sizes[k])
        if self.inserts[k]:
            level.insert_init(before, self.sizes[k])  # type: ignore[attr-defined]
        self.new_parents(k + 1, before, self.sizes[k])

    def grow(self, k: int, parents: int, size: int) -> None:
        """Give level `k`'s arrays room for that many parents and positions."""
        level = self.levels[k]
        blank = level.blank()
        for name, length in level.lengths(parents, size).items():
            held = getattr(level, name)
            if len(held) < length:
                held.extend([blank.get(name, 0)] * (length - len(held)))

    def position(self, c: Coordinates, *, duplicate: bool = False) -> int:
        """The leaf position of a component, made if need be. A `duplicate` gets a position of its own."""
        depth, path = self.depth, self.path
        d = 0
        if path:
            while d < depth and path[d] == c[d]:
                d += 1
        if d == depth and not duplicate and (path or depth == 0):
            return self.positions[depth]
        d = min(d, depth - 1)
        while self.single[d] and d > 0 and not self.levels[d].padded:
            d -= 1
        if path:
            if d <= self.last_append:
                self.check_order(d, c)
            self.close(d + 1)
        for k in range(d, depth):
            if k > d or not path:
                self.begins[k] = self.sizes[k]
            self.positions[k + 1] = self.descend(k, c)
        self.path = c
        return self.positions[depth]

    def check_order(self, d: int, c: Coordinates) -> None:
        """Appending needs coordinates in order."""
        level = self.levels[d]
        if level.ordered and (c[d] < self.path[d] or (level.unique and c[d] == self.path[d])):
            raise InternalError(f"coordinates {c} are appended after {self.path} at level {d + 1} of {self.format}")

    def descend(self, k: int, c: Coordinates) -> int:
        """The position at level `k`, below the one already reached at the level above."""
        level, parent = self.levels[k], self.positions[k]
        if self.appends[k]:
            return self.append(k, parent, c[k])
        if self.inserts[k]:
            return self.insert(k, parent, c)
        return level.position(parent, c[: k + 1])

    def append(self, k: int, parent: int, coordinate: int) -> int:
        """Append a coordinate; a singleton's position is its parent's."""
        append_coord = self.levels[k].append_coord  # type: ignore[attr-defined]
        if self.single[k]:
            append_coord(parent, coordinate)
            return parent
        q = self.sizes[k]
        self.sizes[k] = q + 1
        self.grow(k, 0, q + 1)
        append_coord(q, coordinate)
        self.new_parents(k + 1, q, q + 1)
        return q

    def insert(self, k: int, parent: int, c: Coordinates) -> int:
        """Insert a coordinate where `locate` says, in a wider level if it has filled up."""
        level = self.levels[k]
        here = c[: k + 1]
        q, found = level.locate(parent, here)  # type: ignore[attr-defined]
        if found:
            return q  # type: ignore[no-any-return]
        count = self.children[k].get(parent, 0) + 1
        if isinstance(level, Widen) and level.is_crowded(count):
            self.settled[k] |= level.wider()
            self.rebuild()
            self.position(c)
            return self.positions[k + 1]
        self.children[k][parent] = count
        level.insert_coord(q, c[k])  # type: ignore[attr-defined]
        return q  # type: ignore[no-any-return]

    def rebuild(self) -> None:
        """Store everything again with new parameters."""
        self.finalize()
        before, stored = self.leaves, list(descend(self.levels, (), 0))
        self.reset()
        for c, p in stored:
            q = self.position(c)
            self.leaves.adopt(before, p, q, c)

    def close(self, k: int) -> None:
        """Connect what was appended at level `k` and below to the parents that are being left."""
        for n in range(self.depth - 1, k - 1, -1):
            if self.appends[n]:
                edges = self.levels[n].append_edges  # type: ignore[attr-defined]
                edges(self.positions[n], self.begins[n], self.sizes[n])

    def store(self, c: Coordinates, value: Any, combine: Combine | None = None) -> None:
        """Store a contribution at a position: the first as it is, a later one combined with the value stored there."""
        p = self.position(c)
        self.leaves.store(p, c, value, combine)

    def store_missing(self, c: Coordinates, value: Any, combine: Combine) -> None:
        """Fold a missing contribution that is not the identity: it counts, but makes nothing present."""
        p = self.position(c)
        self.leaves.store_missing(p, c, value, combine)

    def continue_from(self, before: Tensor) -> None:
        """Store the components of a tensor in the same format, to which others are added."""
        values = scalars(before.vals)
        for c, p in descend(before.bound_levels(), (), 0):
            self.store(c, values[p])

    def finish(self, shape: tuple[int, ...], index: np.dtype | type = np.int32) -> Tensor:
        """The tensor built."""
        self.finalize()
        return self.tensor(shape, index)

    def finalize(self) -> None:
        """Bring every level into its final form; after this the levels can be read, and no longer stored to."""
        if self.path:
            self.close(0)
        parents = 1
        for k, level in enumerate(self.levels):
            match level:
                case Append():
                    level.append_finalize(parents, self.sizes[k])
                case Insert():
                    level.insert_finalize(parents, self.sizes[k])
                case _:
                    pass
            parents = self.sizes[k]

    def tensor(self, shape: tuple[int, ...], index: np.dtype | type) -> Tensor:
        """The arrays as a tensor."""
        levels = []
        for level in self.levels:
            own = {name: getattr(level, name) for name, role in level.roles().items() if role in ("array", "parameter")}
            levels.append({n: v if isinstance(v, int) else indices(v, index) for n, v in own.items()})
        shared = {name: indices(values, index) for name, values in self.shared.items()}
        vals = np.empty(len(self.leaves.values), self.dtype)
        vals[:] = self.leaves.values
        vals.flags.writeable = False
        made = Tensor(self.format, shape, self.dtype, self.fill, tuple(levels), shared, self.extents, vals)
        return made.mark_assembled()
