"""Mutants of the translation of level functions, of statements that store and accumulate, and of the text of C."""

from __future__ import annotations

from mutant import Mutant
from suites import COUNTED, TEXTS, THREAD_LANES, TRANSLATED

TRANSLATION = "generator/storage/translation.py"
STATEMENTS = "generator/statements/statements.py"
STORING = "generator/statements/storing.py"
COMBINING = "generator/values/combining.py"
ACCUMULATION = "generator/statements/accumulation.py"
REPORTS = "generator/ir/reports.py"
SIMPLIFY = "generator/ir/simplify.py"
VERIFIER = "generator/ir/verifier.py"

GOLDEN = "tests/generator/test_kernel_source.py::test_golden"
WALKED = "tests/generator/loops/test_walk.py"
VERIFIED = ("tests/generator/ir/test_verifier.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "level.56",
        "generator/storage/translation.py",
        "return self.own(call)\n            case values:",
        "return self.own(call)[:1]\n            case values:",
        "a level function passes on only the first result of another",
        ("tests/generator/storage/test_level_functions.py",),
    ),
    Mutant(
        "generator.36",
        TRANSLATION,
        "return ir.floordiv(widen(left), right)",
        "return ir.mod(widen(left), right)",
        "division in a level function is a remainder",
        TRANSLATED,
    ),
    Mutant(
        "generator.37",
        TRANSLATION,
        'fold = extremes.smaller if which == "min" else extremes.larger',
        'fold = extremes.larger if which == "min" else extremes.smaller',
        "min and max in a level function are exchanged",
        TRANSLATED,
    ),
    Mutant(
        "generator.38",
        TRANSLATION,
        'return (logic.both if word == "and" else logic.either)(',
        'return (logic.either if word == "and" else logic.both)(',
        "and and or in a level function are exchanged",
        TRANSLATED,
    ),
    Mutant(
        "generator.39",
        TRANSLATION,
        "return logic.choice(self.expression(test), self.expression(then), self.expression(otherwise))",
        "return logic.choice(self.expression(test), self.expression(otherwise), self.expression(then))",
        "the branches of a conditional in a level function are exchanged",
        TRANSLATED,
    ),
    Mutant(
        "generator.40",
        TRANSLATION,
        "tests = zip(signs, values, values[1:], strict=False)\n                return logic.both(",
        "tests = zip(signs, values, values[1:], strict=False)\n                return logic.either(",
        "a chain of comparisons in a level function holds if one does",
        TRANSLATED,
    ),
    Mutant(
        "generator.42",
        TRANSLATION,
        "return ir.Cast(INT, e) if isinstance(e, ir.Element) else e",
        "return e",
        "level functions compute with 32-bit elements in 32 bits",
        (GOLDEN, "tests/generator/ir/test_limits.py", "tests/generator/runtime/test_kernel.py"),
    ),
    Mutant(
        "generator.25",
        STATEMENTS,
        "clear(self.outputs[workspace.name].held, env.teams.group, out)\n",
        "self.outputs[workspace.name]\n",
        "workspaces are not cleared before they are filled",
        TEXTS,
    ),
    Mutant(
        "generator.26",
        STATEMENTS,
        "if node.without is not None:",
        "if False:",
        "where a scalar workspace got no value, nothing is stored though there is something to compute",
        TEXTS,
    ),
    Mutant(
        "generator.27",
        STORING,
        'return ir.Unary("!", held) if s.mask.complement else held',
        "return held",
        "the complement of a mask by value is the mask",
        TEXTS,
    ),
    Mutant(
        "generator.29",
        STORING,
        "value = present if new else logic.either(flag, present)",
        "value = present",
        "a missing contribution makes a component absent again",
        TEXTS,
    ),
    Mutant(
        "generator.30",
        STORING,
        "if not env.target.covers or not set(env.site.around) <= loops or output.name in self.frame.facts.workspaces:",
        "if not env.target.covers or output.name in self.frame.facts.workspaces:",
        "a result is not cleared though loops of a reduction stand around its first store",
        TEXTS,
    ),
    Mutant(
        "generator.28",
        COMBINING,
        "if a.operator is None or a.operator.left_unit is None:\n        return found",
        "return found",
        "the first contribution of a logical fold is stored as it is",
        (WALKED,),
    ),
    Mutant(
        "generator.45",
        COMBINING,
        "code) if a.operator.selects else code",
        "code) if False else code",
        "a thread without contributions may be the one that is selected",
        ("tests/properties/machine/test_run.py::test_threads_without_contributions_select_nothing",),
    ),
    Mutant(
        "generator.31",
        ACCUMULATION,
        "before = output.form.initial if covers else place",
        "before = output.form.initial",
        "a reduction into a component forgets what was there",
        TEXTS,
    ),
    Mutant(
        "generator.32",
        ACCUMULATION,
        "return ir.Assign(at, output.form.initial if covers else place)",
        "return ir.Assign(at, output.form.initial)",
        "a reduction into a block forgets what was there",
        TEXTS,
    ),
    Mutant(
        "taken.7",
        "generator/assembly/growth.py",
        'ir.Call("gn_part", (likely,))',
        "likely",
        "each thread begins with room for all of a result",
        (GOLDEN,),
    ),
    Mutant(
        "threads.5",
        "generator/storage/relative.py",
        "target) == 0",
        "target) <= 1",
        "threads share out a result that keeps positions themselves",
        ("tests/generator/storage/test_relative.py",),
    ),
    Mutant(
        "threads.6",
        "generator/storage/relative.py",
        "all(e == target for e in read) and share",
        "share",
        "threads share out a result whose elements are made from one another",
        ("tests/generator/storage/test_relative.py",),
    ),
    Mutant(
        "generator.48",
        "generator/ir/printing.py",
        'if len(line) <= WIDTH or text.startswith("#"):',
        "if len(line) <= WIDTH:",
        "a directive goes on in the next line",
        ("tests/generator/ir/test_emission.py",),
    ),
    Mutant(
        "reports.1",
        REPORTS,
        "(*before, replace(s, body=block(body, taken)), *(fold(name, lanes) for name, lanes in own))",
        "(*before, replace(s, body=block(body, taken)))",
        "what lanes report apart is not reported",
        THREAD_LANES,
    ),
    Mutant(
        "reports.2",
        REPORTS,
        "body = s.body if any(jumps(s.body)) else keep_apart(s.body, taken, own)",
        "body = s.body",
        "lanes reduce what they report in every iteration around them",
        THREAD_LANES,
    ),
    Mutant(
        "reports.3",
        REPORTS,
        'return (Declare("int64_t", name, ir.OK), replace(lanes, body=body, pragma=pragma), fold_in(Name(name)))',
        'return (Declare("int64_t", name, ir.OK), replace(lanes, body=body, pragma=pragma))',
        "what lanes reduce is not reported",
        THREAD_LANES,
    ),
    Mutant(
        "simplify.1",
        SIMPLIFY,
        'return freed.split(".")[0] == name',
        "return False",
        "what frees memory stays where nothing allocates it",
        COUNTED,
    ),
    Mutant(
        "passes.1",
        VERIFIER,
        "        last = functions\n",
        "        last = last or functions\n",
        "what a pass puts back as it was written is not verified again",
        VERIFIED,
    ),
    Mutant(
        "passes.2",
        VERIFIER,
        "verify([f for f in functions if f not in last])",
        "verify([f for f in functions if not last])",
        "what passes change is not verified",
        VERIFIED,
    ),
    Mutant(
        "translation.choice",
        "generator/ir/printing.py",
        "if is_unclear or isinstance(n, c_ast.ExprList) else text",
        "if is_unclear else text",
        "what reports is computed behind a choice, whose value it takes",
        ("tests/generator/ir/test_emission.py",),
    ),
)
