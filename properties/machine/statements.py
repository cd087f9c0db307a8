"""Statements as closures from a frame to a signal: None to go on, or how control leaves (C11, 6.8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from ...reference.errors import Unsupported
from .conversion import convert
from .directives import Directive, group_directives
from .expressions import Expressions
from .fault import Where
from .frame import RESULT, STATE, Code, Frame, Variable
from .memory import UNSET, Block, zero
from .parallel import Parallel
from .residence import key
from .scope import Scope
from .source import SHARED, c_ast
from .types import Array, Struct, Type, cells, innermost


class Jump(msgspec.Struct, frozen=True):
    """How control leaves a statement: by `break`, `continue`, `return`, or to a label."""

    kind: str
    label: str = ""


BREAK, CONTINUE, RETURN = Jump("break"), Jump("continue"), Jump("return")


class Statements:
    """Compiles statements in a scope."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.expressions = Expressions(scope)

    def statement(self, node: Any, directive: Directive | None = None) -> Code:
        """A statement, with the directive before it."""
        where = self.scope.where(node)
        if directive is not None and directive.kind != "hint":
            return Parallel(self.scope, self.expressions, self.statement, self.items).with_directive(
                directive, node, where
            )
        match node:
            case c_ast.Compound():
                return self.block(node)
            case c_ast.Decl():
                return self.declaration(node, certain=False)
            case c_ast.If(cond=test, iftrue=then, iffalse=orelse):
                return self.branch(test, then, orelse)
            case c_ast.While(cond=test, stmt=body):
                return loop(self.expressions.condition(test), self.statement(body), None, where)
            case c_ast.DoWhile(cond=test, stmt=body):
                return until_loop(self.statement(body), self.expressions.condition(test), where)
            case c_ast.For():
                return self.for_loop(node, where)
            case c_ast.Return(expr=value):
                return self.return_statement(value, where)
            case c_ast.Break():
                return lambda f: BREAK
            case c_ast.Continue():
                return lambda f: CONTINUE
            case c_ast.Goto(name=name):
                jump = Jump("goto", name)
                return lambda f: jump
            case c_ast.EmptyStatement():
                return lambda f: None
            case c_ast.Switch() | c_ast.Label():
                raise Unsupported(f"{type(node).__name__} here, in {where}")
            case _:
                return self.expressions.effect(node)

    def block(self, node: Any) -> Code:
        """A block with a scope of its own."""
        with self.scope.inner() as names:
            run = self.items(list(group_directives(node.block_items or ())))
            ends = [v.slot for v in names.values() if v.resident and not v.shared]
        return end_block(run, ends, self.scope.where(node)) if ends else run

    def items(self, items: Sequence[tuple[Directive | None, Any]]) -> Code:
        """The statements of a block, some with labels."""
        last = max((n for n, (_, node) in enumerate(items) if isinstance(node, c_ast.Label)), default=-1)
        runs: list[Code] = []
        labels: dict[str, int] = {}
        slots: list[tuple[int, int]] = []
        for n, (directive, node) in enumerate(items):
            if isinstance(node, c_ast.Label):
                labels[node.name] = n
                runs.append(self.statement(node.stmt, directive))
            elif isinstance(node, c_ast.Decl):
                runs.append(self.declaration(node, certain=n > last))
                slots.append((n, self.scope.names[-1][node.name].slot))
            else:
                runs.append(self.statement(node, directive))
        return labelled_block(tuple(runs), labels, slots, self.scope.here) if labels else straight(tuple(runs))

    def declaration(self, node: Any, *, certain: bool) -> Code:
        """A variable; `certain` if no jump leads past its initial value."""
        where = self.scope.where(node)
        kind = self.scope.types.type(node.type)
        if SHARED in node.storage:
            return self.share_variable(node, kind, where)
        memory = isinstance(kind, Array | Struct)
        parts = self.initial(node.init, kind, where)
        certain = certain and node.init is not None
        variable = self.scope.declare(node.name, kind, key(node), certain=certain, memory=memory)
        return declaration(variable, parts, where)

    def share_variable(self, node: Any, kind: Type, where: Where) -> Code:
        """A variable that a block of threads shares."""
        if not self.scope.vocabulary.indices or node.init is not None:
            raise Unsupported(f"shared memory here, or with a first value, in {where}")
        slot = self.scope.declare(node.name, kind, key(node), certain=True, memory=True, shared=True).slot
        name, mark = node.name, key(node)

        def begin(f: Frame) -> None:
            f[slot] = f[STATE].share(mark, name, kind, where)

        return begin

    def initial(self, node: Any, kind: Type, where: Where) -> Code | None:
        """What a variable holds first: a value, or the cells of an array or a struct."""
        if node is None:
            return None
        if not isinstance(node, c_ast.InitList):
            return convert(self.expressions.value(node), kind, where).run
        if not isinstance(kind, Array | Struct):
            raise Unsupported(f"a list as the value of {kind}, in {where}")
        kinds = cells(kind)
        given = [convert(self.expressions.value(e), t, where).run for e, t in zip(node.exprs, kinds, strict=False)]
        rest = [zero(t) for t in kinds[len(given) :]]
        return lambda f: [*[each(f) for each in given], *rest]

    def branch(self, test: Any, then: Any, orelse: Any) -> Code:
        """`if`"""
        t, a = self.expressions.condition(test), self.statement(then)
        if orelse is None:
            return lambda f: a(f) if t(f) else None
        b = self.statement(orelse)
        return lambda f: a(f) if t(f) else b(f)

    def for_loop(self, node: Any, where: Where) -> Code:
        """`for`"""
        with self.scope.inner() as names:
            first = self.loop_init(node.init)
            test = (lambda f: 1) if node.cond is None else self.expressions.condition(node.cond)
            step = (lambda f: None) if node.next is None else self.expressions.effect(node.next)
            run = loop(test, self.statement(node.stmt), step, where)
            ends = [v.slot for v in names.values() if v.resident]
        whole = straight((*first, run))
        return end_block(whole, ends, where) if ends else whole

    def loop_init(self, init: Any) -> list[Code]:
        """The first part of a `for`."""
        if init is None:
            return []
        if isinstance(init, c_ast.DeclList):
            return [self.declaration(d, certain=True) for d in init.decls]
        return [self.expressions.effect(init)]

    def return_statement(self, node: Any, where: Where) -> Code:
        """`return`"""
        if node is None:
            return lambda f: RETURN
        assert self.scope.result is not None
        value = convert(self.expressions.value(node), self.scope.result, where).run

        def back(f: Frame) -> Jump:
            f[RESULT] = value(f)
            return RETURN

        return back


def straight(runs: tuple[Code, ...]) -> Code:
    """Statements one after another."""
    count = len(runs)
    if count == 1:
        return runs[0]

    def run(f: Frame) -> Any:
        f[STATE].steps += count
        for each in runs:
            signal = each(f)
            if signal is not None:
                return signal
        return None

    return run


def labelled_block(runs: tuple[Code, ...], labels: dict[str, int], slots: list[tuple[int, int]], where: Where) -> Code:
    """Statements one after another, to some of which jumps lead: variables that they skip hold nothing."""

    def run(f: Frame) -> Any:
        n, state = 0, f[STATE]
        while n < len(runs):
            signal = runs[n](f)
            n += 1
            state.steps += 1
            if signal is None:
                continue
            there = labels.get(signal.label) if signal.kind == "goto" else None
            if there is None:
                return signal
            for place, slot in slots:
                if n <= place < there:
                    f[slot] = UNSET
            n = there
            state.tick(where)
        return None

    return run


def loop(test: Code, body: Code, step: Code | None, where: Where) -> Code:
    """`while`, or a `for` after its first part."""

    def run(f: Frame) -> Any:
        state = f[STATE]
        while test(f):
            state.steps += 1
            if state.steps > state.limit:
                state.tick(where)
            signal = body(f)
            if signal is not None and signal is not CONTINUE:
                if signal is BREAK:
                    return None
                return signal
            if step is not None:
                step(f)
        return None

    return run


def until_loop(body: Code, test: Code, where: Where) -> Code:
    """`do … while`"""

    def run(f: Frame) -> Any:
        state = f[STATE]
        while True:
            state.tick(where)
            signal = body(f)
            if signal is not None and signal is not CONTINUE:
                return None if signal is BREAK else signal
            if not test(f):
                return None

    return run


def declaration(variable: Variable, parts: Code | None, where: Where) -> Code:
    """A variable begins: in its slot, or in memory of its own."""
    slot, name, kind = variable.slot, variable.name, variable.type
    if not variable.resident:

        def begin(f: Frame) -> None:
            f[slot] = UNSET if parts is None else parts(f)

        return begin
    many, count, inner = isinstance(kind, Array | Struct), len(cells(kind)), innermost(kind)

    def begin_in_memory(f: Frame) -> None:
        value = [UNSET] * count if parts is None else parts(f) if many else [parts(f)]
        f[slot] = Block(name, inner, value, where, made=f[STATE].makers())

    return begin_in_memory


def end_block(run: Code, slots: Sequence[int], where: Where) -> Code:
    """A block at whose end the memory of its variables ends."""

    def whole(f: Frame) -> Any:
        signal = run(f)
        for slot in slots:
            if f[slot] is not UNSET:
                f[slot].end(where)
        return signal

    return whole
