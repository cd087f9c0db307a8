"""Kinds: whether what a level function computes with is a number, a truth value or a path.

Each variable, parameter and result is of one kind, and taken for nothing else. In Python a truth value is a number,
and anything can be tested; where a function is called for many positions at once two truth values add up to one of
them, and C keeps a number that is assigned to a truth value as one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from .restricted_calls import HAND, Own, declared_results, returns, signature_of
from .restricted_parser import Restricted
from .restricted_syntax import (
    Arithmetic,
    Assign,
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
    Node,
    Pass,
    Return,
    Statement,
    Store,
    Unpack,
    Variable,
    While,
    all_statements,
    expressions,
    parts,
)

Kind = Literal["number", "truth value", "path"]
NUMBER: Kind = "number"
TRUTH: Kind = "truth value"
PATH: Kind = "path"
DECLARED: dict[str, Kind] = {"int": NUMBER, "bool": TRUTH, "Coordinates": PATH}
"""The kind that a Python type of a capability stands for."""
INSTEAD: dict[tuple[Kind, Kind], str] = {
    (NUMBER, TRUTH): "write 1 if it holds, else 0",
    (NUMBER, PATH): "take a coordinate, such as i[-1]",
    (TRUTH, NUMBER): "compare it, for example with 0",
    (TRUTH, PATH): "compare a coordinate, such as i[-1]",
    (PATH, NUMBER): HAND,
    (PATH, TRUTH): HAND,
}
"""What to write where one kind is wanted, and another one stands."""


def check_kinds(f: Restricted, own: Own) -> None:
    """Refuse a function that takes a value of one kind for another kind. Raises CompileError, which shows where."""
    found = Kinds(f, own, parameter_kinds(f, own))
    for s in all_statements(f.body):
        found.check(s)


def parameter_kinds(f: Restricted, own: Own) -> dict[str, Kind]:
    """The kinds of parameters: by the capability, else by the annotation, else by the first use in the text; a number
    where none of these tells. A parameter that is not read has no kind."""
    signature = signature_of(f.name)
    if signature is not None:
        types = [each.annotation for each in signature.parameters.values()][1:]
        return {name: DECLARED[type] for name, type in zip(f.parameters, types, strict=True)}
    found = annotated_kinds(f)
    for s in all_statements(f.body):
        for e, wanted in taken(s):
            for name, kind in demands(e, wanted, own):
                found.setdefault(name, kind)
    read = {e.name for e in expressions(f.body) if isinstance(e, Variable)}
    return {name: found.get(name, NUMBER) for name in f.parameters if name in found or name in read}


def annotated_kinds(f: Restricted) -> dict[str, Kind]:
    """The kinds that the annotations of parameters stand for."""
    types = {a.arg: ast.unparse(a.annotation) for a in f.text.tree.args.args if a.annotation is not None}
    return {name: DECLARED[type] for name, type in types.items() if type in DECLARED}


def taken(s: Statement) -> tuple[tuple[Expression, Kind | None], ...]:
    """The expressions of a statement itself, each with the kind that it is taken for; None if for any."""
    match s:
        case Assign(value=e) | Unpack(call=e):
            return ((e, None),)
        case If(test=e) | While(test=e):
            return ((e, TRUTH),)
        case For(begin=begin, end=end):
            return ((begin, NUMBER), (end, NUMBER))
        case Store(index=index, value=value):
            return ((index, NUMBER), (value, NUMBER))
        case Return(values=values):
            return tuple((e, None) for e in values)
        case Pass():
            return ()


def demands(e: Expression | Coordinates, wanted: Kind | None, own: Own) -> Iterator[tuple[str, Kind]]:
    """The variables of an expression that is taken for a kind, each with what it is taken for."""
    match e:
        case Variable(name=name):
            if wanted is not None:
                yield name, wanted
        case Coordinate(of=name):
            yield name, PATH
        case Choice(test=test, then=then, otherwise=otherwise):
            for part, kind in ((test, TRUTH), (then, wanted), (otherwise, wanted)):
                yield from demands(part, kind, own)
        case Call(function=function, arguments=arguments):
            other = own.function(function)
            kinds = parameter_kinds(other, own)
            for argument, name in zip(arguments, other.parameters, strict=True):
                yield from demands(argument, kinds.get(name), own)
        case _:
            inside = TRUTH if isinstance(e, Connective | Negation) else NUMBER
            for operand in parts(e):
                yield from demands(operand, inside, own)


def result_kinds(f: Restricted, own: Own) -> tuple[Kind, ...]:
    """The kinds of the results of a function: as the capability has them, else those of the first `return`."""
    types = declared_results(f.name)
    if types is not None:
        return tuple(DECLARED[type] for type in types)
    found = Kinds(f, own, parameter_kinds(f, own))
    first = next(iter(returns(f)), Return(()))
    for s in all_statements(f.body):
        if s is first:
            break
        found.settle(s)
    return found.of_results(first)


class Kinds(Struct):
    """The kinds of the parameters and variables of a function, as far as the text has been read."""

    f: Restricted
    own: Own
    known: dict[str, Kind]

    def check(self, s: Statement) -> None:
        """Refuse a statement that takes what is of one kind for another; then its variables are known, too."""
        for e, wanted in taken(s):
            kind = self.of(e)
            self.compare(e, kind, kind if wanted is None else wanted)
        if isinstance(s, Return):
            for kind, wanted in zip(self.of_results(s), result_kinds(self.f, self.own), strict=True):
                if kind == PATH:
                    raise self.f.text.error(s.place, "a path is not returned", "return coordinates, such as i[-1]")
                self.compare(s, kind, wanted)
        self.settle(s)

    def settle(self, s: Statement) -> None:
        """Take in the variables that a statement assigns to."""
        match s:
            case Assign(name=name, value=value):
                self.assign(s, name, self.of(value))
            case Unpack(names=names, call=call):
                for name, kind in zip(names, self.of_call(call), strict=True):
                    self.assign(s, name, kind)
            case For(variable=name):
                self.assign(s, name, NUMBER)
            case If() | While() | Store() | Return() | Pass():
                pass

    def assign(self, s: Statement, name: str, kind: Kind) -> None:
        """Take in what a variable is assigned."""
        known = self.known.setdefault(name, kind)
        if PATH in (known, kind):
            raise self.f.text.error(s.place, "a path is not assigned", "pass it on, or choose another name")
        self.compare(s, kind, known)

    def compare(self, node: Node, kind: Kind, wanted: Kind) -> None:
        """Refuse one kind where another is wanted."""
        if kind != wanted:
            raise self.f.text.error(node.place, f"a {wanted} is wanted, not a {kind}", INSTEAD[wanted, kind])

    def take(self, wanted: Kind, *every: Expression) -> None:
        """Refuse expressions that are not of a kind."""
        for e in every:
            self.compare(e, self.of(e), wanted)

    def of_results(self, s: Return) -> tuple[Kind, ...]:
        """The kinds of what is returned."""
        match s.values:
            case (Call() as call,) if not s.names:
                return self.of_call(call)
            case values:
                return tuple(map(self.of, values))

    def of(self, e: Expression) -> Kind:
        """The kind of an expression, whose parts are of the kinds that they are taken for."""
        match e:
            case Constant(value=value):
                return TRUTH if isinstance(value, bool) else NUMBER
            case Variable(name=name):
                return self.known.get(name, NUMBER)
            case Field(name=name):
                return TRUTH if name in self.own.truths else NUMBER
            case Coordinate(of=name):
                self.compare(e, self.known.get(name, NUMBER), PATH)
                return NUMBER
            case Element(index=index):
                self.take(NUMBER, index)
                return NUMBER
            case Arithmetic(left=left, right=right):
                self.take(NUMBER, left, right)
                return NUMBER
            case Negative(e=operand):
                self.take(NUMBER, operand)
                return NUMBER
            case Extreme(operands=operands):
                self.take(NUMBER, *operands)
                return NUMBER
            case Comparison(sides=sides):
                self.take(NUMBER, *sides)
                return TRUTH
            case Negation(e=operand):
                self.take(TRUTH, operand)
                return TRUTH
            case Connective(operands=operands):
                self.take(TRUTH, *operands)
                return TRUTH
            case Choice(test=test, then=then, otherwise=otherwise):
                self.take(TRUTH, test)
                kind = self.of(then)
                self.take(kind, otherwise)
                return kind
            case Call():
                return next(iter(self.of_call(e)), NUMBER)

    def of_call(self, call: Call) -> tuple[Kind, ...]:
        """The kinds of the results of a call, whose arguments are of the kinds that its parameters have."""
        other = self.own.function(call.function)
        kinds = parameter_kinds(other, self.own)
        for e, name in zip(call.arguments, other.parameters, strict=True):
            if isinstance(e, Coordinates):
                self.take(NUMBER, *e.elements)
            kind = PATH if isinstance(e, Coordinates) else self.of(e)
            self.compare(e, kind, kinds.get(name, kind))
        return result_kinds(other, self.own)
