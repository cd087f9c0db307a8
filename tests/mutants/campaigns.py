"""Mutants of campaigns: how minimal programs become alike, and what they are told apart by."""

from __future__ import annotations

from mutant import Mutant

PLAINER = "properties/campaign/plainer_storage.py"
INGREDIENTS = "properties/campaign/ingredients.py"
MINIMISATION = "properties/campaign/minimisation.py"

FINDINGS, OUTPUT = "properties/campaign/findings.py", "properties/command_line/output.py"
EXAMINED = ("tests/properties/campaign/test_examination.py",)
FOUND = ("tests/properties/campaign/test_findings.py",)
WRITTEN = ("tests/properties/command_line/test_output.py",)
BESIDE = "test_reports_of_several_findings_stand_beside_one_another_and_shadow_no_module"
INSTANCES = ("tests/properties/strategies/test_instances.py",)
STORED = ("tests/properties/campaign/test_plainer_storage.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "campaign.1",
        PLAINER,
        "features.lacks(candidate) is None and is_valid(candidate)",
        "is_valid(candidate)",
        "a minimal program is in a format that the backend does not take",
        STORED,
    ),
    Mutant(
        "campaign.2",
        PLAINER,
        "essential(ingredients(candidate)) < made",
        "essential(ingredients(candidate)) != made",
        "formats that are made of more count as plainer",
        STORED,
    ),
    Mutant(
        "campaign.3",
        PLAINER,
        'yield Format(["dense"] * format.order)',
        "pass",
        "blocks and ranks stay in a minimal program",
        STORED,
    ),
    Mutant(
        "campaign.4",
        INGREDIENTS,
        'yield f"level {level.name}"',
        'yield f"level {text}"',
        "a level with unusual properties has nothing in common with the usual one",
        STORED,
    ),
    Mutant(
        "campaign.5",
        MINIMISATION,
        "while any(shows(each, new(ingredients(each))) for each in plainer(best[0], plan.features)):",
        "while False:",
        "a minimal program keeps the formats that were drawn",
        ("tests/properties/campaign/test_minimisation.py",),
    ),
    Mutant(
        "campaign.6",
        "properties/campaign/examination.py",
        "(not each[1].is_finding, each[1].kind is Kind.AGREES)",
        "each[1].kind is Kind.AGREES",
        "a step that is refused hides a finding in a later one",
        EXAMINED,
    ),
    Mutant(
        "campaign.7",
        "properties/campaign/units.py",
        "tuple(problem for problem in line if features.lacks(problem) is None)",
        "line",
        "a backend is asked for steps that it does not take",
        ("tests/properties/campaign/test_units.py",),
    ),
    Mutant(
        "campaign.8",
        MINIMISATION,
        "original = plan.unit(sighting.unit).problems[sighting.step]",
        "original = plan.unit(sighting.unit).problems[-1]",
        "the last step of a procedure is minimised, not the one that fails",
        EXAMINED,
    ),
    Mutant(
        "campaign.9",
        "properties/backends/worker.py",
        "        if self.given > MANY:\n            self.stop()\n",
        "",
        "a process has problems until its memory is full",
        ("tests/properties/backends/test_worker.py",),
    ),
    Mutant(
        "campaign.10",
        "properties/campaign/examination.py",
        "seconds=PATIENCE * plan.limits.seconds",
        "seconds=plan.limits.seconds",
        "what compiles for longer than the limit hangs",
        EXAMINED,
    ),
    Mutant(
        "campaign.11",
        "properties/backends/outcome.py",
        "if says else kind",
        "if said else kind",
        "a cause is a blanked number",
        ("tests/properties/backends/test_outcome.py",),
    ),
    Mutant(
        "campaign.12",
        FINDINGS,
        "needed = essential(needed) - PLAINEST",
        "pass",
        "a program is minimised again and again where its formats become plainer",
        FOUND,
    ),
    Mutant(
        "campaign.13",
        FINDINGS,
        "return next(chain(own, others), None)",
        "return next(others, None)",
        "a program counts for two findings",
        FOUND,
    ),
    Mutant(
        "campaign.14",
        "properties/campaign/fuzz.py",
        'yield name if count[name] == 1 else f"{name}-{count[name]}", finding',
        "yield name, finding",
        "a report overwrites another",
        (f"tests/properties/campaign/test_fuzz.py::{BESIDE}",),
    ),
    Mutant(
        "campaign.15",
        OUTPUT,
        "console = Output(width=BOUNDLESS)",
        "console = Output()",
        "a table in a file is cut at 80 columns",
        WRITTEN,
    ),
    Mutant(
        "campaign.16",
        OUTPUT,
        "while not ended.wait(wait):",
        "while ended.wait(wait):",
        "a campaign in a pipe says nothing",
        WRITTEN,
    ),
    Mutant(
        "campaign.17",
        PLAINER,
        'yield Format([*["dense"] * (format.order - 1), "compressed"])',
        'yield Format(["dense"] * format.order)',
        "one defect of sparse operands has a minimal program in every sparse format",
        STORED,
    ),
    Mutant(
        "campaign.18",
        "properties/campaign/units.py",
        "rings(features) if adds_and_multiplies(as_text(expression)) else none()",
        "rings(features)",
        "instances of other operators are drawn in semirings, which refuse them",
        INSTANCES,
    ),
    Mutant(
        "campaign.19",
        "properties/strategies/instances.py",
        "leader[v] if led == leader[w] else led",
        "led",
        "a tensor that is read twice has two shapes",
        INSTANCES,
    ),
    Mutant(
        "campaign.20",
        "properties/strategies/tensors.py",
        "if lower or limit == 0 or max(shape) < LINE:",
        "if lower or limit == 0 or max(shape) > 0:",
        "no row is longer than eight components",
        INSTANCES,
    ),
)
