"""The source of a kernel: `assemble`, `compute` and `evaluate` in one standalone C file.

`assemble` builds the structure of the result, `compute` its values in a structure that is there, `evaluate` both. Where
a result goes on from its previous contents (`reference/statement/updating.py`), `update` works on these in place.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from msgspec.structs import replace

from ..reference.errors import CompileError
from ..reference.levels.level import Widen
from ..reference.schedule.flags import missing_counts
from ..reference.statement import statement as terms
from ..reference.statement.relation import Bound, Split
from ..reference.statement.statement import Assign, Forall, Program, Statement, Where, assignments, show_program
from ..reference.statement.tags import UNITS as EVERY_UNIT
from ..reference.statement.tags import Parallel, Target
from .assembly.appending import Fibers
from .assembly.finishing import finalize, hand_over
from .assembly.form import Form
from .assembly.growth import allocate
from .assembly.initial import begin_values
from .assembly.output import Output
from .assembly.outputs import Outputs
from .assembly.variables import declare_variables
from .cuda.sizes import UNITS as GPU
from .ir import emission, ir, logic
from .ir.accumulators import reduce_apart
from .ir.ir import Declare, Function, Return
from .ir.jam import jam
from .ir.limits import hoist_limits
from .ir.parameters import mark_unused, over_arrays
from .ir.reports import keep_reports_apart
from .ir.routine import Routine
from .ir.simplify import simplify
from .ir.stretches import ask_by_stretches
from .ir.vocabulary import TARGETS, Purpose, vocabulary
from .ir.writer import Writer
from .scope.env import Env
from .scope.extents import check
from .scope.facts import Facts
from .scope.frame import Frame
from .scope.leaders import leading_levels
from .scope.site import Site
from .scope.tensors import Tensors
from .source import IN_PLACE, MODES, Source
from .statements.statements import Statements
from .storage.layout import Layout, array_names
from .threads.region import jumps, thread_workspaces
from .values.combining import initial
from .values.values import constant

UNITS: Mapping[Target, frozenset[str]] = {"cuda": frozenset(GPU), "c": frozenset(EVERY_UNIT) - frozenset(GPU)}
"""The units that a target has."""


def generate(source: Source, prefix: str = "", modes: tuple[Purpose, ...] | None = None) -> str:
    """The C text of a kernel, its functions named with a prefix: those that there are, or those of some modes. Raises
    CompileError where expressions are nested too deeply."""
    try:
        *_, last = stages(source, prefix, source.modes if modes is None else modes)
        return print_functions(source, last)
    except RecursionError:
        raise too_deep() from None


def too_deep() -> CompileError:
    """The error for expressions that are nested more deeply than their text can be written."""
    return CompileError(
        "expressions of the kernel are nested too deeply to be written down",
        hint="compute in several statements, or take operators apart",
        rule="code.request",
    )


def print_functions(source: Source, functions: Sequence[Function]) -> str:
    """The C text of the functions of a kernel."""
    return f'{heading(source)}\n#include "gnomon.h"\n\n{emission.text(functions)}'


def stages(source: Source, prefix: str = "", modes: tuple[Purpose, ...] = MODES) -> Iterator[list[Function]]:
    """The functions of a kernel as they are written, and after each pass; helpers come first."""
    shared: dict[str, Function] = {}
    own = [write_function(source, mode, prefix, shared) for mode in modes]
    functions = [*(replace(f, type=f"static inline {f.type}") for f in shared.values()), *own]
    yield functions
    functions = [replace(f, body=simplify(f.body)) for f in functions]
    yield functions
    functions = [*map(mark_unused, over_arrays(functions))]
    yield functions
    functions = [jam(f) for f in functions]
    yield functions
    functions = [keep_reports_apart(f) for f in functions]
    yield functions
    functions = [reduce_apart(f) for f in functions]
    yield functions
    functions = [ask_by_stretches(f) for f in functions]
    yield functions
    yield [hoist_limits(f) for f in functions]


def heading(source: Source) -> str:
    """The comment at the top of a kernel: expression, formats, statement."""
    formats = source.program.formats
    lines = [source.title, ""]
    for name in (source.program.result, *source.operands):
        layout = source.layouts[
            source.program.previous if name == source.program.result and name in source.operands else name
        ]
        about = f"fill {layout.fill}" if name not in source.coordinates else "the coordinates 0, 1, 2, ..."
        lines.append(f"{name}: {formats.get(name, layout.format)}, {layout.dtype.name}, {about}")
    lines += ["", *show_program(source.program).splitlines()]
    return "/*\n" + "\n".join(f" * {line}".rstrip() for line in lines) + "\n */"


def write_function(
    source: Source, mode: Purpose, prefix: str, shared: dict[str, Function], kind: type[Statements] = Statements
) -> Function:
    """One function of a kernel, whose statements are of some kind."""
    program = keep_units(source.program, UNITS[source.target])
    own = (f"{prefix}{each}{suffix}" for each in (*MODES, IN_PLACE) for suffix in ("", "_arrays"))
    root = Writer(functions=shared, vocabulary=vocabulary(program, own, TARGETS[source.target]))
    parameters: list[tuple[str, str]] = [("gn_tensor *", root.fresh(program.result))]
    named = {program.result: parameters[0][1]}
    for name in source.operands:
        inner = program.previous if name == program.result else name
        named[inner] = root.fresh(f"{inner}_coordinates" if name in source.coordinates else inner)
        parameters.append(("const gn_tensor *", named[inner]))
    facts = Facts(program)
    formats = {name: source.layouts[name].format for name in named if name != program.result}
    tensors = Tensors(root, source.layouts, named, leading_levels(facts.accesses, formats), source.coordinates)
    frame = Frame(facts, Routine(f"{prefix}{mode}", root, root), tensors, mode, source.sharing, source.checks)
    return Function("int", f"{prefix}{mode}", tuple(parameters), Body(frame, source.wide, kind).code())


def keep_units(program: Program, units: Container[str]) -> Program:
    """The program with only those loops run in parallel that some units run."""

    def keep(s: Statement) -> Statement:
        match s:
            case Forall(body=body, tags=tags):
                kept = tuple(tag for tag in tags if not isinstance(tag, Parallel) or tag.unit in units)
                return replace(s, body=keep(body), tags=kept)
            case Where(consumer=consumer, producer=producer):
                return replace(s, consumer=keep(consumer), producer=keep(producer))
            case terms.Sequence(statements=statements):
                return replace(s, statements=tuple(map(keep, statements)))
            case Assign():
                return s

    return replace(program, statement=keep(program.statement))


class Body:
    """The body of one function: declarations, allocation, the statement, the end."""

    def __init__(self, frame: Frame, wide: bool, kind: type[Statements]) -> None:
        self.frame, self.wide, self.kind = frame, wide, kind

    def code(self) -> ir.Code:
        """The statements of the function."""
        frame, root = self.frame, self.frame.routine.root
        root.taken.add("status")
        for name in frame.tensors.parameters:
            if name != frame.facts.result and not (frame.purpose == IN_PLACE and name == frame.facts.program.previous):
                frame.tensors.load(name)
        own = [name for name in frame.facts.workspaces if name not in thread_workspaces(frame.facts.program)]
        outputs = Outputs(frame, self.output)
        for name in (*own, frame.facts.result):
            if self.is_array(name):
                outputs.made[name] = self.output(name, frame)
        result = outputs[frame.facts.result]
        setup, main = root.inner(), root.inner()
        end = main.inner()
        for relation in frame.facts.provenance.of_schedule:
            if isinstance(relation, Bound) and not frame.facts.provenance.is_position(relation.parent):
                check(frame, Env(Site(frame.facts.outside)), relation, setup)
        if not (frame.purpose == "assemble" and result.form.given):
            self.statement(self.kind(outputs), result, main)
        for name, output in outputs.made.items():
            if not (frame.purpose == "assemble" and output.form.given):
                covered, parted = name in outputs.covered, name in outputs.parted
                allocate(output.held, frame, setup, covered=covered, parted=parted)
        finalize(result.held, frame, end)
        hand_over(result.held, end)
        return self.with_status(result, setup.code + main.code + end.code)

    def is_array(self, name: str) -> bool:
        """Whether a tensor that is written has arrays; scalar workspaces are local variables."""
        return name == self.frame.facts.result or bool(self.frame.facts.workspaces[name].shape)

    def output(self, name: str, frame: Frame) -> Output:
        """A result or a workspace, declared."""
        form = self.result(name) if name == frame.facts.result else self.workspace(name, not frame.wants(name))
        return Output(frame, declare_variables(form, frame))

    def result(self, name: str) -> Form:
        """The form of the result."""
        frame, layout = self.frame, self.frame.tensors.layouts[name]
        start, given = constant(frame.facts.fills[name], frame.facts.dtypes[name]), not array_names(layout.format)
        program, parameter = frame.facts.program, frame.tensors.parameters[name]
        return Form(
            frame.facts.targets[name],
            layout,
            start,
            False,
            frame.purpose != "compute",
            given,
            parameter=parameter,
            begins=program.previous if program.continues else None,
            in_place=frame.purpose == IN_PLACE,
        )

    def workspace(self, name: str, bare: bool) -> Form:
        """The form of a workspace, which has values or is `bare`."""
        frame, dtype = self.frame, self.frame.facts.dtypes[name]
        operator = next(a.operator for a in assignments(frame.facts.program.statement) if a.target.tensor == name)
        format, collapsed = frame.facts.formats[name], frame.facts.is_over_collapsed(frame.facts.targets[name])
        wide = self.wide or (collapsed and any(isinstance(level, Widen) for level in format.levels))
        layout = Layout.uniform(format, dtype, frame.facts.fills[name], "int64" if wide else "int32")
        flagged = any(
            missing_counts(a, frame.facts.background)
            for a in assignments(frame.facts.program.statement)
            if a.target.tensor == name
        )
        meeting = name in self.kind.meeting(frame.facts.program)
        start = initial(operator, layout.fill, dtype)
        return Form(frame.facts.targets[name], layout, start, flagged, True, bare=bare, meeting=meeting)

    def statement(self, statements: Statements, result: Output, out: Writer) -> None:
        """The statement, once for blocks that fit and once for any, if the loops run over blocks."""
        frame = self.frame
        splits = [r for r in frame.facts.provenance.of_formats if isinstance(r, Split)]
        if not splits or frame.facts.workspaces:
            self.write_statement(statements, result, out, whole=False)
            return
        fits = logic.both(
            *[logic.compare("==", ir.mod(frame.dimension(s.parent), ir.Int(s.factor)), ir.ZERO) for s in splits]
        )
        whole = self.branch(statements, result, out, whole=True)
        any_ = self.branch(statements, result, out, whole=False)
        out.add(*logic.conditional(fits, whole, any_))
        if result.held.is_plain:
            statements.outputs.covered.add(result.name)

    def branch(self, statements: Statements, result: Output, out: Writer, *, whole: bool) -> ir.Code:
        """The statement for blocks that all fit, or for any; with what a plain result holds before it."""
        start, inner = out.inner(), out.inner()
        self.write_statement(statements, result, inner, whole=whole)
        covered = result.form.in_place or result.name in statements.outputs.covered
        if result.held.is_plain and not covered:
            begin_values(result.held, start)
        statements.outputs.covered.clear()
        return start.code + inner.code

    def write_statement(self, statements: Statements, result: Output, out: Writer, *, whole: bool) -> None:
        """The statement between the first and the last position of the result's outermost fiber."""
        root, heads = replace(self.frame.facts.planner, fits=whole).root(), result.form.heads
        statements.write(root, Env(Site(root.surroundings)), out)
        if heads and heads[0] == 0 and result.form.fresh:
            Fibers(self.frame, result).connect_root(out)

    def with_status(self, result: Output, code: ir.Code) -> ir.Code:
        """Declarations before the code, release of memory and the status after it."""
        frame, root = self.frame, self.frame.routine.root
        if not frame.routine.fallible:
            return (*root.code, *code, Return(ir.OK))
        frees = frame.routine.releases()
        kept = [] if result.form.given or result.form.is_lent else [*result.held.arrays.values(), result.held.vals]
        failed = tuple(ir.Do(ir.Call("free", (name,))) for name in kept)
        return (
            Declare("int", "status", ir.OK),
            *root.code,
            *code,
            *((ir.Label("done"),) if jumps(code, "done") else ()),
            *logic.conditional(ir.FAILED, failed),
            *frees,
            Return(ir.STATUS),
        )
