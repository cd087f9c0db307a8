"""Mutants of results that threads of a GPU insert into."""

from __future__ import annotations

from mutant import Mutant

CLAIMS, INSERTION, HASHED = "generator/cuda/claims.py", "generator/cuda/insertion.py", "reference/levels/hashed.py"
TESTS = ("tests/generator/cuda/test_insertion.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "insertion.1",
        CLAIMS,
        'taken.add(ir.Atomic(Assign(count, ir.ONE, "+="), "add", "int64"))',
        'taken.add(Assign(count, ir.ONE, "+="))',
        "children are counted side by side without atomic updates",
        TESTS,
    ),
    Mutant(
        "insertion.2",
        CLAIMS,
        'missed.add(If(is_full, (self.say(k), Jump("break"))), Assign(q, again), Assign(found, present))',
        'missed.add(If(is_full, (Jump("break"),)), Assign(q, again), Assign(found, present))',
        "nobody says that a segment is full",
        TESTS,
    ),
    Mutant(
        "insertion.3",
        CLAIMS,
        "out.add(*logic.conditional(found, deeper.code))",
        "out.add(*deeper.code)",
        "coordinates are inserted below one that has no place",
        TESTS,
    ),
    Mutant(
        "insertion.4",
        CLAIMS,
        'found = ir.Call(f"gn_atomic_load_{kind.removesuffix(\'_t\')}", (Unary("&", Element(held, index)),))',
        "found = Element(held, index)",
        "buckets are read while others store in them",
        TESTS,
    ),
    Mutant(
        "insertion.5",
        CLAIMS,
        "out.add(*set_flag(self, k, position, path[k], out))",
        "out.add()",
        "flags around and below tables are not set",
        TESTS,
    ),
    Mutant(
        "insertion.6",
        CLAIMS,
        "        taken.add(*logic.conditional(crowds, (self.say(k),)))\n",
        "",
        "tables are filled to the brim before they are widened",
        TESTS,
    ),
    Mutant(
        "insertion.7",
        INSERTION,
        "            out.add(*(Assign(name, ir.TRUE) for name in again), ir.While(logic.either(*again), inner.code))",
        "            out.add(*inner.code)",
        "a kernel that has found no room is not launched again",
        TESTS,
    ),
    Mutant(
        "insertion.8",
        INSERTION,
        "        return False\n    return any(isinstance",
        "        pass\n    return any(isinstance",
        "threads insert below what is appended",
        TESTS,
    ),
    Mutant(
        "insertion.9",
        HASHED,
        "while self.crd[q] != -1 and self.crd[q] != i[-1] and q != end:",
        "while self.crd[q] != i[-1] and self.crd[q] != -1 and q != end:",
        "a coordinate that is inserted while it is looked for is passed by",
        TESTS,
    ),
    Mutant(
        "insertion.10",
        "generator/cuda/residence.py",
        "there = array.operand or written or not array.stored",
        "there = array.operand or written",
        "kernels read structures that nobody has copied",
        TESTS,
    ),
    Mutant(
        "insertion.11",
        "generator/cuda/residence.py",
        'stored = {a.name: not types[a.name].startswith("const ") for a in own}',
        "stored = {a.name: a.stored for a in own}",
        "what a kernel has only read is copied back",
        TESTS,
    ),
    Mutant(
        "insertion.12",
        "generator/cuda/residence.py",
        'case Unary(operator="&", operand=Name(name=name)):\n                    found.add(name)',
        'case Unary(operator="&", operand=Name(name=name)):\n                    pass',
        "arrays on the device stay as long as they were before the host widened them",
        TESTS,
    ),
    Mutant(
        "insertion.13",
        INSERTION,
        "    return any(isinstance(level, Widen) for level in levels) or not all(level.full for level in levels[:-1])",
        "    return any(isinstance(level, Widen) for level in levels)",
        "threads set the flags of rows that they share side by side",
        TESTS,
    ),
    Mutant(
        "insertion.14",
        "generator/statements/storing.py",
        "            out.add(*unless_empty(cell.value, s, self.frame, stored.code))",
        "            out.add(*stored.code)",
        "an iteration that has selected nothing takes the place of what another has",
        ("tests/generator/statements/test_accumulation.py",),
    ),
    Mutant(
        "insertion.15",
        "generator/statements/single.py",
        "return meeting_targets(program).union(name for name in formats if shares_places(formats[name].levels))",
        "return meeting_targets(program)",
        "tables that are workspaces begin with rubbish",
        TESTS,
    ),
    Mutant(
        "insertion.16",
        "generator/statements/single.py",
        "own = {*env.target.cells, *workspaces_inside(node.statement, inside=True)}",
        "own = {*env.target.cells}",
        "tables that one thread fills again and again keep what was in them",
        TESTS,
    ),
)
