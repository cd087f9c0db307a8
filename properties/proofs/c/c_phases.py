"""Phases: `assemble` counts and lays out what `compute` fills (Chou 2018, Table 3).

`assemble` appends coordinates, `compute` values where these are, and `evaluate` both. On threads
(`generator/threads/parts.py`) every turn of a loop notes how much it has appended, which says where its part belongs.
All of these phases are run side by side (`c_simulation`) on the same operands: where a turn moves every counter as far
in one as in another, for sizes and contents of any kind and however turns are shared out among threads, the phases
agree.

Where that is not shown, small operands are run on the checked machine: a result that is not the reference's refutes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial

from msgspec import Struct

from ....generator.kernel_source import generate
from ....generator.runtime.request import Request, make_request
from ....generator.runtime.sources import request_source
from ....generator.source import Source
from ....reference.errors import GnomonError
from ....reference.storage.tensor import Tensor
from ...machine.run import Machine, machine
from ...programs.kernels import ADD, KERNELS, SPGEMM
from ..obligation import Obligation
from ..schedules.schedule_inputs import plain, print_call, same
from ..solver import Term, decide, z3
from ..verdict import Proved, Refuted, Unknown, Verdict
from .c_execution import Unmodelled
from .c_runs import CONDITIONS, arguments, candidates, question_of
from .c_simulation import Simulation, count
from .c_slices import names_in
from .c_tree import Kernel, Node, all_nodes, c_ast, parameters, parse
from .c_turns import Turns

ROWS = "parallelize(i,CPUThread,NoRaces)"
TILES = "split(i,i0,i1,3),parallelize(i0,CPUThread,NoRaces)"
THREADED: dict[str, tuple[str, dict[str, str], str, str]] = {
    "spgemm": (SPGEMM, {"A": "CSR", "B": "CSR"}, "CSR", ROWS),
    "spgemm_dcsr": (SPGEMM, {"A": "DCSR", "B": "DCSR"}, "DCSR", TILES),
    "masked": ("C(i,j)<$M(i,j)> = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR", "M": "CSR"}, "CSR", ROWS),
    "complement": ("C(i,j)<!$M(i,j)> = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR", "M": "CSR"}, "CSR", ROWS),
    "valued": ("C(i,j)<M(i,j)> = A(i,k) * B(k,j)", {"A": "CSR", "B": "CSR", "M": "CSR"}, "CSR", ROWS),
    "union": (ADD, {"A": "CSR", "B": "CSR"}, "CSR", ROWS),
    "union_dcsr": (ADD, {"A": "DCSR", "B": "DCSR"}, "DCSR", TILES),
    "union_coo": (ADD, {"A": "COO", "B": "COO"}, "COO", TILES),
    "ttm": ("C(i,j,l) = A(i,j,k) * B(k,l)", {"A": "CSF", "B": "CSR"}, "CSF", ROWS),
}
"""Kernels whose results threads append to: expression, formats, format of the result, schedule."""
APPENDING = (
    "add_csr",
    "add_coo",
    "plus_coo",
    "add3_dcsr",
    "muladd_csr",
    "spgemm_csr",
    "spgemm_masked",
    "sddmm_csr",
    "ttv_csf",
)
"""Golden kernels that append in one thread."""
TURN = z3.Int("turn")


class Phase(Struct, frozen=True):
    """One way through the parts of a result: a function of a kernel, or one of its loops on threads.

    `counters` are the variables that count, by what they are called in other phases; `known` is what all phases begin
    with. Of a loop, `limits` are those of its turns; `places` claims that what a turn notes is kept at its number.
    """

    name: str
    code: Node
    counters: Mapping[str, str]
    known: Mapping[str, Term]
    limits: tuple[Term, ...] = ()
    places: tuple[Term, ...] = ()

    def growth(self, counter: str, turns: Turns) -> Term:
        """How far a turn moves a counter."""
        own = tuple(self.counters.values())
        return count(self.code, self.counters[counter], own, self.known, self.name, turns)


def phases(kernel: Kernel) -> Iterator[Phase]:
    """The phases of a kernel, in the order of its text. Raises Unmodelled."""
    for name, function in kernel.functions.items():
        if not name.endswith("_arrays"):
            continue
        known = {each.name: z3.Int(each.name) for each in parameters(function)}
        loops = [(part, counting_block(part)) for part in all_nodes(function.body) if isinstance(part, c_ast.For)]
        threaded = [(loop, block) for loop, block in loops if block is not None]
        for n, (loop, block) in enumerate(threaded, 1):
            yield phase_of_loop(f"loop {n} of {name}", function, loop, block, known)
        if not threaded:
            yield phase_of_function(name, function.body, known)


def phase_of_function(name: str, body: Node, known: Mapping[str, Term]) -> Phase:
    """The phase that a function is in which no thread counts for itself."""
    up = {part.expr.name for part in all_nodes(body) if isinstance(part, c_ast.UnaryOp) and part.op == "p++"}
    counters = [s.name for s in body.block_items if isinstance(s, c_ast.Decl) and is_zero(s.init) and s.name in up]
    *items, _ = body.block_items
    return Phase(name, c_ast.Compound([s for s in items if not declares(s, counters)]), {c: c for c in counters}, known)


def counting_block(loop: Node) -> Node | None:
    """What a turn of a loop on threads does, if it notes what it appends."""
    inside = loop.stmt
    while isinstance(inside, c_ast.Compound) and inside.block_items and not notes(inside):
        inner = inside.block_items[0]
        inside = inner.iftrue if isinstance(inner, c_ast.If) else inner
    return inside if isinstance(inside, c_ast.Compound) and notes(inside) else None


def notes(block: Node) -> dict[str, Node]:
    """Where a block notes how far it has moved a thread's own counters since it began, by counter."""
    found: dict[str, Node] = {}
    begun = {s.name: s.init.name for s in block.block_items if isinstance(s, c_ast.Decl) and is_name(s.init)}
    for s in block.block_items:
        match s:
            case c_ast.Assignment(
                op="=",
                lvalue=c_ast.ArrayRef(subscript=place),
                rvalue=c_ast.BinaryOp(op="-", left=c_ast.ID(name=counter), right=c_ast.ID(name=mark)),
            ) if begun.get(mark) == counter:
                found[counter] = place
            case _:
                pass
    return found


def is_name(e: Node | None) -> bool:
    """Whether an expression is the name of a variable."""
    return isinstance(e, c_ast.ID)


def phase_of_loop(name: str, function: Node, loop: Node, block: Node, known: Mapping[str, Term]) -> Phase:
    """The phase that a loop on threads is, every turn of which runs a block."""
    variable = loop.init.decls[0]
    run = Simulation(name, {}, dict(known))
    for s in all_nodes(function.body):
        if declares(s, {*names_in(variable.init), *names_in(loop.cond.right)} - known.keys()):
            run.statement(s)
    begin, end = run.expression(variable.init), run.expression(loop.cond.right)
    run.values[variable.name] = TURN
    ahead = c_ast.BinaryOp("-", c_ast.ID(variable.name), variable.init)
    number = TURN if is_zero(variable.init) else run.expression(ahead)
    kept = notes(block)
    places = [run.expression(place) == number + 1 for place in kept.values()]
    places += [run.expression(e) == number for e in chain(block)]
    counters = {c.removesuffix("_own"): c for c in kept}
    return Phase(name, block, counters, {**known, variable.name: TURN}, (begin, end), tuple(places))


def chain(block: Node) -> Iterator[Node]:
    """What a block says of itself in the chain of a thread's turns: whose predecessor it keeps, and which is the last.

    Raises Unmodelled where it keeps none.
    """
    match [s for s in block.block_items if not isinstance(s, c_ast.Label)][-2:]:
        case [
            c_ast.Assignment(op="=", lvalue=c_ast.ArrayRef(subscript=place), rvalue=c_ast.ID(name=before)),
            c_ast.Assignment(op="=", lvalue=c_ast.ID(name=last), rvalue=number),
        ] if before == last:
            yield place
            yield number
        case _:
            raise Unmodelled("turns that are no chain")


def is_zero(init: Node | None) -> bool:
    """Whether a variable begins with 0."""
    return isinstance(init, c_ast.Constant) and init.value == "0"


def declares(s: Node, names: Collection[str]) -> bool:
    """Whether a statement declares one of some variables."""
    return isinstance(s, c_ast.Decl) and s.name in names


def agreement(kernel: Kernel) -> Verdict:
    """Whether all phases of a kernel move their counters alike, over the same turns."""
    turns: Turns = {}
    try:
        found = list(phases(kernel))
        growths = [{c: phase.growth(c, turns) for c in sorted(phase.counters)} for phase in found]
    except Unmodelled as error:
        return Unknown(str(error))
    if not growths[0]:
        return Unknown("nothing is counted")
    if len({len(phase.limits) for phase in found}) > 1:
        return Unknown("not all of the phases are shared out among threads")
    goals = [claim for phase in found for claim in phase.places]
    for phase, growth in zip(found[1:], growths[1:], strict=True):
        goals += [a == b for a, b in zip(found[0].limits, phase.limits, strict=True)]
        goals += [growths[0][c] == growth[c] for c in growths[0].keys() & growth.keys()]
    verdict = decide(z3.And(goals))
    return verdict if isinstance(verdict, Proved) else Unknown("the phases do not do the same to the same values")


def of_request(request: Request) -> Verdict:
    """Whether the phases agree of the kernel that is asked for; where that is not shown, a run may refute it."""
    source = request_source(request, request.resolve_without_shapes())
    text = generate(source)
    found = agreement(parse(text))
    return found if isinstance(found, Proved) else wrong_result(text, source, request) or found


def wrong_result(text: str, source: Source, request: Request) -> Refuted | None:
    """A refutation of a kernel by operands on which its phases make no result of one another; None without any."""
    kernel, question = machine(text, source.layouts[source.program.result]), question_of(request)
    for operands in candidates(text, source, question):
        right = plain(question, operands)
        error = None if right is None else difference(kernel, source, operands, right)
        if error is not None:
            shown = print_call(question, operands, request.schedule, engine="'c'")
            return Refuted((("input", shown), ("goes wrong", error)))
    return None


def difference(kernel: Machine, source: Source, operands: Mapping[str, Tensor], right: Tensor) -> str | None:
    """What is wrong with what the phases make of operands: in one go, or assembled first and then computed."""
    given = arguments(source, operands)
    try:
        for under in CONDITIONS:
            whole = kernel.evaluate(given, right.shape, under)
            structure, _ = kernel.ran("assemble", given, right.shape, under)
            filled, _ = kernel.ran("compute", given, right.shape, under, structure)
            for name, found in (("evaluate", whole), ("assemble, then compute,", filled)):
                found.validate()
                if not same(found, right):
                    return f"{name} gives another result than the reference"
    except GnomonError as error:
        return f"{type(error).__name__}: {error.message}"
    return None


def request_of(name: str) -> Request:
    """What asks for a kernel whose result threads append to."""
    expression, formats, out, schedule = THREADED[name]
    return make_request(expression, formats, out=out, schedule=schedule)


def obligations() -> tuple[Obligation, ...]:
    """An obligation for each kernel that counts what it writes: on threads first, then in one."""
    said = {True: "a turn of its loop on threads notes at its own number what it appends, and", False: "a turn"}
    kernels = {name: partial(request_of, name) for name in THREADED} | {name: KERNELS[name] for name in APPENDING}
    return tuple(
        Obligation(
            f"c.phases.{name}",
            f"Kernel {name}: {said[name in THREADED]} appends as many positions to each level in `assemble`, `compute` "
            "and `evaluate`.",
            partial(prove, ask),
            ("code.phases",),
        )
        for name, ask in kernels.items()
    )


def prove(ask: Callable[[], Request]) -> Verdict:
    """Whether the phases agree of a kernel that is only asked for when it is to be proved."""
    return of_request(ask())
