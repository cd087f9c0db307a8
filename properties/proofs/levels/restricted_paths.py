"""Level functions run on symbolic storage: one path for every way through their branches.

A path has the condition under which it is taken, the results, and the arrays as they are then. A loop runs under the
invariant that the level declares beside the function: for the first loop of `insert_init` it is the function
`insert_init_invariant`, for the second `insert_init_invariant_2`. Its parameters are variables of the function by
name, for a `for` loop the loop's variable among them, and `before`, the level as it was when the function was called.
It is true whenever a turn begins, and when the loop ends. A `while` loop has a variant too, `locate_variant`, which is
never negative and decreases with every turn. That they do is noted as claims, to be proved. Loops without are
unrolled, and that is noted; so are the loops of a function that is called in an expression, since what an invariant
leaves open would be one number for all its arguments there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ....reference.errors import CompileError
from ....reference.levels.level import Level
from ....reference.levels.restricted import parse_level_function
from ....reference.levels.restricted_parser import Restricted
from ....reference.levels.restricted_syntax import (
    Assign,
    Block,
    Call,
    For,
    If,
    Pass,
    Return,
    Statement,
    Store,
    Unpack,
    While,
    all_statements,
    assigned_variables,
    written_arrays,
)
from ..solver import Term, z3
from .claims import claim
from .declared import declared_invariant
from .invariant_terms import fresh, holds, value_of_call
from .restricted_terms import (
    Access,
    Field,
    Notes,
    Scope,
    Value,
    both,
    choice,
    expression,
    formula,
    implies,
    integer,
    negate,
    write_element,
)

TURNS = 4
Said = Callable[..., Any]
"""A claim, or a variant: what is declared of a loop."""


def run(
    level: Level,
    fields: Mapping[str, Field],
    name: str,
    arguments: Sequence[Value],
    notes: Notes,
    when: Value = True,
    lengths: Mapping[str, Term] | None = None,
) -> list[Scope]:
    """The paths through a level function. Raises CompileError for what is not restricted Python."""
    start = Scope(level, fields, {}, notes, when, before=fields, lengths=lengths or {}, call=call_own)
    return Run(parse_level_function(type(level), name)).paths(arguments, start)


def call_own(name: str, arguments: Sequence[Value], scope: Scope) -> tuple[Value, ...]:
    """The results of a function of the level's own, whichever way it goes.

    Raises CompileError for one that stores something, or that loops further than loops are unrolled.
    """
    start = scope.replace(variables={}, before=scope.fields, results=None, call=call_own)
    paths = Expressed(parse_level_function(type(scope.level), name)).paths(arguments, start)
    if any(path.fields[n] is not scope.fields[n] for path in paths for n in scope.fields):
        raise CompileError(f"{name} stores something, and is called in an expression")
    if not paths:
        raise CompileError(f"{name} loops more than {TURNS} times, and is called in an expression")
    *others, found = [path.results or () for path in paths]
    for path, results in zip(reversed(paths[:-1]), reversed(others), strict=True):
        found = tuple(choice(path.when, a, b) for a, b in zip(results, found, strict=True))
    return found


class Run:
    """A level function that is being run."""

    def __init__(self, text: Restricted) -> None:
        self.text = text
        self.loops = [s for s in all_statements(text.body) if isinstance(s, For | While)]

    def paths(self, arguments: Sequence[Value], start: Scope) -> list[Scope]:
        """The paths through the function, with these arguments."""
        return self.block(self.text.body, [start.bind(dict(zip(self.text.parameters, arguments, strict=True)))])

    def block(self, body: Block, paths: Iterable[Scope]) -> list[Scope]:
        """The paths after statements; those that have returned stay as they are."""
        found = list(paths)
        for s in body:
            found = [after for path in found for after in ([path] if is_over(path) else self.statement(s, path))]
        return found

    def statement(self, s: Statement, path: Scope) -> Iterable[Scope]:
        """The paths after a statement."""
        match s:
            case Assign(name=name, value=value):
                return [path.bind({name: expression(value, path)})]
            case Unpack(names=names, call=call):
                return [path.bind(dict(zip(names, self.results(call, path), strict=True)))]
            case Store(array=name, index=index, value=value):
                result, n = expression(value, path), integer(expression(index, path))
                path.notes.accesses.append(Access(name, n, formula(path.when)))
                return [path.with_array(name, write_element(path.fields[name], n, result))]
            case If(test=test, then=then, otherwise=otherwise):
                condition = expression(test, path)
                sides = ((then, path.under(condition)), (otherwise, path.under(negate(condition))))
                return [after for side, p in sides if p.when is not False for after in self.block(side, [p])]
            case Return(values=(Call() as call,)):
                return [path.replace(results=self.results(call, path))]
            case Return(values=values):
                return [path.replace(results=tuple(expression(e, path) for e in values))]
            case For() | While():
                return self.loop(s, path)
            case Pass():
                return [path]

    def results(self, call: Call, path: Scope) -> tuple[Value, ...]:
        """What another function of the level returns."""
        return call_own(call.function, [expression(each, path) for each in call.arguments], path)

    def loop(self, s: For | While, path: Scope) -> list[Scope]:
        """The paths after a loop."""
        invariant, variant = self.invariant_of("invariant", s, path.level), self.invariant_of("variant", s, path.level)
        match s:
            case For() if invariant is not None:
                return self.for_loop(s, invariant, path)
            case While() if invariant is not None and variant is not None:
                return self.while_loop(s, invariant, variant, path)
            case _:
                return list(self.unroll(s, path))

    def invariant_of(self, role: str, s: For | While, level: Level) -> Said | None:
        """What is declared of a loop, if it is."""
        n = next(n for n, loop in enumerate(self.loops, 1) if loop is s)
        return declared_invariant(type(level), f"{self.text.name}_{role}" + (f"_{n}" if n > 1 else ""))

    def for_loop(self, s: For, invariant: Said, path: Scope) -> list[Scope]:
        """After a `for` loop: its invariant holds at the end of the range."""
        name, begin, end = s.variable, expression(s.begin, path), expression(s.end, path)
        self.claim(
            f"{invariant.__name__} holds at first", path, self.invariant_term(invariant, path.bind({name: begin}))
        )
        x = fresh(name)
        turn = self.forget(s, path).bind({name: x})
        turn = turn.under(both(begin <= x, x < end, self.invariant_term(invariant, turn)))
        after = self.block(s.body, [turn])
        for each in after:
            if not is_over(each):
                said = self.invariant_term(invariant, each.bind({name: x + 1}))
                self.claim(f"{invariant.__name__} holds after a turn", each, said)
        last = self.forget(s, path).bind({name: choice(begin <= end, integer(end), integer(begin))})
        ended = last.under(self.invariant_term(invariant, last))
        return [
            *filter(is_over, after),
            ended.replace(variables={n: v for n, v in ended.variables.items() if n != name}),
        ]

    def while_loop(self, s: While, invariant: Said, variant: Said, path: Scope) -> list[Scope]:
        """After a `while` loop: its invariant holds, and its condition no longer."""
        self.claim(f"{invariant.__name__} holds at first", path, self.invariant_term(invariant, path))
        turn = self.forget(s, path)
        turn = turn.under(self.invariant_term(invariant, turn))
        turn = turn.under(expression(s.test, turn))
        after = self.block(s.body, [turn])
        for each in after:
            if not is_over(each):
                self.claim(f"{invariant.__name__} holds after a turn", each, self.invariant_term(invariant, each))
                less = both(self.value(variant, each) >= 0, self.value(variant, each) < self.value(variant, turn))
                self.claim(f"{variant.__name__} decreases", each, less)
        last = self.forget(s, path)
        last = last.under(self.invariant_term(invariant, last))
        return [*filter(is_over, after), last.under(negate(expression(s.test, last)))]

    def unroll(self, s: For | While, path: Scope) -> Iterator[Scope]:
        """After at most a few turns of a loop."""
        path.notes.unrolled.append(self.text.name)
        attempt, paths = attempts(s, path), [path]
        for n in range(TURNS + 1):
            going: list[Scope] = []
            for each in paths:
                if is_over(each):
                    yield each
                    continue
                test, turn = attempt(n, each)
                stopped = each.under(negate(test))
                if stopped.when is not False:
                    yield stopped
                turn = turn.under(test)
                if n < TURNS and turn.when is not False:
                    going += self.block(s.body, [turn])
            paths = going

    def forget(self, s: For | While, path: Scope) -> Scope:
        """The path with anything at all in the variables and arrays that a loop assigns to."""
        names = {name: fresh(name) for name in dict.fromkeys(assigned_variables(s.body))}
        renewed = {name: z3.FreshFunction(z3.IntSort(), z3.IntSort()) for name in sorted(written_arrays(s.body))}
        return path.bind(names).replace(fields={**path.fields, **renewed})

    def invariant_term(self, invariant: Said, path: Scope) -> Term:
        """What an invariant says."""
        return holds(invariant, self.claim_scope(invariant, path))

    def value(self, variant: Said, path: Scope) -> Term:
        """The value of a variant."""
        return value_of_call(variant, self.claim_scope(variant, path))

    def claim_scope(self, companion: Said, path: Scope) -> Scope:
        """What a claim sees that is declared of a loop: the variables it names."""
        variables = {}
        for name in claim(companion).parameters:
            if name != "before":
                if name not in path.variables:
                    where = f"{companion.__name__} names {name}"
                    raise CompileError(f"{where}, which is no variable of {self.text.name} there")
                variables[name] = path.variables[name]
        return path.replace(variables=variables, notes=path.notes.of_what_is_said(), when=True)

    def claim(self, what: str, path: Scope, said: Value) -> None:
        """Note what must be proved of a loop."""
        path.notes.claims.append((what, formula(implies(path.when, said))))


class Expressed(Run):
    """A level function that is run in an expression: all its loops are unrolled."""

    def invariant_of(self, role: str, s: For | While, level: Level) -> Said | None:
        return None


def attempts(s: For | While, entry: Scope) -> Callable[[int, Scope], tuple[Value, Scope]]:
    """Of a loop that is entered somewhere: whether it makes its turn of some number, and the path in that turn."""
    match s:
        case For(variable=name):
            begin, end = expression(s.begin, entry), expression(s.end, entry)
            return lambda n, path: (begin + n < end, path.bind({name: begin + n}))
        case While(test=test):
            return lambda n, path: (expression(test, path), path)


def is_over(path: Scope) -> bool:
    """Whether a path has returned."""
    return path.results is not None
