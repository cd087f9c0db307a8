"""Converting: operands that loops cannot visit as they are stored are stored otherwise before the loops run.

Before, A and the result by rows and B by columns: no loop order follows all of them. After:

    B, in CSC, is converted to CSR
    ;
    ∀i
      ∀j
        C(i,j) = A(i,j) + B(i,j)

What is converted is no part of the statement: whoever runs a program converts its operands first, and may keep what an
operand has become. Nothing that is stored gets lost, and nothing is stored besides; duplicates add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..notation.syntax import Access, is_coordinate
from ..storage.coordinate_map import Mode
from ..storage.format import Format
from ..storage.named_formats import recognise
from ..storage.room import LARGEST
from ..storage.spec import Spec
from .statement import Assign, Conversion, Program, change_leaves, reads, rename_reads

if TYPE_CHECKING:
    from ..storage.tensor import Tensor
    from .nest import Nest

Order = tuple[str, ...]


class Conversions(Struct):
    """What operands are converted to while a statement is built: the names of the operands, and the orders in which
    what they become is stored if loops can follow."""

    sources: dict[str, str] = field(default_factory=dict)
    preferred: dict[str, Order] = field(default_factory=dict)

    def add(self, name: str, source: str, order: Order) -> None:
        """Begin to read what an operand is converted to by a name."""
        self.sources[name], self.preferred[name] = source, order

    def settle(self, access: Access, beside: Iterable[Access], nest: Nest, order: Order) -> tuple[Access, Format]:
        """An access to what is converted with its levels in the order of the loops, and its format then."""
        modes = sorted(range(len(access.levels)), key=lambda m: order.index(nest.loops(access.levels[m])[-1]))
        levels = tuple(access.levels[m] for m in modes)
        stored = nest.formats[self.sources[access.tensor]]
        whole = has_room(levels[0], stored, beside, nest.formats, nest.extents)
        return replace(access, levels=levels), format_in_order(stored, modes, whole=whole)


def format_in_order(stored: Format, modes: Sequence[int], *, whole: bool) -> Format:
    """A format that has the modes of a tensor in some order, of which it stores what it stores in a format.

    Levels that an array ends with remain dense, if the same modes come last. The outermost level is dense too if it may
    have room for the `whole` mode, and is not the only one to tell what is stored.

    >>> print(format_in_order(Format("ssd"), (1, 0, 2), whole=False))
    compressed,compressed,dense; (i,j,k)->(j,i,k)
    >>> print(format_in_order(Format("uq"), (1, 0), whole=True))
    CSC
    """
    order = len(modes)
    kept = next(n for n in range(order, -1, -1) if ends_dense(stored, modes[order - n :]))
    outer = (Dense(),) if whole and order - kept > 1 else (Compressed(),) * (kept < order)
    inner = (Compressed(),) * (order - kept - len(outer))
    return recognise(Format((*outer, *inner, *(Dense(),) * kept), mode_order=list(modes)))


def preferred_order(
    access: Access, stored: Format, others: Iterable[Access], target: Access, assembled: Format | None
) -> Order:
    """The order of the variables of an operand in which it is stored when it is converted, if loops can follow.

    It is that of its own format, but behind the variable by which a result is assembled first; an operand that lacks
    this has those first by which others lead to it, which have a variable that it lacks.
    """
    modes = range(len(target.indices)) if assembled is None else assembled.map.modes
    first = {target.indices[mode] for mode in modes[:1]}
    own = [access.indices[mode] for mode in stored.map.modes]
    if first.isdisjoint(own):
        first = {v for other in others if not {*other.indices} <= {*own} for v in other.indices}
    return tuple(dict.fromkeys(sorted(own, key=lambda v: v not in first)))


def ends_dense(stored: Format, modes: Sequence[int]) -> bool:
    """Whether a format ends with dense levels of some modes, in whatever order."""
    count = len(modes)
    if not count:
        return True
    if not stored.map.is_permutation or {*stored.stored_modes[-count:]} != {*modes}:
        return False
    return all(isinstance(level, Dense) for level in stored.levels[-count:])


def has_room(
    variable: str, stored: Format, others: Iterable[Access], formats: Mapping[str, Format], extents: Mapping[str, int]
) -> bool:
    """Whether what is stored in a format may become something with room for all coordinates of a variable: other
    accesses have as much room, or it has room for those of a mode itself, and they fit in memory. Coordinates that are
    values take none."""
    kept = (a for a in others if a.tensor in formats and not is_coordinate(a))
    beside = any(outermost_whole(a, formats[a.tensor]) == variable for a in kept)
    return beside or (bool(stored.outer_arrays) and extents[variable] <= LARGEST)


def outermost_whole(access: Access, format: Format) -> str | None:
    """The variable of the outermost level of an access, if that has room for all its coordinates whatever is stored."""
    match format.map.terms:
        case (Mode(mode=mode), *_) if format.outer_arrays:
            return access.indices[mode]
        case _:
            return None


def name_converted(program: Program, sources: Mapping[str, str]) -> Program:
    """The program in which what is converted, so far read by provisional names, has the name by which the operand has
    been read where nothing else is read by that. `sources` has these names by the provisional ones."""
    read = dict.fromkeys(access.tensor for access in reads(program.statement))
    before = {each.name: each for each in program.converted}
    found = {(each.source, program.formats[name]): each for name, each in before.items() if name in read}
    names: dict[str, str] = {}
    for provisional in (each for each in read if each in sources):
        name = sources[provisional]
        is_free = name not in read and all(each.name != name for each in found.values())
        made = Conversion(name, name, program.formats[name])
        made = replace(before.get(name, made), name=name if is_free else provisional)
        names[provisional] = found.setdefault((made.source, program.formats[provisional]), made).name
    declared = dict(program.tensors)
    left = {name: each for name, each in declared.items() if name not in sources}
    renamed = {new: declared[old] for old, new in names.items()}

    def rename(leaf: Assign) -> Assign:
        return rename_reads(leaf, {a: replace(a, tensor=names[a.tensor]) for a in reads(leaf) if a.tensor in names})

    return replace(
        program,
        statement=change_leaves(program.statement, rename),
        tensors=tuple((left | renamed).items()),
        converted=tuple(found.values()),
    )


def convert_operands(program: Program, operands: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    """The operands of a program as its statement reads them, by the names by which they are given; those that it reads
    in two formats have a name for each."""
    made = {
        program.given(each.name): convert_operand(operands[program.given(each.source)], program.formats[each.name])
        for each in program.converted
    }
    return {**operands, **made} if made else operands


def convert_operand(tensor: Tensor, format: Format) -> Tensor:
    """A tensor in another format, with indices as wide as its own."""
    stores = (*tensor.levels, tensor.shared)
    arrays = [array for store in stores for array in store.values() if isinstance(array, np.ndarray)]
    wide = any(array.dtype.itemsize == 8 for array in arrays)
    return tensor.convert(Spec(format, index=np.dtype("int64" if wide else "int32")))
