"""Judgements: what the solver says of a condition beside what the rules say, settled by inputs.

A refutation counts only with an input on which `gn.evaluate(..., unchecked=True)` goes wrong. What the rules refuse and
no small input shows to be wrong is unknown: `STRICTER` says where they are stricter than need be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from ....reference.errors import ScheduleError
from ....reference.schedule.application import apply_unchecked
from ....reference.schedule.command import Command
from ....reference.schedule.commands import EFFECTS
from ....reference.schedule.legality import rules
from ....reference.schedule.nests import fresh_name, loops
from ....reference.schedule.schedule import Schedule
from ....reference.statement.relation import Bound, Divide, Split, derived_variables
from ....reference.statement.statement import Program
from ..verdict import Bounded, Proved, Refuted, Unknown, Values, Verdict, detail
from .schedule_conditions import Condition, Step, conditions
from .schedule_inputs import Operands, Question, Shown, counterexample

LEAST, LARGEST = 3, 64
"""Extents of variables, of small operands."""
WIDEST = 1024
"""The largest tile into the second of which operands reach."""
STRICTER = {
    "collapse.one_to_one": "positions run as they did until the loop is split, which other rules refuse then",
    "unroll.one_to_one": "the reference runs an unrolled loop as it is",
    "bound.holds": "a loop that never runs has any range, and a negative number divides what its opposite divides",
    "reorder.distributes": "a number that is a factor stays outside a reduction, and so do workspaces of several modes",
    "parallelize.no_races": "levels are looked at one by one, and a temporary holds one component",
    "pos.coordinates": "positions of positions are these positions, and nothing is gained by counting them again",
    "pos.needed": "an operand that holds every coordinate lacks none",
    "pos.whole": "the parts of a split have no positions of their own",
    "loopfuse.once": "which part of a tile stands on which side is not looked at one by one",
    "merging": "a loop that merges is a while loop, whose iterations cannot be shared out",
    "unit": "what a unit can run is a limit of the unit",
    "appended": "loops keep the order for certain only if they are outermost and count sorted positions",
}
"""Where rules are stricter than need be, by condition or by command and condition, and why."""

FORM = {
    "countable": "schedule.split.requires",
    "coordinates": "schedule.pos.requires",
    "whole": "schedule.pos.requires",
    "parents": "schedule.pos.requires",
    "unindexed": "schedule.coord.requires",
    "merging": "schedule.parallelize.requires",
    "unit": "schedule.unit",
    "searched": "schedule.reach",
}
"""Conditions that are a matter of form, about which no solver is asked, with the rules that refuse where they fail."""


class Judgement(Struct, frozen=True):
    """A condition, what the solver says of it, and why the rules refuse it, if they do.

    `shown` is an input on which the command goes wrong; it is `blamed` on this condition unless another one fails.
    """

    key: str
    condition: Condition
    solver: Verdict
    refusal: str | None
    shown: Shown | None
    blamed: bool

    @property
    def stricter(self) -> str | None:
        """Why the rule is stricter than need be, as far as is known."""
        return STRICTER.get(self.key, STRICTER.get(self.condition.name))

    def verdict(self) -> Verdict:
        """What is known of the condition."""
        if self.shown is not None and self.blamed:
            return Refuted((*self.shown.values(), *self.numbers(), ("refused", self.refusal or "by no rule")))
        if self.refusal is not None and self.shown is not None and not isinstance(self.solver, Proved):
            return Unknown(f"{self.condition.rule} refuses it, too; what goes wrong is shown beside ({self.refusal})")
        if self.refusal is not None:
            holds = "the solver proves it" if isinstance(self.solver, Proved) else "no small input goes wrong"
            why = self.stricter or "not known to be stricter than need be"
            return Unknown(f"{self.condition.rule} refuses it, though {holds}: {why} ({self.refusal})")
        if isinstance(self.solver, Refuted):
            return Unknown(
                f"no rule refuses it and no small input goes wrong, but the solver has {detail(self.solver)}"
            )
        return self.solver

    def numbers(self) -> Values:
        """What the solver has found."""
        return (("values", detail(self.solver)),) if isinstance(self.solver, Refuted) and detail(self.solver) else ()


class Asked(Struct, frozen=True, dict=True):
    """A command of a schedule, the commands before it with it, and what inputs are made for; those given come first."""

    step: Step
    prefix: Schedule
    question: Question
    given: Operands = ()

    @cached_property
    def refusals(self) -> Mapping[str, str]:
        """What the rules refuse, by the name of the condition."""
        found: dict[str, str] = {}
        for precondition in EFFECTS[self.step.command.name].preconditions:
            try:
                precondition.check(self.step.before, self.step.command.path or (), *self.step.command.args)
            except ScheduleError as error:
                found.setdefault(precondition.name, error.message)
        return {**broken_rules(self.step.after), **found}

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        """What the command has to keep, and whatever else the rules refuse."""
        known = conditions(self.step)
        names = {condition.name for condition in known}
        others = [(name, said) for name, said in self.refusals.items() if name not in names]
        return (*known, *(Condition(n, said, FORM.get(n, "schedule.reach"), structural) for n, said in others))

    @cached_property
    def judgements(self) -> tuple[Judgement, ...]:
        """All conditions, decided by the solver, by the rules and, where one of them does not hold, by inputs."""
        solved = [(condition, condition.decide()) for condition in self.conditions]
        settled = not self.refusals and all(isinstance(verdict, Proved | Bounded) for _, verdict in solved)
        failing = {c.name: verdict for c, verdict in solved if isinstance(verdict, Refuted)}
        shown = None if settled else self.counterexample(failing)
        return tuple(
            Judgement(
                f"{self.step.command.name}.{condition.name}",
                condition,
                verdict,
                self.refusals.get(condition.name),
                shown,
                blamed=isinstance(verdict, Refuted) or (not failing and condition.name in self.refusals),
            )
            for condition, verdict in solved
        )  # fmt: skip

    @property
    def disagreements(self) -> tuple[Judgement, ...]:
        """Where solver and rules do not agree.

        The rules accept a command of which the solver refutes a condition; or they refuse it, an input shows that they
        are right, and the solver has proved everything; or they refuse what it proves, though not known to be stricter.
        """
        if not self.refusals:
            return tuple(j for j in self.judgements if isinstance(j.solver, Refuted))
        proved = [j for j in self.judgements if j.refusal is not None and isinstance(j.solver, Proved)]
        right = [j for j in proved if j.shown is not None and j.blamed]
        return tuple(j for j in proved if j in right or (j.shown is None and j.stricter is None))

    def counterexample(self, failing: Mapping[str, Refuted]) -> Shown | None:
        """An input on which the schedule as far as this command goes wrong, maybe once its new loops are split."""
        earlier = Schedule(self.prefix.commands[:-1])
        question = replace(
            self.sized_question, sizes=(*self.extents_of_tiles(), *map(self.extents_to_reach, failing.values()))
        )
        return counterexample(question, earlier, (self.prefix, *self.splits_of_new_loops(set(failing))), self.given)

    def extents_to_reach(self, verdict: Refuted) -> Mapping[str, int]:
        """The extents that variables need to have the values that the solver has found."""
        numbers = {name: int(text) for name, text in verdict.counterexample if text.isdigit()}
        extents = {}
        for v in dict(self.step.before.extents):
            reached = max(numbers.get(v, 0), numbers.get(f"{v}'", 0)) + 1
            extents[v] = max(reached, numbers.get(f"extent of {v}", 0), LEAST)
        return extents if all(size <= LARGEST for size in extents.values()) else {}

    def extents_of_tiles(self) -> Iterator[Mapping[str, int]]:
        """Extents that reach into a second tile of what is split, with one value of every other variable or with some.

        None where tiles are so large that such operands are no small ones.
        """
        graph = self.step.after.provenance
        tiles: dict[str, int] = {}
        for relation in graph.of_schedule:
            match relation:
                case Split(parent=parent, factor=size) | Divide(parent=parent, parts=size):
                    for v in graph.originals(parent):
                        tiles[v] = tiles.get(v, 1) * size
                case _:
                    pass
        wide = {v: size for v, size in tiles.items() if LEAST < size <= WIDEST}
        yield from ({**dict.fromkeys(dict(self.step.before.extents), 1), v: size + 1} for v, size in wide.items())
        yield from ({v: 2 * size + 1} for v, size in wide.items())

    @property
    def sized_question(self) -> Question:
        """The question on operands of the extents that bounds speak of."""
        said = [r for r in self.step.after.provenance.of_schedule if isinstance(r, Bound)]
        known = {r.parent: r.size for r in said if r.kind == "max_exact" and 0 < r.size <= LARGEST}
        return replace(self.question, extents={**known, **self.question.extents} if said else {})

    def splits_of_new_loops(self, failing: set[str]) -> Iterator[Schedule]:
        """The schedule with a split of a new loop, which shows whether its values mean what they are said to mean.

        The split breaks no rule but those that fail before, or what goes wrong would be its own fault.
        """
        after = self.step.after
        for variable in (v for relation in self.step.relations for v in derived_variables(relation)):
            if any(not loop.tags for loop, _ in loops(after.statement, variable)):
                names = (fresh_name(after, f"{variable}0"), fresh_name(after, f"{variable}1"))
                for size in (1, 2):
                    split = Command("split", (variable, *names, size))
                    if keeps_rules(split, after, failing):
                        yield Schedule((*self.prefix.commands, split))


def keeps_rules(command: Command, program: Program, failing: set[str]) -> bool:
    """Whether a command can be applied, and breaks no rule but those that fail anyhow."""
    try:
        return set(broken_rules(apply_unchecked(command, program))) <= failing
    except ScheduleError:
        return False


def broken_rules(program: Program) -> Mapping[str, str]:
    """The rules that the loops of a program break, by name, and how."""
    found: dict[str, str] = {}
    for name, holds in rules(program):
        try:
            holds()
        except ScheduleError as error:
            found.setdefault(name, error.message)
    return found


def structural() -> Verdict:
    """What is asked of no solver."""
    return Unknown("a matter of form")
