"""Branched loop nests: producers inside the loops that they share with their consumer.

Before: a producer `∀i ∀k ∀j w(i,j) += ...` and a consumer `∀i ∀j C(i,j) = w(i,j)`. After: both below one `∀i`, and the
workspace keeps only the mode `j` (Kjolstad 2019, section 5; the fusion of a common prefix in SparseAuto, section 4).
Only loops over variables that the workspace is indexed by are shared: under any other, it would be computed again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct
from msgspec.structs import replace

from ..notation.syntax import Access
from ..storage.coordinate_map import Term
from .nest import Nest
from .statement import Assign, Forall, Sequence, Statement, Where, reads, rename_reads

Settle = Callable[[str, tuple[str, ...], tuple[Term, ...]], None]


class Producer(Struct, frozen=True):
    """A workspace as its producer fills it, and the producer's own loop nest. Of the variables in `blocked` the
    workspace stores blocks, as its consumer visits them."""

    access: Access
    statement: Statement
    blocked: frozenset[str] = frozenset()


def place_producers(
    order: tuple[str, ...], leaf: Assign, producers: Iterable[Producer], nest: Nest, settle: Settle
) -> Statement:
    """The loops of `order` around `leaf`, each producer placed under the loops it shares.

    `settle(name, indices, terms)` is told the modes each workspace is left with, as its producer names them, and the
    terms of its levels, in the order in which the consumer's loops reach them.
    """
    placed: list[tuple[int, Statement, str]] = []
    for producer in producers:
        name = producer.access.tensor
        read = next((a for a in reads(leaf) if a.tensor == name), producer.access)
        if name in nest.formats:
            placed.append((0, producer.statement, name))
            continue
        shared, statement = common_prefix(order, producer)
        kept = tuple(v for v in producer.access.indices if v not in shared)
        narrowed, terms = narrow(read, producer.blocked, order, shared, nest)
        settle(name, kept, terms)
        leaf = rename_reads(leaf, {read: narrowed})
        placed.append((len(shared), retarget(statement, Access(name, kept)), name))
    statement = leaf
    for depth in range(len(order), -1, -1):
        for at, produced, name in reversed(placed):
            if at == depth:
                statement = Where(statement, produced, name)
        if depth:
            statement = Forall(order[depth - 1], statement)
    return statement


def common_prefix(order: tuple[str, ...], producer: Producer) -> tuple[tuple[str, ...], Statement]:
    """The outer loops that a producer shares with its consumer, and the producer without them."""
    statement = producer.statement
    shared: list[str] = []
    for variable in order:
        inner = without_loop(statement, variable) if variable in producer.access.indices else None
        if inner is None:
            break
        shared.append(variable)
        statement = inner
    return tuple(shared), statement


def without_loop(s: Statement, variable: str) -> Statement | None:
    """A statement without its outermost loop; None if that is not over a variable.

    Several that run in order have this loop in common if each has it, since none reads what others write; not where
    some assign inside it alone, and others loop on: a mask could not push there.
    """
    match s:
        case Forall(index=index, body=body):
            return body if index == variable else None
        case Sequence(statements=statements):
            bodies = [without_loop(each, variable) for each in statements]
            is_alike = len({isinstance(body, Assign) for body in bodies}) == 1
            return Sequence(tuple(body for body in bodies if body is not None)) if all(bodies) and is_alike else None
        case _:
            return None


def narrow(
    read: Access, blocked: frozenset[str], order: tuple[str, ...], shared: tuple[str, ...], nest: Nest
) -> tuple[Access, tuple[Term, ...]]:
    """The consumer's access to what is left of a workspace, its levels in the order of the loops; and the terms of
    these, of which a blocked mode has two."""
    kept = [m for m, v in enumerate(read.indices) if v not in shared]
    found = [pair for mode, m in enumerate(kept) for pair in nest.terms(mode, read.levels[m], blocked)]
    found.sort(key=lambda pair: order.index(nest.loops(pair[1])[-1]))
    levels = tuple(variable for _, variable in found)
    return replace(read, indices=tuple(read.indices[m] for m in kept), levels=levels), tuple(term for term, _ in found)


def retarget(s: Statement, target: Access) -> Statement:
    """The statement writing to `target` where it wrote to another access of the same tensor."""
    match s:
        case Assign(target=old):
            return replace(s, target=target) if old.tensor == target.tensor else s
        case Forall(index=index, body=body, tags=tags):
            return Forall(index, retarget(body, target), tags)
        case Where(consumer=consumer, producer=producer, workspace=workspace):
            return Where(retarget(consumer, target), retarget(producer, target), workspace)
        case Sequence(statements=statements):
            return Sequence(tuple(retarget(each, target) for each in statements))
