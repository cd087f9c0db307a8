"""The text of a level function is one definition: where Python calls it, over arrays, and in C."""

import ctypes
from pathlib import Path

import numpy as np
from gnomon.generator.ir import emission, ir
from gnomon.generator.ir.simplify import simplify
from gnomon.generator.ir.writer import Writer
from gnomon.generator.runtime.request import chosen_compiler
from gnomon.generator.storage.level_functions import Bound
from gnomon.properties.strategies.level_functions import level_functions, level_of
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


@settings(suppress_health_check=list(HealthCheck))
@given(level_functions())
def test_functions_do_over_arrays_what_python_does(text: str) -> None:
    level = level_of(text)
    assert over_arrays(level) == called(level)


def test_functions_do_in_c_what_python_does(tmp_path: Path) -> None:
    texts: list[str] = []

    @settings(suppress_health_check=list(HealthCheck), max_examples=60, phases=(Phase.generate,))
    @given(level_functions())
    def collect(text: str) -> None:
        texts.append(text)

    collect()
    levels = [level_of(text) for text in texts]
    compiled = Compiled(levels, tmp_path)
    for n, (text, level) in enumerate(zip(texts, levels, strict=True)):
        assert [compiled.call(f"f{n}", *each)[0] for each in ARGUMENTS] == called(level), text
        assert [compiled.call(f"put{n}", *each)[1] for each in ARGUMENTS] == stored(level), text
