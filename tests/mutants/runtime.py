"""Mutants of the run time of kernels: requests, conversions that kernels keep, and what is noted of them."""

from __future__ import annotations

from mutant import Mutant
from suites import ASSEMBLABLES, NOTES_UNASKED, STEPPED

STEPS = "generator/runtime/steps.py"
CONVERSIONS = "generator/runtime/conversions.py"
NOTE = "generator/runtime/note.py"
REQUEST = "generator/runtime/request.py"
SOURCES = "generator/runtime/sources.py"
KERNEL = "generator/runtime/kernel.py"
KEPT = "generator/runtime/unasked.py"

KERNELS = ("tests/generator/runtime/test_conversions.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "procedure.18",
        STEPS,
        "alike = self.layouts == layouts and (",
        "alike = (",
        "a kernel runs on tensors that are stored otherwise",
        STEPPED,
    ),
    Mutant(
        "lowering.65",
        "generator/runtime/runner.py",
        "return result if self.packed is None else result.convert(self.packed)",
        "return result",
        "C leaves a result in coordinates",
        ASSEMBLABLES,
    ),
    Mutant(
        "converting.28",
        CONVERSIONS,
        'return "int64" if far or any(index == "int64" for _, _, index in layouts[source].index) else "int32"',
        'return "int64" if any(index == "int64" for _, _, index in layouts[source].index) else "int32"',
        "what has far coordinates is read with narrow indices",
        KERNELS,
    ),
    Mutant(
        "converting.29",
        CONVERSIONS,
        'return "int64" if far or any(index == "int64" for _, _, index in layouts[source].index) else "int32"',
        'return "int64" if far else "int32"',
        "what has wide indices is read with narrow ones",
        KERNELS,
    ),
    Mutant(
        "converting.30",
        CONVERSIONS,
        "*(each.name for each in conversions if each.name not in operands)",
        "*(each.name for each in conversions)",
        "what is read in place of an operand is a parameter of its own",
        KERNELS,
    ),
    Mutant(
        "converting.31",
        CONVERSIONS,
        "if found is not None:\n            return found",
        "if False:\n            return found",
        "an operand is converted in each call",
        KERNELS,
    ),
    Mutant(
        "converting.32",
        CONVERSIONS,
        "if isinstance(given, Tensor) and is_lasting(given):",
        "if isinstance(given, Tensor):",
        "what somebody else changes stays as it was",
        KERNELS,
    ),
    Mutant(
        "converting.33",
        CONVERSIONS,
        "replace(slot, layout=conversion.layout(slot.layout)).check(tensor, given)",
        "pass",
        "indices that are wider than the kernel reads are read as narrow ones",
        KERNELS,
    ),
    Mutant(
        "converting.34",
        CONVERSIONS,
        "except (GnomonError, TypeError, ValueError, KeyError):",
        "except (GnomonError, TypeError, ValueError):",
        "a note of another operand breaks compiling",
        KERNELS,
    ),
    Mutant(
        "converting.35",
        NOTE,
        "if conversions is None or not cache.is_intact(path):",
        "if not cache.is_intact(path):",
        "a malformed note is taken for one without conversions",
        ("tests/generator/runtime/test_cache.py",),
    ),
    Mutant(
        "converting.36",
        REQUEST,
        "return {**known, **{each.name: known[each.source].convert(each.spec) for each in found}}",
        "return known",
        "a kernel is chosen by the sizes of operands as they are given",
        KERNELS,
    ),
    Mutant(
        "unasked.2",
        REQUEST,
        "choice.finalists[0] if operands is None else choice.at(",
        "choice.finalists[0] if True else choice.at(",
        "given operands choose nothing",
        NOTES_UNASKED,
    ),
    Mutant(
        "converting.37",
        SOURCES,
        "read = {each.name: each.layout(request.declarations[each.source]) for each in conversions}",
        "read: dict[str, Layout] = {}",
        "kernels are written for operands as they are given",
        KERNELS,
    ),
    Mutant(
        "converting.38",
        KERNEL,
        "settled.fillings.refuse(self.arguments(operands, settled))",
        "settled.fillings.refuse(operands)",
        "how a result is filled is told by operands as they are given",
        KERNELS,
    ),
    Mutant(
        "operators.20",
        "api.py",
        "for each in operands.values()) > LARGE\n",
        "for each in operands.values()) < LARGE\n",
        "operators on small tensors are compiled, and on large ones interpreted",
        ("tests/test_api.py",),
    ),
    Mutant(
        "operators.21",
        "api.py",
        "with suppress(HostError, Unsupported):",
        "with suppress(Unsupported):",
        "operators on large tensors need a compiler",
        ("tests/test_api.py",),
    ),
    Mutant(
        "choice.20",
        KERNEL,
        "if settled.chosen is None or settled.chosen[0] != sizes:",
        "if settled.chosen is None:",
        "the schedule that was chosen first stays, whatever the sizes of operands of the same shapes",
        NOTES_UNASKED,
    ),
    Mutant(
        "converting.39",
        KERNEL,
        "self.schedule_for(choice, arguments, settled)",
        "self.schedule_for(choice, operands, settled)",
        "another kernel is chosen by the sizes of operands as they are given",
        KERNELS,
    ),
    Mutant(
        "converting.67",
        KERNEL,
        "settled.conversions = self.request.conversions(dict(zip(self.operands, settled.shapes, strict=True)))",
        "settled.conversions = self.built.conversions",
        "what is far is stored with room for all of it, to be measured",
        KERNELS,
    ),
    Mutant(
        "unasked.1",
        KERNEL,
        "        if chosen == self.request.schedule:\n",
        "        if True:\n",
        "other operands choose nothing",
        NOTES_UNASKED,
    ),
    Mutant(
        "unasked.3",
        KEPT,
        "(GnomonError, TypeError, ValueError)",
        "(GnomonError, ValueError)",
        "a damaged note ends in a traceback",
        NOTES_UNASKED,
    ),
    Mutant(
        "unasked.4",
        KEPT,
        "        cache.remember(key, as_note(found))\n",
        "",
        "what is found is looked for again",
        NOTES_UNASKED,
    ),
)
