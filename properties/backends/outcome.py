"""Outcomes: what a backend made of a problem, against what the problem means."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
from msgspec import Struct

from ...reference.algebra.exact import Exact, approximate
from ...reference.algebra.scalars import caster, fill_fits
from ...reference.denotation.meaning import Coordinates, Meaning, Point
from ...reference.errors import MeaningError
from ..differential.difference import structure_difference
from ..programs.problem import Problem
from .result import Result


class Kind(StrEnum):
    """The outcomes, never mixed.

    `agrees`; `refused`: a documented limitation; `wrong`: another value, structure, dtype or shape; `raised`: an
    exception that no documentation announces; `crashed`: the process ended; `hung`: the time limit passed; `exhausted`:
    the memory limit passed; `meaningless`: the program has no meaning on these data.
    """

    AGREES = "agrees"
    REFUSED = "refused"
    WRONG = "wrong"
    RAISED = "raised"
    CRASHED = "crashed"
    HUNG = "hung"
    EXHAUSTED = "exhausted"
    MEANINGLESS = "meaningless"


FINDINGS = (Kind.WRONG, Kind.RAISED, Kind.CRASHED, Kind.HUNG, Kind.EXHAUSTED)
NUMBER = re.compile(r"0x[0-9a-fA-F]+|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{8,}\b|-?\d+(\.\d+)?(e[+-]?\d+)?")
PATH = re.compile(r"(?<![\w/])(?:[A-Za-z]:)?(?:~|\.{1,2}|[\w.+-]*)[/\\](?:[\w.+-]*[/\\])*(?=[\w.+-])")
TEMPORARY = re.compile(r"\btmp\w+")
WORD = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|‘[^’]*’|\b\w*(?:[0-9#_]|[a-z][A-Z])\w*")
QUOTED = re.compile(r"(?<!\w)('[^']*'|\"[^\"]*\"|`[^`]*`)(?!\w)")
LONG = 26


class Outcome(Struct, frozen=True):
    """A kind; `cause`, what programs that show one defect have in common; `detail`, what was seen."""

    kind: Kind
    cause: str = ""
    detail: str = ""

    @property
    def is_finding(self) -> bool:
        """Whether the backend is at fault."""
        return self.kind in FINDINGS


def judge(problem: Problem, result: Result, promises: Sequence[str] = ()) -> Outcome:
    """What a result is, beside the problem's denotation: values and shape always, the rest as promised."""
    if result.shape != problem.shape:
        return Outcome(Kind.WRONG, "shape", f"the shape is {result.shape}, expected {problem.shape}")
    if "dtype" in promises and result.dtype != problem.dtype:
        return Outcome(Kind.WRONG, "dtype", f"the dtype is {result.dtype}, expected {problem.dtype}")
    try:
        return of_components(problem, result, "structure" in promises and result.stored)
    except MeaningError as error:
        return Outcome(Kind.MEANINGLESS, detail=error.message)


def of_components(problem: Problem, result: Result, structural: bool) -> Outcome:
    """What a result of the right shape is: the first coordinate that differs, if any does."""
    denotation, held = problem.denotation, result.components()
    elsewhere = caster(problem.dtype)(result.fill) if fill_fits(result.fill, problem.dtype) else result.fill
    free = problem.out.dense_leaves
    worst: Outcome | None = None
    for i in denotation.points():
        values = held.pop(i, [])
        computed = total(values, problem.dtype) if values else elsewhere
        point = denotation.point(i)
        if not (point.accepts(computed) or is_rounded(computed, point.meaning, result.digits, values)):
            meaning = point.meaning
            within = f" within {meaning.bound:.3g}" if meaning.bound else ""
            expected = f"expected {number_of(meaning.value, problem.dtype)!r}{within}"
            return Outcome(Kind.WRONG, "values", f"at {i} the value is {computed!r}, {expected}")
        if structural and worst is None:
            worst = storage_outcome(point, i, computed, len(values), free)
    if held:
        return Outcome(Kind.WRONG, "structure", f"{next(iter(held))} is outside the shape")
    return worst or Outcome(Kind.AGREES)


def storage_outcome(point: Point, i: Coordinates, computed: Any, stored: int, free: bool) -> Outcome | None:
    """What is wrong with how often a coordinate is stored; `free` if the format stores more than the structure."""
    wrong = structure_difference(point, i, computed, stored > 0, free)
    if wrong is not None:
        return Outcome(Kind.WRONG, "structure", str(wrong))
    return Outcome(Kind.WRONG, "structure", f"{i} is stored {stored} times") if stored > 1 else None


def number_of(value: Exact, dtype: np.dtype) -> bool | int | float | complex:
    """An exact value as people write it who have the dtype: a truth value, an integer, or the nearest float.

    >>> number_of(Fraction(2**53 + 1), np.dtype("int64")), number_of(Fraction(1), np.dtype("bool"))
    (9007199254740993, True)
    """
    if isinstance(value, Fraction) and value.denominator == 1 and dtype.kind in "biu":
        return bool(value) if dtype.kind == "b" else int(value)
    return approximate(value)


def is_rounded(computed: Any, meaning: Meaning, digits: int | None, written: list[Any]) -> bool:
    """Whether a value is right as far as the numbers that make it up are written."""
    expected = approximate(meaning.value)
    if digits is None or isinstance(expected, complex):
        return False
    unit = 0.51 * 10.0 ** (1 - digits) * sum(abs(value) for value in written)
    return bool(abs(computed - expected) <= meaning.bound + unit)


def total(values: list[Any], dtype: np.dtype) -> Any:
    """What components at one coordinate stand for: their sum, of Booleans whether any is true."""
    return any(values) if dtype.kind == "b" else sum(values[1:], start=values[0])


def outcome_of_exception(error: BaseException) -> Outcome:
    """The outcome of an exception: its type, and its message without what differs from program to program.

    A message of nothing but numbers says nothing. What UTF-8 does not write is escaped, as bytes of a file's name are.
    """
    kind = type(error).__name__
    try:
        text = str(error).strip().encode(errors="backslashreplace").decode()
    except Exception as other:
        text = f"its text cannot be had, by {type(other).__name__}"
    said = general(text.splitlines()[0] if text else "")
    says = any(character.isalpha() for character in said)
    return Outcome(Kind.RAISED, f"{kind}: {said}" if says else kind, f"{kind}: {text[:2000]}")


def general(text: str) -> str:
    """A message without folders, temporary names, numbers, addresses and long quotations.

    >>> general("cc: /var/lib/tmpk3_x9/kernel.c:12:5: error: 'kA' undeclared at 0x7f3a")
    "cc: kernel.c:#:#: error: 'kA' undeclared at #"
    """
    return NUMBER.sub("#", TEMPORARY.sub("tmp", PATH.sub("", QUOTED.sub(shorten, text))))[:160]


def gist(cause: str) -> str:
    """A cause without the names in it: what is quoted, and what looks like an identifier.

    >>> gist("CompileError: 'kA' undeclared in A1_size")
    'CompileError: … undeclared in …'
    """
    kind, colon, text = cause.partition(": ")
    return kind + colon + without_names(text)


def without_names(text: str) -> str:
    """A text without what is quoted, and what looks like an identifier.

    >>> without_names("the host sorts A1_list")
    'the host sorts …'
    """
    return WORD.sub("…", text)


def shorten(quotation: re.Match[str]) -> str:
    """A quotation, if it is short."""
    return quotation[0] if len(quotation[0]) < LONG else "'…'"
