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

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ....reference.errors import CompileError, InternalError
from ....reference.levels.level import Level
from ....reference.levels.restricted import Restricted, read, restricted
from ..solver import Term, z3
from .invariant_terms import fresh, holds
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
    implied,
    integer,
    negated,
    written,
)

TURNS = 4


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
    start = Scope(level, fields, {}, notes, when, before=fields, lengths=lengths or {}, call=called)
    return Run(restricted(type(level), name)).paths(arguments, start)


def called(name: str, arguments: Sequence[Value], scope: Scope) -> tuple[Value, ...]:
    """The results of a function of the level's own, whichever way it goes.

    Raises CompileError for one that stores something, or that loops further than loops are unrolled.
    """
    start = scope.changed(variables={}, before=scope.fields, names={}, conditions={}, results=None, call=called)
    paths = Call(restricted(type(scope.level), name)).paths(arguments, start)
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
        loops = [n for n in ast.walk(text.tree) if isinstance(n, ast.For | ast.While)]
        self.loops = sorted(loops, key=lambda n: (n.lineno, n.col_offset))

    def paths(self, arguments: Sequence[Value], start: Scope) -> list[Scope]:
        """The paths through the function, with these arguments."""
        return self.block(self.text.body, [start.binding(dict(zip(self.text.parameters, arguments, strict=True)))])

    def block(self, body: Sequence[ast.stmt], paths: Iterable[Scope]) -> list[Scope]:
        """The paths after statements; those that have returned stay as they are."""
        found = list(paths)
        for s in body:
            found = [after for path in found for after in ([path] if is_over(path) else self.statement(s, path))]
        return found

    def statement(self, s: ast.stmt, path: Scope) -> Iterable[Scope]:
        match s:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return [path.binding({name: expression(value, path)})]
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Call(func=ast.Attribute(attr=called_)) as call):
                found = called(called_, [expression(a, path) for a in call.args], path)
                return [path.binding({n.id: v for n, v in zip(names, found, strict=True) if isinstance(n, ast.Name)})]
            case ast.Assign(targets=[ast.Subscript(value=ast.Attribute(attr=name), slice=index)], value=value):
                result, n = expression(value, path), integer(expression(index, path))
                path.notes.accesses.append(Access(name, n, formula(path.when)))
                return [path.storing(name, written(path.fields[name], n, result))]
            case ast.If(test=test, body=body, orelse=orelse):
                condition = expression(test, path)
                sides = ((body, path.under(condition)), (orelse, path.under(negated(condition))))
                return [after for side, p in sides if p.when is not False for after in self.block(side, [p])]
            case ast.Return(value=None):
                return [path.changed(results=())]
            case ast.Return(value=ast.Tuple(elts=elements)):
                return [path.changed(results=tuple(expression(e, path) for e in elements))]
            case ast.Return(value=ast.Dict(values=values)):
                return [path.changed(results=tuple(expression(e, path) for e in values))]
            case ast.Return(value=ast.expr() as value):
                return [path.changed(results=(expression(value, path),))]
            case ast.For() | ast.While():
                return self.loop(s, path)
            case ast.Pass():
                return [path]
            case _:
                raise InternalError(f"{ast.unparse(s)} passed the check of restricted Python")

    def loop(self, s: ast.For | ast.While, path: Scope) -> list[Scope]:
        """The paths after a loop."""
        declared = self.companion("invariant", s, path.level)
        match s:
            case ast.For() if declared is not None:
                return self.counted(s, declared, path)
            case ast.While() if declared is not None and (variant := self.companion("variant", s, path.level)):
                return self.repeated(s, declared, variant, path)
            case _:
                return list(self.unrolled(s, path))

    def companion(self, role: str, s: ast.stmt, level: Level) -> str | None:
        """The name of the function that a level declares for a loop."""
        n = next(n for n, loop in enumerate(self.loops, 1) if loop is s)
        name = f"{self.text.tree.name}_{role}" + (f"_{n}" if n > 1 else "")
        return name if hasattr(type(level), name) else None

    def counted(self, s: ast.For, invariant: str, path: Scope) -> list[Scope]:
        """After a `for` loop: its invariant holds at the end of the range."""
        assert isinstance(s.target, ast.Name) and isinstance(s.iter, ast.Call)
        name = s.target.id
        begin, end = [0] * (2 - len(s.iter.args)) + [expression(a, path) for a in s.iter.args]
        self.claim(f"{invariant} holds at first", path, self.said(invariant, path.binding({name: begin})))
        x = fresh(name)
        turn = self.forgotten(s, path).binding({name: x})
        turn = turn.under(both(begin <= x, x < end, self.said(invariant, turn)))
        after = self.block(s.body, [turn])
        for each in after:
            if not is_over(each):
                said = self.said(invariant, each.binding({name: x + 1}))
                self.claim(f"{invariant} holds after a turn", each, said)
        last = self.forgotten(s, path).binding({name: choice(begin <= end, integer(end), integer(begin))})
        ended = last.under(self.said(invariant, last))
        return [
            *filter(is_over, after),
            ended.changed(variables={n: v for n, v in ended.variables.items() if n != name}),
        ]

    def repeated(self, s: ast.While, invariant: str, variant: str, path: Scope) -> list[Scope]:
        """After a `while` loop: its invariant holds, and its condition no longer."""
        self.claim(f"{invariant} holds at first", path, self.said(invariant, path))
        turn = self.forgotten(s, path)
        turn = turn.under(self.said(invariant, turn))
        turn = turn.under(expression(s.test, turn))
        after = self.block(s.body, [turn])
        for each in after:
            if not is_over(each):
                self.claim(f"{invariant} holds after a turn", each, self.said(invariant, each))
                less = both(self.value(variant, each) >= 0, self.value(variant, each) < self.value(variant, turn))
                self.claim(f"{variant} decreases", each, less)
        last = self.forgotten(s, path)
        last = last.under(self.said(invariant, last))
        return [*filter(is_over, after), last.under(negated(expression(s.test, last)))]

    def unrolled(self, s: ast.For | ast.While, path: Scope) -> Iterator[Scope]:
        """After at most a few turns of a loop."""
        path.notes.unrolled.append(self.text.tree.name)
        begin: Value = 0
        if isinstance(s, ast.For):
            assert isinstance(s.target, ast.Name) and isinstance(s.iter, ast.Call)
            begin, end = [0] * (2 - len(s.iter.args)) + [expression(a, path) for a in s.iter.args]
        paths = [path]
        for n in range(TURNS + 1):
            going: list[Scope] = []
            for each in paths:
                if is_over(each):
                    yield each
                    continue
                test = begin + n < end if isinstance(s, ast.For) else expression(s.test, each)
                stopped = each.under(negated(test))
                if stopped.when is not False:
                    yield stopped
                turn = each.under(test)
                if isinstance(s, ast.For):
                    turn = turn.binding({s.target.id: begin + n})  # type: ignore[attr-defined]
                if n < TURNS and turn.when is not False:
                    going += self.block(s.body, [turn])
            paths = going

    def forgotten(self, s: ast.For | ast.While, path: Scope) -> Scope:
        """The path with anything at all in the variables and arrays that a loop assigns to."""
        targets = [n for each in s.body for n in ast.walk(each) if isinstance(getattr(n, "ctx", None), ast.Store)]
        names = {n.id: fresh(n.id) for n in targets if isinstance(n, ast.Name)}
        arrays = {n.value.attr for n in targets if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Attribute)}
        renewed = {name: z3.FreshFunction(z3.IntSort(), z3.IntSort()) for name in sorted(arrays)}
        return path.binding(names).changed(fields={**path.fields, **renewed})

    def said(self, invariant: str, path: Scope) -> Term:
        """What an invariant says."""
        return holds(getattr(type(path.level), invariant), self.seen(invariant, path))

    def value(self, variant: str, path: Scope) -> Term:
        """The value of a variant."""
        last = read(getattr(type(path.level), variant), variant).body[-1]
        assert isinstance(last, ast.Return) and last.value is not None
        return expression(last.value, self.seen(variant, path))

    def seen(self, companion: str, path: Scope) -> Scope:
        """What a function sees that is declared for a loop: the variables it names."""
        variables = {}
        for name in read(getattr(type(path.level), companion), companion).parameters:
            if name != "before":
                if name not in path.variables:
                    raise CompileError(f"{companion} names {name}, which is no variable of {self.text.tree.name} there")
                variables[name] = path.variables[name]
        return path.changed(variables=variables, notes=path.notes.of_what_is_said(), when=True)

    def claim(self, what: str, path: Scope, said: Value) -> None:
        """Note what must be proved of a loop."""
        path.notes.claims.append((what, formula(implied(path.when, said))))


class Call(Run):
    """A level function that is run in an expression: all its loops are unrolled."""

    def companion(self, role: str, s: ast.stmt, level: Level) -> str | None:
        return None


def is_over(path: Scope) -> bool:
    """Whether a path has returned."""
    return path.results is not None
