"""Verification: what holds of a program before and after every pass over its statement.

No loop stands inside another over its variable. A workspace is declared, filled by its producer and read by its
consumer alone; it is dense unless it has a flag for each component. Every level of an access, and every index of a
target, has its coordinate from the loops around. A variable is derived in one way, whether by a format or by a
schedule, and before others derive from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from ..errors import InternalError
from ..notation.printer import pretty
from ..notation.syntax import Access
from .expansion import order
from .iteration_graph import is_random_access
from .provenance import Provenance
from .relation import Relation, derived_variables, parents
from .statement import Assign, Flags, Forall, Program, Sequence, Statement, Where, assignments, reads


class Scope(Struct, frozen=True):
    """What is known at a place: the loops around, those included that they stand for, and the workspaces in use."""

    around: tuple[str, ...] = ()
    filled: frozenset[str] = frozenset()
    filling: str | None = None


def violations(program: Program) -> list[str]:
    """What is wrong with a program, in words; nothing if it keeps the rules."""
    return [*of_declarations(program), *of_statement(program, program.statement, Scope())]


def verify_program(program: Program) -> Program:
    """The program. Raises InternalError if it breaks a rule."""
    found = violations(program)
    if found:
        raise InternalError("; ".join(found))
    return program


def of_declarations(program: Program) -> Iterator[str]:
    """Tensors that are declared twice, workspaces declared otherwise than they are stored, and broken provenance."""
    names = Counter(name for name, _ in program.tensors)
    yield from (f"the tensor {name} is declared {count} times" for name, count in names.items() if count > 1)
    yield from of_provenance(program.provenance)
    for workspace in program.workspaces:
        own = program.formats.get(workspace.name), program.dtypes.get(workspace.name)
        if own != (workspace.format, workspace.dtype):
            yield f"the workspace {workspace.name} is declared as {own[0]} of {own[1]}"
        together = workspace.flags is not Flags.EACH
        if together and not all(level.full and is_random_access(level) for level in workspace.format.levels):
            yield f"the workspace {workspace.name} in {workspace.format} has no flag for each component"


def of_provenance(provenance: Provenance) -> Iterator[str]:
    """Variables that are derived in several ways (producer and consumer may share one), and such as others derive from
    before they are derived themselves."""
    kinds: dict[str, set[type[Relation]]] = {}
    for relation in provenance.relations:
        for v in derived_variables(relation):
            kinds.setdefault(v, set()).add(type(relation))
    yield from (f"{v} is derived in {len(own)} ways" for v, own in kinds.items() if len(own) > 1)
    waiting = set(kinds)
    for relation in provenance.relations:
        yield from (f"{v} is derived from before it is derived" for v in parents(relation) if v in waiting)
        waiting.difference_update(derived_variables(relation))


def of_statement(program: Program, s: Statement, scope: Scope) -> Iterator[str]:
    """What is wrong with a statement at a place."""
    match s:
        case Forall(index=index, body=body):
            if index in scope.around:
                yield f"a loop over {index} stands inside another"
            around = (*scope.around, *order(s, scope.around, program.provenance))
            yield from of_statement(program, body, replace(scope, around=around))
        case Where(consumer=consumer, producer=producer, workspace=name):
            if name not in program.workspace:
                yield f"{name} is no workspace"
            if all(leaf.target.tensor != name for leaf in assignments(producer)):
                yield f"nothing fills {name}"
            if all(access.tensor != name for access in reads(consumer)):
                yield f"nothing reads {name}"
            yield from of_statement(program, producer, replace(scope, filling=name))
            yield from of_statement(program, consumer, replace(scope, filled=scope.filled | {name}))
        case Sequence(statements=statements):
            if not statements:
                yield "a sequence is empty"
            for each in statements:
                yield from of_statement(program, each, scope)
        case Assign():
            yield from of_assignment(program, s, scope)


def of_assignment(program: Program, s: Assign, scope: Scope) -> Iterator[str]:
    """What is wrong with an assignment at a place."""
    wanted = program.result if scope.filling is None else scope.filling
    if s.target.tensor != wanted:
        yield f"{s.target.tensor} is assigned to, where {wanted} is filled"
    yield from (f"{pretty(s.target)}: no loop gives {v}" for v in s.target.indices if not knows(program, v, scope))
    for access in reads(s):
        if access.tensor in program.workspace and access.tensor not in scope.filled:
            yield f"{pretty(access)} is read where {access.tensor} is not filled"
        if access.tensor not in program.formats:
            yield f"{access.tensor} is not declared"
        else:
            yield from of_access(program, access, scope)


def of_access(program: Program, access: Access, scope: Scope) -> Iterator[str]:
    """What is wrong with an access that is read at a place."""
    count = len(program.formats[access.tensor].levels)
    if len(access.levels) != count:
        yield f"{pretty(access)} names {len(access.levels)} of {count} levels"
    yield from (f"{pretty(access)}: no loop gives {v}" for v in access.levels if not knows(program, v, scope))
    if access.dtype is None:
        yield f"{pretty(access)} has no dtype"


def knows(program: Program, variable: str, scope: Scope) -> bool:
    """Whether the loops around give a variable its coordinate."""
    return program.provenance.loops(variable, scope.around) is not None
