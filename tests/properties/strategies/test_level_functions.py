"""The text of a level function is one definition: where Python calls it, over arrays, and in C."""

import ctypes
from pathlib import Path

import numpy as np
from gnomon.generator.ir import emission, ir
from gnomon.generator.ir.simplify import simplify
from gnomon.generator.ir.writer import Writer
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.storage.level_functions import Bound
from gnomon.properties.strategies.level_functions import HEAD, level_functions, level_of
from gnomon.reference.levels.lanes import in_lanes
from gnomon.reference.levels.level import Level
from hypothesis import HealthCheck, Phase, given, settings
from msgspec.structs import replace

CRD, N, STEP = (3, -1, 4, 1, -5), 6, 3
ARGUMENTS = [(p, i, j) for p in (-7, -1, 0, 1, 2, 5, 999) for i, j in ((0, 0), (3, 1), (-2, 8))]
OUTS = (("int64_t *", "first"), ("bool *", "second"))
GIVEN = ("N", "p", "i", "j")
Results = list[tuple[int, bool]]
Stored = list[list[int]]


def called(level: Level) -> Results:
    """What Python finds."""
    bound = level.bind({"crd": list(CRD), "N": N})
    return [(int(a), bool(b)) for a, b in (bound.f(p, (i, j)) for p, i, j in ARGUMENTS)]  # type: ignore[attr-defined]


def stored(level: Level) -> Stored:
    """What Python leaves in the array."""
    every = [level.bind({"crd": list(CRD), "N": N}) for _ in ARGUMENTS]
    for bound, (p, i, j) in zip(every, ARGUMENTS, strict=True):
        bound.put(p, (i, j))  # type: ignore[attr-defined]
    return [bound.crd for bound in every]  # type: ignore[attr-defined]


def over_arrays(level: Level) -> Results:
    """What is found for all arguments at once."""
    p, i, j = (np.array(each) for each in zip(*ARGUMENTS, strict=True))
    a, b = in_lanes(level.bind({"crd": np.array(CRD), "N": N}), "f", len(ARGUMENTS), p, (i, j))
    return list(zip(a.tolist(), b.tolist(), strict=True))


def caller(level: Level, function: str, name: str, shared: dict[str, ir.Function]) -> ir.Function:
    """A C function that calls one of a level, which is added to those that are shared."""
    out = Writer(functions=shared)
    out.taken |= {"crd", *GIVEN, *(place for _, place in OUTS)}
    bound = Bound(level, {"crd": ir.Name("crd"), "N": ir.Name("N", True)}, {"crd": "int32_t"})
    results = bound.call(function, (ir.Name("p"), (ir.Name("i"), ir.Name("j"))), out)
    for (_, place), found in zip(OUTS, results, strict=False):
        out.add(ir.Assign(ir.Unary("*", ir.Name(place)), found))
    numbers = tuple(("int64_t", each) for each in GIVEN)
    return ir.Function("void", name, (("int32_t *", "crd"), *numbers, *OUTS), simplify(out.code))


def text_of(level: Level, n: int) -> str:
    """The functions of a level in C, their names with a number."""
    shared: dict[str, ir.Function] = {}
    own = [caller(level, function, f"{function}{n}", shared) for function in ("f", "put")]
    helpers = [replace(f, type=f"static inline {f.type}", body=simplify(f.body)) for f in shared.values()]
    text = emission.text([*helpers, *own])
    for helper in shared:
        text = text.replace(f"{helper}(", f"{helper}_{n}(")
    return text


class Compiled:
    """The functions of some levels in C."""

    def __init__(self, levels: list[Level], folder: Path) -> None:
        source = folder / "functions.c"
        source.write_text('#include "gnomon.h"\n\n' + "\n\n".join(text_of(level, n) for n, level in enumerate(levels)))
        chosen_compiler().build(source, source.with_suffix(".so"), ("-std=c11", "-O0", "-w"))
        self.library = ctypes.CDLL(str(source.with_suffix(".so")))

    def call(self, name: str, p: int, i: int, j: int) -> tuple[tuple[int, bool], list[int]]:
        """The results of a function, and the array as it is then."""
        function, crd = getattr(self.library, name), (ctypes.c_int32 * len(CRD))(*CRD)
        function.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * len(GIVEN), *[ctypes.c_void_p] * len(OUTS)]
        first, second = ctypes.c_int64(), ctypes.c_bool()
        function(crd, N, p, i, j, ctypes.byref(first), ctypes.byref(second))
        return (first.value, second.value), list(crd)


@settings(suppress_health_check=list(HealthCheck), max_examples=60)
@given(level_functions())
def test_functions_do_over_arrays_what_python_does(text: str) -> None:
    level = level_of(text)
    assert over_arrays(level) == called(level)


def test_functions_do_in_c_what_python_does(tmp_path: Path) -> None:
    texts: list[str] = []

    @settings(suppress_health_check=list(HealthCheck), max_examples=40, phases=(Phase.generate,))
    @given(level_functions())
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    check_in_c(texts, tmp_path)


def check_in_c(texts: list[str], folder: Path) -> None:
    """Compare what functions do in C with what they do in Python."""
    levels = [level_of(text) for text in texts]
    compiled = Compiled(levels, folder)
    for n, (text, level) in enumerate(zip(texts, levels, strict=True)):
        assert [compiled.call(f"f{n}", *each)[0] for each in ARGUMENTS] == called(level), text
        assert [compiled.call(f"put{n}", *each)[1] for each in ARGUMENTS] == stored(level), text


FUNCTIONS = {
    "results may be negative": """
    def turned(self, p: int):
        if p > 3:
            return p - 9
        return -8

    def f(self, p: int, i: Coordinates):
        return self.turned(p) % 5, self.turned(p) // 2 > 0
""",
    "so may arguments": """
    def turned(self, p: int):
        return p % 5 + p // 3

    def f(self, p: int, i: Coordinates):
        return self.turned(-2), self.turned(i[0]) > 1
""",
    "loops may begin below 0": """
    def f(self, p: int, i: Coordinates):
        n = 0
        for k in range(-3, 4):
            n = n * 2 + k % 5 + self.crd[k % 5]
        return n, n > p
""",
    "parameters are variables": """
    def turned(self, p: int):
        while p > 3:
            p = p // 2
        return p

    def f(self, p: int, i: Coordinates):
        if i[-1] > 0:
            p = p + self.turned(i[-1])
        return p, p > 0
""",
    "variables differ where conditions are known": """
    def turned(self, p: int):
        if p > 3:
            return p - 3
        return p

    def chosen(self, p: int):
        if p > 3:
            return p > 7
        return p > 1

    def f(self, p: int, i: Coordinates):
        n = 0
        if p > 0:
            if self.wraps:
                n = self.turned(p)
            else:
                n = self.turned(i[0])
            if self.chosen(n):
                n = n + 1
        return n, self.chosen(p)
""",
}
PUT = {
    "": """
    def put(self, p: int, i: Coordinates):
        self.crd[0] = p % 7
""",
    "nothing is done behind a return": """
    def put(self, p: int, i: Coordinates):
        if p > 0:
            return
        self.crd[p % 5] = i[0]
""",
    "what a branch assigns is there behind it": """
    def put(self, p: int, i: Coordinates):
        if p > 0:
            p = p - 1
            n = i[0]
        else:
            n = i[-1]
        self.crd[p % 5] = n
""",
}


def test_what_c_might_take_for_something_else(tmp_path: Path) -> None:
    texts = [HEAD + f + put for f in FUNCTIONS.values() for put in PUT.values()]
    check_in_c(texts, tmp_path)
