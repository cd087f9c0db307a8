"""The tuner: flags, schedules, sizes and loop schedules are chosen by measuring them.

It goes from one choice to the next and keeps the fastest so far: the templates of the autoscheduler and the branched
schedules of a product, or the schedule that is given; the sizes of its splits; flags of the compiler; how threads share
out iterations; unrolling. Of kernels for a GPU these are the templates for one, and sizes. What has won is kept in the
cache, by request, data and number of threads. Times are the least of a few calls in a row, since noise only adds;
whatever takes more than twice as long as the best is given up (`trial.py`); in the end the best and those that run
without a tuner meet again, in turns.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf, isfinite
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from ...reference.errors import GnomonError, HostError, MeaningError, ScheduleError, StorageError, Unsupported
from ...reference.files.operands import operand_tensors
from ...reference.notation.text import Text
from ...reference.schedule.application import apply_schedule
from ...reference.schedule.autoschedule.arrangement import THREADS
from ...reference.schedule.autoschedule.devices import device_templates
from ...reference.schedule.autoschedule.grids import grid_schedule
from ...reference.schedule.autoschedule.ranking import rank
from ...reference.schedule.autoschedule.template import with_size
from ...reference.schedule.branched.finalists import finalists, operand_orders_of
from ...reference.schedule.branched.unasked import unasked_schedules
from ...reference.schedule.schedule import as_schedule
from ...reference.schedule.settings import AUTO
from ...reference.statement.statement import indices
from ...reference.storage.tensor import Tensor
from ..runtime import cache
from ..runtime.compiler import understands
from ..runtime.request import Request, Tuning, chosen_compiler, is_data, make_request
from .sample import sample
from .trial import Bench

TEMPLATES, FINALISTS, ROUNDS = 12, 4, 3
FLAGS: tuple[tuple[str, ...], ...] = (
    ("-march=native",),
    ("-march=native", "-mprefer-vector-width=512"),
    ("-march=native", "-mprefer-vector-width=128"),
    ("-DGN_NO_PREFETCH",),
    ("-floop-unroll-and-jam",),
    ("-funroll-loops",),
    ("-O2", "-fno-tree-vectorize"),
)
SHARINGS = ("static", "guided, 4", "guided, 64", "dynamic, 16", "dynamic, 64")
UNROLLED = 4
Progress = Callable[[str], None]


class Trial(Struct, frozen=True):
    """A variant of a kernel, and how long it took; infinite if it has no time, for the reason `refused`."""

    request: Request
    seconds: float
    refused: GnomonError | None = None

    def __str__(self) -> str:
        return describe(self.request)


class Tuned(Struct, frozen=True):
    """The fastest variant of a request, and the seconds that a call of the kernel takes: `in_a_row`, which the tuner
    compares, and `alone`, with operands that are not in the caches."""

    request: Request
    in_a_row: float
    alone: float

    def __str__(self) -> str:
        """
        >>> from gnomon.generator.runtime.request import make_request
        >>> print(Tuned(make_request("y(i) = A(i,j)", {"A": "CSR"}), 0.0012, 0.00345))
        no schedule, chosen by calls in a row: 1.2 ms, and 3.45 ms alone
        """
        how, in_a_row, alone = describe(self.request), self.in_a_row * 1e3, self.alone * 1e3
        return f"{how}, chosen by calls in a row: {in_a_row:.3g} ms, and {alone:.3g} ms alone"


def describe(request: Request) -> str:
    """What tells variants of a request apart: the schedule, flags, and how threads share out loops, if not as usual."""
    tuning = request.tuning
    sharing = [f"schedule({tuning.sharing})"] if tuning.sharing != Tuning().sharing else []
    return " ".join([str(request.schedule) or "no schedule", *tuning.flags, *sharing])


def tune(request: Request, operands: Mapping[str, Any], progress: Progress = lambda _: None) -> Tuned:
    """The fastest variant of a request on some operands: the one noted in the cache, or else measured."""
    key = cache.digest("tuned", request.key({}), threads(), *(f"{n} {signature(v)}" for n, v in operands.items()))
    known = read_note(request, cache.recall(key))
    if known is not None:
        return known
    with Bench(operands) as stand:
        first = trials(request, stand, progress)[0]
        best = Tuned(first.request, first.seconds, stand.seconds_alone(first.request))
    facts = as_note(best)
    cache.remember(key, facts)
    progress("")
    return read_note(request, facts) or best


def as_note(found: Tuned) -> dict[str, Any]:
    """What is kept of a variant in the cache."""
    tuning, schedule = found.request.tuning, str(found.request.schedule)
    times = {"in a row": found.in_a_row, "alone": found.alone}
    return {"schedule": schedule, "flags": list(tuning.flags), "sharing": tuning.sharing, **times}


def read_note(request: Request, facts: Mapping[str, Any] | None) -> Tuned | None:
    """The variant in a note of the cache; None if there is none or it is malformed."""
    match facts:
        case {
            "schedule": str(schedule), "flags": list(given), "sharing": str(sharing),
            "in a row": float(in_a_row), "alone": float(alone),
        }:  # fmt: skip
            tuning = Tuning(tuple(given), sharing)
            if tuning.flags not in ((), *FLAGS) or sharing not in (Tuning().sharing, *SHARINGS):
                return None
            try:
                variant = replace(request, schedule=as_schedule(schedule or None), tuning=tuning)
                return Tuned(variant, in_a_row, alone)
            except GnomonError:
                return None
        case _:
            return None


def signature(operand: Any) -> str:
    """What tells the data of one request from others: shape and number of values."""
    return f"{operand.shape} {len(operand.vals)}" if isinstance(operand, Tensor) else repr(np.shape(operand))


def threads() -> str:
    """How many threads there are, as far as that is known before anything runs."""
    return os.environ.get("OMP_NUM_THREADS") or str(len(os.sched_getaffinity(0)))


def trials(request: Request, stand: Bench, progress: Progress = lambda _: None) -> list[Trial]:
    """Everything that was measured: the finalists, timed once more, then the others, each by their time.

    Raises what the first was refused with if nothing has a time.
    """
    found: list[Trial] = []

    def measure(variants: Iterable[Request]) -> None:
        for each in variants:
            if any(each == trial.request for trial in found):
                continue
            found.append(measure_variant(each, stand, min((t.seconds for t in found), default=inf), progress))
            refuse_host(found)

    known, first_choice, *others = CHOICES[request.target]
    measure(known(request))
    untuned = [*found]
    measure(first_choice(request))
    refuse_untimed(found)
    for variants in others:
        measure(variants(fastest(found)[0].request))
    best = fastest(found)[:FINALISTS]
    last = [*best, *(trial for trial in untuned if trial not in best)]
    return fastest(again(last, stand)) + [trial for trial in fastest(found) if trial not in last]


def refuse_host(found: Iterable[Trial]) -> None:
    """Raise what tells that this host can run none of them, as where there is no GPU."""
    for trial in found:
        if isinstance(trial.refused, HostError):
            raise trial.refused


def refuse_untimed(found: list[Trial]) -> None:
    """Raise what the first trial was refused with if none has a time."""
    first = found[0].refused
    if first is not None and all(trial.refused is not None for trial in found):
        raise first


def again(found: list[Trial], stand: Bench) -> list[Trial]:
    """Trials timed once more, in turns, so that a slow phase of the machine hits all alike."""
    kept = [trial.request for trial in found if isfinite(trial.seconds)]
    rounds = [[measure_variant(request, stand).seconds for request in kept] for _ in range(ROUNDS)]
    return [Trial(request, min(times)) for request, times in zip(kept, zip(*rounds, strict=True), strict=True)]


def fastest(found: list[Trial]) -> list[Trial]:
    """Trials by their time."""
    return sorted(found, key=lambda trial: trial.seconds)


def measure_variant(request: Request, stand: Bench, best: float = inf, progress: Progress = lambda _: None) -> Trial:
    """A variant, with its time, or with why it has none, as where that is far from the best so far."""
    trial = Trial(request, inf)
    progress(str(trial))
    try:
        return replace(trial, seconds=stand.seconds(request, best))
    except GnomonError as error:
        return replace(trial, refused=error)


def starting_points(request: Request) -> Iterator[Request]:
    """The schedule that is given, or none, and those that C may follow unasked."""
    yield request
    if not request.schedule:
        for schedule in unasked_schedules(request.program):
            yield replace(request, schedule=schedule)


def schedules(request: Request) -> Iterator[Request]:
    """The most promising templates, and, of a product, the branched schedules that are worth measuring, unless a
    schedule is given."""
    if not request.schedule:
        program = request.program
        templates = [*rank(program)[:TEMPLATES], *finalists(program, operand_orders_of(program))]
        listed = (template.schedule() for template in templates)
        for schedule in dict.fromkeys(each for each in listed if each.commands):
            yield replace(request, schedule=schedule)


def device_starting_points(request: Request) -> Iterator[Request]:
    """The schedule that is given, or that of a kernel for a GPU unasked."""
    yield request if request.schedule else replace(request, schedule=grid_schedule(request.program))


def device_schedules(request: Request) -> Iterator[Request]:
    """The most promising templates for a GPU, unless a schedule is given."""
    if not request.schedule:
        for template in device_templates(request.program)[:TEMPLATES]:
            yield replace(request, schedule=template.schedule())


def sizes(request: Request) -> Iterator[Request]:
    """Variants of a request with splits of a quarter to four times the size, one at a time."""
    for command in request.schedule.commands:
        match command.name, command.args:
            case "split", (_, _, str(inner), int(size)):
                for other in (size // 4, size // 2, size * 2, size * 4):
                    if other > 1:
                        commands = tuple(with_size(c, {inner: other}) for c in request.schedule.commands)
                        yield replace(request, schedule=replace(request.schedule, commands=commands))
            case _:
                pass


def flags(request: Request) -> Iterator[Request]:
    """Variants of a request with other flags that the compiler understands."""
    for each in FLAGS:
        if understands(chosen_compiler().command, each):
            yield replace(request, tuning=replace(request.tuning, flags=each))


def sharings(request: Request) -> Iterator[Request]:
    """Variants of a request with other OpenMP loop schedules, if threads share a loop."""
    if any(command.args[1:2] == (THREADS,) for command in request.schedule.commands):
        for each in SHARINGS:
            yield replace(request, tuning=replace(request.tuning, sharing=each))


def unrollings(request: Request) -> Iterator[Request]:
    """Variants of a request with an innermost loop unrolled, where that is legal."""
    program = request.program
    for variable in dict.fromkeys(indices(apply_schedule(program, request.schedule).statement)):
        schedule = request.schedule.unroll(variable, UNROLLED)
        try:
            apply_schedule(program, schedule)
        except ScheduleError:
            continue
        yield replace(request, schedule=schedule)


CHOICES: Mapping[str, Sequence[Callable[[Request], Iterable[Request]]]] = {
    "c": (starting_points, schedules, sizes, flags, sharings, unrollings),
    "cuda": (device_starting_points, device_schedules, sizes),
}
"""What the tuner chooses for each target, one after the other; the first entry gives the kernels that run without a
tuner."""


def tune_for(expression: str | Text, specs: Mapping[str, Any], **settings: Any) -> Tuned:
    """The fastest variant for an expression: on the operands, if all are given, or else on a representative sample.

    Settings are those of `make_request`; a schedule that is asked for is where the search begins. Raises HostError for
    a kernel for a GPU where there is none, Unsupported for operators of a user.
    """
    asked = settings.get("schedule")
    request = make_request(expression, specs, **{**settings, "schedule": None if asked == AUTO else asked})
    refuse_own(request)
    if all(is_data(specs.get(access.tensor)) for access in request.text.inputs):
        return tune(request, operand_tensors(request.text, specs, request.ring), tell)
    try:
        return tune(request, sample(request), tell)
    except (MeaningError, StorageError) as error:
        names = dict.fromkeys(access.tensor for access in request.text.inputs)
        raise type(error)(
            f"a sample of operands does not suit: {error.message}",
            hint=f"give all operands, tensors like those that are to come: {', '.join(f'{n}={n}' for n in names)}",
            source=request.text.source,
            rule=error.rule,
        ) from None


def refuse_own(request: Request) -> None:
    """Refuse operators of a user, which hold functions that cannot be sent to the process that measures."""
    of_ring = () if request.ring is None else (request.ring.plain_add, request.ring.plain_multiply)
    own = [each.name for each in (*(request.text.operators or {}).values(), *of_ring) if each.source]
    if own:
        raise Unsupported(
            f"schedules are not measured for operators of a user, as {own[0]} is",
            hint="leave tune out, and give the schedule to follow, for example one that is measured with others",
        )


def tell(text: str) -> None:
    """Say on a terminal what is being measured; an empty text clears the line."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)
