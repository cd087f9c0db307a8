"""Declarations: operators that users compose of declared ones, `hop(a,b) = a + 1`, with the algebra that they claim.

Function, exact arithmetic, error bounds, dtypes and the spellings in C and in proofs all follow from the text. What is
claimed is not proved here: `gn.operator` proves it first, and gives nobody an operator whose laws do not hold.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from msgspec import Struct

from ..algebra.dtypes import NAMES, Number
from ..algebra.error_bound import Bound
from ..algebra.operator import Constant, Operator
from ..algebra.operators import OPERATORS
from ..algebra.promotion import constant, largest, least
from ..algebra.scalars import abbreviate, cast, is_number
from ..algebra.spellings import ALIASES
from ..errors import DtypeError, ExpressionError, ParseError
from ..span import Span
from .composition import Composition
from .folding import of_fold, only_chooses
from .parser import CONSTANTS, parse
from .syntax import Access, Apply, Assignment, Expr, Fill, Literal, Reduce, nodes
from .types import dtype_of, infer_types, operand_dtype

EXAMPLE = "write for example 'hop(a,b) = min(a, b) + 1'"
NAME = re.compile(r"[A-Za-z][A-Za-z0-9]*")
TAKEN = {*OPERATORS, *ALIASES, *CONSTANTS, *NAMES, *(o.reduction for o in OPERATORS.values())}
LAWS = ("commutative", "associative", "idempotent")


class Declaration(Struct, frozen=True, dict=True):
    """What a user says of an operator: the text that defines it, and the algebra that it claims."""

    text: str
    identity: Number | None = None
    annihilator: Number | None = None
    commutative: bool = False
    associative: bool = False
    idempotent: bool = False
    distributes_over: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """Python that declares it."""
        said = [repr(self.text)]
        numbers = {"identity": self.identity, "annihilator": self.annihilator}
        said += [f"{name}={value!r}" for name, value in numbers.items() if value is not None]
        said += [f"{law}=True" for law in LAWS if getattr(self, law)]
        said += [f"distributes_over={self.distributes_over!r}"] if self.distributes_over else []
        return f"gn.operator({', '.join(said)})"

    @cached_property
    def assignment(self) -> Assignment:
        """The text as a term. Raises ParseError or ExpressionError for what defines no operator."""
        a = parse(self.text)
        target, operands = a.target, a.target.indices
        if a.mask is not None or a.operator is not None:
            raise self.error("operator.own.text", "an operator is defined by = alone", a.span, EXAMPLE)
        if not 1 <= len(operands) <= 2 or len(set(operands)) < len(operands):
            said = "an operator has one operand, or two of different names"
            raise self.error("operator.own.text", said, target.span, EXAMPLE)
        if target.tensor in TAKEN or NAME.fullmatch(target.tensor) is None:
            why, hint = "is taken", "choose another name"
            if target.tensor not in TAKEN:
                why, hint = "has other characters than letters and digits", "choose a name of letters and digits"
            raise self.error("operator.own.text", f"the name {target.tensor} {why}", target.span, hint)
        for name in sorted({*operands} & CONSTANTS.keys()):
            said = f"{name} is a number, and no name for an operand"
            raise self.error("operator.own.text", said, target.span, "choose another name")
        for e in nodes(a.value):
            self.check_part(e, operands)
        return a

    def check_part(self, e: Expr, operands: Sequence[str]) -> None:
        """Refuse what is neither an operand nor a number nor a declared operator."""
        match e:
            case Access(tensor=name, indices=indices) if indices != (name,) or name not in operands:
                hint = f"its operands are {' and '.join(operands)}; numbers are written out"
                said = f"{name} is no operand of {self.text.partition('=')[0].strip()}"
                raise self.error("operator.own.text", said, e.span, hint)
            case Reduce(index=index):
                said = f"an operator reduces nothing, but this does over {index}"
                raise self.error("operator.own.text", said, e.span, EXAMPLE)
            case Apply(operator=operator) if operator.selects:
                said = f"{operator.name} may be either operand, so it defines nothing"
                raise self.error("operator.own.text", said, e.span, EXAMPLE)
            case Access() | Literal() | Fill() | Apply():
                pass

    def error(self, rule: str, message: str, span: Span | None, hint: str) -> ExpressionError:
        """An error by a rule, with a caret under a part of the text."""
        return ExpressionError(message, hint=hint, source=self.text, span=span, rule=rule)

    @property
    def claims(self) -> tuple[str, ...]:
        """What it claims, by the names of the arguments that say so."""
        given = {"identity": self.identity is not None, "annihilator": self.annihilator is not None}
        given |= {law: getattr(self, law) for law in LAWS}
        return tuple(name for name, said in (given | {"distributes_over": self.distributes_over}).items() if said)

    @cached_property
    def operator(self) -> Operator:
        """The operator with all that it claims, true or not. Raises ExpressionError for what it cannot claim,
        DtypeError where no dtype will do."""
        a = self.assignment
        made = self.composition()
        arity = len(made.operands)
        folds = self.commutative and self.associative and self.identity is not None
        if arity == 1 and self.claims:
            said = f"{made.name} has one operand, so there are no laws of it"
            raise self.error("operator.own.claims", said, a.target.span, EXAMPLE)
        refuse_without_dtype(made)
        bound: Bound | None = of_fold(made, self.identity) if folds and self.identity is not None else None
        identity, annihilator = extreme(self.identity), extreme(self.annihilator)
        return Operator(
            name=made.name,
            arity=arity,
            compute=made.compute,
            compute_in=made.compute_in,
            exact=made.exact,
            bound=made.bound,
            result_dtype=made.dtype,
            operand_dtype=made.dtype,
            c=made.c,
            smt=made.smt,
            checked=made.reporting_c,
            left_identity=identity,
            right_identity=identity,
            left_annihilator=annihilator,
            right_annihilator=annihilator,
            commutative=self.commutative,
            associative=self.associative,
            idempotent=self.idempotent,
            distributes_over=frozenset(self.distributes_over),
            reduction=made.name if folds else None,
            reduction_bound=bound,
            reduced_dtype=made.reduced_dtype,
            exact_identity=only_chooses(made),
            source=self.source,
        )

    def composition(self) -> Composition:
        """What the text computes."""
        a = self.assignment
        constants = tuple(value for value in (self.identity, self.annihilator) if value is not None)
        return Composition(self.source, a.target.tensor, a.target.indices, fold_numbers(a.value), constants)


def declaration(text: Any, identity: Any, annihilator: Any, distributes_over: Any, **laws: Any) -> Declaration:
    """A declaration of what a user gives. Raises ParseError or ExpressionError for what cannot be meant."""
    if not isinstance(text, str):
        raise ParseError(
            f"expected an operator as text, but found {abbreviate(text)}", hint=EXAMPLE, rule="error.python"
        )
    for name, value in (("identity", identity), ("annihilator", annihilator)):
        if value is not None and not is_constant(value):
            raise ExpressionError(
                f"{name}={abbreviate(value)} is no number of any dtype",
                hint="write a number, inf for the largest one",
                rule="operator.own.claims",
            )
    for name, said in laws.items():
        if not isinstance(said, bool):
            raise ExpressionError(
                f"{name}={abbreviate(said)} is not known",
                hint=f"write {name}=True or leave it out",
                rule="operator.own.claims",
            )
    named = (distributes_over,) if isinstance(distributes_over, str) else distributes_over
    is_list = isinstance(named, list | tuple)
    if not is_list or not all(isinstance(n, str) and full_name(n) in OPERATORS for n in named):
        hint = "write the names of declared operators, such as ['min']"
        raise ExpressionError(
            f"distributes_over={abbreviate(distributes_over)} names no operators", hint=hint, rule="operator.own.claims"
        )
    over = tuple(sorted({full_name(n) for n in named}))
    return Declaration(text, plain(identity), plain(annihilator), distributes_over=over, **laws)


def is_constant(value: Any) -> bool:
    """Whether a value is a number that a dtype holds, and not NaN."""
    if not is_number(value) or value != value:
        return False
    return not isinstance(value, int) or abs(value) <= sys.float_info.max


def full_name(name: str) -> str:
    """The name of an operator here, whose name elsewhere may be given."""
    return ALIASES.get(name, name)


def plain(value: Any) -> Number | None:
    """A number as Python has it; zero without its sign, which laws do not tell."""
    if value is None:
        return None
    number: Number = value.item() if isinstance(value, np.ndarray | np.generic) else value
    return 0.0 if isinstance(number, float) and number == 0 else number


def fold_numbers(e: Expr) -> Expr:
    """A term in which what is made of numbers alone is one number. Raises MeaningError for an integer that none is."""
    match e:
        case Apply(operator=operator, args=args):
            inner = tuple(fold_numbers(a) for a in args)
            numbers = [a for a in inner if isinstance(a, Literal)]
            if len(numbers) < len(inner):
                return Apply(operator, inner, span=e.span)
            typed = infer_types(Apply(operator, inner, span=e.span), {})
            assert isinstance(typed, Apply)
            values = [cast(a.value, operand_dtype(typed)) for a in numbers]
            with np.errstate(all="ignore"):
                return Literal(cast(operator.compute(*values), dtype_of(typed)), span=e.span)
        case Access() | Literal() | Fill() | Reduce():
            return e


def refuse_without_dtype(composition: Composition) -> None:
    """Raise DtypeError where an operator takes no dtype at all, with what one of them says."""
    refused: DtypeError | None = None
    for name in ("float64", *NAMES):
        try:
            composition.dtype(np.dtype(name))
            return
        except DtypeError as error:
            refused = refused or error
    assert refused is not None
    raise DtypeError(refused.message, hint=refused.hint, rule=refused.rule)


def extreme(value: Number | None) -> Constant | None:
    """A constant in every dtype; of integers an infinity is an extreme."""
    if isinstance(value, float) and math.isinf(value):
        return largest if value > 0 else least
    return None if value is None else constant(value)
