"""Statements: one tree for concrete index notation, the branched iteration graph and the index tree.

`Forall` is a loop over the coordinates of one index variable, `Where` computes a workspace (producer) before the
consumer that reads it, `Sequence` runs statements in order, `Assign` is a leaf. Source variables that no loop runs
over are recovered through the statement's provenance. (Kjolstad 2019, section 4; Senanayake 2020, section 3; COMET,
section III.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ..algebra.dtypes import Number
from ..notation.printer import assigns, pretty
from ..notation.syntax import Access, Apply, Expr, Fill, Literal, Mask, Reduce, accesses, applied_operators, mask_reads
from .provenance import Provenance
from .relation import variables_of

if TYPE_CHECKING:
    from ..algebra.operator import Operator
    from ..storage.declaration import Declaration
    from ..storage.format import Format
    from .tags import Tag


class Forall(Struct, frozen=True):
    """`∀ index: body`. `tags` carry what a schedule says about the loop; an unscheduled loop has none."""

    index: str
    body: Statement
    tags: tuple[Tag, ...] = ()

    @property
    def is_shared_out(self) -> bool:
        """Whether threads of any kind share out the loop."""
        return any(tag.is_shared_out for tag in self.tags)


class Where(Struct, frozen=True):
    """`consumer where producer`: the producer fills `workspace`, freshly allocated, then the consumer reads it."""

    consumer: Statement
    producer: Statement
    workspace: str


class Assign(Struct, frozen=True):
    """`target operator= value` at the coordinates of the enclosing loops, where the mask admits them.

    The first contribution to a component stores; later ones combine with `operator`, the statement's reduction. With
    no operator there is only one contribution.
    """

    target: Access
    value: Expr
    operator: Operator | None = None
    mask: Mask | None = None


class Sequence(Struct, frozen=True):
    """The statements in order."""

    statements: tuple[Statement, ...]


Statement = Forall | Where | Assign | Sequence


class Flags(Enum):
    """What a workspace knows of which of its components are present: of each one, of all together, or nothing."""

    EACH = "a flag for each component"
    ONE = "one flag"
    NONE = "no flags"


class Workspace(Struct, frozen=True):
    """A temporary tensor. `missing` is the value of a component that its producer does not store.

    A schedule may have `asked` for its format. Without a flag for each component its producer stores all of them once
    it stores one, with none at all whenever it runs.
    """

    name: str
    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype
    missing: Number
    asked: bool = False
    flags: Flags = Flags.EACH

    @property
    def has_one_flag(self) -> bool:
        """Whether one flag tells of all components; so it is where there is but one."""
        return not self.shape or self.flags is Flags.ONE

    def __str__(self) -> str:
        """The workspace as it is told of: `w in dense with one flag`."""
        stored = f" in {self.format}" if self.shape else ""
        return f"{self.name}{stored} with {(Flags.ONE if self.has_one_flag else self.flags).value}"


class Conversion(Struct, frozen=True):
    """The operand `source`, in the format in which it is `stored`, becomes what the statement reads as `name`."""

    name: str
    source: str
    stored: Format


class Program(Struct, frozen=True, dict=True):
    """A statement with everything it needs to run: provenance, workspaces, formats and the meaning of missing.

    `tensors` are declared by name, workspaces included; `previous` is the name under which the statement reads the
    previous contents of `result`; where the result `continues`, it begins as these, else with nothing stored. `depends`
    holds the variables over which a fill is reduced, or contributions are counted: the statement is built from their
    extents, and the same for all extents of others. `converted` says which operands are converted before it
    runs, to the formats that are declared of them (`converting.py`). `packed` is the format that the result
    is packed into once it is assembled, if it cannot be assembled in it. `staging` is the workspace through which the
    result is assembled because of the order of the loops (`staging.py`), `copies` are those that hold what masks read
    (`masking.py`), `ordered` those that hold operands in order (`schedule/ordering.py`).
    """

    statement: Statement
    provenance: Provenance
    workspaces: tuple[Workspace, ...]
    tensors: tuple[tuple[str, Declaration], ...]
    result: str
    extents: tuple[tuple[str, int], ...]
    previous: str
    depends: frozenset[str] = frozenset()
    converted: tuple[Conversion, ...] = ()
    packed: Format | None = None
    staging: Workspace | None = None
    copies: tuple[str, ...] = ()
    ordered: tuple[str, ...] = ()
    continues: bool = False

    def given(self, tensor: str) -> str:
        """The name by which the operand is given that the statement reads under another: previous contents are the
        result's."""
        return self.result if tensor == self.previous else tensor

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the tensors and of the variables, with the variables that a schedule has replaced."""
        derived = {v for relation in self.provenance.of_schedule for v in variables_of(relation)}
        return frozenset({*indices(self.statement), *dict(self.extents), *self.formats, *derived})

    @cached_property
    def workspace(self) -> dict[str, Workspace]:
        """The workspaces by name."""
        return {each.name: each for each in self.workspaces}

    @cached_property
    def formats(self) -> dict[str, Format]:
        """The format of every tensor."""
        return {name: declared.format for name, declared in self.tensors}

    @cached_property
    def fills(self) -> dict[str, Number]:
        """What every tensor holds where nothing is stored."""
        return {name: declared.fill for name, declared in self.tensors}

    @cached_property
    def dtypes(self) -> dict[str, np.dtype]:
        """The dtype of every tensor."""
        return {name: declared.dtype for name, declared in self.tensors}


def assignments(s: Statement) -> Iterator[Assign]:
    """The leaves, producers before the consumers that read them."""
    match s:
        case Assign():
            yield s
        case Forall(body=body):
            yield from assignments(body)
        case Where(consumer=consumer, producer=producer):
            yield from assignments(producer)
            yield from assignments(consumer)
        case Sequence(statements=statements):
            for each in statements:
                yield from assignments(each)


def leaves(s: Statement, around: tuple[str, ...]) -> Iterator[tuple[Assign, tuple[str, ...]]]:
    """The assignments, each with the loops around it."""
    match s:
        case Assign():
            yield s, around
        case Forall(index=index, body=body):
            yield from leaves(body, (*around, index))
        case Where(consumer=consumer, producer=producer):
            yield from leaves(producer, around)
            yield from leaves(consumer, around)
        case Sequence(statements=statements):
            for each in statements:
                yield from leaves(each, around)


def operators(s: Statement) -> Iterator[Operator]:
    """The operators of the assignments: by which they reduce, and in their values, repeats included."""
    for leaf in assignments(s):
        if leaf.operator is not None:
            yield leaf.operator
        yield from applied_operators(leaf.value)


def foralls(s: Statement) -> Iterator[Forall]:
    """The loops, outermost first."""
    match s:
        case Assign():
            return
        case Forall(body=body):
            yield s
            yield from foralls(body)
        case Where(consumer=consumer, producer=producer):
            yield from foralls(producer)
            yield from foralls(consumer)
        case Sequence(statements=statements):
            for each in statements:
                yield from foralls(each)


def indices(s: Statement) -> Iterator[str]:
    """The variables of the loops, outermost first."""
    return (loop.index for loop in foralls(s))


def wrap_in_loops(variables: tuple[str, ...], body: Statement) -> Statement:
    """Loops around a statement, outermost first."""
    for variable in reversed(variables):
        body = Forall(variable, body)
    return body


def reads(s: Statement) -> tuple[Access, ...]:
    """The accesses that a statement reads, masks included, each once, in order of appearance."""
    found: list[Access] = []
    for leaf in assignments(s):
        found += accesses(leaf.value)
        found += mask_reads(leaf.mask)
    return tuple(dict.fromkeys(found))


def change_leaves(s: Statement, change: Callable[[Assign], Statement]) -> Statement:
    """The statement with every assignment changed."""
    match s:
        case Assign():
            return change(s)
        case Forall(body=body):
            return replace(s, body=change_leaves(body, change))
        case Where(consumer=consumer, producer=producer):
            return replace(s, consumer=change_leaves(consumer, change), producer=change_leaves(producer, change))
        case Sequence(statements=statements):
            return Sequence(tuple(change_leaves(each, change) for each in statements))


def rename_accesses(e: Expr, names: dict[Access, Access]) -> Expr:
    """The expression with some accesses replaced by others."""
    match e:
        case Access():
            return names.get(e, e)
        case Literal() | Fill():
            return e
        case Apply(args=args):
            return replace(e, args=tuple(rename_accesses(a, names) for a in args))
        case Reduce(body=body):
            return replace(e, body=rename_accesses(body, names))


def rename_reads(leaf: Assign, names: dict[Access, Access]) -> Assign:
    """The assignment with some accesses that it reads replaced by others, in its mask too."""
    mask = leaf.mask if leaf.mask is None else replace(leaf.mask, value=rename_accesses(leaf.mask.value, names))
    return replace(leaf, value=rename_accesses(leaf.value, names), mask=mask)


def show_program(program: Program) -> str:
    """The statement of a program, what becomes of its operands before, and of its result."""
    parts = [show_conversion(each, program.formats[each.name]) for each in program.converted]
    parts.append(show(program.statement))
    if program.packed is not None:
        parts.append(f"{program.result}, in {program.formats[program.result]}, is packed into {program.packed}")
    return "\n;\n".join(parts)


def show_conversion(conversion: Conversion, format: Format) -> str:
    """What becomes of an operand."""
    named = "" if conversion.name == conversion.source else f", named {conversion.name}"
    return f"{conversion.source}, in {conversion.stored}, is converted to {format}{named}"


def show(s: Statement, depth: int = 0) -> str:
    """The statement as indented text, one node a line."""
    pad = "  " * depth
    match s:
        case Forall(index=index, body=body, tags=tags):
            said = f"  [{', '.join(map(str, tags))}]" if tags else ""
            return f"{pad}∀{index}{said}\n{show(body, depth + 1)}"
        case Where(consumer=consumer, producer=producer, workspace=name):
            return f"{show(consumer, depth)}\n{pad}where {name}:\n{show(producer, depth + 1)}"
        case Sequence(statements=statements):
            return f"\n{pad};\n".join(show(each, depth) for each in statements)
        case Assign(target=target, value=value, operator=operator, mask=mask):
            admitted = "" if mask is None else pretty(mask)
            return f"{pad}{pretty(target)}{admitted} {assigns(operator)} {pretty(value)}"
