"""Mutants of what iterations on devices keep to themselves of whole results."""

from __future__ import annotations

from mutant import Mutant

TEMPORARIES, UNIT = "generator/cuda/temporaries.py", "generator/cuda/unit.py"
TESTS = ("tests/generator/cuda/test_temporaries.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "temporaries.1",
        TEMPORARIES,
        "out.add(*(() if group is None else (barrier(group),)))\n\n\ndef end(",
        "out.add()\n\n\ndef end(",
        "iterations begin before what their group keeps is set",
        TESTS,
    ),
    Mutant(
        "temporaries.2",
        TEMPORARIES,
        "    out.add(*(() if group is None else (barrier(group),)))\n    out.add(*for_each(own, group, out, combine))",
        "    out.add(*for_each(own, group, out, combine))",
        "what a group keeps is combined before all have stored it",
        TESTS,
    ),
    Mutant(
        "temporaries.3",
        TEMPORARIES,
        "tuple(atomically(s, operator, dtype) for s in combine_partial(place, value, leaf, frame))",
        "combine_partial(place, value, leaf, frame)",
        "groups combine what they keep side by side without atomic updates",
        TESTS,
    ),
    Mutant(
        "temporaries.4",
        TEMPORARIES,
        "first = start(leaf, own.frame)",
        'first = ir.Spelled("0.0")',
        "what groups keep begins with 0, whatever combines it",
        TESTS,
    ),
    Mutant(
        "temporaries.5",
        UNIT,
        "return self.emitter.outputs[name].held.is_plain",
        "return True",
        "flags of a result are forgotten where iterations keep its values",
        TESTS,
    ),
    Mutant(
        "temporaries.7",
        "generator/cuda/spread.py",
        "out.add(*((barrier(self.group),) if self.owned.temporaries else ()))",
        "out.add()",
        "a group goes on before its threads have combined what they keep",
        TESTS,
    ),
)
