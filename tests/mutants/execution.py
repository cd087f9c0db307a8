"""Mutants of the interpreter: visits, numbers, windows at run time, and the arithmetic of values."""

from __future__ import annotations

from mutant import Mutant

NUMBERS = "reference/execution/numbers.py"
INTERPRETER = "reference/execution/interpreter.py"
ITERATION = "reference/execution/iteration.py"
VISITS = "reference/execution/visits.py"
CONTRIBUTIONS = "reference/execution/contributions.py"
ARITHMETIC = "reference/execution/arithmetic.py"

STORED = ("tests/reference/execution/test_numbers.py",)
PACKED = ("tests/reference/statement/test_assemblable.py",)
CONVERTED = ("tests/reference/statement/test_converting.py",)
FUSED = ("tests/generator/loops/test_fused.py",)
CONVERT = ("tests/reference/schedule/test_convert.py",)
VALUED = ("tests/reference/execution/test_arithmetic.py",)
SCHEDULED = ("tests/reference/execution/test_iteration.py", "tests/reference/execution/test_interpreter.py")
FIXED = (
    "tests/reference/schedule/test_split.py",
    "tests/reference/schedule/test_collapse.py",
    "tests/reference/schedule/test_position.py",
    "tests/reference/schedule/test_bound.py",
)
LOOPS = (
    "tests/reference/loops/test_strategy.py",
    "tests/reference/loops/test_iteration_space.py",
    "tests/reference/levels/test_iterators.py",
    "tests/reference/execution/test_interpreter.py",
)
SCHEDULES = ("tests/reference/execution/test_iteration.py", *FIXED)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "provenance.26",
        NUMBERS,
        "        return first <= begin < last\n",
        "        return first <= begin\n",
        "a walk goes on behind its tile of positions",
        STORED,
    ),
    Mutant(
        "provenance.27",
        NUMBERS,
        "return max(first, begin) < min(last, end)",
        "return first <= begin and end <= last",
        "a row that lies in two tiles of positions is in neither",
        STORED,
    ),
    Mutant(
        "provenance.43",
        NUMBERS,
        "return (p[0], p[-1] + 1) if isinstance(p, tuple) else (p, p + 1)",
        "return (p[0], p[0] + 1) if isinstance(p, tuple) else (p, p + 1)",
        "of duplicates only the first has positions below it",
        STORED,
    ),
    Mutant(
        "provenance.44",
        NUMBERS,
        "if relation.access.tensor in state.workspaces:",
        "if False:",
        "the positions of a workspace are those of what it held first",
        STORED,
    ),
    Mutant(
        "provenance.45",
        NUMBERS,
        "return [q - begin for q, _ in rows], [c for _, c in rows]",
        "return [q for q, _ in rows], [c for _, c in rows]",
        "positions count from the start of the storage, not of the segment",
        STORED,
    ),
    Mutant(
        "provenance.46",
        NUMBERS,
        "(*path, c), (*found, c))]",
        "(*path, c), (c, *found))]",
        "the coordinates that are found at a position come innermost first",
        STORED,
    ),
    Mutant(
        "provenance.47",
        NUMBERS,
        "return p[0] if isinstance(p, tuple) else p",
        "return p[-1] if isinstance(p, tuple) else p",
        "duplicates stand at the last of their positions",
        STORED,
    ),
    Mutant(
        "provenance.53",
        NUMBERS,
        "        if end <= begin:\n            return 0, 0\n",
        "",
        "the positions below none are looked up",
        STORED,
    ),
    Mutant(
        "provenance.54",
        NUMBERS,
        "begin, end = level.pos_bounds(begin)[0], level.pos_bounds(end - 1)[1]",
        "begin, end = level.pos_bounds(begin)",
        "only the first of several consecutive parents has children",
        STORED,
    ),
    Mutant(
        "provenance.42",
        INTERPRETER,
        "if not is_as_said(bound, (0, size)):",
        "if False:",
        "what a schedule has said of a range is not checked when the loop runs",
        FIXED,
    ),
    Mutant(
        "lowering.64",
        "reference/execution/interpreter.py",
        "result if program.packed is None else result.convert",
        "result if True else result.convert",
        "a result stays in coordinates",
        PACKED,
    ),
    Mutant(
        "converting.26",
        INTERPRETER,
        "for name, tensor in arguments.items():",
        "for name, tensor in operands.items():",
        "the interpreter reads operands as they are given",
        CONVERTED,
    ),
    Mutant(
        "lattice.71",
        INTERPRETER,
        "present = met.union([p.active.access for p in loop.located if locate(p, c, self)])",
        "present = met.union([p.active.access for p in loop.located if locate(p, c, self)][-1:])",
        "of located operands only the last counts as present",
        LOOPS,
    ),
    Mutant(
        "provenance.48",
        ITERATION,
        "if any(number(guard.left, state) != number(guard.right, state) for guard in loop.guards):",
        "if False:",
        "a completed variable is admitted in every tile, not only its own",
        SCHEDULES,
    ),
    Mutant(
        "lattice.61",
        ITERATION,
        "least = min(head.key for head in heads)",
        "least = max(head.key for head in heads)",
        "a merge visits the greatest of the coordinates at its iterators",
        LOOPS,
    ),
    Mutant(
        "lattice.64",
        ITERATION,
        "            met.append(head.placement.active.access)\n            head.advance()",
        "            head.advance()",
        "an operand that an iterator meets counts as missing",
        LOOPS,
    ),
    Mutant(
        "lattice.65",
        ITERATION,
        "if present is None or active.last < len(active.access.levels) or present[standing.positions[-1]]:",
        "if True:",
        "a workspace holds a component at every position that it has",
        ("tests/reference/schedule/test_precompute.py", "tests/reference/levels/test_iterators.py"),
    ),
    Mutant(
        "lattice.66",
        ITERATION,
        "return ((c, p) for c, p in pairs_ if not isinstance(p, int) or present[p])",
        "return ((c, p) for c, p in pairs_ if p is not None)",
        "an iterated workspace yields the positions at which nothing was stored",
        ("tests/reference/schedule/test_precompute.py", "tests/reference/levels/test_iterators.py"),
    ),
    Mutant(
        "lattice.67",
        ITERATION,
        "pairs_ = window(pairs_, begin + shift, end + shift, shift, bool(active.level.ordered))",
        "pairs_ = window(pairs_, begin, end, shift, bool(active.level.ordered))",
        "the window of a block is that of the first block",
        LOOPS,
    ),
    Mutant(
        "lattice.68",
        ITERATION,
        "unique=active.access not in loop.inside.fused,",
        "unique=True,",
        "a fused loop gathers duplicates all the same",
        LOOPS,
    ),
    Mutant(
        "lattice.70",
        ITERATION,
        "path = (*path, number(coordinate, state))",
        "path = (*path, c)",
        "a level that waited for a loop is looked up by the loop's coordinate, not its own",
        SCHEDULED,
    ),
    Mutant(
        "lattice.85",
        ITERATION,
        "if head.position is not None and head.key == key:",
        "if head.position is not None and head.key[0] == key[0]:",
        "tuples meet where their first coordinates do",
        FUSED,
    ),
    Mutant(
        "converting.54",
        VISITS,
        '("precompute", "loopfuse", "hoist", "convert")',
        '("precompute", "loopfuse", "hoist")',
        "positions of what is converted are to be those of the operand",
        CONVERT,
    ),
    Mutant(
        "converting.55",
        CONTRIBUTIONS,
        "self.weights[name, p] = sum(own.position(operand, q) for q in places) % PRIME",
        "pass",
        "what is converted weighs as if it were an operand of its own",
        CONVERT,
    ),
    Mutant(
        "assembly.46",
        ARITHMETIC,
        "    if count > sum(len(values) for _, values in parts):",
        "    if any(len(values) < count for _, values in parts):",
        "tensors of different fills are equal only where both store everything",
        VALUED,
    ),
    Mutant(
        "assembly.49",
        ARITHMETIC,
        "if not count or same_value(*fills):",
        "if not count or one.fill == other.fill:",
        "fills that are both NaN differ",
        VALUED,
    ),
    Mutant(
        "assembly.50",
        ARITHMETIC,
        "    except DtypeError:\n        return holds_integers(one, np.asarray(given, object))",
        "    except DtypeError:\n        return False",
        "integers that no dtype holds equal no floats",
        VALUED,
    ),
    Mutant(
        "assembly.47",
        ARITHMETIC,
        "inside &= (rest == 0) & (place >= 0) & (place < len(ran))",
        "inside &= (rest == 0) & (place < len(ran))",
        "a slice reaches below its beginning",
        VALUED,
    ),
    Mutant(
        "assembly.52",
        ARITHMETIC,
        "if type(value) is not complex:",
        "if True:",
        "complex numbers widen the dtype beside them",
        VALUED,
    ),
    Mutant(
        "assembly.54",
        ARITHMETIC,
        "(tensor.format for tensor in tensors if tensor.shape == shape)",
        "(tensor.format for tensor in tensors)",
        "what a tensor of order 0 joins is stored as that is",
        VALUED,
    ),
)
