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
Results = list[tuple[int, bool]]


def called(level: Level) -> Results:
    """What Python finds."""
    bound = level.bind({"crd": list(CRD), "N": N})
    return [(int(a), bool(b)) for a, b in (bound.f(p, (i, j)) for p, i, j in ARGUMENTS)]  # type: ignore[attr-defined]


def over_arrays(level: Level) -> Results:
    """What is found for all arguments at once."""
    p, i, j = (np.array(each) for each in zip(*ARGUMENTS, strict=True))
    a, b = in_lanes(level.bind({"crd": np.array(CRD), "N": N}), "f", len(ARGUMENTS), p, (i, j))
    return list(zip(a.tolist(), b.tolist(), strict=True))


def functions_of(level: Level, name: str, shared: dict[str, ir.Function]) -> ir.Function:
    """A C function that calls that of a level, which is added to those that are shared."""
    out = Writer(functions=shared)
    out.taken |= {"crd", "N", "p", "i", "j", "first", "second"}
    bound = Bound(level, {"crd": ir.Name("crd"), "N": ir.Name("N", True)}, {"crd": "int32_t"})
    first, second = bound.call("f", (ir.Name("p"), (ir.Name("i"), ir.Name("j"))), out)
    for (_, place), found in zip(OUTS, (first, second), strict=True):
        out.add(ir.Assign(ir.Unary("*", ir.Name(place)), found))
    numbers = tuple(("int64_t", each) for each in ("N", "p", "i", "j"))
    return ir.Function("void", name, (("const int32_t *", "crd"), *numbers, *OUTS), simplify(out.code))


def compiled(levels: list[Level], folder: Path) -> list[Results]:
    """What C finds for each of some levels."""
    texts = []
    for n, level in enumerate(levels):
        shared: dict[str, ir.Function] = {}
        own = functions_of(level, f"f{n}", shared)
        helpers = [replace(f, type=f"static inline {f.type}", body=simplify(f.body)) for f in shared.values()]
        text = emission.text([*helpers, own])
        for helper in shared:
            text = text.replace(f"{helper}(", f"{helper}_{n}(")
        texts.append(text)
    source = folder / "functions.c"
    source.write_text('#include "gnomon.h"\n\n' + "\n\n".join(texts))
    chosen_compiler().build(source, source.with_suffix(".so"), ("-std=c11", "-O0", "-w"))
    library, crd = ctypes.CDLL(str(source.with_suffix(".so"))), (ctypes.c_int32 * len(CRD))(*CRD)
    first, second = ctypes.c_int64(), ctypes.c_bool()
    found: list[Results] = []
    for n in range(len(levels)):
        function = getattr(library, f"f{n}")
        function.argtypes = [ctypes.c_void_p, *[ctypes.c_int64] * 4, ctypes.c_void_p, ctypes.c_void_p]
        found.append([])
        for p, i, j in ARGUMENTS:
            function(crd, N, p, i, j, ctypes.byref(first), ctypes.byref(second))
            found[-1].append((first.value, second.value))
    return found


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
    for text, found, expected in zip(texts, compiled(levels, tmp_path), map(called, levels), strict=True):
        assert found == expected, text
