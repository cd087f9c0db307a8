"""Mutants of what kernels leave and of kernels that are kept: who owns arrays, and what tells kernels apart."""

from __future__ import annotations

from mutant import Mutant

EVALUATION = "generator/runtime/evaluation.py"
EVALUATED = ("tests/generator/runtime/test_evaluation.py",)
LEFT, LOOKED = "generator/runtime/left.py", ("tests/generator/runtime/test_left.py",)

MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "left.1",
        LEFT,
        "if self.arrays is None and not sys.is_finalizing():",
        "if False:",
        "what nobody has looked at is never freed",
        ("tests/generator/runtime/test_kernel.py::test_no_memory_is_lost",),
    ),
    Mutant(
        "left.2",
        LEFT,
        '        self.__getattr__("vals")\n',
        "",
        "copies of what nobody has looked at have no arrays",
        LOOKED,
    ),
    Mutant(
        "left.3",
        LEFT,
        'self.__dict__.pop("left", None)',
        "pass",
        "a tensor that has been looked at goes nowhere",
        LOOKED,
    ),
    Mutant(
        "left.4",
        LEFT,
        "if self.arrays is None and not sys.is_finalizing():",
        "if self.arrays is None:",
        "what nobody has looked at is freed when the process has ended already",
        LOOKED,
    ),
    Mutant(
        "evaluation.1",
        EVALUATION,
        "return text.source, operators, text.ring,",
        "return text.source, (), text.ring,",
        "a function of a user is taken for another of its name",
        EVALUATED,
    ),
    Mutant(
        "evaluation.2",
        EVALUATION,
        "map(os.environ.get, SURROUNDINGS)",
        "SURROUNDINGS",
        "a kernel is built by a compiler that is not asked for any more",
        EVALUATED,
    ),
    Mutant(
        "evaluation.3",
        EVALUATION,
        "layout.format.name, identity(t.fill))",
        "layout.format.name)",
        "fills that differ in sign alone are mistaken",
        EVALUATED,
    ),
    Mutant(
        "evaluation.4",
        EVALUATION,
        "(name, value, repr(value)) for name",
        "(name, repr(value)) for name",
        "semirings are told by their names",
        EVALUATED,
    ),
    Mutant(
        "evaluation.5",
        EVALUATION,
        "while len(self.made) > MOST:",
        "while False:",
        "every kernel is kept",
        EVALUATED,
    ),
    Mutant(
        "evaluation.6",
        EVALUATION,
        "                self.made.move_to_end(key)",
        "                pass",
        "what was asked for first is forgotten first",
        EVALUATED,
    ),
    Mutant(
        "evaluation.7",
        EVALUATION,
        "found.append((name, value.dtype, value.shape))",
        "found.append((name, None, value.shape))",
        "a kernel that was seen serves arrays of another dtype",
        EVALUATED,
    ),
    Mutant(
        "evaluation.8",
        EVALUATION,
        "if type(value) is np.ndarray and value.ndim:",
        "if isinstance(value, np.ndarray) and value.ndim:",
        "what is masked is an array",
        EVALUATED,
    ),
)
