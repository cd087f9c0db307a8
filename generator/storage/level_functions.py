"""Level functions in C, translated from their Python text (Chou 2018, section 4.5).

Straight-line level functions become expressions where they are called, functions that never return the statements they
consist of, and all others become `static inline` functions with out-parameters:

    def pos_bounds(self, p):                      A2_pos[pA1], A2_pos[pA1 + 1]
        return self.pos[p], self.pos[p + 1]

    def locate(self, p, i): … while … return …    q = hashed_locate(C2_crd, C2_W, pC1, j, &found)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from ...reference.levels.level import Level
from ...reference.levels.restricted import LEVEL_FUNCTIONS, parse_level_function
from ...reference.levels.restricted_parser import Restricted
from ...reference.levels.restricted_syntax import (
    Assign,
    Block,
    For,
    If,
    Pass,
    Return,
    Store,
    Unpack,
    Variable,
    While,
    all_statements,
    assigned_variables,
    written_arrays,
)
from ..ir import ir, logic
from ..ir.ir import INT, ZERO, Expr, Int, Name
from ..ir.simplify import uses
from ..ir.writer import Writer
from .translation import Argument, Translation, kind_of


class Bound(Struct, frozen=True):
    """A level format over storage in C: an expression per field, and the C type of each array's elements."""

    level: Level
    fields: Mapping[str, Expr]
    types: Mapping[str, str]

    def function_name(self, function: str) -> str:
        """What a level function is called in C."""
        return f"{self.level.name}_{function}"

    def element(self, array: str, held: Expr, index: Expr) -> Expr:
        """An element of an array that is read, which some variable holds."""
        return ir.Element(held, index)

    def call(self, function: str, args: tuple[Argument, ...], out: Writer, wanted: tuple[str, ...] = ()) -> list[Expr]:
        """The results of a level function; `wanted` are names for those that need a variable."""
        text = parse_level_function(type(self.level), function)
        if never_returns(text) or is_straight(text):
            return Inline(text, out, bound=self, wanted=wanted).run(args)
        return call_function(self, text, args, out, wanted)

    def one(self, function: str, args: tuple[Argument, ...], out: Writer) -> Expr:
        """The only result of a level function."""
        return self.call(function, args, out)[0]

    def call_by_name(self, function: str, args: tuple[Argument, ...], out: Writer) -> dict[str, Expr]:
        """The results of a level function that returns them by name."""
        inline = Inline(parse_level_function(type(self.level), function), out, bound=self)
        return dict(zip(inline.keys(), inline.run(args), strict=True))


@cache
def never_returns(text: Restricted) -> bool:
    """Whether a function goes on to the end of its text."""
    return not any(isinstance(s, Return) for s in all_statements(text.body))


@cache
def is_straight(text: Restricted) -> bool:
    """Whether a function assigns and then returns, without branches or loops."""
    *before, last = text.body
    return isinstance(last, Return) and all(isinstance(s, Assign | Unpack) for s in before)


def call_function(
    bound: Bound, text: Restricted, args: tuple[Argument, ...], out: Writer, wanted: tuple[str, ...]
) -> list[Expr]:
    """A call of the `static inline` function that a level function has become.

    What a capability gives first, a position or a coordinate, is never negative; other functions give any number.
    """
    made = define_beside(out.functions, bound, text, args)
    out.functions |= {each.name: each for each in made.helpers}
    own = made.function
    function = register_function(out.functions, own.name, own.type, own.parameters, own.body)
    flat = [e for a in args for e in (a if isinstance(a, tuple) else (a,))]
    flat = [flat[n] for n in made.kept]
    held = []
    for n, kind in enumerate(made.kinds[1:], 1):
        held.append(out.declare(kind, wanted[n] if n < len(wanted) else "found", None))
    outs = tuple(ir.Unary("&", name) for name in held)
    passed = tuple(bound.fields[name] for name in made.used)
    call = ir.Call(function, (*passed, *flat, *outs))
    if not made.kinds:
        out.add(ir.Do(call))
        return []
    is_natural = text.name in LEVEL_FUNCTIONS
    first = out.declare(made.kinds[0], wanted[0] if wanted else "q", call, natural=is_natural)
    return [first, *held]


class Defined(Struct, frozen=True):
    """A level function in C. `helpers` are the C functions that `function` calls, `used` the storage fields that are
    its first parameters, `kept` the places of the arguments that follow, and `kinds` the types of the results."""

    function: ir.Function
    helpers: tuple[ir.Function, ...]
    used: tuple[str, ...]
    kinds: tuple[str, ...]
    kept: tuple[int, ...]


def define_beside(known: dict[str, ir.Function], bound: Bound, text: Restricted, args: tuple[Argument, ...]) -> Defined:
    """A level function as a C function, beside functions that have names already."""
    fields = tuple((name, e if isinstance(e, Int) else Name(name)) for name, e in bound.fields.items())
    like = tuple(tuple(map(of_its_sign, a)) if isinstance(a, tuple) else of_its_sign(a) for a in args)
    storage: Callable[..., Bound] = type(bound)
    made = define(text, storage, bound.level, fields, tuple(bound.types.items()), like)
    if all(known.get(each.name, each) == each for each in made.helpers):
        return made
    return Definition(text, Writer(functions=known), bound=bound, args=args).define()


def of_its_sign(e: Expr) -> Expr:
    """What stands for an argument where a function is defined for all that are never negative, or may be."""
    return ZERO if ir.is_natural(e) else Int(-1)


@cache
def define(
    text: Restricted,
    storage: Callable[..., Bound],
    level: Level,
    fields: tuple[tuple[str, Expr], ...],
    types: tuple[tuple[str, str], ...],
    args: tuple[Argument, ...],
) -> Defined:
    """A level function as a C function, where nothing else has the names of those that it calls: the same for all
    storage and arguments of a kind."""
    return Definition(text, Writer(), bound=storage(level, dict(fields), dict(types)), args=args).define()


@dataclass
class OfLevel(Translation):
    """A translation of a function of a level format over storage in C."""

    bound: Bound = field(kw_only=True)

    def declare_variables(self) -> None:
        """Declare the variables that are assigned in blocks first; of a parameter, with what was given for it."""
        for name in variables_to_declare(self.text):
            given = self.variables.get(name)
            assert not isinstance(given, tuple)
            held = self.out.declare(INT, name, given)
            self.variables[name] = held
            self.own_variables.add(held.name)

    def storage_field(self, name: str) -> Expr:
        if name in self.bound.fields:
            return self.bound.fields[name]
        value = getattr(self.bound.level, name)
        return logic.truth(value) if isinstance(value, bool) else Int(value)

    def type_of(self, array: str) -> str:
        return self.bound.types[array]

    def element(self, array: str, index: Expr) -> Expr:
        return self.bound.element(array, self.storage_field(array), index)

    def call(self, function: str, args: tuple[Argument, ...]) -> list[Expr]:
        return self.bound.call(function, args, self.out)


@dataclass
class Inline(OfLevel):
    """A level function in place of its call; `wanted` are names for results that need a variable."""

    wanted: tuple[str, ...] = ()
    found: list[Expr] = field(default_factory=list)

    def run(self, args: tuple[Argument, ...]) -> list[Expr]:
        """The statements written, and the results."""
        self.variables = dict(zip(self.text.parameters, args, strict=True))
        self.declare_variables()
        for s in self.text.body:
            self.statement(s)
        return self.found

    def keys(self) -> list[str]:
        """The names of the results."""
        last = self.text.body[-1]
        assert isinstance(last, Return)
        return list(last.names)

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
class Definition(OfLevel):
    """A level function as a C function: parameters are the storage fields it uses, its arguments, and its results."""

    args: tuple[Argument, ...] = ()
    used: dict[str, None] = field(default_factory=dict)
    kinds: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.parameters = self.named_parameters(self.args)

    def named_parameters(self, args: tuple[Argument, ...]) -> list[str]:
        """A C parameter for every argument; of a tuple of coordinates, one for each."""
        found: list[str] = []
        for name, a in zip(self.text.parameters, args, strict=True):
            if isinstance(a, tuple):
                members = [self.out.fresh(f"{name}{len(a) - n}" if n < len(a) - 1 else name) for n in range(len(a))]
                self.variables[name] = tuple(Name(m, ir.is_natural(e)) for m, e in zip(members, a, strict=True))
                found += members
            else:
                found.append(self.out.fresh(name))
                self.variables[name] = Name(found[-1], ir.is_natural(a))
        return found

    def storage_field(self, name: str) -> Expr:
        held = self.bound.fields.get(name)
        if held is None or isinstance(held, Int):
            return super().storage_field(name)
        self.used[name] = None
        self.out.taken.add(name)
        return Name(name, natural=True)

    def call(self, function: str, args: tuple[Argument, ...]) -> list[Expr]:
        fields = {name: self.storage_field(name) for name in self.bound.fields}
        return replace(self.bound, fields=fields).call(function, args, self.out)

    def leave(self, s: Return) -> None:
        results = self.results(s)
        self.kinds = [kind_of(e) for e in results]
        for n, e in enumerate(results[1:], 1):
            self.out.add(ir.Assign(ir.Unary("*", Name(f"out{n}")), e))
        self.out.add(ir.Return(results[0] if results else None))

    def define(self) -> Defined:
        """The level function in C. The C functions that it calls are added to those of `out`."""
        before = set(self.out.functions)
        self.declare_variables()
        for s in self.text.body:
            self.statement(s)
        used = list(self.used)
        read = uses(self.out.code)
        kept = [n for n, name in enumerate(self.parameters) if name in read]
        parameters = [(self.parameter_type(n), n) for n in used]
        parameters += [(INT, self.parameters[n]) for n in kept]
        parameters += [(f"{kind} *", f"out{n}") for n, kind in enumerate(self.kinds[1:], 1)]
        name = self.bound.function_name(self.text.name)
        function = ir.Function(self.kinds[0] if self.kinds else "void", name, tuple(parameters), self.out.code)
        helpers = tuple(each for name, each in self.out.functions.items() if name not in before)
        return Defined(function, helpers, tuple(used), tuple(self.kinds), tuple(kept))

    def parameter_type(self, name: str) -> str:
        """The C type of a storage field as a parameter."""
        if name not in self.bound.types:
            return INT
        return f"{'' if name in written_arrays(self.text.body) else 'const '}{self.bound.types[name]} *restrict"


def variables_to_declare(text: Restricted) -> list[str]:
    """Variables first assigned inside a branch or loop, which must be declared before it, and such parameters."""
    seen: set[str] = set()
    found: dict[str, None] = {}

    def walk(body: Block, top: bool) -> None:
        for s in body:
            match s:
                case Assign() | Unpack():
                    names = assigned_variables((s,))
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


def register_function(
    known: dict[str, ir.Function], stem: str, type: str, parameters: tuple[tuple[str, str], ...], body: ir.Code
) -> str:
    """Add a `static inline` function to the known ones, unless an equal one is there; the name it goes by."""
    name, n = stem, 2
    while True:
        function = ir.Function(type, name, parameters, body)
        if known.setdefault(name, function) == function:
            return name
        name, n = f"{stem}{n}", n + 1
