"""Verification: what holds of a function of the IR before and after every pass.

A variable is declared before it is used, once in the blocks around it, and not assigned to where it is constant or
counts a loop. A `goto` has one label, on the same side of every region of threads; an end that a loop computes once is
not changed inside it; what is atomic updates a place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import InternalError
from . import ir, traversal
from .grid import BUILT_IN
from .ir import (
    Assign,
    Atomic,
    Barrier,
    Code,
    Comment,
    Declare,
    Do,
    Expr,
    For,
    Function,
    If,
    Jump,
    Kernel,
    Label,
    Launch,
    Name,
    Region,
    Return,
    Shared,
    Stmt,
    While,
)

FIXED = "const "


class Scope(Struct, frozen=True):
    """What is in use at a place: the types of variables, the labels that may be jumped to, whether a loop is around."""

    types: Mapping[str, str]
    labels: frozenset[str]
    loops: bool = False

    @property
    def in_loop(self) -> Scope:
        """The scope in the body of a loop."""
        return Scope(self.types, self.labels, True)

    def with_variable(self, name: str, type: str) -> Scope:
        """The scope with one more variable."""
        return Scope({**self.types, name: type}, self.labels, self.loops)


def violations(f: Function) -> list[str]:
    """What is wrong with a function, in words; nothing if it keeps the rules.

    >>> violations(Function("int", "f", (), (Assign(Name("x"), ir.ZERO), Return(Name("y")))))
    ['x is assigned to, but not declared', 'y is read, but not declared']
    """
    types: dict[str, str] = {}
    for type, name in f.parameters:
        types[name] = type
    every = [s.name for s in traversal.statements(f.body) if isinstance(s, Label)]
    twice = [f"the label {name} stands twice" for name in sorted({n for n in every if every.count(n) > 1})]
    return twice + list(block(f.body, Scope(types, frozenset(labels(f.body)))))


def verify(functions: Sequence[Function]) -> Sequence[Function]:
    """The functions themselves. Raises InternalError for the first that breaks a rule."""
    for f in functions:
        wrong = violations(f)
        if wrong:
            raise InternalError(f"in {f.name}, {wrong[0]}")
    return functions


def verify_passes(stages: Iterable[Sequence[Function]]) -> Sequence[Function]:
    """The functions after the last of some passes; each is verified as it is written, and after every pass that changes
    it. Raises InternalError for the first that breaks a rule."""
    last: Sequence[Function] = ()
    for functions in stages:
        verify([f for f in functions if f not in last])
        last = functions
    return last


def block(code: Code, scope: Scope) -> Iterator[str]:
    """What is wrong in a block, whose variables are in use from their declarations on."""
    types = dict(scope.types)
    own = Scope(types, scope.labels, scope.loops)
    for s in code:
        yield from statement(s, own)
        if isinstance(s, Declare | Shared):
            types[s.name] = s.type


def statement(s: Stmt, scope: Scope) -> Iterator[str]:
    """What is wrong with a statement."""
    for e in expressions(s):
        yield from unknown(e, scope)
    match s:
        case Declare(name=name, type=type, value=value):
            yield from new(name, scope)
            if type.startswith(FIXED) and value is None and "*" not in type:
                yield f"{name} is constant, but has no value"
        case Assign(target=target):
            yield from assignment_violations(target, scope)
        case If(then=then, orelse=orelse):
            yield from block(then, scope)
            yield from block(orelse, scope)
        case While(body=body):
            yield from block(body, scope.in_loop)
        case For(name=name, end=end, body=body, limit=limit):
            yield from new(name, scope)
            own = scope.with_variable(name, f"{FIXED}{ir.INT}")
            if limit:
                yield from new(limit, own)
                own = own.with_variable(limit, f"{FIXED}{ir.INT}")
                changed = set(traversal.names(end)) & set(targets(body))
                yield from (f"{each} is in the end of the loop over {name}, but changed inside it" for each in changed)
            yield from block(body, own.in_loop)
        case Region(pragma=pragma, body=body):
            parallel = pragma is not None and "parallel" in pragma
            own_labels = frozenset(labels(body))
            yield from block(body, replace(scope, labels=own_labels if parallel else scope.labels | own_labels))
        case Atomic(update=update):
            if not isinstance(update.target, ir.Element):
                yield f"{update} is atomic, but updates no memory"
            yield from statement(update, scope)
        case Jump(kind="goto", label=label):
            if label not in scope.labels:
                yield f"{label} is no label that can be jumped to"
        case Jump(kind=kind):
            if not scope.loops:
                yield f"{kind} stands in no loop"
        case Kernel(body=body):
            yield from block(body, replace(scope, labels=frozenset(labels(body)), loops=False))
        case Shared(name=name):
            yield from new(name, scope)
        case Do() | Return() | Label() | Comment() | Launch() | Barrier():
            pass


def expressions(s: Stmt) -> Iterator[Expr]:
    """The expressions that a statement itself reads."""
    match s:
        case Declare(value=value):
            yield from [] if value is None else [value]
        case Assign(target=target, value=value, operator=operator):
            yield from traversal.parts(target) if isinstance(target, Name) or operator == "=" else [target]
            yield value
        case If(condition=condition) | While(condition=condition):
            yield condition
        case For(begin=begin, end=end, step=step):
            yield from (begin, end, step)
        case Kernel(blocks=blocks):
            yield blocks
        case Launch(blocks=blocks, args=args):
            yield from (blocks, *args)
        case Region(when=when):
            yield from [] if when is None else [when]
        case Do(expression=e) | Return(value=e):
            yield from [] if e is None else [e]
        case Atomic() | Jump() | Label() | Comment() | Shared() | Barrier():
            pass


def unknown(e: Expr, scope: Scope) -> Iterator[str]:
    """The variables that an expression reads, but nothing declares."""
    for name in names_read(e):
        if name not in scope.types and name not in BUILT_IN:
            yield f"{name} is read, but not declared"


@lru_cache(maxsize=4096)
def names_read(e: Expr) -> tuple[str, ...]:
    """The variables that an expression reads, each once; what is freed may be spelled."""
    read: dict[str, None] = {}
    for each in traversal.subterms(e):
        match each:
            case Name(name=name):
                read[name] = None
            case ir.Call(function="free", args=(ir.Spelled(template=freed),)):
                read[freed.split(".")[0]] = None
            case _:
                pass
    return tuple(read)


def new(name: str, scope: Scope) -> Iterator[str]:
    """Whether a declaration would hide another."""
    if name in scope.types:
        yield f"{name} is declared twice"


def assignment_violations(target: Expr, scope: Scope) -> Iterator[str]:
    """What is wrong with storing in a place."""
    match target:
        case Name(name=name) if name not in scope.types:
            yield f"{name} is assigned to, but not declared"
        case Name(name=name) if scope.types[name].startswith(FIXED) and "*" not in scope.types[name]:
            yield f"{name} is assigned to, but constant"
        case ir.Element(array=Name(name=name)) if scope.types.get(name, "").startswith(FIXED):
            yield f"{name} is stored in, but holds what is constant"
        case _:
            pass


def targets(code: Code) -> Iterator[str]:
    """The variables and arrays that some code stores in."""
    for s in traversal.statements(code):
        update = s.update if isinstance(s, Atomic) else s
        if isinstance(update, Assign):
            place = update.target.array if isinstance(update.target, ir.Element) else update.target
            yield from [place.name] if isinstance(place, Name) else []


def labels(code: Code) -> Iterator[str]:
    """The labels in some code that can be jumped to: none inside regions of threads."""
    left = [*reversed(code)]
    while left:
        s = left.pop()
        if isinstance(s, Label):
            yield s.name
        parallel = isinstance(s, Kernel) or (isinstance(s, Region) and s.pragma is not None and "parallel" in s.pragma)
        if not parallel:
            left += reversed(traversal.inside(s))
