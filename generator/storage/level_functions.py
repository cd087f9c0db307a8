"""Level functions in C, translated from their Python text (Chou 2018, section 4.5).

Straight-line level functions become expressions where they are called, functions without results become the statements
they consist of, and all others become `static inline` functions with out-parameters:

    def pos_bounds(self, p):                      A2_pos[pA1], A2_pos[pA1 + 1]
        return self.pos[p], self.pos[p + 1]

    def locate(self, p, i): … while … return …    q = hashed_locate(C2_crd, C2_W, pC1, j, &found)
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ...reference.errors import InternalError
from ...reference.levels.level import Level
from ...reference.levels.restricted import COMPARISONS, Restricted, restricted
from ..ir import ir, logic
from ..ir.ir import BOOL, INT, Element, Expr, Int, Name
from ..ir.simplify import uses
from ..ir.writer import Writer
from .level_text import hoisted, is_straight, results, returns, written

Argument = Expr | tuple[Expr, ...]
SIGNS = dict(zip(COMPARISONS, ("==", "!=", "<", "<=", ">", ">="), strict=True))


@dataclass(frozen=True)
class Bound:
    """A level format over storage in C: an expression per field, and the C type of each array's elements."""

    level: Level
    fields: Mapping[str, Expr]
    types: Mapping[str, str]

    def call(self, function: str, args: tuple[Argument, ...], out: Writer, wanted: tuple[str, ...] = ()) -> list[Expr]:
        """The results of a level function; `wanted` are names for those that need a variable."""
        text = restricted(type(self.level), function)
        if not returns(text) or is_straight(text):
            return Inline(self, text, out, wanted).run(args)
        return called(self, text, args, out, wanted)

    def one(self, function: str, args: tuple[Argument, ...], out: Writer) -> Expr:
        """The only result of a level function."""
        return self.call(function, args, out)[0]

    def named(self, function: str, args: tuple[Argument, ...], out: Writer) -> dict[str, Expr]:
        """The results of a level function that returns them by name."""
        inline = Inline(self, restricted(type(self.level), function), out, ())
        return dict(zip(inline.keys(), inline.run(args), strict=True))


def called(
    bound: Bound, text: Restricted, args: tuple[Argument, ...], out: Writer, wanted: tuple[str, ...]
) -> list[Expr]:
    """A call of the `static inline` function that a level function has become."""
    function, used, kinds, kept = Definition(bound, text, args).function(out.functions)
    flat = [e for a in args for e in (a if isinstance(a, tuple) else (a,))]
    flat = [flat[n] for n in kept]
    held = []
    for n, kind in enumerate(kinds[1:], 1):
        held.append(out.declare(kind, wanted[n] if n < len(wanted) else "found", None))
    outs = tuple(ir.Unary("&", name) for name in held)
    passed = tuple(bound.fields[name] for name in used)
    call = ir.Call(function, (*passed, *flat, *outs))
    first = out.declare(kinds[0], wanted[0] if wanted else "q", call, natural=True)
    return [first, *held]


@dataclass
class Translation:
    """The part of a translation that inlined code and functions share: expressions and statements."""

    bound: Bound
    text: Restricted
    out: Writer
    variables: dict[str, Argument] = field(default_factory=dict)

    def stored(self, name: str) -> Expr:
        """A storage field, or the value of a configuration field."""
        if name in self.bound.fields:
            return self.bound.fields[name]
        value = getattr(self.bound.level, name)
        return logic.truth(value) if isinstance(value, bool) else Int(value)

    def expression(self, e: ast.expr) -> Expr:
        match e:
            case ast.Constant(value=bool() as value):
                return logic.truth(value)
            case ast.Constant(value=int() as value):
                return Int(value)
            case ast.Name(id=name):
                found = self.variables[name]
                assert not isinstance(found, tuple)
                return found
            case ast.Attribute(attr=name):
                return self.stored(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return ir.negative(widened(self.expression(operand)))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return logic.negated(self.expression(operand))
            case ast.BinOp(left=left, op=op, right=right):
                return self.arithmetic(op, self.expression(left), self.expression(right))
            case ast.BoolOp(op=op, values=values):
                return (logic.both if isinstance(op, ast.And) else logic.either)(*[self.expression(v) for v in values])
            case ast.Compare(left=left, ops=ops, comparators=comparators):
                sides = [self.expression(x) for x in (left, *comparators)]
                tests = zip(ops, sides, sides[1:], strict=False)
                return logic.both(*[logic.compare(SIGNS[type(op)], a, b) for op, a, b in tests])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return logic.choice(self.expression(test), self.expression(body), self.expression(orelse))
            case ast.Subscript(value=value, slice=index):
                return self.element(value, index)
            case ast.Call(func=ast.Name(id=name), args=args):
                fold = ir.smaller if name == "min" else ir.larger
                first, *rest = [self.expression(a) for a in args]
                for each in rest:
                    first = fold(first, each)
                return first
            case ast.Call(func=ast.Attribute(attr=name), args=args):
                return self.own(name, args)[0]
            case _:
                raise InternalError(f"{ast.unparse(e)} passed the check of restricted Python")

    def own(self, name: str, args: list[ast.expr]) -> list[Expr]:
        """A call of another function of the level."""
        passed: list[Argument] = []
        for a in args:
            match a:
                case ast.Tuple(elts=elements):
                    passed.append(tuple(self.expression(x) for x in elements))
                case ast.Name(id=variable):
                    passed.append(self.variables[variable])
                case _:
                    passed.append(self.expression(a))
        return self.bound.call(name, tuple(passed), self.out)

    def arithmetic(self, op: ast.operator, left: Expr, right: Expr) -> Expr:
        match op:
            case ast.Add():
                return ir.add(widened(left) if self.is_narrow(right) else left, right)
            case ast.Sub():
                return ir.sub(widened(left) if self.is_narrow(right) else left, right)
            case ast.Mult():
                return ir.mul(widened(left) if self.is_narrow(right) else left, right)
            case ast.FloorDiv():
                return ir.floordiv(widened(left), right)
            case _:
                return ir.mod(widened(left), right)

    def is_narrow(self, e: Expr) -> bool:
        """Whether C would compute with an operand in fewer than 64 bits."""
        return isinstance(e, Int | Element)

    def element(self, value: ast.expr, index: ast.expr) -> Expr:
        """An element of an array, or a coordinate of a tuple."""
        match value:
            case ast.Name(id=name) if isinstance(self.variables.get(name), tuple):
                place = self.expression(index)
                found = self.variables[name]
                assert isinstance(place, Int) and isinstance(found, tuple)
                return found[place.value]
            case ast.Attribute(attr=name):
                return Element(self.stored(name), self.expression(index))
            case _:
                raise InternalError(f"{ast.unparse(value)} is not indexed")

    def block(self, body: list[ast.stmt], out: Writer) -> ir.Code:
        """Statements as a block of their own; variables first assigned in it belong to the block around it."""
        outer, self.out = self.out, out
        for s in body:
            self.statement(s)
        self.out = outer
        return out.code

    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, self.expression(value))
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Call(func=ast.Attribute(attr=called)) as call):
                found = self.own(called, call.args)
                for each, value_ in zip(names, found, strict=True):
                    assert isinstance(each, ast.Name)
                    self.assign(each.id, value_)
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr=name), slice=index)], value=value):
                kind = self.bound.types[name]
                result = self.expression(value)
                narrow = result if kind == INT or isinstance(result, Int) else ir.Cast(kind, result)
                self.out.add(ir.Assign(Element(self.stored(name), self.expression(index)), narrow))
            case ast.If(test=test, body=body, orelse=orelse):
                condition = self.expression(test)
                then, other = self.block(body, self.out.inner()), self.block(orelse, self.out.inner())
                self.out.add(*logic.conditional(condition, then, other))
            case ast.While(test=test, body=body):
                self.out.add(ir.While(self.expression(test), self.block(body, self.out.inner())))
            case ast.For(target=ast.Name(id=name), iter=ast.Call(args=args), body=body):
                bounds = [self.expression(a) for a in args]
                begin, end = bounds if len(bounds) == 2 else (ir.ZERO, bounds[0])
                if ir.sub(end, begin) == ir.ONE:
                    self.variables[name] = begin
                    for inside in body:
                        self.statement(inside)
                    return
                inner = self.out.inner()
                counter = inner.fresh(name)
                self.variables[name] = Name(counter, True)
                self.out.add(ir.For(counter, begin, end, self.block(body, inner)))
            case ast.Return():
                self.leave(s)
            case ast.Pass():
                pass
            case _:
                raise InternalError(f"{ast.unparse(s)} passed the check of restricted Python")

    def assign(self, name: str, value: Expr) -> None:
        """Assign to a variable, declared where it is first assigned."""
        known = self.variables.get(name)
        if isinstance(known, Name) and known.name in self.assigned():
            match value:
                case ir.Binary(operator="+", left=left, right=right) if left == known:
                    self.out.add(ir.Assign(known, right, "+="))
                case _:
                    self.out.add(ir.Assign(known, value))
            return
        if isinstance(value, Int) and self.stores(name) == 1:
            self.variables[name] = value
            return
        held = self.out.declare(kind_of(value), self.stem(name), value, natural=False)
        self.variables[name] = held
        self.assigned().add(held.name)

    def stores(self, name: str) -> int:
        """How often the function assigns to a variable."""
        nodes = (n for n in ast.walk(self.text.tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        return sum(n.id == name for n in nodes)

    def assigned(self) -> set[str]:
        """The variables that this translation declared."""
        raise NotImplementedError

    def stem(self, name: str) -> str:
        """What a variable is called in C."""
        return name

    def leave(self, s: ast.Return) -> None:
        raise NotImplementedError


def kind_of(e: Expr) -> str:
    """The C type of a translated expression."""
    match e:
        case ir.Binary(operator="==" | "!=" | "<" | "<=" | ">" | ">=" | "&&" | "||"):
            return BOOL
        case ir.Unary(operator="!"):
            return BOOL
        case ir.Spelled(template="true" | "false"):
            return BOOL
        case ir.Choice(then=then):
            return kind_of(then)
        case _:
            return INT


@dataclass
class Inline(Translation):
    """A level function in place of its call."""

    wanted: tuple[str, ...] = ()
    found: list[Expr] = field(default_factory=list)
    own_names: set[str] = field(default_factory=set)

    def __init__(self, bound: Bound, text: Restricted, out: Writer, wanted: tuple[str, ...]) -> None:
        super().__init__(bound, text, out)
        self.wanted, self.found, self.own_names = wanted, [], set()

    def run(self, args: tuple[Argument, ...]) -> list[Expr]:
        """The statements written, and the results."""
        self.variables = dict(zip(self.text.parameters, args, strict=True))
        for s in self.text.body:
            self.statement(s)
        return self.found

    def keys(self) -> list[str]:
        """The names of the results."""
        last = self.text.body[-1]
        assert isinstance(last, ast.Return) and isinstance(last.value, ast.Dict)
        return [str(key.value) for key in last.value.keys if isinstance(key, ast.Constant)]

    def assigned(self) -> set[str]:
        return self.own_names

    def stem(self, name: str) -> str:
        """A variable that is returned gets the name that its caller wants for it."""
        last = self.text.body[-1]
        returned = (
            [e.id if isinstance(e, ast.Name) else "" for e in results(last)] if isinstance(last, ast.Return) else []
        )
        place = returned.index(name) if name in returned else len(self.wanted)
        return self.wanted[place] if place < len(self.wanted) else name

    def leave(self, s: ast.Return) -> None:
        self.found = [self.expression(e) for e in results(s)]


@dataclass
class Definition(Translation):
    """A level function as a C function: parameters are the storage fields it uses, its arguments, and its results."""

    def __init__(self, bound: Bound, text: Restricted, args: tuple[Argument, ...]) -> None:
        self.used: dict[str, None] = {}
        self.own_names: set[str] = set()
        self.kinds: list[str] = []
        super().__init__(bound, text, Writer())
        self.parameters = self.named_parameters(args)

    def named_parameters(self, args: tuple[Argument, ...]) -> list[str]:
        """A C parameter for every argument; of a tuple of coordinates, one for each."""
        found: list[str] = []
        for name, a in zip(self.text.parameters, args, strict=True):
            if isinstance(a, tuple):
                members = [self.out.fresh(f"{name}{len(a) - n}" if n < len(a) - 1 else name) for n in range(len(a))]
                self.variables[name] = tuple(Name(m, True) for m in members)
                found += members
            else:
                found.append(self.out.fresh(name))
                self.variables[name] = Name(found[-1], True)
        return found

    def stored(self, name: str) -> Expr:
        held = self.bound.fields.get(name)
        if held is None or isinstance(held, Int):
            return super().stored(name)
        self.used[name] = None
        self.out.taken.add(name)
        return Name(name, natural=True)

    def own(self, name: str, args: list[ast.expr]) -> list[Expr]:
        for each in self.bound.fields:
            self.stored(each)
        inside = replace(self.bound, fields={n: self.stored(n) for n in self.bound.fields})
        outer, self.bound = self.bound, inside
        found = super().own(name, args)
        self.bound = outer
        return found

    def assigned(self) -> set[str]:
        return self.own_names

    def leave(self, s: ast.Return) -> None:
        first, *rest = [self.expression(e) for e in results(s)]
        self.kinds = [kind_of(e) for e in (first, *rest)]
        for n, e in enumerate(rest, 1):
            self.out.add(ir.Assign(ir.Unary("*", Name(f"out{n}")), e))
        self.out.add(ir.Return(first))

    def function(self, known: dict[str, ir.Function]) -> tuple[str, list[str], list[str], list[int]]:
        """The name of the function, the storage fields it takes, the types of its results, the arguments it uses."""
        self.out.functions = known
        declared = hoisted(self.text)
        for name in declared:
            held = self.out.declare(INT, name, None)
            self.variables[name] = held
            self.own_names.add(held.name)
        for s in self.text.body:
            self.statement(s)
        used = list(self.used)
        read = uses(self.out.code)
        kept = [n for n, name in enumerate(self.parameters) if name in read]
        parameters = [(self.parameter_type(n), n) for n in used]
        parameters += [(INT, self.parameters[n]) for n in kept]
        parameters += [(f"{kind} *", f"out{n}") for n, kind in enumerate(self.kinds[1:], 1)]
        stem = f"{self.bound.level.name}_{self.text.tree.name}"
        return admitted(known, stem, self.kinds[0], tuple(parameters), self.out.code), used, self.kinds, kept

    def parameter_type(self, name: str) -> str:
        """The C type of a storage field as a parameter."""
        if name not in self.bound.types:
            return INT
        return f"{'' if name in written(self.text) else 'const '}{self.bound.types[name]} *restrict"


def admitted(
    known: dict[str, ir.Function], stem: str, type: str, parameters: tuple[tuple[str, str], ...], body: ir.Code
) -> str:
    """The name under which a function is known; the same function again keeps its name."""
    name, n = stem, 2
    while True:
        function = ir.Function(type, name, parameters, body)
        if known.setdefault(name, function) == function:
            return name
        name, n = f"{stem}{n}", n + 1


def widened(e: Expr) -> Expr:
    """What C computes with in 64 bits, whatever the width of an array."""
    return ir.Cast(INT, e) if isinstance(e, Element) else e
