"""The public functions of gnomon."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from msgspec import UNSET

from .properties.proofs.operators.own_operators import by_name
from .reference.algebra.operator import Operator
from .reference.algebra.scalars import abbreviate
from .reference.algebra.semirings import Semiring, semiring_name
from .reference.algebra.semirings import semiring as named_semiring
from .reference.errors import HostError, ScheduleWarning, Unsupported, argument_error
from .reference.notation.text import Text, as_text
from .reference.schedule.settings import AUTO
from .reference.storage.format import Format
from .reference.storage.spec import Spec
from .reference.storage.tensor import Operations, Tensor

if TYPE_CHECKING:
    from .generator.runtime.kernel import Kernel
    from .properties.conformance.conform import Report as Conformance
    from .properties.differential.check import Report
    from .properties.differential.procedures import ProcedureReport
    from .properties.proofs.prover import Report as Proofs
    from .reference.execution.evaluate import Execution
    from .reference.levels.level import Level
    from .reference.procedure.run import Engine
    from .reference.procedure.syntax import Procedure
    from .reference.schedule.schedule import Schedule

ENGINES = ("reference", "c")
EVALUATING = (*ENGINES, "cuda")
LARGE = 5_000


def operations() -> Operations:
    """What Python's operators do with tensors."""
    from .reference.execution import arithmetic

    return arithmetic


def compute(text: str, operands: Mapping[str, Any], out: Format) -> Tensor:
    """The value of an expression of Python's operators: by a kernel where tensors hold much, if there is a compiler."""
    is_large = sum(each.positions for each in operands.values()) > LARGE
    with suppress(HostError, Unsupported):
        return evaluate(text, out=out, convert="auto", engine=ENGINES[is_large], **operands)
    return evaluate(text, out=out, convert="auto", **operands)


Tensor.operations = staticmethod(operations)
Tensor.compute = staticmethod(compute)


def evaluate(
    expression: str | Text,
    /,
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = "default",
    engine: str = "reference",
    unchecked: bool = False,
    **operands: Any,
) -> Tensor:
    """The value of an expression on tensors, by reference execution or by a compiled kernel: `engine="c"` or `"cuda"`.

    Operands are tensors, NumPy arrays, SciPy sparse matrices or numbers, by name. `out` is the format of the result
    (dense if left out) or a `spec`. `semiring` gives `+`, `*` and sums another meaning. `convert="auto"` has operands
    converted where storage orders contradict each other. `schedule` transforms the loops; left out, the reference runs
    them as they are and C follows `"auto"`, as in `compile`. With `unchecked`, its preconditions may fail, so that
    counterexamples to them can be confirmed: the result may then be wrong, or a ScheduleError says how execution fails.
    Raises a GnomonError that says what is wrong and what to write.

    >>> import gnomon as gn
    >>> A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")
    >>> gn.evaluate("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 10.0, 100.0]).to_numpy().tolist()
    [201.0, 30.0]
    >>> nonzeros = "collapse(i,j,f),pos(f,p,A(i,j)),split(p,p0,p1,2),parallelize(p0,CPUThread,Atomics)"
    >>> gn.evaluate("y(i) = A(i,j) * x(j)", A=A, x=[1.0, 10.0, 100.0], schedule=nonzeros).to_numpy().tolist()
    [201.0, 30.0]
    """
    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": convert, "schedule": schedule}
    text = as_text(expression)
    settings = check_settings("evaluate", text, settings, engine=engine, unchecked=unchecked)
    if not isinstance(engine, str) or engine not in EVALUATING:
        raise argument_error(f"engine {abbreviate(engine)} is not known", f"use {' or '.join(EVALUATING)}")
    if isinstance(schedule, str) and schedule == "default":
        settings["schedule"] = None if engine == "reference" else AUTO
    if not isinstance(unchecked, bool):
        raise argument_error(f"unchecked={abbreviate(unchecked)} is not known", "write unchecked=True or leave it out")
    if unchecked and engine != "reference":
        raise argument_error(f"engine {engine!r} takes checked schedules only", "leave unchecked or the engine out")
    if engine != "reference":
        from .generator.runtime.evaluation import kernel_on
        from .generator.runtime.request import known_target

        return kernel_on(text, operands, target=known_target(engine), **settings)
    from .reference.execution.evaluate import execute, execute_unchecked

    run = execute_unchecked if unchecked else execute
    return run(text, operands, **settings).result


def compile(
    expression: str | Text,
    /,
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = AUTO,
    tune: bool = False,
    overflow: str = "check",
    target: str = "c",
    **formats: Any,
) -> Kernel:
    """The C kernel of an expression, for operands stored in these formats (or specs, or like these tensors).

    Operands that are not named are dense, and everything is float64 with 32-bit indices unless a spec says otherwise.
    `schedule` transforms the loops; those on `CPUThread` run on as many threads as OpenMP is given (`OMP_NUM_THREADS`),
    if there is enough to do. `"auto"`, unless something else is asked for, computes a part of a product of several
    tensors first where that is less work, keeps tiles of dense rows in registers and fills dense results on threads,
    where expression and formats allow that; `None` leaves the loops as they are. Settings before commands, as in
    `"mask=push,workspaces=both,unroll(j,2)"`, say what may be chosen. `kernel.request.schedule` says what has come of
    it, `kernel.request.choice` what it was chosen from: a call takes the schedule of least work for its operands, and
    `kernel.choose(...)` is the kernel that it runs. `kernel.bind(...)` is for calls again and again on the same
    operands. With `tune`, schedules, their sizes, flags and ways to share out iterations are measured for some ten
    seconds, once: on the operands, if they are given, or else on a sample.
    A schedule that goes over far more than is stored is followed with a ScheduleWarning, which says what to write.
    Kernels report integers that do not fit in their dtype, as the reference does; with `overflow="ignore"` they take
    C's plain operators instead, which is faster, and nothing is promised of a result in which one has not fitted.
    With `target="cuda"`, nvcc builds it for a GPU (docs/cuda.md); without a GPU, a call is a HostError.
    Kernels are cached on disk. Raises CompileError where code cannot be generated or built, HostError without a
    compiler or a folder for kernels that can be written, ScheduleError for a precondition that does not hold,
    Unsupported for units that the target does not have.

    >>> import gnomon as gn
    >>> spmv = gn.compile("y(i) = A(i,j) * x(j)", A="CSR")
    >>> A = gn.tensor([[0, 0, 1], [0, 2, 1]], [1.0, 2.0, 3.0], (2, 3), "CSR")
    >>> spmv(A=A, x=[1.0, 10.0, 100.0]).to_numpy().tolist()
    [201.0, 30.0]
    """
    from .generator.runtime.kernel import Kernel
    from .generator.runtime.request import make_request, refuse_tune

    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": convert, "schedule": schedule}
    text = as_text(expression)
    settings = check_settings("compile", text, settings, tune=tune, overflow=overflow, target=target)
    refuse_tune(tune)
    if tune:
        from .generator.tuning.tuner import tune_for

        return Kernel(tune_for(text, formats, overflow=overflow, target=target, **settings).request)
    kernel = Kernel(make_request(text, formats, overflow=overflow, target=target, **settings))
    if not kernel.request.schedule.own:
        return kernel
    from .generator.runtime.sources import excess_of

    found = excess_of(kernel.request)
    if found is not None:
        warnings.warn(str(found), ScheduleWarning, stacklevel=2)
    return kernel


def trace(
    expression: str | Text,
    /,
    *,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = None,
    **operands: Any,
) -> Execution:
    """As `evaluate`, with everything that led to the result: the resolved assignment, the statement, the trace."""
    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": convert, "schedule": schedule}
    text = as_text(expression)
    settings = check_settings("trace", text, settings)
    from .reference.execution.evaluate import execute

    return execute(text, operands, **settings)


def procedure(text: str, /, *, operators: Sequence[Operator] = ()) -> Procedure:
    """The procedure that a text says: assignments in order, and loops of them (docs/graphs.md).

    `operators` are those of a user (`operator`), which expressions and names of semirings may use. Raises ParseError
    where the text is no procedure, ExpressionError where a step reads what has no value or a loop cannot end.

    >>> import gnomon as gn
    >>> reach = gn.procedure('''
    ... procedure reach(A, x) -> x
    ...   repeat
    ...     x(j) += x(i) * A(i,j)  in or_and
    ...   until x unchanged
    ... ''')
    >>> A = gn.tensor([[0, 1, 3], [1, 2, 3]], [True, True, True], (4, 4), "CSR")
    >>> gn.run(reach, A=A, x=[True, False, False, False]).to_numpy().tolist()
    [True, True, True, False]
    """
    from .reference.procedure.check import check_procedure
    from .reference.procedure.parser import parse_procedure

    found = parse_procedure(text, by_name(operators))
    check_procedure(found)
    return found


def run(
    steps: Procedure | str, /, *, engine: str = "reference", rounds: int | None = None, **operands: Any
) -> Tensor | dict[str, Tensor]:
    """What a procedure gives for operands: a tensor, or several by name.

    Steps are interpreted, or with `engine="c"` run by kernels, each compiled once for tensors that are stored alike. A
    loop that has not ended after `rounds` rounds is given up with a MeaningError.
    """
    from .reference.procedure.run import ROUNDS, by_reference, run_procedure
    from .reference.procedure.syntax import Procedure

    found = steps if isinstance(steps, Procedure) else procedure(steps)
    if not isinstance(engine, str) or engine not in ENGINES:
        raise argument_error(f"engine {abbreviate(engine)} is not known", f"use {' or '.join(ENGINES)}")
    for name in {"engine", "rounds"}.intersection(found.parameters):
        said = f"{name} is a setting of gn.run, so no tensor can be given by that name"
        raise argument_error(said, f"rename the parameter, for example to {name}_")
    chosen: Engine = by_reference
    if engine == "c":
        from .generator.runtime.steps import KernelSteps

        chosen = KernelSteps()
    results = run_procedure(found, operands, chosen, ROUNDS if rounds is None else rounds)
    return next(iter(results.values())) if len(results) == 1 else results


def check_run(steps: Procedure | str, /, **operands: Any) -> ProcedureReport:
    """Run a procedure and compare every step that runs with its denotation, by the reference and by C.

    Raises DisagreementError with the first difference, and a script that reproduces it.
    """
    from .properties.differential.procedures import check_steps
    from .reference.procedure.syntax import Procedure

    return check_steps(steps if isinstance(steps, Procedure) else procedure(steps), operands)


def check(
    expression: str | Text,
    /,
    *,
    result: Any = UNSET,
    out: str | Format | Spec | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    schedule: str | Schedule | None = None,
    **operands: Any,
) -> Report:
    """Compare reference execution and C kernels with the denotation in exact arithmetic, point by point.

    Kernels and execution follow `schedule`. Without one, the kernel that `compile` gives unasked is compared too, if
    that follows a schedule. With `result`, which somebody else has computed, that alone is compared, and nothing is
    run: an array, a list, a number, a tensor or SciPy sparse. Its shape and dtype have to be what the expression means.
    None is no result, and refused: it is what a system returns that forgets to.

    Raises DisagreementError with the first difference, of `result` with several (also as `differences`). Values agree
    within a computed forward error bound, and the structure of sparse results is the one that the expression means.

    >>> import gnomon as gn
    >>> print(gn.check("a = x(i) * y(i)", x=[0.1, 0.2], y=[3.0, 4.0]))
    1 of 1 points agree (every point; reference and C)
    >>> print(gn.check("y(i) = 2 * x(i)", x=[0.5, 1.5], result=[1.0, 3.0]))
    2 of 2 points agree (every point; the given result)
    """
    settings: dict[str, Any] = {"out": out, "semiring": semiring, "convert": convert, "schedule": schedule}
    text = as_text(expression)
    settings = check_settings("check", text, settings, result=None)
    if result is UNSET:
        from .properties.differential.check import EVERY
        from .properties.differential.check import check as compare

        return compare(text, operands, engines=EVERY, **settings)
    for name in ("convert", "schedule"):
        if settings.pop(name) is not None:
            raise argument_error(f"{name} says how to run, but a result is given", f"leave {name} or result out")
    from .properties.differential.claim import check_result

    return check_result(text, operands, result, **settings)


def conform(backend: Any, *, exclude: Mapping[str, str] | None = None, cases: Sequence[str] = ()) -> Conformance:
    """Run a backend through the conformance suite, which has cases for every rule of the specification.

    One call in another project's own tests. `backend` is an object with `name`, `version`, `supports(problem)` and
    `run(problem)`, or a name or `MODULE:OBJECT`, which runs in a process of its own with limits. `exclude` maps exact
    ids of cases to the reason why they are known to fail; with `cases`, those alone are run. Raises DisagreementError
    with a table of rules if others do, or if an excluded one passes.
    """
    from .properties.conformance.conform import conform as run

    return run(backend, exclude=exclude, cases=cases)


def prove(*ids: str) -> Proofs:
    """Prove rules of the specification: those that ids or their beginnings name (`gnomon prove --list`), or all.

    Returns the statuses: what is bounded or unknown does not count as proved. Raises DisagreementError with a
    counterexample if one is refuted, GnomonError for an id that there is not. All of them take minutes; on the command
    line they are shared out among processes.

    >>> import gnomon as gn
    >>> print(gn.prove("operators.min.commutative.integers"))
    1 obligations: 1 proved
    """
    from .properties.proofs.prover import choose_obligations, prove
    from .properties.proofs.topic import Rules

    return prove(choose_obligations(Rules().obligations(), ids))


def prove_level(level: Level) -> Proofs:
    """Prove of a level format what every level format has to keep: its properties follow from its invariants, `locate`
    finds what iteration enumerates, assembly stores what it is given, and no access leaves an array.

    Returns the statuses. Raises DisagreementError with small arrays on which the level format goes wrong,
    CompileError where a level function is not restricted Python.
    """
    from .properties.proofs.levels.level_formats import obligations_of
    from .properties.proofs.prover import prove

    return prove(obligations_of(level))


def prove_semiring(ring: str | Semiring) -> Proofs:
    """Prove the laws of a semiring: the add folds what is present in any order and grouping, and the multiply
    distributes over the add or not, as is declared.

    Any `<add>_<multiply>` of declared operators will do. Returns the statuses. Raises DisagreementError with numbers
    that break a law, SemiringError for what is no semiring.

    >>> import gnomon as gn
    >>> print(gn.prove_semiring("min_second"))
    2 obligations: 2 proved
    """
    from .properties.proofs.operators.semiring_laws import obligations_of
    from .properties.proofs.prover import prove

    return prove(tuple(obligations_of(named_semiring(ring))))


def prove_statement(
    expression: str | Text,
    /,
    *,
    schedule: str | Schedule | None = None,
    semiring: str | Semiring | None = None,
    convert: str | None = None,
    **formats: Any,
) -> Proofs:
    """Prove of a statement that its merge lattices cover what they must, and the preconditions of its schedule.

    Operands that no format is given for are dense. Returns the statuses. Raises DisagreementError with operands on
    which the schedule, carried out unchecked, goes wrong, and ExpressionError for what is no format.
    """
    from .properties.proofs.prover import prove
    from .properties.proofs.topic import ScheduledStatement

    for name, format in formats.items():
        if not isinstance(format, str | Format):
            raise argument_error(f"{name} is a {type(format).__name__}, not a format", f"write {name}='CSR', say")
    named = tuple((name, str(format)) for name, format in formats.items())
    text = None if schedule is None else str(schedule)
    return prove(ScheduledStatement(expression, named, text, semiring_name(semiring), convert).obligations())


def from_scipy(matrix: Any) -> Tensor:
    """A SciPy sparse matrix or array as a tensor in the same format."""
    from .reference.files.scipy_arrays import from_scipy as convert
    from .reference.files.scipy_arrays import is_scipy

    if not is_scipy(matrix):
        raise argument_error(f"{type(matrix).__name__} is not a SciPy sparse matrix", "use gn.tensor(...)")
    return convert(matrix)


def check_settings(function: str, text: Text, settings: dict[str, Any], **others: Any) -> dict[str, Any]:
    """The settings as `prepare` takes them.

    Raises ExpressionError for tensors whose names are taken by settings, SemiringError for what names no semiring.
    """
    from .reference.statement.front_end import refuse_convert, refuse_taken

    refuse_taken(function, text, {**settings, **others})
    refuse_convert(settings["convert"])
    return {**settings, "semiring": semiring_name(settings["semiring"])}
