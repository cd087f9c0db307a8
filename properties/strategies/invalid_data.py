"""Components that do not make a tensor of their shape, dtype and format, and storage that breaks an invariant."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from msgspec.structs import replace

from ...reference.errors import DtypeError, FormatError, MeaningError, StorageError
from ...reference.storage.packing import pack
from ...reference.storage.tensor import Tensor
from ..programs.features import Features
from .invalid_program import Given, Mistake, Operand, Written, plain_program, unpack, write_program

VARIABLES = "ijk"


def copy_program(operand: Operand, out: str = "Dense") -> Written:
    """A program that copies an operand."""
    indices = ",".join(VARIABLES[: len(operand.shape)])
    return Written(f"R({indices}) = A({indices})", {"A": operand}, out)


def change_operand(draw: st.DrawFn, features: Features, change: Callable[[Given], Given]) -> Written:
    """A valid program with one operand changed before it is packed, of order 1 or more: a scalar has no coordinates."""
    drawn = plain_program(draw, features)
    name = draw(st.sampled_from(sorted(name for name, o in drawn.operands.items() if o.shape)))
    return write_program(drawn, operands={**drawn.operands, name: change(unpack(drawn.operands[name]))})


def more(given: Given, coordinates: tuple[Any, ...]) -> Given:
    """One more component, of value 1."""
    rows = tuple((*row, c) for row, c in zip(given.coordinates, coordinates, strict=True))
    return replace(given, coordinates=rows, values=(*given.values, True if given.dtype == "bool" else 1))


def outside(draw: st.DrawFn, features: Features) -> Written:
    def change(given: Given) -> Given:
        mode = draw(st.integers(0, len(given.shape) - 1))
        beyond = given.shape[mode] + draw(st.integers(0, 2))
        return more(given, tuple(beyond if m == mode else 0 for m in range(len(given.shape))))

    return change_operand(draw, features, change)


def negative(draw: st.DrawFn, features: Features) -> Written:
    def change(given: Given) -> Given:
        mode = draw(st.integers(0, len(given.shape) - 1))
        return more(given, tuple(-draw(st.integers(1, 3)) if m == mode else 0 for m in range(len(given.shape))))

    return change_operand(draw, features, change)


def other_length(draw: st.DrawFn, features: Features) -> Written:
    def change(given: Given) -> Given:
        fewer = draw(st.integers(1, 2)) if len(given.values) < 3 else -draw(st.integers(1, 2))
        return replace(given, values=given.values[:fewer] if fewer < 0 else (*given.values, *(True,) * fewer))

    return change_operand(draw, features, change)


def fractional(draw: st.DrawFn, features: Features) -> Written:
    part = draw(st.sampled_from([0.5, 0.0, 0.25]))
    return change_operand(draw, features, lambda given: more(given, (part,) * len(given.shape)))


def ragged_rows(draw: st.DrawFn, features: Features) -> Written:
    def change(given: Given) -> Given:
        where = draw(st.sampled_from(["coordinates", "values"]))
        rows = [(0,) * n for n in draw(st.sampled_from([(2, 1), (1, 2, 2), (0, 3)]))]
        return replace(given, **{where: tuple(rows)})

    return change_operand(draw, features, change)


def matrix_of_values(draw: st.DrawFn, features: Features) -> Written:
    return change_operand(draw, features, lambda given: replace(given, values=(given.values, given.values)))


def impossible_shape(draw: st.DrawFn, features: Features) -> Written:
    extent = draw(st.sampled_from([-1, -5, 2.5, "3", None]))
    return change_operand(draw, features, lambda given: replace(given, shape=(*given.shape[:-1], extent)))


def too_large(draw: st.DrawFn, features: Features) -> Written:
    extents = draw(st.sampled_from([(2**15, 2**14), (2**20, 2**20), (1, 2**29)]))
    return copy_program(Given(((0,), (0,)), (1.0,), extents, draw(st.sampled_from(["RowMajor", "ColumnMajor"]))), "COO")


def large_result(draw: st.DrawFn, features: Features) -> Written:
    extent = draw(st.integers(10_001, 10**6))
    vector = Given(((0,),), (1.0,), (extent,), "SparseVector")
    return Written("R(i,j) = A(i) * B(j)", {"A": vector, "B": vector}, draw(st.sampled_from(["Dense", "ColumnMajor"])))


def no_room(draw: st.DrawFn, features: Features) -> Written:
    row, columns = draw(st.integers(0, 2)), draw(st.permutations(range(3)))
    if draw(st.booleans()):
        return copy_program(Given(((row, row), tuple(columns[:2])), (1.0, 2.0), (3, 3), "dense,singleton(padded)"))
    return copy_program(Given(((0, 0), (row, row), tuple(columns[:2])), (1.0, 2.0), (2, 3, 3), "ELL3"))


def above_diagonal(draw: st.DrawFn, features: Features) -> Written:
    extent = draw(st.integers(2, 6))
    row = draw(st.integers(0, extent - 2))
    column = draw(st.integers(row + 1, extent - 1))
    return copy_program(Given(((0, row), (0, column)), (1.0, 2.0), (extent, extent), "Skyline"))


def below_last_diagonal(draw: st.DrawFn, features: Features) -> Written:
    columns, rows = draw(st.integers(1, 4)), draw(st.integers(5, 6))
    row, column = draw(st.integers(columns, rows - 1)), draw(st.integers(0, columns - 1))
    return copy_program(Given(((row,), (column,)), (1.0,), (rows, columns), "Skyline"))


def off_diagonal(draw: st.DrawFn, features: Features) -> Written:
    diagonals = draw(st.integers(1, 3))
    n, row, offset = draw(st.integers(0, diagonals - 1)), draw(st.integers(0, 1)), draw(st.sampled_from([-1, 1, 2]))
    return copy_program(Given(((n, n), (row, 2), (row, 2 - offset)), (1.0, 2.0), (diagonals, 3, 4), "DIA3"))


def no_offsets(draw: st.DrawFn, features: Features) -> Written:
    format = draw(st.sampled_from(["dense,range", "compressed,range", "dense,range,dense"]))
    order = format.count(",") + 1
    return copy_program(Given(((0,),) * order, (1.0,), (2,) * order, format))


def wide_value(draw: st.DrawFn, features: Features) -> Written:
    name = draw(st.sampled_from(["int8", "int16", "int32", "uint8", "uint16", "uint32", "int64", "uint64"]))
    info = np.iinfo(name)
    return copy_program(vector(draw, name, draw(st.sampled_from([int(info.max) + 1, int(info.min) - 1]))))


def vector(draw: st.DrawFn, dtype: str, *values: Any) -> Given:
    """A vector that holds values."""
    places = tuple(range(len(values)))
    format = draw(st.sampled_from(["Dense", "SparseVector", "HashVector"]))
    return Given((places,), values, (len(values),), format, dtype)


def value_of_other_kind(draw: st.DrawFn, features: Features) -> Written:
    name, value = draw(st.sampled_from([("int32", 0.5), ("uint8", 1.0), ("bool", 2), ("float64", 1j), ("bool", 0.5)]))
    return copy_program(vector(draw, name, value))


def unknown_dtype(draw: st.DrawFn, features: Features) -> Written:
    name = draw(st.sampled_from(["float16", "object", "str", "longdouble", "number", "f64", "datetime64", ">f8"]))
    return change_operand(draw, features, lambda given: replace(given, dtype=name))


def wide_fill(draw: st.DrawFn, features: Features) -> Written:
    name, fill = draw(
        st.sampled_from(
            [("int8", 128), ("uint8", -1), ("int32", 0.5), ("bool", 2), ("float64", 1j), ("int64", float("nan"))]
        )
    )
    return copy_program(replace(vector(draw, name, True), fill=fill))


def duplicates_overflow(draw: st.DrawFn, features: Features) -> Written:
    name = draw(st.sampled_from(["int8", "uint8", "int16", "int64", "uint64"]))
    most = int(np.iinfo(name).max)
    format = draw(st.sampled_from(["Dense", "SparseVector", "HashVector", "bitmap"]))
    return copy_program(Given(((1, 1),), (most, draw(st.integers(1, most))), (2,), format, name))


def compressed_vector(draw: st.DrawFn) -> Tensor:
    """A compressed vector with two components or more, and room for one."""
    extent = draw(st.integers(3, 8))
    crd = sorted(draw(st.lists(st.integers(0, extent - 1), min_size=2, max_size=extent - 1, unique=True)))
    return pack([crd], [1.0] * len(crd), (extent,), "compressed")


def corrupt_arrays(sound: Tensor, **arrays: Any) -> Written:
    """A program that copies a compressed vector, with some of its arrays replaced."""
    vals = np.array(arrays.pop("vals", sound.vals))
    level = {**sound.levels[0], **{name: np.array(a, np.int32) for name, a in arrays.items()}}
    return copy_program(dataclasses.replace(sound, vals=vals, levels=(level,)))


def coordinates(sound: Tensor) -> list[int]:
    """The coordinates of a compressed vector."""
    return list(sound.storage(0)["crd"].tolist())


def wrong_count(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    return corrupt_arrays(sound, vals=[1.0] * draw(st.integers(0, 9).filter(lambda n: n != len(sound.vals))))


def stored_outside(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    crd = coordinates(sound)
    if draw(st.booleans()):
        return corrupt_arrays(sound, crd=[-draw(st.integers(1, 3)), *crd[1:]])
    return corrupt_arrays(sound, crd=[*crd[:-1], draw(st.sampled_from([*sound.shape, 2**31 - 1]))])


def unsorted_coordinates(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    crd = coordinates(sound)
    return corrupt_arrays(sound, crd=draw(st.permutations(crd).filter(lambda found: found != crd)))


def stored_twice(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    crd = coordinates(sound)
    n = draw(st.integers(0, len(crd) - 2))
    return corrupt_arrays(sound, crd=[*crd[: n + 1], crd[n], *crd[n + 2 :]])


def wrong_segments(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    count = len(sound.vals)
    more = draw(st.integers(1, 3))
    wrong = ([0, count + more], [more, count], [count, 0], [-more, count], [0, -more], [0, 0])
    return corrupt_arrays(sound, pos=draw(st.sampled_from(wrong)))


def number_of_segments(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    count = len(sound.vals)
    return corrupt_arrays(sound, pos=draw(st.sampled_from([[0, count, count], [0, 0, count], [0], [count], []])))


def missing_array(draw: st.DrawFn, features: Features) -> Written:
    sound = compressed_vector(draw)
    dropped = draw(st.sampled_from(["pos", "crd"]))
    kept = {n: a for n, a in sound.levels[0].items() if n != dropped}
    return copy_program(dataclasses.replace(sound, levels=(kept,)))


DATA = {
    "a coordinate outside the shape": Mistake(
        StorageError, r"has coordinates \((\d+, )*\d+,?\), outside the shape", outside
    ),
    "a negative coordinate": Mistake(StorageError, r"has coordinates \(.*-\d+.*\), outside the shape", negative),
    "values of another number than the coordinates": Mistake(
        StorageError, r"coordinates of shape .* do not fit \d+ values of order \d", other_length
    ),
    "coordinates that are no integers": Mistake(
        StorageError, "coordinates have dtype float64, not integers", fractional
    ),
    "rows of different lengths": Mistake(StorageError, "the (coordinates|values) .* are ragged", ragged_rows),
    "values that are no vector": Mistake(StorageError, "values of shape .* are not a vector", matrix_of_values),
    "a shape that is no tuple of sizes": Mistake(
        StorageError, "shape .* (has a negative extent|is not a tuple of integers)", impossible_shape
    ),
    "an operand too large to store": Mistake(
        StorageError, r"(RowMajor|ColumnMajor) would need \d+ positions", too_large
    ),
    "a result too large to store": Mistake(StorageError, r"a result of shape .* needs \d+ positions", large_result),
    "two components in one position": Mistake(
        StorageError,
        r"components .* cannot both be stored in .*level \d \(singleton\) has one position for them",
        no_room,
    ),
    "a component above the diagonal of a skyline": Mistake(
        StorageError, "lies above the diagonal, where skyline stores nothing", above_diagonal
    ),
    "a component of a skyline in a row without a diagonal": Mistake(
        StorageError, "lies in a row that ends before the diagonal", below_last_diagonal
    ),
    "a component off its diagonal": Mistake(
        StorageError, r"does not lie on diagonal \d, whose offset is -?\d", off_diagonal
    ),
    "rows of diagonals whose offsets nothing gives": Mistake(
        FormatError, r"level \d \(range\) of .*: nothing gives it its offsets", no_offsets
    ),
    "an integer that its dtype cannot hold": Mistake(
        DtypeError, r"value -?\d+ does not fit in u?int\d+|no integer dtype holds values from", wide_value
    ),
    "a value of a kind that its dtype cannot hold": Mistake(
        DtypeError, r"values of dtype \w+ cannot be stored as \w+", value_of_other_kind
    ),
    "a dtype that tensors do not have": Mistake(DtypeError, "dtype .* is not supported", unknown_dtype),
    "a fill that its dtype cannot hold": Mistake(DtypeError, "fill .* does not fit in", wide_fill),
    "duplicates whose sum overflows": Mistake(
        MeaningError, r"integer overflow: duplicates add up to \d+, which does not fit in u?int\d+", duplicates_overflow
    ),
    "stored values of another number than positions": Mistake(
        StorageError, r"vals has length \d+, but the levels encode \d+ positions", wrong_count
    ),
    "a stored coordinate outside the shape": Mistake(
        StorageError, r"crd\[\d+\] is -?\d+, outside \[0, \d+\)", stored_outside
    ),
    "stored coordinates out of order": Mistake(
        StorageError, r"coordinate \d+ comes after \d+ below", unsorted_coordinates
    ),
    "a coordinate that is stored twice": Mistake(StorageError, r"coordinate \d+ occurs twice below", stored_twice),
    "segments that do not follow one another": Mistake(
        StorageError,
        r"pos\[\d\] is -?\d+, (but segments start at 0|less than|but the level has \d+ positions)",
        wrong_segments,
    ),
    "segments of another number than parents": Mistake(
        StorageError, r"pos has length \d+, but should have \d+", number_of_segments
    ),
    "a level without one of its arrays": Mistake(StorageError, "lacks (pos|crd)", missing_array),
}
