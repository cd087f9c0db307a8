"""Scripts and reports: a finding as a program that runs with the backend alone, and as a text to paste."""

from __future__ import annotations

from ..backends import load
from ..backends.backend import Refused
from ..backends.outcome import Kind
from ..programs.case_file import meaning_as_json
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
            *operands,
            "from gnomon.properties.backends import load",
            "from gnomon.properties.programs.problem import Problem",
            f"given = ({print_format(problem.out)!r}, {problem.semiring!r}, {str(problem.schedule)!r})",
            f"problem = Problem({problem.source!r}, {{{named}}}, *given)",
            f"print(load({plan.backend!r}).run(problem))",
        ]
    )


def values(problem: Problem) -> str:
    """What a problem means, the first coordinates of it."""
    every = meaning_as_json(problem)
    shown = [
        f"{tuple(each['at'])}: {' or '.join(map(str, each['values']))}"
        + (f" within {float(each['bound']):.3g}" if each["bound"] else "")
        for each in every[:SHOWN]
    ]
    more = ["…"] if len(every) > SHOWN else []
    return f"{', '.join([*shown, *more]) or 'nothing'}; {problem.fill} elsewhere"


def describe(plan: Plan, finding: Finding, version: str) -> str:
    """A report that can be pasted: what was run, what came, what should have come, and a script."""
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
        f"- seen in {seen}, first in {place(plan, finding)} of seed {plan.seed}",
        "",
        "```python",
        script(plan, finding).rstrip(),
        "```",
        "",
    ]
    return "\n".join(lines)


def place(plan: Plan, finding: Finding) -> str:
    """The unit where a finding was first seen, and the step if that is a procedure."""
    match plan.subject:
        case Subject.PROGRAM:
            return f"unit {finding.units[0]}"
        case Subject.PROCEDURE:
            return f"step {finding.step + 1} of unit {finding.units[0]}"
