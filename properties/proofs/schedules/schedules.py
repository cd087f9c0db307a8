"""Schedules: what every command of a given schedule has to keep, on a given statement (Senanayake 2020, section 4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from ....generator.runtime.request import make_request
from ....reference.algebra.semirings import Semiring, semiring_name
from ....reference.notation.text import Text, as_text
from ....reference.schedule.application import after, apply_unchecked
from ....reference.schedule.branched.unasked import choose_schedule
from ....reference.schedule.command import Command
from ....reference.schedule.commands import whole
from ....reference.schedule.schedule import Schedule
from ....reference.statement.staging import dissolve
from ....reference.statement.statement import Program
from ....reference.storage.format import Format
from ....reference.storage.spec import Spec
from ..obligation import Obligation
from ..verdict import Unknown, Verdict
from .schedule_conditions import Step
from .schedule_inputs import Operands, Question
from .schedule_judgement import Asked


def ask(program: Program, schedule: Schedule, question: Question, given: Operands = ()) -> Iterator[Asked]:
    """What is to be asked of each command of a schedule, as far as the first that the rules refuse: it is given to the
    program without the workspace through which the result is assembled.

    Raises ScheduleError for a command that cannot be applied at all.
    """
    for number in range(1, len(schedule.commands) + 1):
        prefix = Schedule(schedule.commands[:number], schedule.source)
        before, program = dissolve(program), apply_last(program, prefix)
        each = Asked(Step(whole(prefix.commands[-1], before), before, program), prefix, question, given)
        yield each
        if each.refusals:
            return


def apply_last(program: Program, schedule: Schedule) -> Program:
    """The program after the last command of a schedule, the others of which have been applied."""
    return after(program, replace(schedule, commands=schedule.commands[-1:]), apply_unchecked)


def obligations_of(
    expression: str | Text,
    formats: Mapping[str, str | Format | Spec],
    schedule: str | Schedule | None,
    *,
    semiring: str | Semiring | None = None,
    out: str | Format | Spec | None = None,
    convert: str | None = None,
) -> tuple[Obligation, ...]:
    """What every command of a schedule has to keep, on operands stored so, of any extents.

    Conditions are decided by the solver where it can be asked. A refutation has an input that `gn.evaluate` confirms
    with `unchecked=True`. Raises a GnomonError for what is no schedule of the expression: names that nothing has,
    loops that are not nested.

    >>> for o in obligations_of("y(i) = A(i,j) * x(j)", {"A": "CSR"}, "parallelize(i,CPUThread,NoRaces)"):
    ...     print(o.id, o.prove())
    schedule.1.parallelize.no_races Proved(witness=())
    schedule.1.parallelize.located Proved(witness=())
    """
    ring = semiring_name(semiring)
    text = as_text(expression)
    request = make_request(text, formats, out=out, semiring=ring, convert=convert)
    program = request.program
    commands = choose_schedule(schedule, program)
    question = Question(text, formats, out, ring, convert)
    found = list(ask(program, commands, question))
    left = enumerate(commands.commands[len(found) :], len(found) + 1)
    return (
        *(o for number, each in enumerate(found, 1) for o in of_command(number, each)),
        *(leave_unjudged(number, command, len(found)) for number, command in left),
    )


def of_command(number: int, each: Asked) -> Iterator[Obligation]:
    """What a command has to keep, as obligations."""
    command = each.step.command
    for place, condition in enumerate(each.conditions):
        name = f"schedule.{number}.{command.name}.{condition.name}"
        yield Obligation(name, f"{command}: {condition.statement}.", partial(judge, each, place), (condition.rule,))


def judge(each: Asked, place: int) -> Verdict:
    """What is known of a condition of a command."""
    return each.judgements[place].verdict()


def leave_unjudged(number: int, command: Command, refused: int) -> Obligation:
    """The obligation for a command that follows one that is refused."""
    verdict = Unknown(f"command {refused} is refused, so what follows it is not judged")
    return Obligation(f"schedule.{number}.{command.name}", f"{command} keeps the meaning.", lambda: verdict)
