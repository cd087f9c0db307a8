"""Level functions in C, translated from their Python text (Chou 2018, section 4.5).

Straight-line level functions become expressions where they are called, functions without results become the statements
they consist of, and all others become `static inline` functions with out-parameters:

    def pos_bounds(self, p):                      A2_pos[pA1], A2_pos[pA1 + 1]
        return self.pos[p], self.pos[p + 1]

    def locate(self, p, i): … while … return …    q = hashed_locate(C2_crd, C2_W, pC1, j, &found)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, reduce

from ...reference.levels.level import Level
from ...reference.levels.restricted import Restricted, restricted
from ...reference.levels.restricted_syntax import (
    Arithmetic,
    Assign,
    Block,
    Call,
    Choice,
    Comparison,
    Connective,
    Constant,
    Coordinate,
    Coordinates,
    Element,
    Expression,
    Extreme,
    Field,
    For,
    If,
    Negation,
    Negative,
    Operator,
    Pass,
    Return,
    Statement,
    Store,
    Unpack,
    Variable,
    While,
    assigned,
    stored,
    walked,
)
from ..ir import ir, logic
from ..ir.ir import BOOL, INT, Expr, Int, Name
from ..ir.simplify import uses
from ..ir.writer import Writer

Argument = Expr | tuple[Expr, ...]


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


@cache
def returns(text: Restricted) -> bool:
    """Whether a function has results."""
    return any(isinstance(s, Return) and s.values for s in walked(text.body))


@cache
def is_straight(text: Restricted) -> bool:
    """Whether a function assigns and then returns, without branches or loops."""
    *before, last = text.body
    return isinstance(last, Return) and all(isinstance(s, Assign | Unpack) for s in before)


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

    def expression(self, e: Expression) -> Expr:
        """An expression in C."""
        match e:
            case Constant(value=value):
                return logic.truth(value) if isinstance(value, bool) else Int(value)
            case Variable(name=name):
                found = self.variables[name]
                assert not isinstance(found, tuple)
                return found
            case Field(name=name):
                return self.stored(name)
            case Coordinate(of=name, index=index):
                of, place = self.variables[name], self.expression(index)
                assert isinstance(place, Int) and isinstance(of, tuple)
                return of[place.value]
            case Element(array=name, index=index):
                return ir.Element(self.stored(name), self.expression(index))
            case Arithmetic(operator=operator, left=left, right=right):
                return self.arithmetic(operator, self.expression(left), self.expression(right))
            case Negative(e=operand):
                return ir.negative(widened(self.expression(operand)))
            case Negation(e=operand):
                return logic.negated(self.expression(operand))
            case Connective(word=word, operands=operands):
                return (logic.both if word == "and" else logic.either)(*[self.expression(each) for each in operands])
            case Comparison(signs=signs, sides=sides):
                values = [self.expression(each) for each in sides]
                tests = zip(signs, values, values[1:], strict=False)
                return logic.both(*[logic.compare(sign, a, b) for sign, a, b in tests])
            case Choice(test=test, then=then, otherwise=otherwise):
                return logic.choice(self.expression(test), self.expression(then), self.expression(otherwise))
            case Extreme(which=which, operands=operands):
                fold = ir.smaller if which == "min" else ir.larger
                return reduce(fold, [self.expression(each) for each in operands])
            case Call():
                return self.own(e)[0]

    def own(self, call: Call) -> list[Expr]:
        """A call of another function of the level."""
        return self.bound.call(call.function, tuple(self.argument(each) for each in call.arguments), self.out)

    def argument(self, e: Expression | Coordinates) -> Argument:
        """What a function is called with."""
        match e:
            case Coordinates(elements=elements):
                return tuple(self.expression(each) for each in elements)
            case Variable(name=name):
                return self.variables[name]
            case _:
                return self.expression(e)

    def results(self, s: Return) -> list[Expr]:
        """What is returned: all results of a call, or those of expressions."""
        match s.values:
            case (Call() as call,):
                return self.own(call)
            case values:
                return [self.expression(each) for each in values]

    def arithmetic(self, operator: Operator, left: Expr, right: Expr) -> Expr:
        """Two operands, of which one at least has 64 bits where C would compute with fewer."""
        match operator:
            case "+":
                return ir.add(widened(left) if self.is_narrow(right) else left, right)
            case "-":
                return ir.sub(widened(left) if self.is_narrow(right) else left, right)
            case "*":
                return ir.mul(widened(left) if self.is_narrow(right) else left, right)
            case "//":
                return ir.floordiv(widened(left), right)
            case "%":
                return ir.mod(widened(left), right)

    def is_narrow(self, e: Expr) -> bool:
        """Whether C would compute with an operand in fewer than 64 bits."""
        return isinstance(e, Int | ir.Element)

    def block(self, body: Block, out: Writer) -> ir.Code:
        """Statements as a block of their own; variables first assigned in it belong to the block around it."""
        outer, self.out = self.out, out
        for s in body:
            self.statement(s)
        self.out = outer
        return out.code

    def statement(self, s: Statement) -> None:
        """Write a statement."""
        match s:
            case Assign(name=name, value=value):
                self.assign(name, self.expression(value))
            case Unpack(names=names, call=call):
                for name, found in zip(names, self.own(call), strict=True):
                    self.assign(name, found)
            case Store(array=name, index=index, value=value):
                kind = self.bound.types[name]
                result = self.expression(value)
                narrow = result if kind == INT or isinstance(result, Int) else ir.Cast(kind, result)
                self.out.add(ir.Assign(ir.Element(self.stored(name), self.expression(index)), narrow))
            case If(test=test, then=body, otherwise=orelse):
                condition = self.expression(test)
                then, other = self.block(body, self.out.inner()), self.block(orelse, self.out.inner())
                self.out.add(*logic.conditional(condition, then, other))
            case While(test=test, body=body):
                self.out.add(ir.While(self.expression(test), self.block(body, self.out.inner())))
            case For():
                self.loop(s)
            case Return():
                self.leave(s)
            case Pass():
                pass

    def loop(self, s: For) -> None:
        """A loop over a range, or what it does if that is one turn."""
        begin, end = self.expression(s.begin), self.expression(s.end)
        if ir.sub(end, begin) == ir.ONE:
            self.variables[s.variable] = begin
            for inside in s.body:
                self.statement(inside)
            return
        inner = self.out.inner()
        counter = inner.fresh(s.variable)
        self.variables[s.variable] = Name(counter, True)
        self.out.add(ir.For(counter, begin, end, self.block(s.body, inner)))

    def assign(self, name: str, value: Expr) -> None:
        """Assign to a variable, declared where it is first assigned."""
        known = self.variables.get(name)
        if isinstance(known, Name) and known.name in self.own_variables():
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
        self.own_variables().add(held.name)

    def stores(self, name: str) -> int:
        """How often the function assigns to a variable."""
        return assigned(self.text.body).count(name)

    def own_variables(self) -> set[str]:
        """The variables that this translation declared."""
        raise NotImplementedError

    def stem(self, name: str) -> str:
        """What a variable is called in C."""
        return name

    def leave(self, s: Return) -> None:
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
        assert isinstance(last, Return)
        return list(last.names)

    def own_variables(self) -> set[str]:
        return self.own_names

    def stem(self, name: str) -> str:
        """A variable that is returned gets the name that its caller wants for it."""
        last = self.text.body[-1]
        values = last.values if isinstance(last, Return) else ()
        returned = [e.name if isinstance(e, Variable) else "" for e in values]
        place = returned.index(name) if name in returned else len(self.wanted)
        return self.wanted[place] if place < len(self.wanted) else name

    def leave(self, s: Return) -> None:
        self.found = self.results(s)


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

    def own(self, call: Call) -> list[Expr]:
        for each in self.bound.fields:
            self.stored(each)
        inside = replace(self.bound, fields={n: self.stored(n) for n in self.bound.fields})
        outer, self.bound = self.bound, inside
        found = super().own(call)
        self.bound = outer
        return found

    def own_variables(self) -> set[str]:
        return self.own_names

    def leave(self, s: Return) -> None:
        first, *rest = self.results(s)
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
        stem = f"{self.bound.level.name}_{self.text.name}"
        return admitted(known, stem, self.kinds[0], tuple(parameters), self.out.code), used, self.kinds, kept

    def parameter_type(self, name: str) -> str:
        """The C type of a storage field as a parameter."""
        if name not in self.bound.types:
            return INT
        return f"{'' if name in stored(self.text.body) else 'const '}{self.bound.types[name]} *restrict"


def hoisted(text: Restricted) -> list[str]:
    """Variables first assigned inside a branch or loop, which must be declared before it."""
    seen: set[str] = set()
    found: dict[str, None] = {}

    def walk(body: Block, top: bool) -> None:
        for s in body:
            match s:
                case Assign() | Unpack():
                    names = assigned((s,))
                    found.update({name: None for name in names if not top and name not in seen})
                    seen.update(names)
                case If(then=then, otherwise=otherwise):
                    walk(then, False)
                    walk(otherwise, False)
                case While(body=inner) | For(body=inner):
                    walk(inner, False)
                case Store() | Return() | Pass():
                    pass

    walk(text.body, True)
    return list(found)


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
    return ir.Cast(INT, e) if isinstance(e, ir.Element) else e
