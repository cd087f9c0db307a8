"""Scripts and reports: a finding as a program that runs with the backend alone, and as a text to paste."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from ..backends import NAMES, load
from ..backends.backend import Refused
from ..backends.outcome import Kind, number_of
from ..programs.problem import Problem, print_format
from ..programs.problem import script as own_script
from .examination import Plan
from .findings import Finding
from .units import Subject

SHOWN = 10


def script(plan: Plan, finding: Finding) -> str:
    """The program: in the backend's own terms if it has any, else by the backend that the plan names."""
    problem = finding.problem
    head = [
        f"# {problem.source}" + (f", semiring {problem.semiring}" if problem.semiring else ""),
        *(f"# {name}: {t.format}, {t.dtype.name}, shape {t.shape}" for name, t in problem.operands.items()),
        f"# result: {problem.out or 'a scalar'}",
        f"# expected: {values(problem)}",
        *(f"# actual: {line}" if n == 0 else f"#   {line}" for n, line in enumerate(finding.detail.splitlines()[:5])),
    ]
    return "\n".join([*head, body(plan, finding)]) + "\n"


def body(plan: Plan, finding: Finding) -> str:
    """The statements of the program."""
    backend, problem = load(plan.backend), finding.problem
    if hasattr(backend, "script"):
        try:
            text: str = backend.script(problem)
        except Refused:
            return ""
        return text if "gn.check" in text else f"{text.rstrip()}\nprint(result)"
    given = own_script(problem.text, problem.operands, problem.out, problem.semiring, str(problem.schedule))
    *operands, _ = given.splitlines()
    named = ", ".join(f"{name!r}: {name}" for name in problem.operands)
    return "\n".join(
        [
            *path_of_backend(plan.backend),
            *operands,
            "from gnomon.properties.backends import judge, load, promises_of, result_of",
            "from gnomon.properties.programs.problem import Problem",
            f"given = ({print_format(problem.out)!r}, {problem.semiring!r}, {str(problem.schedule)!r})",
            f"problem = Problem({problem.source!r}, {{{named}}}, *given)",
            f"backend = load({plan.backend!r})",
            "try:",
            "    is_supported = backend.supports(problem)",
            "    answered = backend.run(problem) if is_supported else None",
            "except SystemExit as end:",
            '    raise RuntimeError(f"the backend ends the process with {end.code!r}") from end',
            "if not is_supported:",
            '    raise SystemExit("the backend refuses the program")',
            "outcome = judge(problem, result_of(answered), promises_of(backend))",
            "if outcome.is_finding:",
            '    raise SystemExit(f"{outcome.kind}: {outcome.detail or outcome.cause}")',
            "print(outcome.kind)",
        ]
    )


def path_of_backend(backend: str) -> list[str]:
    """The statements that put the folder on the path in which the module of a user's backend was found."""
    if backend in NAMES:
        return []
    found = folder_of_module(backend.partition(":")[0])
    return ["import sys", f"sys.path.append({found!r})  # the backend was found there"]


def folder_of_module(module: str) -> str:
    """The folder on the path in which a module lies; where this runs, if in none."""
    below = Path(*module.split("."))
    places = [Path(place or os.getcwd()).absolute() for place in sys.path]
    holding = (place for place in places if (place / below).is_dir() or (place / below).with_suffix(".py").exists())
    return str(next(holding, Path.cwd()))


def values(problem: Problem) -> str:
    """What a problem means, the first coordinates of it."""
    shown: list[str] = []
    for i in problem.denotation.points():
        point = problem.denotation.point(i)
        if True not in point.presence():
            continue
        if len(shown) == SHOWN:
            shown.append("…")
            break
        meant = " or ".join(repr(number_of(v, problem.dtype)) for m in point.readings for v in m.values())
        bound = max(float(m.bound) for m in point.readings)
        shown.append(f"{i}: {meant}" + (f" within {bound:.3g}" if bound else ""))
    return f"{', '.join(shown) or 'nothing'}; {problem.fill} elsewhere"


def describe(plan: Plan, finding: Finding, version: str, others: Sequence[str] = ()) -> str:
    """A report that can be pasted: what was run, what came, what should have come, and a script; `others` are
    expressions that show it, too."""
    title = {Kind.WRONG: "Wrong result", Kind.RAISED: "Exception", Kind.CRASHED: "Crash", Kind.HUNG: "Hang"}
    problem = finding.problem
    stored = ", ".join(f"`{name}` {t.format} {t.dtype.name} {t.shape}" for name, t in problem.operands.items())
    extras = [f"semiring `{problem.semiring}`"] if problem.semiring else []
    extras += [f"schedule `{problem.schedule}`"] if problem.schedule else []
    seen = f"1 {plan.subject}" if len(finding.units) == 1 else f"{len(finding.units)} {plan.subject}s"
    lines = [
        f"## {title.get(finding.kind, 'Out of memory')}: {finding.cause}",
        "",
        f"- version: {plan.backend} {version}",
        f"- program: `{problem.source}`, result in {problem.out or 'no levels'}{''.join(', ' + e for e in extras)}",
        f"- operands: {stored}",
        f"- actual: {finding.detail}",
        f"- expected: {values(problem)}",
        f"- seen in {seen}, first in {place(plan, finding)} of seed {plan.seed}: `{command(plan, finding.units[0])}`",
        *([f"- probably also in {', '.join(f'`{source}`' for source in others)}"] if others else []),
        "",
        "```python",
        script(plan, finding).rstrip(),
        "```",
        "",
    ]
    return "\n".join(lines)


def command(plan: Plan, unit: int) -> str:
    """The command that runs a unit of a campaign alone."""
    words = ["gnomon", "fuzz", "--backend", plan.backend, "--seed", str(plan.seed), "--unit", str(unit)]
    words += ["--procedures"] * (plan.subject is Subject.PROCEDURE)
    return shlex.join([*words, *(word for each in plan.chosen for word in ("--expression", each))])


def place(plan: Plan, finding: Finding) -> str:
    """The unit where a finding was first seen, and the step if that is a procedure."""
    match plan.subject:
        case Subject.PROGRAM:
            return f"unit {finding.units[0]}"
        case Subject.PROCEDURE:
            return f"step {finding.step + 1} of unit {finding.units[0]}"
