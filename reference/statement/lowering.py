"""Lowering: from a resolved expression to the statement that computes it on given formats.

Before: `C(i,j) = sum(k, A(i,k) * B(k,j))`, everything CSR. After:

    ∀i
      ∀j
        C(i,j) = w(j)
      where w:
        ∀k
          ∀j
            w(j) += A(i,k) * B(k,j)

Reductions inside an expression, and results that the loops would not visit in storage order, each become a workspace
with a loop nest of its own; nests share their outer loops as far as both have the same (`sharing.py`). Where most
contributions are missing and alike, loops visit the others alone (`contributions.py`). Operands whose coordinate map
cannot be combined in place are converted before (`converting.py`). Masks that loops would walk again are copied in the
end (`masking.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from ..algebra.dtypes import same_value
from ..algebra.operator import Operator
from ..algebra.operators import conversion
from ..levels.hashed import Hashed
from ..notation.elaboration import distinct, elaborate
from ..notation.resolution import Resolved
from ..notation.syntax import (
    Access,
    Apply,
    Assignment,
    Expr,
    Fill,
    Literal,
    Mask,
    Reduce,
    accesses,
    free_variables,
    mask_reads,
)
from ..notation.types import apply_typed, dtype_of
from ..storage.format import Format
from .assemblable import check_packed, coordinates, visited_modes
from .blocks import (
    FEW,
    Blocks,
    Row,
    contradicting_rows,
    fill_whole_blocks,
    have_same_blocks,
    holds_whole_blocks,
    in_rows_of_blocks,
    row_of_blocks,
)
from .contradiction import victim
from .contributions import Stored, reduction, stored_part
from .converting import format_in_order, has_room, preferred_order
from .counting import COUNTS
from .draft import Draft
from .mapped import comes_again, expected_walks, possible_walks, scatters, tells_missing
from .masking import copy_masks
from .nest import Nest
from .sharing import Producer, place_producers
from .statement import Assign, Program, Sequence, Statement, rename_accesses
from .substitution import annihilates, substitute
from .updating import Fold, continuation


def lower(
    resolved: Resolved, formats: Mapping[str, Format], result: Format | None, *, convert: bool = False
) -> Program:
    """The statement for a resolved assignment whose operands have these formats, and whose result is assembled in one,
    or in any order of components if that is None.

    With `convert`, an operand whose storage order contradicts the others is converted first. Raises ScheduleError if no
    loop order exists.
    """
    lowering = Lowering.of(resolved, formats, result, convert)
    a = resolved.assignment
    value = distinct(a.value, set(a.target.indices))
    mask = lowering.mask(a)
    lowering.measure(value, resolved)
    if a.target.tensor in formats:
        statement = lowering.update(replace(a, value=value, mask=mask), resolved)
    else:
        statement = lowering.build_loops(a.target, convert_to_result(elaborate(value), resolved), mask)
    return copy_masks(lowering.program(statement, a.target.tensor))


def lower_for_packing(
    resolved: Resolved, formats: Mapping[str, Format], result: Format, *, convert: bool = False
) -> Program:
    """The statement of which the result becomes coordinates, in an order that loops can visit, which are packed into a
    format in the end. Raises ScheduleError if no loop order exists, FormatError if nothing can be packed so."""
    check_packed(result)
    anyhow = lower(resolved, formats, None, convert=convert)
    order = coordinates(visited_modes(anyhow.statement, anyhow.provenance.of_formats))
    return replace(lower(resolved, formats, order, convert=convert), packed=result)


def convert_to_result(value: Expr, resolved: Resolved) -> Expr:
    """The value converted to the result's dtype; in a semiring, absent stays absent."""
    if resolved.semiring is None or value.dtype == resolved.dtype:
        return value
    return Apply(conversion(resolved.dtype, resolved.semiring.add), (value,), dtype=resolved.dtype)


class Lowering(Draft):
    """Builds the loops of a statement."""

    def mask(self, a: Assignment) -> Mask | None:
        """The mask with explicit conversions, which reads previous contents under their own name."""
        if a.mask is None:
            return None
        own = {e: replace(e, tensor=self.previous) for e in a.mask.reads if e.tensor == a.target.tensor}
        return replace(a.mask, value=elaborate(rename_accesses(a.mask.value, own)))

    def update(self, a: Assignment, resolved: Resolved) -> Statement:
        """The assignment over previous contents, which a mask that merges leaves as they are where it excludes."""
        target, mask = a.target, a.mask
        before = Access(self.previous, target.indices, dtype=self.dtypes[self.previous])
        whole = a.value if a.operator is None else apply_typed(a.operator, (before, a.value))
        total = convert_to_result(elaborate(whole), resolved)
        if mask is None or a.merge:
            fold = continuation(target, before, total, mask, self.formats, self.background())
            self.continues = fold is not None
            if fold is not None and (nest := self.build_nest(target, fold, mask)) is not None:
                return nest
            self.continues = False
        if mask is None or not a.merge:
            return self.build_loops(target, total, mask)
        w = self.workspace(target.indices, self.dtypes[target.tensor], self.fills[target.tensor])
        self.staged[w.tensor] = target.tensor
        excluded = replace(mask, complement=not mask.complement)
        kept = convert_to_result(before, resolved)
        both = Sequence((self.build_loops(w, total, mask), self.build_loops(w, kept, excluded)))
        return self.build_loops(target, w, None, (Producer(w, both),))

    def build_loops(
        self, target: Access, value: Expr, mask: Mask | None, producers: tuple[Producer, ...] = ()
    ) -> Statement:
        """The loops that assign `value` to `target`, after those that fill the workspaces it reads."""
        direct = not self.is_merged_for_rows(target, value, mask)
        nest = self.build_nest(target, self.reduction(target, value), mask, producers) if direct else None
        return self.through_workspace(target, value, mask, producers) if nest is None else nest

    def is_merged_for_rows(self, target: Access, value: Expr, mask: Mask | None) -> bool:
        """Whether what is folded for a component of a result in blocks would be merged for each, where operands can be
        converted so that a row of blocks is filled at once."""
        row = row_of_blocks(target, self.formats.get(target.tensor))
        if row is None or not self.convert or not isinstance(value, Reduce):
            return False
        found = contradicting_rows((*accesses(value), *mask_reads(mask)), row, self.formats)
        return any(row.variable not in access.indices for access in found)

    def build_nest(
        self, target: Access, fold: Fold, mask: Mask | None, producers: tuple[Producer, ...] = ()
    ) -> Statement | None:
        """The loops that fold contributions in `target`; None if they cannot visit it as it is assembled."""
        made = list(producers)
        body = self.extract_reductions(fold.contribution, made)
        if mask is not None:
            own = mask.value == fold.contribution
            mask = replace(mask, value=body if own else self.extract_reductions(mask.value, made))
        while True:
            splits = dict(self.blocks[target.tensor].splits) if target.tensor in self.blocks else {}
            nest = Nest(self.formats, self.conversions.preferred, self.fresh, self.extents, splits)
            names, obstacle = self.bind_levels(nest, body, mask, target, fold.operator)
            if obstacle is None:
                result = nest.bind_result(target)
                graph = nest.graph((*target.indices, *fold.variables), names.values(), result)
                found = victim(graph, self.formats, target.tensor, {self.previous: self.result}, convert=self.convert)
                sources = {new: old for old, new in names.items()}
                obstacle = None if found is None else sources.get(found, target)
            if obstacle is None and result is not None and nest.assembles(result, graph.order()):
                break
            if obstacle is None or obstacle == target:
                return None
            body, mask = self.convert_operand(obstacle, body, mask, target)
        for old, access in names.items():
            if access.tensor in self.conversions.sources and access.tensor not in self.formats:
                beside = (*names.values(), result)
                names[old], self.formats[access.tensor] = self.conversions.settle(access, beside, nest, graph.order())
        self.relations += nest.relations()
        admitted = None if mask is None else replace(mask, value=rename_accesses(mask.value, names))
        leaf = Assign(result, rename_accesses(body, names), fold.operator, admitted)
        return place_producers(graph.order(), leaf, made, nest, self.settle)

    def reduction(self, target: Access, value: Expr) -> Fold:
        """The outermost reductions of a value, if their contributions can go straight to the target."""
        if not isinstance(value, Reduce) or stored_part(value, self.formats, self.background()) is not None:
            return Fold(value)
        fold = reduction(value)
        return fold if self.accumulates(target, value, fold.contribution) else Fold(value)

    def accumulates(self, target: Access, value: Reduce, contribution: Expr) -> bool:
        """Whether contributions can be folded in the target: without any, it holds what the reduction would give.

        A workspace keeps missing contributions apart from present ones, so they may differ from the identity.
        """
        folds = target.tensor in self.open or annihilates(value.operator.left_identity, self.fill_of(contribution))
        return (
            folds
            and same_value(self.fill_of(value).value, self.fills[target.tensor])
            and value.dtype == self.dtypes[target.tensor]
        )

    def counts_present(self, value: Expr) -> bool:
        """Whether nothing but what is present counts in what is assigned, so that all that is stored is present."""
        if not isinstance(value, Reduce):
            return True
        return annihilates(value.operator.left_identity, self.fill_of(reduction(value).contribution))

    def extract_reductions(self, e: Expr, producers: list[Producer]) -> Expr:
        """The expression with each outermost reduction replaced by a workspace, whose producer is added."""
        match e:
            case Access() | Literal() | Fill():
                return e
            case Apply(args=args):
                return replace(e, args=tuple(self.extract_reductions(a, producers) for a in args))
            case Reduce() if (part := stored_part(e, self.formats, self.background())) is not None:
                return self.fold_stored(e, part, producers)
            case Reduce():
                w = self.workspace(free_variables(e), dtype_of(e), self.fill_of(e).value)
                producers.append(Producer(w, self.build_loops(w, e, None)))
                return w

    def fold_stored(self, e: Reduce, part: Stored, producers: list[Producer]) -> Expr:
        """A reduction of what is stored, and at once of all the rest, in workspaces whose producers are added."""
        self.depends |= {*part.fold.variables}
        dtype = dtype_of(e)
        folded = self.workspace(free_variables(e), dtype, e.operator.repeat(None, 0, dtype))
        counts = self.workspace(part.count_variables, COUNTS, 0)
        for w, fold in ((folded, part.fold), (counts, part.counter)):
            nest = self.build_nest(w, fold, part.mask)
            assert nest is not None
            producers.append(Producer(w, nest))
        return self.extract_reductions(part.with_rest(folded, counts), producers)

    def bind_levels(
        self, nest: Nest, body: Expr, mask: Mask | None, target: Access, operator: Operator | None
    ) -> tuple[dict[Access, Access], Access | None]:
        """The accesses of a nest with their level variables, and the first that must be copied to be combined."""
        names: dict[Access, Access] = {}
        for access in dict.fromkeys((*accesses(body), *mask_reads(mask))):
            bound = nest.bind(access) if self.combines(access, body, mask, target, operator) else None
            if bound is None:
                return names, access
            names[access] = bound
        return names, None

    def combines(
        self, access: Access, body: Expr, mask: Mask | None, target: Access, operator: Operator | None
    ) -> bool:
        """Whether an access is read in place, by loops that come once to what it stores.

        A mapped one can if the nest has nothing to do where it is missing: then each component is contributed by the
        one block or rank that stores it. So can one in blocks, where the loops over its blocks reach all others.
        """
        stored = self.formats.get(access.tensor)
        if stored is None or stored.map.is_permutation or access.tensor in self.workspaces:
            return True
        others = [a for a in dict.fromkeys((*accesses(body), *mask_reads(mask))) if a != access]
        beside = expected_walks(others, self.formats, self.conversions.preferred)
        if comes_again(access, stored, beside) or scatters(access, stored, target, self.result_format(target)):
            return False
        if mask is not None and not mask.complement and self.vanishes(mask.value, access):
            return True
        match substitute(body, frozenset({access}), self.background()):
            case Fill() as fill if operator is not None:
                return annihilates(operator.left_identity, fill)
            case Fill(value=value):
                begun = self.continues and target.tensor not in self.open
                return not begun and same_value(value, self.fills[target.tensor])
            case _:
                return tells_missing(access, stored, possible_walks(others, self.formats))

    def vanishes(self, e: Expr, access: Access) -> bool:
        """Whether an expression is missing where an access is."""
        return isinstance(substitute(e, frozenset({access}), self.background()), Fill)

    def convert_operand(
        self, access: Access, body: Expr, mask: Mask | None, target: Access
    ) -> tuple[Expr, Mask | None]:
        """The expression and mask reading what an operand is converted to, in a format that the loops settle."""
        return self.read_as(self.begin_conversion(access, body, target), access, body, mask)

    def begin_conversion(self, access: Access, body: Expr, target: Access) -> str:
        """The name of what an operand is converted to, whose format is open."""
        source = self.conversions.sources.get(access.tensor, access.tensor)
        name = self.fresh(source)
        others = [a for a in accesses(body) if a != access]
        order = preferred_order(access, self.formats[source], others, target, self.result_format(target))
        self.conversions.add(name, source, order)
        self.fills[name], self.dtypes[name] = self.fills[source], self.dtypes[source]
        return name

    def read_as(self, name: str, access: Access, body: Expr, mask: Mask | None) -> tuple[Expr, Mask | None]:
        """The expression and mask reading an operand by another name."""
        read = replace(access, tensor=name)
        if mask is not None:
            mask = replace(mask, value=rename_accesses(mask.value, {access: read}))
        return rename_accesses(body, {access: read}), mask

    def read_by_rows(self, target: Access, body: Expr, mask: Mask | None, row: Row) -> tuple[Expr, Mask | None] | None:
        """The expression and mask reading operands of which what a row of blocks takes comes first, converted if need
        be; None if some have to be that may not."""
        operands = (*accesses(body), *mask_reads(mask))
        for access in contradicting_rows(operands, row, self.formats):
            stored = self.formats.get(access.tensor)
            if stored is None or not self.convert:
                return None
            name = self.begin_conversion(access, body, target)
            body, mask = self.read_as(name, access, body, mask)
            order = self.conversions.preferred[name]
            modes = sorted(stored.map.modes, key=lambda mode: order.index(access.indices[mode]))
            whole = has_room(order[0], stored, (*operands, target), self.formats, self.extents)
            made = format_in_order(stored, modes, whole=whole)
            self.formats[name] = made if whole or order[0] != row.variable else in_rows_of_blocks(made, row.factor)
        return body, mask

    def through_workspace(
        self, target: Access, value: Expr, mask: Mask | None, producers: tuple[Producer, ...]
    ) -> Statement:
        """The value computed into a workspace in any order, then copied to the target in storage order."""
        if mask is None:
            w = self.workspace(target.indices, dtype_of(value), self.fill_of(value).value)
        else:
            w = self.workspace(target.indices, self.dtypes[target.tensor], self.fills[target.tensor])
        self.staged[w.tensor] = target.tensor
        format = self.formats[target.tensor]
        if format.map.is_permutation:
            self.staging = w.tensor
        else:
            by_block = not self.is_merged_for_rows(target, value, mask)
            filled = self.through_blocks(target, w, value, mask, producers) if by_block else None
            filled = self.through_rows(target, w, value, mask, producers) if filled is None else filled
            if filled is not None:
                return filled
            self.formats[w.tensor] = Format((Hashed(),) * len(format.levels), map=format.map)
            self.record_workspace(w.tensor, target.indices)
        produced = Producer(w, self.build_loops(w, value, mask, producers))
        return self.build_loops(target, w, None, (produced,))

    def through_blocks(
        self, target: Access, w: Access, value: Expr, mask: Mask | None, producers: tuple[Producer, ...]
    ) -> Statement | None:
        """The value computed into a workspace block by block; None where operands have other blocks, or would be
        converted."""
        operands, format = (*accesses(value), *mask_reads(mask)), self.formats[target.tensor]
        if not have_same_blocks(operands, target, self.formats):
            return None
        converted, nest = len(self.conversions.sources), Nest(self.formats, {}, self.fresh, self.extents)
        w = replace(w, indices=nest.level_variables(target, format))
        whole = mask is None and holds_whole_blocks(format) and fill_whole_blocks(operands, target, self.formats)
        self.blocks[w.tensor] = Blocks(nest.splits, whole and self.counts_present(value))
        produced = Producer(w, self.build_loops(w, value, mask, producers))
        if len(self.conversions.sources) > converted:
            del self.blocks[w.tensor]
            return None
        self.blocks[target.tensor] = self.blocks[w.tensor]
        return self.build_loops(target, w, None, (produced,))

    def through_rows(
        self, target: Access, w: Access, value: Expr, mask: Mask | None, producers: tuple[Producer, ...]
    ) -> Statement | None:
        """The value computed into a workspace of a row of blocks at a time; None where the result is not assembled so,
        or operands would be converted that may not."""
        row = row_of_blocks(target, self.formats[target.tensor])
        found = None if row is None else self.read_by_rows(target, value, mask, row)
        if row is None or found is None:
            return None
        value, mask = found
        nest = Nest(self.formats, {}, self.fresh, self.extents)
        nest.level_variables(target, self.formats[target.tensor])
        own = {row.variable: nest.splits[row.variable]}
        w = replace(w, indices=tuple(u for v in w.indices for u in (nest.loops(v) if v in own else (v,))))
        self.blocks[w.tensor] = Blocks(own, False, FEW)
        statement = self.build_nest(w, self.reduction(w, value), mask, producers)
        assert statement is not None
        self.blocks[target.tensor] = Blocks(nest.splits, False)
        blocked = frozenset(nest.splits) - {row.variable}
        return self.build_loops(target, w, None, (Producer(w, statement, blocked),))
