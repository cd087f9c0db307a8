"""Mutants of level functions: what they are refused for, since the level has no such thing, and what they are in C."""

from __future__ import annotations

from mutant import Mutant
from suites import TRANSLATED

RESTRICTED, PARSER = "reference/levels/restricted.py", "reference/levels/restricted_parser.py"
IN_C, IN_C_TESTS = "generator/storage/level_functions.py", ("tests/generator/storage/test_level_functions.py",)
TESTS = ("tests/reference/levels/test_restricted.py",)
FOLDER = "reference/levels/"


MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "level_functions.1",
        RESTRICTED,
        "if name not in self.arrays:",
        "if False:",
        "a level function reads an array that its level does not have",
        TESTS,
    ),
    Mutant(
        "level_functions.2",
        RESTRICTED,
        "if name in self.arrays or name not in {f.name for f in fields(self.kind)}:",
        "if False:",
        "a level function reads a number that its level does not have",
        TESTS,
    ),
    Mutant(
        "level_functions.3",
        RESTRICTED,
        "if name not in self.kind.roles():",
        "if False:",
        "a level function gives what its level does not store",
        TESTS,
    ),
    Mutant(
        "level_functions.4",
        RESTRICTED,
        "if not callable(getattr(self.kind, name, None)):",
        "if False:",
        "a level function calls what its level does not have",
        TESTS,
    ),
    Mutant(
        "level_functions.5",
        "reference/levels/restricted_kinds.py",
        "    if signature is not None:\n        types = [each",
        "    if signature is not None and False:\n        types = [each",
        "a path whose coordinates are not taken is computed with",
        ("tests/reference/levels/test_restricted_kinds.py",),
    ),
    Mutant(
        "level_functions.6",
        RESTRICTED,
        'if not arguments.args or arguments.args[0].arg != "self" or arguments.posonlyargs:',
        "if not arguments.args:",
        "the first parameter of a level function is forgotten, whatever it is called",
        TESTS,
    ),
    Mutant(
        "level_functions.7",
        RESTRICTED,
        "if not isinstance(found.e if isinstance(found, Negative) else found, Constant):",
        "if False:",
        "coordinates of a path are taken by what is computed",
        TESTS,
    ),
    Mutant(
        "level_functions.8",
        PARSER,
        "if name == loop.variable or name in read:",
        "if name == loop.variable:",
        "the end of a loop is another one in C than in Python, since its body assigns to what that is computed from",
        TESTS,
    ),
    Mutant(
        "level_functions.9",
        PARSER,
        "if name == loop.variable or name in read:",
        "if name in read:",
        "the counter of a loop is assigned to, which means something else in C than in Python",
        TESTS,
    ),
    Mutant(
        "level_functions.10",
        PARSER,
        "if not isinstance(call, Call) or len(names) == 1:",
        "if not isinstance(call, Call):",
        "one variable with a comma is assigned the only result of a function",
        TESTS,
    ),
    Mutant(
        "level_functions.11",
        IN_C,
        "if all(known.get(each.name, each) == each for each in made.helpers):",
        "if True:",
        "a function calls one of another type that has the name of its own",
        IN_C_TESTS,
    ),
    Mutant(
        "level_functions.12",
        IN_C,
        "out.functions |= {each.name: each for each in made.helpers}",
        "pass",
        "functions that others call are not there",
        IN_C_TESTS,
    ),
    Mutant(
        "level_functions.13",
        IN_C,
        "(name, e if isinstance(e, Int) else Name(name))",
        "(name, Name(name))",
        "what storage is known to be is not",
        IN_C_TESTS,
    ),
    Mutant(
        "level_functions.14",
        "generator/assembly/widening.py",
        'routine.fail(out, logic.compare("!=", widened, ir.OK), widened.name)',
        "out.add(ir.Assign(ir.STATUS, widened))\n    routine.check(out)",
        "what has been reported is forgotten where a table is widened",
        ("tests/generator/assembly/test_widening.py",),
    ),
    Mutant(
        "level_functions.15",
        "generator/threads/region.py",
        "        if fails:\n            frame.routine.check(out)\n        out.add(",
        "        out.add(",
        "what has been reported is forgotten where a team begins",
        ("tests/generator/threads/test_region.py",),
    ),
    Mutant(
        "level.54",
        f"{FOLDER}restricted_parser.py",
        "case ast.Name(id=name) if name in self.variables:",
        "case ast.Name(id=name):",
        "a level function may name what is no variable of it",
        TESTS,
    ),
    Mutant(
        "level.55",
        f"{FOLDER}restricted_parser.py",
        "OPERATORS[type(op)], self.expression(left), self.expression(right)",
        "OPERATORS[type(op)], self.expression(right), self.expression(left)",
        "the operands of a level function's arithmetic are exchanged",
        ("tests/reference/levels/test_lanes.py", "tests/generator/storage/test_level_functions.py"),
    ),
    Mutant(
        "level.58",
        f"{FOLDER}restricted_parser.py",
        "except (OSError, TypeError, SyntaxError, TokenError):",
        "except (OSError, TypeError):",
        "a level function whose file holds something else ends in an error of Python's",
        TESTS,
    ),
    Mutant(
        "generator.41",
        "reference/levels/restricted_parser.py",
        "begin, end = [Constant(0)] * (2 - len(args))",
        "begin, end = [Constant(1)] * (2 - len(args))",
        "a loop of a level function that counts from 0 counts from 1",
        TRANSLATED,
    ),
)
