"""The front end: a text and declarations of its tensors become a resolved assignment, and that a statement.

Interpreter, generator and prover start here, whether there are tensors yet or not. A text is parsed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from ..algebra.scalars import abbreviate
from ..algebra.semirings import Semiring, semiring_or_none
from ..errors import ExpressionError
from ..notation.resolution import Resolved, resolve
from ..notation.syntax import Access, Assignment
from ..notation.text import Text
from ..notation.wellformed import Operand
from ..storage.assemblable import is_assemblable, is_assemblable_in_parts
from ..storage.declaration import Declaration
from ..storage.format import Format
from ..storage.named_formats import dense
from ..storage.spec import Spec, spec
from ..storage.tensor import Tensor

if TYPE_CHECKING:
    from .statement import Program
    from .tags import Target


class Stated(Struct, frozen=True, dict=True):
    """An expression over tensors that are declared.

    `out` is the format or spec of its result, dense if None; `convert="auto"` has operands converted where storage
    orders contradict each other; `target` says what its loops run on.
    """

    text: Text
    declarations: Mapping[str, Declaration]
    out: str | Format | Spec | None = None
    semiring: str | Semiring | None = None
    convert: str | None = None
    target: Target = "c"

    @property
    def assignment(self) -> Assignment:
        """The expression as a term."""
        return self.text.in_ring(self.ring).assignment

    @cached_property
    def ring(self) -> Semiring | None:
        """The semiring."""
        return semiring_or_none(self.semiring)

    @cached_property
    def reads(self) -> tuple[Access, ...]:
        """The accesses of operands: on the right, in the mask, and of previous contents."""
        target = self.text.target
        return (*self.text.reads, *((target,) if target.tensor in self.declarations else ()))

    @cached_property
    def result_spec(self) -> Spec:
        """How the result is to be stored: dense if nothing is asked."""
        return spec(dense(len(self.assignment.target.indices)) if self.out is None else self.out)

    @cached_property
    def format(self) -> Format:
        """The format of the result."""
        return self.result_spec.format_for(len(self.assignment.target.indices))

    def resolve(self, shapes: Mapping[str, tuple[int, ...]]) -> Resolved:
        """The assignment resolved for operands of some shapes. Raises a GnomonError that says what is wrong."""
        known = {
            name: Operand(shapes[name], declared.dtype, declared.fill, declared.format.dense_leaves)
            for name, declared in self.declarations.items()
        }
        return resolve(
            self.assignment,
            known,
            source=self.text.source,
            semiring=self.ring,
            dtype=self.result_spec.dtype,
            fill=self.result_spec.fill,
        )

    @property
    def is_packed(self) -> bool:
        """Whether coordinates are assembled, from which the result is packed: on a GPU also what no parts make."""
        return not (is_assemblable if self.target == "c" else is_assemblable_in_parts)(self.format)

    def lower(self, resolved: Resolved) -> Program:
        """The statement of the resolved assignment before its schedule."""
        from .lowering import lower, lower_for_packing

        formats = {name: declared.format for name, declared in self.declarations.items()}
        lowered = lower_for_packing if self.is_packed else lower
        return lowered(resolved, formats, self.format, convert=self.convert == "auto")


def refuse_convert(convert: object) -> None:
    """Refuse a way to convert that is not known."""
    if not (convert is None or (isinstance(convert, str) and convert == "auto")):
        raise ExpressionError(
            f"convert={abbreviate(convert)} is not known",
            hint='write convert="auto" or leave it out',
            rule="error.python",
        )


def refuse_taken(function: str, text: Text, settings: Mapping[str, object]) -> None:
    """Refuse tensors that cannot be given, since a setting has their name. A result may have such a name."""
    if not isinstance(text.source, str) or not any(name in text.source for name in settings):
        return
    target = text.target
    contents = isinstance(settings.get(target.tensor, ""), np.ndarray | np.generic | Tensor | list | float)
    for access in (*text.inputs, *((target,) if contents else ())):
        if access.tensor in settings:
            raise ExpressionError(
                f"{access.tensor} is a setting of gn.{function}, so no tensor can be given by that name",
                hint=f"rename the tensor, for example to {access.tensor}_",
                source=text.source,
                span=access.span,
                rule="error.python",
            )
