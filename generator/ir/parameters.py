"""Parameters: what a function reads from the fields of tensors becomes the parameters of a function on arrays.

Before: `int f(gn_tensor *A) { const int *restrict A_pos = A->…; … }`. After: `static GN_APART int f_arrays(const
int *restrict A_pos) { … }`, and `f` calls it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeGuard

from msgspec.structs import replace

from . import ir
from .ir import Declare, Function, Name, Return, Spelled


def over_arrays(functions: Iterable[Function]) -> Iterator[Function]:
    """Functions on tensors as calls of functions on arrays: compilers trust `restrict` of parameters, not of variables,
    and only while functions stay apart from their callers.

    Functions that do the same to the same arrays share one.
    """
    found: dict[tuple[tuple[tuple[str, str], ...], ir.Code], str] = {}
    for f in functions:
        fields = [s for s in f.body if is_field(s)]
        if not fields:
            yield f
            continue
        rest = tuple(s for s in f.body if s not in fields)
        text = " ".join(mentioned_spellings(rest))
        tensors = tuple((type, name) for type, name in f.parameters if re.search(rf"\b{name}->", text))
        parameters = tensors + tuple((plain(s.type), s.name) for s in fields)
        inner = found.get((parameters, rest))
        if inner is None:
            inner = found[parameters, rest] = f"{f.name}_arrays"
            yield Function(f"static GN_APART {f.type}", inner, parameters, rest)
        args = (*[Name(name) for _, name in tensors], *[s.value for s in fields if s.value is not None])
        yield Function(f.type, f.name, f.parameters, (Return(ir.Call(inner, args)),))


def mark_unused(f: Function) -> Function:
    """The function with a cast to void for each tensor that it does not use. Fields may have the names of tensors."""
    text = " ".join(mentioned_spellings(f.body))
    tensors = [name for type, name in f.parameters if "gn_tensor" in type]
    unused = [name for name in tensors if not re.search(rf"(?<![.>\w]){name}\b", text)]
    return replace(f, body=(*[ir.Do(ir.Cast("void", Name(name))) for name in unused], *f.body))


def is_field(s: ir.Stmt) -> TypeGuard[Declare]:
    """Whether a statement declares what a field of a tensor holds."""
    return isinstance(s, Declare) and isinstance(s.value, Spelled) and "->" in s.value.template


def plain(type: str) -> str:
    """The type of a parameter that is declared `const type` as a variable."""
    return type if "*" in type else type.removeprefix("const ")


def mentioned_spellings(code: ir.Code) -> Iterator[str]:
    """The spellings in which parameters of a function occur: where code reaches into tensors."""
    for s in code:
        match s:
            case Declare(value=Spelled(template=template)) | ir.Assign(value=Spelled(template=template)):
                yield template
            case Return(value=ir.Call(args=args)):
                yield from [a.template for a in args if isinstance(a, Spelled)]
                yield from [a.name for a in args if isinstance(a, Name)]
            case _:
                pass
        if isinstance(s, ir.Assign) and isinstance(s.target, Spelled):
            yield s.target.template
