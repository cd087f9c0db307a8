"""Outlining: kernels become functions of their own; what they read of the host, their parameters.

Before: `int evaluate(…) { …; kernel { … y_vals[i] = … A_vals[p] … } }`. After:

    GN_KERNEL __launch_bounds__(256) void evaluate_i(const double *restrict A_vals, …, double *restrict y_vals) { … }
    int evaluate(…) { …; launch evaluate_i(A_vals, …, y_vals); }

Numbers are parameters by value; those that a kernel stores in, and its status, are arrays of one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import Unsupported
from ..ir import ir, traversal
from ..ir.grid import BUILT_IN
from ..ir.ir import (
    Call,
    Code,
    Declare,
    Do,
    Expr,
    For,
    Function,
    If,
    Kernel,
    Launch,
    Name,
    Shared,
    Stmt,
)
from ..ir.verifier import expressions
from .fills import stored_arrays

FAILED = "failed"
Types = Mapping[str, str]


class Outlined(Struct, frozen=True):
    """The functions of the host, which launch kernels, and the kernels."""

    host: tuple[Function, ...]
    kernels: tuple[Function, ...]


def outline(functions: Sequence[Function]) -> Outlined:
    """Kernels as functions; equal ones are one."""
    known: dict[tuple[tuple[tuple[str, str], ...], Code], Function] = {}
    host = []
    for f in functions:
        types = {name: type for type, name in f.parameters}
        host.append(replace(f, body=block(f.body, types, known)))
    return Outlined(tuple(host), tuple(known.values()))


def block(code: Code, types: Types, known: dict[tuple[tuple[tuple[str, str], ...], Code], Function]) -> Code:
    """The statements of a block, with launches in place of kernels."""
    found: list[Stmt] = []
    for s in code:
        match s:
            case Declare(name=name, type=type):
                types = {**types, name: type}
                found.append(s)
            case Kernel():
                function = kernel(s, types)
                function = known.setdefault((function.parameters, function.body), function)
                args = tuple(Name(ir.STATUS.name if name == FAILED else name) for _, name in function.parameters)
                found.append(Launch(function.name, s.blocks, s.threads, args))
            case _:
                inner = {**types, s.name: ir.INT} if isinstance(s, For) else types
                found.append(traversal.change_blocks(s, partial(block, types=inner, known=known)))
    return tuple(found)


def kernel(s: Kernel, types: Types) -> Function:
    """The function that a kernel becomes."""
    own = set(declarations(s.body)) | BUILT_IN | {ir.STATUS.name}
    numbers = set(stored_numbers(s.body)) - own
    body = over_memory(s.body, numbers)
    stored = set(stored_arrays(body))
    stored |= {whole for name, whole in slices(body) if name in stored}
    parameters = [(parameter_type(types[n], n in stored), n) for n in dict.fromkeys(mentions(body)) if n not in own]
    if has_status(body):
        parameters.append(("int *restrict", FAILED))
        reported = Do(Call("atomicMax", (Name(FAILED), ir.STATUS)))
        body = (Declare("int", ir.STATUS.name, ir.OK), *body, If(ir.FAILED, (reported,)))
    return Function(f"GN_KERNEL __launch_bounds__({s.threads}) void", s.name, tuple(parameters), body)


def parameter_type(type: str, stored: bool) -> str:
    """The type of a parameter for a variable of the host."""
    plain = type.removeprefix("const ")
    if plain == "gn_list":
        raise Unsupported(
            "a kernel for a GPU reads what the host has sorted in a list",
            hint="convert the operand to a format with ordered, unique coordinates",
        )
    if "*" in plain:
        element = plain.partition("*")[0].strip()
        return f"{element} *restrict" if stored else f"const {element} *restrict"
    return f"{plain} *restrict" if stored else plain


def over_memory(code: Code, numbers: Collection[str]) -> Code:
    """Code for which some variables are arrays of one.

    >>> over_memory((ir.Assign(Name("t"), Name("x"), "+="),), {"t"})
    (Assign(target=Element(array=Name(name='t'), index=Int(value=0)), value=Name(name='x'), operator='+=', start=None),)
    """

    def place(e: Expr) -> Expr:
        return ir.Element(e, ir.ZERO) if isinstance(e, Name) and e.name in numbers else e

    return traversal.change_code(code, place)


def slices(code: Code) -> Iterator[tuple[str, str]]:
    """The variables that hold where parts of arrays begin, with these arrays."""
    for s in traversal.declarations(code):
        match s.value:
            case ir.Unary(operator="&", operand=ir.Element(array=Name(name=whole))):
                yield s.name, whole
            case _:
                pass


def stored_numbers(code: Code) -> Iterator[str]:
    """The variables that some code assigns to."""
    for s in traversal.statements(code):
        if isinstance(s, ir.Assign) and isinstance(s.target, Name):
            yield s.target.name


def declarations(code: Code) -> Iterator[str]:
    """Every variable that is declared in some code."""
    for s in traversal.statements(code):
        if isinstance(s, Declare | For | Shared):
            yield s.name
        if isinstance(s, For) and s.limit:
            yield s.limit


def mentions(code: Code) -> Iterator[str]:
    """The variables that some code reads or stores in, in the order in which they come up."""
    for s in traversal.statements(code):
        for e in expressions_of(s):
            yield from traversal.names(e)


def expressions_of(s: Stmt) -> Iterator[Expr]:
    """The expressions of a statement itself, places that it stores in among them."""
    match s:
        case ir.Assign(target=target, value=value):
            yield from (target, value)
        case ir.Atomic(update=update):
            yield from expressions_of(update)
        case _:
            yield from expressions(s)


def has_status(code: Code) -> bool:
    """Whether some code says that something has gone wrong."""
    expressions = (e for s in traversal.statements(code) for e in expressions_of(s))
    terms = (term for e in expressions for term in traversal.subterms(e))
    return ir.STATUS in terms
