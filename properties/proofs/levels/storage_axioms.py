"""The storage invariants of a level as formulas, read from the text by which storage is validated.

`axioms` says of a level's storage what `Level.violations` checks, with the lengths of its arrays from `Level.lengths`
and the number of its positions from `Level.size`. A proof that assumes them and a validation that finds nothing speak
of the same storage: both are the same text. `segment_bounds` adds what follows by induction over the parents.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....reference.errors import CompileError
from ....reference.levels.level import CoordinatePositionIteration, Level
from ....reference.levels.restricted import parse_level_function
from ....reference.levels.restricted_syntax import Return
from ..solver import Term, z3
from .invariant_terms import demands, for_all, fresh
from .restricted_paths import call_own, run
from .restricted_terms import Array, Field, Notes, Scope, integer, write_element

Fields = Mapping[str, Field]


def scope_of(level: Level, fields: Fields, notes: Notes, arguments: Mapping[str, Any] | None = None) -> Scope:
    """A level's storage and the arguments of one of its functions."""
    return Scope(level, fields, dict(arguments or {}), notes)


def axioms(level: Level, fields: Fields, parents: Term, size: Term, notes: Notes) -> tuple[Term, ...]:
    """What holds of the storage of a valid level with that many parents and positions.

    If loops had to be unrolled, `notes` say so: this is then less than what holds. Raises CompileError where
    `violations` is written in more than restricted Python.

    >>> from gnomon.reference.levels.bitmap import Bitmap
    >>> flag = z3.Function("flag", z3.IntSort(), z3.IntSort())
    >>> fields = {"flag": flag, "N": z3.Int("N")}
    >>> axioms(Bitmap(), fields, z3.Int("P"), z3.Int("S"), Notes())[-2]
    S == P*N
    """
    scope = scope_of(level, fields, notes, {"parents": parents, "size": size})
    held = lengths(level, fields, parents, size, notes)
    counted = [parents, size, *(f for f in fields.values() if not callable(f)), *held.values()]
    found = [n >= 0 for n in counted if not isinstance(n, int)]
    if is_sized(level):
        found.append(size == call_own("size", (parents,), scope)[0])
    return (*found, *demands(type(level).violations, scope.replace(lengths=held)))


def storage_terms(level: Level) -> dict[str, Field]:
    """The storage of a bound level as terms; of what lies outside an array nothing is known."""
    return {name: known_field(getattr(level, name)) for name in level.roles()}


def known_field(value: int | Sequence[int]) -> Field:
    """An integer, or an array with known elements."""
    if isinstance(value, int):
        return z3.IntVal(value)
    array: Array = z3.FreshFunction(z3.IntSort(), z3.IntSort())
    for n, element in enumerate(value):
        array = write_element(array, z3.IntVal(n), int(element))
    return array


def lengths(level: Level, fields: Fields, parents: Term, size: Term, notes: Notes) -> dict[str, Term]:
    """The length of each array that the level's own numbers give.

    >>> from gnomon.reference.levels.compressed import Compressed
    >>> lengths(Compressed(), {}, z3.Int("P"), z3.Int("S"), Notes())
    {'pos': P + 1, 'crd': S}
    """
    return results_by_name(level, fields, "lengths", (parents, size), notes)


def shared_lengths(level: Level, fields: Fields, above: tuple[Term, ...], notes: Notes) -> dict[str, Term]:
    """The length of each array that the tensor's other levels give, from the extents of the levels above.

    >>> from gnomon.reference.levels.offset import Offset
    >>> shared_lengths(Offset(), {}, (z3.Int("D"), z3.Int("N")), Notes())
    {'offset': D}
    """
    return results_by_name(level, fields, "shared_lengths", (above,), notes)


def results_by_name(
    level: Level, fields: Fields, function: str, arguments: tuple[Any, ...], notes: Notes
) -> dict[str, Term]:
    """The results by name of a function that assigns and then returns them.

    Raises CompileError for one that branches.
    """
    path, *others = run(level, fields, function, arguments, notes)
    if others:
        raise CompileError(f"{function} of {level.name} levels branches, so there is no one term for a length")
    last = parse_level_function(type(level), function).body[-1]
    assert isinstance(last, Return)
    return dict(zip(last.names, map(integer, path.results or ()), strict=True))


def is_sized(level: Level) -> bool:
    """Whether the number of parents determines how many positions the level has."""
    return type(level).size is not Level.size


def segment_bounds(level: Level, fields: Fields, parents: Term, size: Term, notes: Notes) -> tuple[Term, ...]:
    """What follows from the axioms by induction over the parents, for a level iterated by position.

    The segment of every parent lies in `[0, size)`, and before the segments of later parents. That it follows is the
    obligation `levels.NAME.segments`.
    """
    if not isinstance(level, CoordinatePositionIteration):
        return ()
    p, r = fresh("p"), fresh("r")
    begin, end = bounds(level, fields, p, notes)
    later, _ = bounds(level, fields, r, notes)
    inside = z3.And(begin >= 0, begin <= end, end <= size)
    one = for_all((p,), z3.Implies(z3.And(p >= 0, p < parents), inside))
    return one, for_all((p, r), z3.Implies(z3.And(p >= 0, p < r, r < parents), end <= later))


def bounds(level: Level, fields: Fields, p: Term, notes: Notes) -> tuple[Term, Term]:
    """The bounds of a parent's segment."""
    begin, end = call_own("pos_bounds", (p,), scope_of(level, fields, notes))
    return begin, end
