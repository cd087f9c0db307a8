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
from msgspec.structs import replace

from ..levels.compressed import Compressed
from ..levels.dense import Dense
from ..storage.coordinate_map import Mode
from ..storage.format import Format
from ..storage.named_formats import recognise
from ..storage.spec import Spec
from .statement import Assign, Conversion, Program, change_leaves, reads, rename_accesses

if TYPE_CHECKING:
    from ..notation.syntax import Access
    from ..storage.tensor import Tensor


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


def ends_dense(stored: Format, modes: Sequence[int]) -> bool:
    """Whether a format ends with dense levels of some modes, in whatever order."""
    count = len(modes)
    if not count:
        return True
    if not stored.map.is_permutation or {*stored.stored_modes[-count:]} != {*modes}:
        return False
    return all(isinstance(level, Dense) for level in stored.levels[-count:])


def begins_whole(variable: str, accesses: Iterable[Access], formats: Mapping[str, Format]) -> bool:
    """Whether some access has room for all coordinates of a variable whatever is stored: its outermost level is that of
    the variable, and full."""
    return any(outermost_whole(a, formats[a.tensor]) == variable for a in accesses if a.tensor in formats)


def outermost_whole(access: Access, format: Format) -> str | None:
    """The variable of the outermost level of an access, if that has room for all its coordinates whatever is stored."""
    match format.map.terms:
        case (Mode(mode=mode), *_) if format.outer_arrays:
            return access.indices[mode]
        case _:
            return None


def name_converted(program: Program, sources: Mapping[str, str]) -> Program:
    """The program in which what is converted, so far read by provisional names, has the name of the operand itself
    where that is read in no other format. `sources` has the operands by provisional names."""
    read = dict.fromkeys(access.tensor for access in reads(program.statement))
    found: dict[tuple[str, Format], Conversion] = {}
    names: dict[str, str] = {}
    for provisional in read:
        if provisional not in sources:
            continue
        source, format = sources[provisional], program.formats[provisional]
        is_free = source not in read and all(each.source != source for each in found.values())
        made = Conversion(source if is_free else provisional, source, program.formats[source])
        names[provisional] = found.setdefault((source, format), made).name
    declared = dict(program.tensors)
    renamed = {new: declared[old] for old, new in names.items()}
    tensors = {name: each for name, each in declared.items() if name not in sources} | renamed

    def rename(leaf: Assign) -> Assign:
        changed = {a: replace(a, tensor=names[a.tensor]) for a in reads(leaf) if a.tensor in names}
        mask = leaf.mask if leaf.mask is None else replace(leaf.mask, value=rename_accesses(leaf.mask.value, changed))
        return replace(leaf, value=rename_accesses(leaf.value, changed), mask=mask)

    statement = change_leaves(program.statement, rename)
    return replace(program, statement=statement, tensors=tuple(tensors.items()), converted=tuple(found.values()))


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
